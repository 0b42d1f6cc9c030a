//! What the world outside knows: everything that was acknowledged to it, and what is in doubt.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::fleet::{BY_THE_FINDING, BY_THE_MONTH, Fleet};
use crate::support::customer::Customer;

/// What a radar costs by the month, what a finding costs, and what a posting costs, in micro-USD.
pub const MONTH_MICROS: i64 = 100_000;
pub const FINDING_MICROS: i64 = 10_000;
pub const POSTING_MICROS: i64 = 1_000;
pub const POSTINGS: &str = "company_job_openings";

/// How an account lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// There is always money.
    Rich,
    /// Hand to mouth: creations are refused, findings are held.
    Poor,
    /// An operator approves or rejects every finding.
    Approved,
    /// Its radars watch job boards.
    Watching,
}

/// An account and what its owner knows.
pub struct Account {
    pub number: usize,
    pub manner: Manner,
    pub customer: Customer,
    /// Where its radars push to.
    pub hook: String,
    pub known: RefCell<Known>,
}

/// What the clients of an account know.
#[derive(Default)]
pub struct Known {
    /// Acknowledged payments in micro-USD, by reference.
    pub top_ups: BTreeMap<String, i64>,
    /// Acknowledged keys, of this account and of others that its clients have opened.
    pub keys: Vec<String>,
    /// Acknowledged limits of those others: requests per second, by account.
    pub limits: BTreeMap<String, u64>,
    /// Acknowledged radars, by identifier.
    pub radars: BTreeMap<String, KnownRadar>,
    /// Domains whose radar may have been created by a request of which nothing more was heard.
    pub possible: BTreeSet<String>,
    /// Domains whose radar was refused.
    pub refused: BTreeSet<String>,
    /// Radars that several clients have raced for, by domain.
    pub shared: BTreeMap<String, String>,
    /// Findings that were handed in, by radar and record.
    pub findings: BTreeMap<(String, String), Fate>,
}

#[derive(Clone, Debug)]
pub struct KnownRadar {
    pub domain: String,
    pub radar_type: String,
    pub has_hook: bool,
    pub is_deleted: bool,
    /// It is left alone: a request that is still on its way might create it once more after its end.
    pub is_kept: bool,
}

/// What is to come of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was published.
    Published,
    /// It is published unless its radar ends before there is money for it.
    Waiting,
    /// Nobody will ever read it.
    Never,
}

impl Account {
    /// Opens an account through the first process, before anything is broken.
    pub async fn open(fleet: &Fleet, number: usize, manner: Manner, hook: &str) -> Self {
        let limits = json!({"write_per_minute": 1_000_000, "read_per_minute": 1_000_000, "per_second": 1_000_000});
        let operator = fleet.operator(0);
        let body = json!({"name": format!("{manner:?}"), "limits": limits});
        let made = operator.post("/operator/v1/accounts", &body).await.expect_status(201);
        let customer = Customer {
            account_id: made.text("/data/account_id").to_owned(),
            webhook_secret: made.text("/data/webhook_secret").to_owned(),
            api_key: made.text("/data/api_key").to_owned(),
        };
        let account = Self { number, manner, customer, hook: hook.to_owned(), known: RefCell::default() };
        for (radar_type, model, rate_usd) in [
            (BY_THE_MONTH, "subscription", "0.1"),
            (BY_THE_FINDING, "update_based", "0.01"),
            (POSTINGS, "update_based", "0.001"),
        ] {
            let price = json!({"model": model, "rate_usd": rate_usd});
            operator.put(&account.path(&format!("prices/{radar_type}")), &price).await.expect_status(200);
        }
        if manner == Manner::Approved {
            operator.patch(&account.path(""), &json!({"approval": "manual"})).await.expect_status(200);
        }
        if manner != Manner::Poor {
            let top_up = json!({"amount_usd": "100", "payment_ref": "first"});
            operator.post(&account.path("top-ups"), &top_up).await.expect_status(201);
            account.known.borrow_mut().top_ups.insert("first".to_owned(), 100_000_000);
        }
        account
    }

    /// A path of the operator API about this account.
    pub fn path(&self, rest: &str) -> String {
        let path = format!("/operator/v1/accounts/{}/{rest}", self.customer.account_id);
        path.trim_end_matches('/').to_owned()
    }
}

impl Known {
    /// Notes a radar that was acknowledged.
    pub fn created(&mut self, radar_id: &str, radar: KnownRadar) {
        self.possible.remove(&radar.domain);
        let earlier = self.radars.insert(radar_id.to_owned(), radar);
        assert!(earlier.is_none(), "the identifier {radar_id} was given twice");
    }

    /// Notes what will come of a finding.
    pub fn reported(&mut self, radar_id: &str, record_id: &str, fate: Fate) {
        self.findings.insert((radar_id.to_owned(), record_id.to_owned()), fate);
    }
}
