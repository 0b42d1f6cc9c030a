//! Profiles of companies: kept in the store, searched for where they are missing or old.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};

use domain::targets::profile::{RETRY_AFTER, refresh_after};
use domain::{CompanyProfile, DomainName, NewRadar, RadarType, Target};
use outbound::fetch::Web;
use sources::{self, Catalog, DiscoveryError};
use store::{Store, StoreError};

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

/// Whether a profile that is looked up is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// For all radars on the company, refreshed weekly.
    Stored,
    /// For the caller alone.
    Nowhere,
}

impl Profiles {
    /// What is known of the company, or of the accounts of the person, where a source of `catalog` asks for it.
    ///
    /// # Errors
    /// A [`StoreError`]; and within, why it cannot be read.
    pub async fn needed_by(
        &self,
        catalog: &Catalog,
        wanted: &NewRadar,
        keep: Keep,
    ) -> Result<Result<Option<CompanyProfile>, DiscoveryError>, StoreError> {
        if !sources::needs_profile(catalog, wanted.radar_type) {
            return Ok(Ok(None));
        }
        let found = match &wanted.target {
            Target::Company { domain } => self.of(domain, keep).await?,
            // Who changes jobs is known by the employer; what others do is seen on networks, not at the company.
            Target::Contact { domain: Some(domain), .. } if wanted.radar_type == RadarType::ContactJobChanges => {
                self.of(domain, keep).await?
            }
            // The accounts of a person are kept nowhere but in the feeds that follow.
            Target::Contact { profile_url: Some(profile_url), .. } => {
                sources::accounts_of_person(&self.web, profile_url, self.may_ask).await
            }
            _ => return Ok(Ok(None)),
        };
        Ok(found.map(Some))
    }

    /// What is known of the company with `domain`; where that is nothing yet, its site is searched.
    ///
    /// # Errors
    /// A [`StoreError`]; and within, why the site could not be read.
    pub async fn of(
        &self,
        domain: &DomainName,
        keep: Keep,
    ) -> Result<Result<CompanyProfile, DiscoveryError>, StoreError> {
        let known = self.store.company_profile(domain).await?.filter(|known| known.looked_at.is_some());
        if let Some(known) = known {
            return Ok(Ok(known.profile));
        }
        let found = sources::profile_of(&self.web, domain, self.may_ask).await;
        if let (Ok(profile), Keep::Stored) = (&found, keep) {
            self.save(domain, profile).await?;
        }
        Ok(found)
    }

    /// Looks again at companies whose time has come; answers which. What cannot be read just now is kept as it is.
    pub async fn refresh_due(&self, limit: u64) -> Result<Vec<DomainName>, StoreError> {
        let now = self.web.now();
        let due = self.store.claim_due_profiles(now, now + RETRY_AFTER, limit).await?;
        let refreshing = stream::iter(due.iter().map(|domain| self.refresh(domain)));
        refreshing.buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        Ok(due)
    }

    /// Has a company looked at again in a day that could not be looked at now, unless that is planned already.
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
