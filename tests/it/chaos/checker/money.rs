//! The balance is what was paid in, less what radars and updates cost; the ledger says so, ledger transaction by ledger transaction.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{AccountCheck, Complaints, Radars, text};
use crate::chaos::callers::Request;
use crate::chaos::fleet::{BY_THE_FINDING, BY_THE_MONTH};
use crate::chaos::history::{FINDING_MICROS, MONTH_MICROS, POSTING_MICROS, POSTINGS};

impl AccountCheck<'_> {
    /// Every payment, every radar's month and every finding is in the ledger once; answers how many ledger transactions there are.
    pub(super) async fn check_money(
        &mut self,
        radars: &Radars,
        updates: &[Value],
        complaints: &mut Complaints,
    ) -> usize {
        let shown = micros(&self.get("/v1/account").await["data"]["balance_remaining_usd"]);
        let ledger = self.ledger().await;
        let paid_in = self.account.known.borrow().top_ups.clone();
        let expected: [(&str, &str, BTreeMap<String, i64>); 3] = [
            (
                "top_up",
                "key",
                paid_in.iter().map(|(reference, amount)| (format!("topup:{reference}"), *amount)).collect(),
            ),
            ("subscription", "radar_id", months(radars)),
            ("finding", "update_id", findings(updates)),
        ];
        for (kind, name, expected) in &expected {
            let mut counted: BTreeMap<&str, i64> = BTreeMap::new();
            for entry in ledger.iter().filter(|entry| entry["kind"] == *kind) {
                let amount = micros(&entry["amount_usd"]);
                if counted.insert(text(&entry[*name]), amount).is_some() {
                    complaints.doubled(format!("{entry}"));
                }
                if expected.get(text(&entry[*name])) != Some(&amount) {
                    complaints.wrong(format!("nobody asked for {entry}"));
                }
            }
            for (name, amount) in expected.iter().filter(|(name, _)| !counted.contains_key(name.as_str())) {
                complaints.missing(format!("the {kind} of {name} over {amount} micro-USD"));
            }
        }
        let total: i64 = expected.iter().flat_map(|(_, _, expected)| expected.values()).sum();
        complaints.equal(&shown, &total, "the balance is not what the world outside says");
        let balance = follow(&ledger, complaints);
        complaints.equal(&shown, &balance, "the balance is not what the ledger says");
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

/// Follows the ledger from the first ledger transaction to the last; answers the balance after it, which never was below nothing.
fn follow(ledger: &[Value], complaints: &mut Complaints) -> i64 {
    let mut balance = 0;
    for (number, entry) in (1..).zip(ledger) {
        balance += micros(&entry["amount_usd"]);
        let is_right = entry["seq"] == json!(number) && micros(&entry["balance_usd"]) == balance && balance >= 0;
        if !is_right {
            complaints.wrong(format!("after {balance} micro-USD and {number} ledger transactions: {entry}"));
        }
    }
    balance
}

/// What the radars that are charged by the month have cost.
fn months(radars: &Radars) -> BTreeMap<String, i64> {
    let charged = radars.iter().filter(|(_, record)| record["radar_type"] == BY_THE_MONTH);
    charged.map(|(radar_id, _)| (radar_id.clone(), -MONTH_MICROS)).collect()
}

/// What the updates that are charged one by one have cost.
fn findings(updates: &[Value]) -> BTreeMap<String, i64> {
    let charge = |update: &Value| {
        let rate = match text(&update["radar_type"]) {
            BY_THE_FINDING => FINDING_MICROS,
            POSTINGS => POSTING_MICROS,
            _ => return None,
        };
        Some((text(&update["update_id"]).to_owned(), -rate))
    };
    updates.iter().filter_map(charge).collect()
}

/// An amount of USD in micro-USD.
fn micros(usd: &Value) -> i64 {
    let micros = (usd.as_f64().expect("a number") * 1e6).round();
    micros.to_string().parse().expect("a small amount")
}
