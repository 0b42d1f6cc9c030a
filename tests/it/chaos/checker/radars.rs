//! Every acknowledged creation and deletion, once.

use std::collections::BTreeSet;

use serde_json::json;

use super::{AccountCheck, Complaints, Radars, Summary, has_hook, text};

impl AccountCheck<'_> {
    /// All radars of the account.
    pub(super) async fn radars(&mut self, complaints: &mut Complaints) -> Radars {
        let (mut all, mut place) = (Radars::new(), String::new());
        loop {
            let page = self.get(&format!("/v1/radars?limit=1000{place}")).await;
            for record in page["data"].as_array().expect("records") {
                let earlier = all.insert(text(&record["radar_id"]).to_owned(), record.clone());
                if earlier.is_some() {
                    complaints.doubled(format!("{record} is listed twice"));
                }
            }
            match page["next_cursor"].as_str() {
                Some(cursor) => place = format!("&cursor={cursor}"),
                None => return all,
            }
        }
    }

    /// Every 201 is there and every 200 of a delete is over; there is nothing else but what was in doubt.
    pub(super) fn check_radars(&self, radars: &Radars, summary: &mut Summary) {
        let complaints = &mut summary.complaints;
        let known = self.account.known.borrow();
        for (radar_id, known) in &known.radars {
            let Some(record) = radars.get(radar_id) else {
                complaints.missing(format!("the radar {radar_id}: {known:?}"));
                continue;
            };
            let is_over = record["radar_status"] == "inactive";
            match (known.is_deleted, is_over) {
                (true, false) => complaints.missing(format!("the end of {record}")),
                (false, true) => complaints.wrong(format!("nobody ended {record}")),
                _ => complaints.equal(&record["deactivated_at"].is_null(), &!is_over, "has no end"),
            }
            let is_as_asked = record["domain"] == json!(known.domain)
                && record["radar_type"] == json!(known.radar_type)
                && has_hook(record) == known.has_hook;
            if !is_as_asked {
                complaints.wrong(format!("{record} is not {known:?}"));
            }
        }
        let mut targets = BTreeSet::new();
        for (radar_id, record) in radars {
            let domain = text(&record["domain"]);
            if !targets.insert((domain, text(&record["radar_type"]))) {
                complaints.doubled(format!("{domain} is watched twice"));
            }
            if !known.radars.contains_key(radar_id) {
                summary.possible_and_real += 1;
                if !known.possible.contains(domain) {
                    complaints.wrong(format!("nobody asked for {record}"));
                }
            }
            if known.refused.contains(domain) {
                complaints.wrong(format!("this was refused: {record}"));
            }
        }
        summary.possible += known.possible.len();
    }
}
