//! What is known of companies, and which of them are to be looked at again.

use chrono::{DateTime, Utc};
use sea_orm::Value;

use crate::database::columns::in_order;
use crate::database::statement::Statements;
use crate::database::write_transaction::WriteTransaction;
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

in_order!(ProfileEntry { key, value, evidence, evidence_url });

/// A radar watches the company `p`.
const IS_WATCHED: &str =
    "exists (select 1 from radar r where r.domain = p.domain and r.domain is not null and r.status = 'active')";

impl Store {
    /// What is known of the company with `domain`; `None` if it was never looked at.
    pub async fn company_profile(&self, domain: &DomainName) -> Result<Option<StoredProfile>, StoreError> {
        let mut known = self.sql("select looked_at, refresh_at, last_error from company_profile where domain = ");
        let known = self.deadline.io(known.bind(domain.as_str()).first(&self.read)).await?;
        let Some((looked_at, refresh_at, last_error)) = known else { return Ok(None) };
        let mut entries = self.sql("select entry_key, entry_value, evidence, evidence_url from profile_entry where ");
        entries.push("domain = ").bind(domain.as_str()).push(" order by entry_key, ordinal");
        let profile = self.deadline.io(entries.all::<ProfileEntry>(&self.read)).await?.into_iter().collect();
        Ok(Some(StoredProfile { profile, looked_at, refresh_at, last_error }))
    }

    /// Replaces what is known of the company with `domain`.
    pub async fn save_company_profile(
        &self,
        domain: &DomainName,
        profile: &CompanyProfile,
        looked_at: DateTime<Utc>,
        refresh_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let mut known = self.sql("insert into company_profile (domain, looked_at, refresh_at) values (");
        known.bind(domain.as_str()).push(", ").bind(looked_at.timestamp_micros());
        known.push(", ").bind(refresh_at.timestamp_micros()).push(")");
        let mut entries = self.sql("insert into profile_entry (domain, ordinal, entry_key, entry_value, evidence, ");
        entries.push("evidence_url) values ").bind_rows((0_i64..).zip(profile.entries()).map(|(ordinal, entry)| {
            let ProfileEntry { key, value, evidence, evidence_url } = entry;
            let words = [key.as_str(), value, evidence.as_str(), evidence_url].map(Value::from);
            [domain.as_str().into(), ordinal.into()].into_iter().chain(words)
        }));
        self.in_transaction(async |transaction| {
            forget(transaction, std::slice::from_ref(domain)).await?;
            known.run(transaction).await?;
            match profile.entries().is_empty() {
                true => Ok(()),
                false => entries.run(transaction).await.map(drop),
            }
        })
        .await
    }

    /// Has a company looked at from `refresh_at` on of which nothing is known.
    pub async fn plan_profile(&self, domain: &DomainName, refresh_at: DateTime<Utc>) -> Result<(), StoreError> {
        let mut sql = self.sql("insert into company_profile (domain, refresh_at) values (");
        sql.bind(domain.as_str()).push(", ").bind(refresh_at.timestamp_micros());
        self.deadline.io(sql.push(") on conflict (domain) do nothing").run(&self.write)).await.map(drop)
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
            let domains: Vec<DomainName> = sql.all(transaction).await?;
            forget(transaction, &domains).await?;
            Ok(domains.len())
        })
        .await
    }
}

async fn forget(transaction: &WriteTransaction, domains: &[DomainName]) -> Result<(), StoreError> {
    for table in ["profile_entry", "company_profile"] {
        let mut sql = transaction.sql(&format!("delete from {table} where domain in "));
        sql.bind_list(domains.iter().map(DomainName::as_str)).run(transaction).await?;
    }
    Ok(())
}
