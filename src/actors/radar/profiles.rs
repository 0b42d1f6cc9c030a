//! Profiles of companies: kept in the store, searched for where they are missing or old.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _};

use crate::domain::targets::DomainName;
use crate::domain::targets::profile::{CompanyProfile, RETRY_AFTER, refresh_after};
use crate::outbound::fetch::Web;
use crate::sources::{self, DiscoveryError};
use crate::store::{Store, StoreError};

/// How many companies are looked at at the same time.
const AT_ONCE: usize = 4;

/// The way to what is known of companies. Lives on the actors' thread.
#[derive(Clone)]
pub struct Profiles {
    /// The database.
    pub store: Arc<Store>,
    /// Fetches from companies' sites.
    pub web: Web,
    /// Whether networks and directories are asked about companies.
    pub may_ask: bool,
}

impl Profiles {
    /// What is known of the company with `domain`; where that is nothing yet, its site is searched.
    ///
    /// # Errors
    /// A [`StoreError`]; and within, why the site could not be read.
    pub async fn of(&self, domain: &DomainName) -> Result<Result<CompanyProfile, DiscoveryError>, StoreError> {
        if let Some(known) = self.store.company_profile(domain).await?.filter(|known| known.looked_at.is_some()) {
            return Ok(Ok(known.profile));
        }
        match sources::profile_of(&self.web, domain, self.may_ask).await {
            Ok(profile) => {
                self.save(domain, &profile).await?;
                Ok(Ok(profile))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Looks again at companies whose time has come; answers how many. What cannot be read just now is kept as it is.
    ///
    /// # Errors
    /// A [`StoreError`].
    pub async fn refresh_due(&self, limit: u64) -> Result<usize, StoreError> {
        let now = self.web.now();
        let due = self.store.claim_due_profiles(now, now + RETRY_AFTER, limit).await?;
        let count = due.len();
        let mut refreshed = stream::iter(due.iter().map(|domain| self.refresh(domain))).buffer_unordered(AT_ONCE);
        while let Some(result) = refreshed.next().await {
            result?;
        }
        Ok(count)
    }

    async fn refresh(&self, domain: &DomainName) -> Result<(), StoreError> {
        match sources::profile_of(&self.web, domain, self.may_ask).await {
            Ok(profile) => self.save(domain, &profile).await,
            Err(error) => {
                let retry_at = self.web.now() + RETRY_AFTER;
                self.store.note_profile_failure(domain, &error.to_string(), retry_at).await
            }
        }
    }

    async fn save(&self, domain: &DomainName, profile: &CompanyProfile) -> Result<(), StoreError> {
        let now = self.web.now();
        self.store.save_company_profile(domain, profile, now, now + refresh_after(domain)).await
    }
}
