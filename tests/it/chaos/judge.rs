//! The judgement, when everything is healed and quiet: nothing acknowledged is missing, nothing happened twice, the money
//! is where it belongs, every reader saw the same, every push arrived, and the service still works.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::Progress;
use super::boards::Publisher;
use super::callers::{Caller, Request};
use super::fleet::{BY_THE_FINDING, BY_THE_MONTH, Fleet};
use super::readers::Reader;
use super::witness::{Account, FINDING_MICROS, Fate, MONTH_MICROS, Manner, POSTING_MICROS, POSTINGS};
use crate::support::customer::parse;
use crate::support::dice::Dice;
use crate::support::process::Service;
use crate::support::push_source::PushSource;
use crate::support::receiver::{Received, Receiver, verify};

/// How often what is due is looked for, and how often nothing may be pushed when something is due. The leases of the dead
/// have to run out: both are 150 seconds, counted, so that a machine that stood still is not held against the service.
const LOOKS_MAX: u32 = 750;
const LOOK_EVERY: Duration = Duration::from_millis(200);
const SILENCES_MAX: u32 = 150;
const SILENCE: Duration = Duration::from_secs(1);
/// Pays for everything that was held.
const RESCUE_USD: &str = "1000";
const RESCUE_MICROS: i64 = 1_000_000_000;

/// What was found.
#[derive(Default)]
pub struct Judged {
    radars: usize,
    updates: usize,
    movements: usize,
    deliveries: usize,
    delivered_again: usize,
    seen_by_readers: usize,
    possible: usize,
    possible_and_real: usize,
}

impl fmt::Display for Judged {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} radars, {} updates, {} movements of money, {} deliveries and {} repeated ones, {} updates seen by \
             readers; of {} creations in doubt to the end, {} had happened",
            self.radars,
            self.updates,
            self.movements,
            self.deliveries,
            self.delivered_again,
            self.seen_by_readers,
            self.possible,
            self.possible_and_real
        )
    }
}

pub async fn judge(
    fleet: &Fleet,
    progress: &Progress,
    accounts: &[Account],
    readers: &mut [Reader<'_>],
    publisher: &Publisher<'_>,
    receiver: &mut Receiver,
) -> Judged {
    let mut judged = Judged::default();
    let mut hooked = BTreeMap::new();
    let mut of_readers = readers.iter_mut();
    let postings = publisher.finish().await;
    for account in accounts {
        let mut trial = Trial::of(fleet, progress, account);
        trial.pay_for_everything().await;
        let updates = trial.updates_when_all_are_there(&postings).await;
        let radars = trial.radars().await;
        trial.radars_are_the_acknowledged_ones(&radars, &mut judged);
        trial.updates_are_the_acknowledged_ones(&updates, &postings);
        judged.movements += trial.money_is_right(&radars, &updates).await;
        for reader in of_readers.by_ref().take(super::READERS_EACH) {
            judged.seen_by_readers += reader.judge(&updates).await;
        }
        (judged.radars, judged.updates) = (judged.radars + radars.len(), judged.updates + updates.len());
        let is_hooked = |update: &&Value| has_hook(&radars[text(&update["data"]["radar_id"])]);
        let ids = updates.iter().filter(is_hooked).map(|update| text(&update["update_id"]).to_owned());
        hooked.insert(account.number, ids.collect::<BTreeSet<String>>());
    }
    assert!(of_readers.next().is_none(), "every reader was judged");
    for process in 0..fleet.count() {
        still_works(fleet, progress, &accounts[0], process, &mut hooked).await;
    }
    deliveries_arrive(accounts, receiver, &hooked, &mut judged).await;
    fleet.with_service(0, Service::assert_ledger_adds_up);
    judged
}

/// One account before the judge.
struct Trial<'a> {
    account: &'a Account,
    caller: Caller<'a>,
    dice: Dice,
}

type Radars = BTreeMap<String, Value>;

impl<'a> Trial<'a> {
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

