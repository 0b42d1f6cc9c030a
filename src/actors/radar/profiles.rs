//! Profiles of companies: kept in the store, searched for where they are missing or old.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use crate::domain::targets::profile::{CompanyProfile, RETRY_AFTER, refresh_after};
use crate::domain::targets::{DomainName, ProfileUrl};
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
    /// Whether networks and directories are asked about companies and people.
    pub may_ask: bool,
}

impl Profiles {
    /// What is known of the company with `domain`; where that is nothing yet, its site is searched.
    ///
    /// # Errors
    /// A [`StoreError`]; and within, why the site could not be read.
    pub async fn of(&self, domain: &DomainName) -> Result<Result<CompanyProfile, DiscoveryError>, StoreError> {
        if let Some(known) = self.known(domain).await? {
            return Ok(Ok(known));
        }
        match sources::profile_of(&self.web, domain, self.may_ask).await {
            Ok(profile) => {
                self.save(domain, &profile).await?;
                Ok(Ok(profile))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// The same; what is found is not kept.
    ///
    /// # Errors
    /// As [`Profiles::of`].
    pub async fn look_at(&self, domain: &DomainName) -> Result<Result<CompanyProfile, DiscoveryError>, StoreError> {
        match self.known(domain).await? {
            Some(known) => Ok(Ok(known)),
            None => Ok(sources::profile_of(&self.web, domain, self.may_ask).await),
        }
    }

    async fn known(&self, domain: &DomainName) -> Result<Option<CompanyProfile>, StoreError> {
        let known = self.store.company_profile(domain).await?.filter(|known| known.looked_at.is_some());
        Ok(known.map(|known| known.profile))
    }

    /// The accounts that everybody may read of the person with a profile. They are kept nowhere but in the feeds that follow.
    ///
    /// # Errors
    /// The directory that knows them cannot be asked just now.
    pub async fn of_person(&self, profile_url: &ProfileUrl) -> Result<CompanyProfile, DiscoveryError> {
        sources::accounts_of_person(&self.web, profile_url, self.may_ask).await
    }

    /// Looks again at companies whose time has come; answers which. What cannot be read just now is kept as it is.
    ///
    /// # Errors
    /// A [`StoreError`].
    pub async fn refresh_due(&self, limit: u64) -> Result<Vec<DomainName>, StoreError> {
        let now = self.web.now();
        let due = self.store.claim_due_profiles(now, now + RETRY_AFTER, limit).await?;
        let refreshing = stream::iter(due.iter().map(|domain| self.refresh(domain)));
        refreshing.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        Ok(due)
    }

    /// Has a company looked at again in a day that could not be looked at now, unless that is planned already.
    ///
    /// # Errors
    /// A [`StoreError`].
    pub async fn look_again(&self, domain: &DomainName) -> Result<(), StoreError> {
        self.store.plan_profile(domain, self.web.now() + RETRY_AFTER).await
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
