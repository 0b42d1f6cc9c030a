//! The last check, when everything is healed and quiet: nothing acknowledged is missing, nothing happened twice, the money
//! is where it belongs, every reader saw the same, every push arrived, and the service still works.

mod money;
mod radars;
mod updates;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Value, json};

use super::boards::Publisher;
use super::callers::{Caller, Request};
use super::fleet::{BY_THE_FINDING, Fleet};
use super::history::Account;
use super::inbox::Inbox;
use super::readers::Reader;
use super::{Progress, READERS_EACH};
use crate::support::dice::Dice;
use crate::support::process::Service;
use crate::support::push_source::PushSource;

/// Pays for everything that was held.
const RESCUE_USD: &str = "1000";
const RESCUE_MICROS: i64 = 1_000_000_000;
/// How many complaints of a kind are printed.
const PRINTED_MAX: usize = 10;

/// What is not as it should be.
#[derive(Default)]
pub struct Complaints {
    missing: Vec<String>,
    doubled: Vec<String>,
    wrong: Vec<String>,
}

/// What was found.
#[derive(Default)]
pub struct Summary {
    radars: usize,
    updates: usize,
    ledger_txs: usize,
    deliveries: usize,
    delivered_again: usize,
    seen_by_readers: usize,
    possible: usize,
    possible_and_real: usize,
    pub complaints: Complaints,
}

pub async fn check(
    fleet: &Fleet,
    progress: &Progress,
    accounts: &[Account],
    readers: &mut [Reader<'_>],
    publisher: &Publisher<'_>,
    inbox: &mut Inbox<'_>,
) -> Summary {
    let mut summary = Summary::default();
    let mut hooked = BTreeSet::new();
    let mut of_readers = readers.iter_mut();
    let postings = publisher.finish().await;
    for account in accounts {
        let mut account_check = AccountCheck::of(fleet, progress, account);
        account_check.check_keys_and_limits(&mut summary.complaints).await;
        account_check.pay_for_everything().await;
        let updates = account_check.updates_when_all_are_there(&postings, &mut summary.complaints).await;
        let radars = account_check.radars(&mut summary.complaints).await;
        account_check.check_radars(&radars, &mut summary);
        account_check.check_updates(&radars, &updates, &postings, &mut summary.complaints);
        summary.ledger_txs += account_check.check_money(&radars, &updates, &mut summary.complaints).await;
        for reader in of_readers.by_ref().take(READERS_EACH) {
            summary.seen_by_readers += reader.check(&updates).await;
        }
        (summary.radars, summary.updates) = (summary.radars + radars.len(), summary.updates + updates.len());
        let is_hooked = |update: &&Value| radars.get(radar_of(update)).is_some_and(has_hook);
        let ids = updates.iter().filter(is_hooked).map(|update| text(&update["update_id"]).to_owned());
        hooked.extend(ids.map(|update_id| (account.number, update_id)));
    }
    assert!(of_readers.next().is_none(), "every reader was checked");
    for process in 0..fleet.count() {
        hooked.insert((accounts[0].number, still_works(fleet, progress, &accounts[0], process).await));
    }
    summary.deliveries = inbox.check(&hooked, &mut summary.complaints).await;
    summary.delivered_again = inbox.repeated;
    fleet.with_service(0, Service::assert_ledger_adds_up);
    summary
}

/// One account that is checked.
struct AccountCheck<'a> {
    account: &'a Account,
    caller: Caller<'a>,
    dice: Dice,
}

/// All radars of an account as they are listed, by identifier.
type Radars = BTreeMap<String, Value>;

impl<'a> AccountCheck<'a> {
    fn of(fleet: &'a Fleet, progress: &'a Progress, account: &'a Account) -> Self {
        Self { account, caller: Caller::new(fleet, progress, account), dice: Dice::new(1) }
    }

    async fn get(&mut self, path: &str) -> Value {
        self.caller.ask(&mut self.dice, &Request::get(path)).await.answer.expect_status(200).json
    }

    /// What was held is published as soon as there is money.
    async fn pay_for_everything(&mut self) {
        let body = json!({"amount_usd": RESCUE_USD, "payment_ref": "rescue"});
        let path = self.account.path("top-ups");
        self.caller.operate(&mut self.dice, &Request::post(&path, &body)).await.answer.expect_status(201);
        self.account.known.borrow_mut().top_ups.insert("rescue".to_owned(), RESCUE_MICROS);
    }
}