    /// All updates in order, as soon as nothing that was promised is missing.
    async fn updates_when_all_are_there(&mut self, postings: &BTreeSet<String>) -> Vec<Value> {
        let mut missing = Vec::new();
        for _ in 0..LOOKS_MAX {
            let updates = self.updates().await;
            missing = self.missing(&updates, postings);
            if missing.is_empty() {
                return updates;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        panic!("account {}: {} are missing, such as {}", self.account.number, missing.len(), missing[0]);
    }

    async fn updates(&mut self) -> Vec<Value> {
        let (mut all, mut place) = (Vec::new(), String::new());
        loop {
            let path = format!("/v1/updates?limit=100&update_type=radar_finding,radar_failure{place}");
            let page = self.get(&path).await;
            all.extend(page["updates"].as_array().expect("updates").iter().cloned());
            match page["next_cursor"].as_str() {
                Some(cursor) => place = format!("&cursor={cursor}"),
                None => return all,
            }
        }
    }

    fn missing(&self, updates: &[Value], postings: &BTreeSet<String>) -> Vec<String> {
        if self.account.manner == Manner::Watching {
            let found: BTreeSet<&str> =
                updates.iter().filter_map(|update| update["content"]["job_url"].as_str()).collect();
            return postings.iter().filter(|url| !found.contains(url.as_str())).cloned().collect();
        }
        let found: BTreeSet<(String, String)> = updates.iter().map(key).collect();
        let known = self.account.known.borrow();
        let is_due = |(key, fate): &(&(String, String), &Fate)| match fate {
            Fate::Published => true,
            Fate::Waiting => !known.radars[&key.0].is_deleted,
            Fate::Never => false,
        };
        let due = known.findings.iter().filter(is_due).filter(|(key, _)| !found.contains(*key));
        due.map(|(key, fate)| format!("{key:?} {fate:?}")).collect()
    }

    async fn radars(&mut self) -> Radars {
        let (mut all, mut place, mut count) = (Radars::new(), String::new(), 0);
        loop {
            let page = self.get(&format!("/v1/radars?limit=1000{place}")).await;
            let records = page["data"].as_array().expect("records");
            count += records.len();
            all.extend(records.iter().map(|record| (text(&record["radar_id"]).to_owned(), record.clone())));
            match page["next_cursor"].as_str() {
                Some(cursor) => place = format!("&cursor={cursor}"),
                None => break,
            }
        }
        assert_eq!(all.len(), count, "each radar is listed once");
        all
    }

    /// Every 201 is there and every 200 of a delete is over; there is nothing else but what was in doubt.
    fn radars_are_the_acknowledged_ones(&self, radars: &Radars, judged: &mut Judged) {
        let known = self.account.known.borrow();
        for (radar_id, known) in &known.radars {
            let record = radars.get(radar_id).unwrap_or_else(|| panic!("{radar_id} is missing: {known:?}"));
            let status = if known.is_deleted { "inactive" } else { "active" };
            assert_eq!(record["radar_status"], status, "{record}");
            assert_eq!((&record["domain"], &record["radar_type"]), (&json!(known.domain), &json!(known.radar_type)));
            assert_eq!(has_hook(record), known.has_hook, "{record}");
        }
        let mut targets = BTreeSet::new();
        for (radar_id, record) in radars {
            let domain = text(&record["domain"]);
            assert!(targets.insert((domain, text(&record["radar_type"]))), "{domain} is watched twice");
            if !known.radars.contains_key(radar_id) {
                assert!(known.possible.contains(domain), "nobody asked for {record}");
                judged.possible_and_real += 1;
            }
            assert!(!known.refused.contains(domain), "this was refused: {record}");
        }
        judged.possible += known.possible.len();
    }

    /// Nothing is there twice, and nothing that nobody handed in.
    fn updates_are_the_acknowledged_ones(&self, updates: &[Value], postings: &BTreeSet<String>) {
        let ids: BTreeSet<&str> = updates.iter().map(|update| text(&update["update_id"])).collect();
        assert_eq!(ids.len(), updates.len(), "each update has its own identifier");
        let at: Vec<&str> = updates.iter().map(|update| text(&update["discovered_at"])).collect();
        assert!(at.is_sorted_by(|one, next| one < next), "time goes on from update to update");
        let found: BTreeSet<(String, String)> = updates.iter().map(key).collect();
        assert_eq!(found.len(), updates.len(), "each record is reported once to each radar");
        let known = self.account.known.borrow();
        for update in updates {
            assert_eq!(update["update_type"], "radar_finding", "{update}");
            if self.account.manner == Manner::Watching {
                assert!(postings.contains(text(&update["content"]["job_url"])), "never published: {update}");
            } else {
                let fate = known.findings.get(&key(update));
                assert!(matches!(fate, Some(Fate::Published | Fate::Waiting)), "{fate:?}: {update}");
            }
        }
        if self.account.manner == Manner::Watching {
            assert_eq!(updates.len(), postings.len(), "each posting is found once");
        }
    }

    /// The balance is what was paid in, less what radars and updates cost; the ledger says so, movement by movement.
    async fn money_is_right(&mut self, radars: &Radars, updates: &[Value]) -> usize {
        let shown = micros(&self.get("/v1/account").await["data"]["balance_remaining_usd"]);
        let ledger = self.ledger().await;
        let of_kind = |kind: &str| ledger.iter().filter(|entry| entry["kind"] == kind).collect::<Vec<_>>();
        let known = self.account.known.borrow();
        assert_eq!(of_kind("top_up").len(), known.top_ups.len(), "each payment is counted once");
        for (reference, amount) in &known.top_ups {
            let key = format!("topup:{reference}");
            let counted: Vec<i64> = ledger
                .iter()
                .filter(|entry| entry["key"] == key.as_str())
                .map(|entry| micros(&entry["amount_usd"]))
                .collect();
            assert_eq!(counted, [*amount], "{key}");
        }
        let charged = |entries: Vec<&Value>, name: &str| -> BTreeSet<String> {
            let count = entries.len();
            let charged: BTreeSet<String> = entries.into_iter().map(|entry| text(&entry[name]).to_owned()).collect();
            assert_eq!(charged.len(), count, "nothing is charged twice");
            charged
        };
        let by_the_month = radars.iter().filter(|(_, record)| record["radar_type"] == BY_THE_MONTH);
        let by_the_month: BTreeSet<String> = by_the_month.map(|(radar_id, _)| radar_id.clone()).collect();
        assert_eq!(charged(of_kind("subscription"), "radar_id"), by_the_month);
        let costly = |radar_type: &'static str| updates.iter().filter(move |update| update["radar_type"] == radar_type);
        let paid = costly(BY_THE_FINDING).chain(costly(POSTINGS));
        let paid: BTreeSet<String> = paid.map(|update| text(&update["update_id"]).to_owned()).collect();
        assert_eq!(charged(of_kind("finding"), "update_id"), paid);

        let count = |number: usize| i64::try_from(number).expect("few");
        let expected = known.top_ups.values().sum::<i64>()
            - count(by_the_month.len()) * MONTH_MICROS
            - count(costly(BY_THE_FINDING).count()) * FINDING_MICROS
            - count(costly(POSTINGS).count()) * POSTING_MICROS;
        assert_eq!(shown, expected, "the balance is what the world outside says");
        let mut balance = 0;
        for (number, entry) in (1..).zip(&ledger) {
            balance += micros(&entry["amount_usd"]);
            assert_eq!((&entry["seq"], micros(&entry["balance_usd"])), (&json!(number), balance), "{entry}");
            assert!(balance >= 0, "there was less than nothing: {entry}");
        }
        assert_eq!(balance, shown);
        ledger.len()
    }

    async fn ledger(&mut self) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        loop {
            let path = self.account.path(&format!("ledger?after={}&limit=1000", all.len()));
            let page = self.caller.operate(&mut self.dice, &Request::get(&path)).await.answer.expect_status(200);
            let entries = page.json["data"].as_array().expect("entries");
            if entries.is_empty() {
                return all;
            }
            all.extend(entries.iter().cloned());
        }
    }
}

/// Through this process a radar is created, a finding handed in and read; it will have to be delivered.
async fn still_works(
    fleet: &Fleet,
    progress: &Progress,
    account: &Account,
    process: usize,
    hooked: &mut BTreeMap<usize, BTreeSet<String>>,
) {
    let caller = Caller::new(fleet, progress, account);
    let domain = format!("alive-{process}.com");
    let body = json!({"domain": domain, "radar_type": BY_THE_FINDING, "webhook_url": account.hook});
    let made = caller.ask_process(process, &Request::post("/v1/radars/companies", &body)).await.expect_status(201);
    let radar_id = made.text("/data/radar_id");
    let finding = PushSource::finding(radar_id, "alive", &json!({}));
    let told = fleet.operator(process).post("/operator/v1/findings", &finding).await.expect_status(202);
    assert_eq!(told.text("/data/0/outcome"), "published");
    let path = format!("/v1/updates?radar_id={radar_id}");
    let page = caller.ask_process(process, &Request::get(&path)).await.expect_status(200);
    let update_id = page.text("/updates/0/update_id");
    assert_eq!(told.text("/data/0/update_id"), update_id);
    hooked.entry(account.number).or_default().insert(update_id.to_owned());
}

/// Everything with an address is pushed at least once, signed, and nothing else ever is.
async fn deliveries_arrive(
    accounts: &[Account],
    receiver: &mut Receiver,
    hooked: &BTreeMap<usize, BTreeSet<String>>,
    judged: &mut Judged,
) {
    let mut pushed: BTreeMap<usize, BTreeSet<String>> =
        hooked.keys().map(|&number| (number, BTreeSet::new())).collect();
    let mut take = |received: Received, judged: &mut Judged| {
        let number: usize = received.path.trim_start_matches('/').parse().expect("an account");
        verify(&received, &accounts[number].customer.webhook_secret);
        let update_id = text(&parse(crate::support::customer::text(&received.body))["update_id"]).to_owned();
        assert!(hooked[&number].contains(&update_id), "a push of what cannot be read: {update_id}");
        let is_new = pushed.entry(number).or_default().insert(update_id);
        *(if is_new { &mut judged.deliveries } else { &mut judged.delivered_again }) += 1;
    };
    let wanted: usize = hooked.values().map(BTreeSet::len).sum();
    for received in receiver.drain() {
        take(received, judged);
    }
    let mut silences = 0;
    while judged.deliveries < wanted {
        match tokio::time::timeout(SILENCE, receiver.next()).await {
            Ok(received) => take(received, judged),
            Err(_) => silences += 1,
        }
        assert!(silences < SILENCES_MAX, "{} of {wanted} were pushed", judged.deliveries);
    }
    assert_eq!(&pushed, hooked);
}

/// What an update is about: the radar and the record.
fn key(update: &Value) -> (String, String) {
    (text(&update["data"]["radar_id"]).to_owned(), text(&update["record_id"]).to_owned())
}

fn has_hook(record: &Value) -> bool {
    record["webhook_url"].is_string()
}

/// An amount of USD in micro-USD.
fn micros(usd: &Value) -> i64 {
    let micros = (usd.as_f64().expect("a number") * 1e6).round();
    micros.to_string().parse().expect("a small amount")
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}
