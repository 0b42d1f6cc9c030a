//! What is known of companies, and which of them are to be looked at again.

use chrono::{DateTime, Utc};
use sea_orm::Value;

use crate::database::{List, Run, WriteTransaction, in_order};
use crate::{Result, Store};
use domain::{CompanyProfile, DomainName, ProfileEntry};

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
    pub async fn company_profile(&self, domain: &DomainName) -> Result<Option<StoredProfile>> {
        let known = "select looked_at, refresh_at, last_error from company_profile where domain = ?";
        let known = self.first(known, domain.as_str()).await?;
        let Some((looked_at, refresh_at, last_error)) = known else { return Ok(None) };
        let entries = "select entry_key, entry_value, evidence, evidence_url from profile_entry
            where domain = ? order by entry_key, ordinal";
        let profile = self.all::<ProfileEntry>(entries, domain.as_str()).await?.into_iter().collect();
        Ok(Some(StoredProfile { profile, looked_at, refresh_at, last_error }))
    }

    /// Replaces what is known of the company with `domain`.
    pub async fn save_company_profile(
        &self,
        domain: &DomainName,
        profile: &CompanyProfile,
        looked_at: DateTime<Utc>,
        refresh_at: DateTime<Utc>,
    ) -> Result<()> {
        let known = "insert into company_profile (domain, looked_at, refresh_at) values (?, ?, ?)";
        let mut entries = self.sql("insert into profile_entry (domain, ordinal, entry_key, entry_value, evidence, ");
        entries.push("evidence_url) values ").bind_rows((0_i64..).zip(profile.entries()).map(|(ordinal, entry)| {
            let ProfileEntry { key, value, evidence, evidence_url } = entry;
            let words = [key.as_str(), value, evidence.as_str(), evidence_url].map(Value::from);
            [domain.as_str().into(), ordinal.into()].into_iter().chain(words)
        }));
        self.in_transaction(async |transaction| {
            forget(transaction, std::slice::from_ref(domain)).await?;
            transaction.run(known, (domain.as_str(), looked_at, refresh_at)).await?;
            match profile.entries().is_empty() {
                true => Ok(()),
                false => entries.run(transaction).await.map(drop),
            }
        })
        .await
    }

    /// Has a company looked at from `refresh_at` on of which nothing is known.
    pub async fn plan_profile(&self, domain: &DomainName, refresh_at: DateTime<Utc>) -> Result<()> {
        let plan = "insert into company_profile (domain, refresh_at) values (?, ?) on conflict (domain) do nothing";
        self.run(plan, (domain.as_str(), refresh_at)).await.map(drop)
    }

    /// Notes that a look at a company whose profile is known has failed; what is known stays.
    pub async fn note_profile_failure(
        &self,
        domain: &DomainName,
        error: &str,
        refresh_at: DateTime<Utc>,
    ) -> Result<()> {
        let note = "update company_profile set last_error = ?, refresh_at = ? where domain = ?";
        self.run(note, (error, refresh_at, domain.as_str())).await.map(drop)
    }

    /// Claims companies that are to be looked at again, of those that a radar watches: they are due again at `until`, so
    /// that one process looks at each.
    pub async fn claim_due_profiles(
        &self,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: u64,
    ) -> Result<Vec<DomainName>> {
        let claim = format!(
            "update company_profile set refresh_at = ? where refresh_at <= ? and domain in (
                select p.domain from company_profile p where p.refresh_at <= ? and {IS_WATCHED}
                order by p.refresh_at, p.domain limit ?) returning domain"
        );
        self.deadline.io(self.write.all(&claim, (until, now, now, limit))).await
    }

    /// Forgets companies that nobody watches and that were due before `before`; answers how many.
    pub async fn forget_profiles(&self, before: DateTime<Utc>, limit: u64) -> Result<usize> {
        let unwatched = format!(
            "select p.domain from company_profile p where p.refresh_at < ? and not {IS_WATCHED}
            order by p.refresh_at, p.domain limit ?"
        );
        self.in_transaction(async |transaction| {
            let domains: Vec<DomainName> = transaction.all(&unwatched, (before, limit)).await?;
            forget(transaction, &domains).await?;
            Ok(domains.len())
        })
        .await
    }
}

async fn forget(transaction: &WriteTransaction, domains: &[DomainName]) -> Result<()> {
    for table in ["profile_entry", "company_profile"] {
        let named = List(domains.iter().map(DomainName::as_str));
        transaction.run(&format!("delete from {table} where domain in ?"), named).await?;
    }
    Ok(())
}
