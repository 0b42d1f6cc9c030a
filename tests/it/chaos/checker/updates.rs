//! Every acknowledged finding and every posting, once.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use super::{AccountCheck, Complaints, Radars, radar_of, text};
use crate::chaos::history::{Fate, Manner};

/// How often what is due is looked for. The leases of the dead have to run out: 150 seconds, counted, so that a machine
/// that stood still is not held against the service.
const LOOKS_MAX: u32 = 750;
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// How far the end of a radar, an instant of one process's clock, may lie before the account's own time.
const CLOCKS_AGREE_WITHIN: TimeDelta = TimeDelta::seconds(60);

impl AccountCheck<'_> {
    /// All updates in order, as soon as nothing that was promised is missing.
    pub(super) async fn updates_when_all_are_there(
        &mut self,
        postings: &BTreeSet<String>,
        complaints: &mut Complaints,
    ) -> Vec<Value> {
        let (mut updates, mut looks) = (self.updates().await, 1);
        while looks < LOOKS_MAX && !self.missing(&updates, postings).is_empty() {
            tokio::time::sleep(LOOK_EVERY).await;
            updates = self.updates().await;
            looks += 1;
        }
        for missing in self.missing(&updates, postings) {
            complaints.missing(format!("an update of account {}: {missing}", self.account.number));
        }
        updates
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

    /// Nothing is there twice, nothing that nobody handed in, and nothing later than its radar's end.
    pub(super) fn check_updates(
        &self,
        radars: &Radars,
        updates: &[Value],
        postings: &BTreeSet<String>,
        complaints: &mut Complaints,
    ) {
        let known = self.account.known.borrow();
        let (mut ids, mut keys, mut urls) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut last = "";
        for update in updates {
            if !ids.insert(text(&update["update_id"])) || !keys.insert(key(update)) {
                complaints.doubled(format!("{update}"));
            }
            let at = text(&update["discovered_at"]);
            if at <= last {
                complaints.wrong(format!("time does not go on after {last}: {update}"));
            }
            last = at;
            let end = radars.get(radar_of(update)).and_then(|record| record["deactivated_at"].as_str());
            if end.is_some_and(|end| instant(at) > instant(end) + CLOCKS_AGREE_WITHIN) {
                complaints.wrong(format!("the radar was over already: {update}"));
            }
            let is_wanted = match self.account.manner {
                Manner::Watching => {
                    let url = text(&update["content"]["job_url"]);
                    if !urls.insert((radar_of(update), url)) {
                        complaints.doubled(url.to_owned());
                    }
                    postings.contains(url)
                }
                _ => matches!(known.findings.get(&key(update)), Some(Fate::Published | Fate::Waiting)),
            };
            if !is_wanted || update["update_type"] != "radar_finding" {
                complaints.wrong(format!("nobody asked for {update}"));
            }
        }
    }
}

/// What an update is about: the radar and the record.
fn key(update: &Value) -> (String, String) {
    (radar_of(update).to_owned(), text(&update["record_id"]).to_owned())
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().expect("an instant")
}