impl AccountCheck<'_> {
    /// Every key that was handed out is good, and every limit is as it was set.
    async fn check_keys_and_limits(&mut self, complaints: &mut Complaints) {
        let (keys, limits) = {
            let known = self.account.known.borrow();
            (known.keys.clone(), known.limits.clone())
        };
        for key in keys {
            let status = self.caller.status_with(&key, "/v1/account").await;
            if status != 200 {
                complaints.missing(format!("a key is answered with {status}"));
            }
        }
        for (account_id, per_second) in limits {
            let path = format!("/operator/v1/accounts/{account_id}");
            let answer = self.caller.operate(&mut self.dice, &Request::get(&path)).await.answer.expect_status(200);
            complaints.equal(&answer.json["data"]["limits"]["per_second"], &json!(per_second), "a limit");
        }
    }
}

/// Through this process a radar is created, a finding handed in and read; answers the update, which has to be pushed.
async fn still_works(fleet: &Fleet, progress: &Progress, account: &Account, process: usize) -> String {
    let caller = Caller::new(fleet, progress, account);
    let domain = format!("alive-{process}.com");
    let body = json!({"domain": domain, "radar_type": BY_THE_FINDING, "webhook_url": account.hook});
    let made = caller.ask_process(process, &Request::post("/v1/radars/companies", &body)).await.expect_status(201);
    let radar_id = made.text("/data/radar_id");
    let finding = PushSource::finding(radar_id, "alive", &json!({}));
    let answer = fleet.operator(process).post("/operator/v1/findings", &finding).await.expect_status(202);
    assert_eq!(answer.text("/data/0/outcome"), "published");
    let path = format!("/v1/updates?radar_id={radar_id}");
    let page = caller.ask_process(process, &Request::get(&path)).await.expect_status(200);
    let update_id = page.text("/updates/0/update_id");
    assert_eq!(answer.text("/data/0/update_id"), update_id);
    update_id.to_owned()
}

impl Complaints {
    /// Something was acknowledged, or promised by what was acknowledged, and is not there.
    pub fn missing(&mut self, what: String) {
        self.missing.push(what);
    }

    /// Something happened more than once.
    pub fn doubled(&mut self, what: String) {
        self.doubled.push(what);
    }

    /// Something is there that nobody asked for, or is not as it was asked for.
    pub fn wrong(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// What is equal to something else, if it should be.
    fn equal<T: PartialEq + fmt::Debug>(&mut self, found: &T, expected: &T, what: &str) {
        if found != expected {
            self.wrong(format!("{what}: {found:?} instead of {expected:?}"));
        }
    }

    /// Ends the test if there are any.
    pub fn assert_none(&self) {
        let Self { missing, doubled, wrong } = self;
        assert!(missing.is_empty() && doubled.is_empty() && wrong.is_empty(), "{self:?}");
    }
}

impl fmt::Debug for Complaints {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, complaints) in [("missing", &self.missing), ("doubled", &self.doubled), ("wrong", &self.wrong)] {
            for complaint in complaints.iter().take(PRINTED_MAX) {
                writeln!(out, "{kind}: {complaint}")?;
            }
        }
        write!(out, "{self}")
    }
}

impl fmt::Display for Complaints {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "missing: {}, doubled: {}, wrong: {}", self.missing.len(), self.doubled.len(), self.wrong.len())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { radars, updates, ledger_txs, deliveries, delivered_again, seen_by_readers, .. } = self;
        let Self { possible, possible_and_real, complaints, .. } = self;
        writeln!(
            out,
            "{radars} radars, {updates} updates, {ledger_txs} ledger transactions, {deliveries} deliveries and \
             {delivered_again} repeated ones, {seen_by_readers} updates seen by readers"
        )?;
        writeln!(out, "  {possible} creations in doubt to the end, of which {possible_and_real} had happened")?;
        write!(out, "  {complaints}")
    }
}

/// The radar that an update is about.
fn radar_of(update: &Value) -> &str {
    text(&update["data"]["radar_id"])
}

fn has_hook(record: &Value) -> bool {
    record["webhook_url"].is_string()
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}
