//! What is known of companies, and which of them are to be looked at again.

use chrono::{DateTime, Utc};
use entity::{company_profile, profile_entry};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use crate::database::if_present::IfPresent;
use crate::database::statement::Statements;
use crate::database::write_transaction::WriteTransaction;
use crate::database::{bulk, rows};
use crate::tables::stored::{Stored, stored};
use crate::{Store, StoreError};
use domain::targets::DomainName;
use domain::targets::profile::{CompanyProfile, ProfileEntry};

/// A company's profile, as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredProfile {
    /// What is known.
    pub profile: CompanyProfile,
    /// When the company was last looked at with success; `None` if it never was.
    pub looked_at: Option<DateTime<Utc>>,
    /// When it is looked at again.
    pub refresh_at: DateTime<Utc>,
    /// Why the last look failed, if it did.
    pub last_error: Option<String>,
}

stored! {
    profile_entry (domain, entry_key, ordinal, entry_value, evidence, evidence_url)
    (DomainName, (ProfileEntry, i64)) =
        (domain, (ProfileEntry { key: entry_key, value: entry_value, evidence, evidence_url }, ordinal))
}

/// A radar watches the company `p`.
const IS_WATCHED: &str =
    "exists (select 1 from radar r where r.domain = p.domain and r.domain is not null and r.status = 'active')";

impl Store {
    /// What is known of the company with `domain`; `None` if it was never looked at.
    pub async fn company_profile(&self, domain: &DomainName) -> Result<Option<StoredProfile>, StoreError> {
        let of_domain = company_profile::Entity::find_by_id(domain.as_str());
        let Some(row) = self.deadline.io(of_domain.one(&self.read)).await? else { return Ok(None) };
        let mut entries = self.read.rows_of::<profile_entry::Entity>();
        entries.push("domain = ").bind(domain.as_str()).push(" order by entry_key, ordinal");
        let entries = self.deadline.io(entries.models(&self.read)).await?;
        Ok(Some(StoredProfile {
            profile: entries
                .into_iter()
                .map(|row| Ok(profile_entry::Entity::value(row)?.1.0))
                .collect::<Result<_, StoreError>>()?,
            looked_at: rows::instant_option("company_profile", row.looked_at)?,
            refresh_at: rows::instant("company_profile", row.refresh_at)?,
            last_error: row.last_error,
        }))
    }

    /// Replaces what is known of the company with `domain`.
    pub async fn save_company_profile(
        &self,
        domain: &DomainName,
        profile: &CompanyProfile,
        looked_at: DateTime<Utc>,
        refresh_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let row = company_profile::Model {
            domain: domain.as_str().to_owned(),
            looked_at: Some(looked_at.timestamp_micros()),
            refresh_at: refresh_at.timestamp_micros(),
            last_error: None,
        };
        let entries = profile.entries().iter().cloned().zip(0..);
        let entries = entries.map(|entry| profile_entry::Entity::row((domain.clone(), entry))).collect();
        self.in_transaction(async |transaction| {
            forget(transaction, std::slice::from_ref(&row.domain)).await?;
            bulk::insert_one(transaction, row, IfPresent::fail()).await?;
            bulk::insert(transaction, entries, IfPresent::fail()).await
        })
        .await
    }

    /// Has a company looked at from `refresh_at` on of which nothing is known.
    pub async fn plan_profile(&self, domain: &DomainName, refresh_at: DateTime<Utc>) -> Result<(), StoreError> {
        let domain = domain.as_str().to_owned();
        let refresh_at = refresh_at.timestamp_micros();
        let row = company_profile::Model { domain, looked_at: None, refresh_at, last_error: None };
        self.deadline.io(bulk::insert_one(&self.write, row, IfPresent::leave())).await.map(drop)
    }

    /// Notes that a look at a company whose profile is known has failed; what is known stays.
    pub async fn note_profile_failure(
        &self,
        domain: &DomainName,
        error: &str,
        refresh_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut sql = self.sql("update company_profile set last_error = ");
        sql.bind(error).push(", refresh_at = ").bind(refresh_at.timestamp_micros());
        sql.push(" where domain = ").bind(domain.as_str());
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }

    /// Claims companies that are to be looked at again, of those that a radar watches: they are due again at `until`, so
    /// that one process looks at each.
    pub async fn claim_due_profiles(
        &self,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: u64,
    ) -> Result<Vec<DomainName>, StoreError> {
        let (now, until) = (now.timestamp_micros(), until.timestamp_micros());
        let mut sql = self.sql("update company_profile set refresh_at = ");
        sql.bind(until).push(" where refresh_at <= ").bind(now);
        sql.push(" and domain in (select p.domain from company_profile p where p.refresh_at <= ").bind(now);
        sql.push(" and ").push(IS_WATCHED).push(" order by p.refresh_at, p.domain limit ").count(limit);
        self.deadline.io(sql.push(") returning domain").all(&self.write)).await
    }

    /// Forgets companies that nobody watches and that were due before `before`; answers how many.
    pub async fn forget_profiles(&self, before: DateTime<Utc>, limit: u64) -> Result<usize, StoreError> {
        let mut sql = self.sql("select p.domain from company_profile p where p.refresh_at < ");
        sql.bind(before.timestamp_micros()).push(" and not ").push(IS_WATCHED);
        sql.push(" order by p.refresh_at, p.domain limit ").count(limit);
        self.in_transaction(async |transaction| {
            let domains: Vec<String> = sql.all(transaction).await?;
            forget(transaction, &domains).await?;
            Ok(domains.len())
        })
        .await
    }
}

async fn forget(transaction: &WriteTransaction, domains: &[String]) -> Result<(), StoreError> {
    let entries = profile_entry::Entity::delete_many();
    entries.filter(profile_entry::Column::Domain.is_in(domains)).exec(transaction).await?;
    let profiles = company_profile::Entity::delete_many();
    profiles.filter(company_profile::Column::Domain.is_in(domains)).exec(transaction).await?;
    Ok(())
}
