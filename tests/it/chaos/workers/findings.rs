//! Findings that are handed in, and an operator's decisions.

use domain::ids::{RadarId, UpdateId};
use futures_util::future::join_all;
use serde_json::json;

use super::{Worker, text};
use crate::chaos::callers::{Reply, Request};
use crate::chaos::fleet::pick;
use crate::chaos::history::Fate;
use crate::support::dice::Dice;
use crate::support::push_source::PushSource;

const FINDINGS: &str = "/operator/v1/findings";
/// The largest batch of findings that is handed in at the same time.
const BATCH_MAX: u64 = 24;

impl Worker<'_> {
    /// Findings for this client's radars, handed in at the same time; now and then one that was handed in before.
    pub(super) async fn report(&mut self, count: u64) {
        if !self.handed_in.is_empty() && self.one_in(12) {
            return self.report_again().await;
        }
        if self.active.is_empty() {
            return;
        }
        let mut findings = Vec::new();
        for place in 0..count {
            let radar_id = self.active[pick(&mut self.dice, self.active.len())].clone();
            findings.push((radar_id, format!("{}-{place}", self.name("finding"))));
        }
        let mut dices: Vec<Dice> = findings.iter().map(|_| Dice::new(self.dice.below(u64::MAX))).collect();
        let handing_in = dices.iter_mut().zip(&findings).map(async |(dice, (radar_id, native_id))| {
            let body = PushSource::finding(radar_id, native_id, &json!({}));
            self.caller.operate(dice, &Request::post(FINDINGS, &body)).await
        });
        let replies = join_all(handing_in).await;
        for ((radar_id, native_id), reply) in findings.into_iter().zip(replies) {
            self.note_finding(&radar_id, reply).await;
            self.handed_in.push((radar_id, native_id));
        }
    }

    /// A provider's whole batch.
    pub(super) async fn report_many(&mut self) {
        let count = 2 + self.dice.below(BATCH_MAX - 1);
        self.report(count).await;
    }

    async fn note_finding(&mut self, radar_id: &str, reply: Reply) {
        let Reply { answer, doubts } = reply;
        let answer = answer.expect_status(202);
        let record_id = answer.text("/record_id").to_owned();
        assert_eq!(answer.json["data"].as_array().map(Vec::len), Some(1), "{}", answer.json);
        let fate = match answer.text("/data/0/outcome") {
            "published" => Fate::Published,
            // The first time it may have been held, or be waiting for its decision.
            "held" => {
                self.caller.progress.count("held for lack of money", false);
                Fate::Waiting
            }
            "duplicate" if doubts > 0 => {
                self.caller.progress.count("doubt settled by the duplicate", false);
                match self.is_approved() {
                    true => self.decide(radar_id, &record_id).await,
                    false => Fate::Waiting,
                }
            }
            "pending" if self.is_approved() => self.decide(radar_id, &record_id).await,
            _ => panic!("{}", answer.json),
        };
        self.account.known.borrow_mut().reported(radar_id, &record_id, fate);
        self.acknowledged("finding", doubts);
    }

    async fn report_again(&mut self) {
        let (radar_id, native_id) = self.handed_in[pick(&mut self.dice, self.handed_in.len())].clone();
        if self.account.known.borrow().radars[&radar_id].is_deleted {
            return;
        }
        let body = PushSource::finding(&radar_id, &native_id, &json!({}));
        let answer = self.operate(&Request::post(FINDINGS, &body)).await.answer.expect_status(202);
        assert_eq!(answer.text("/data/0/outcome"), "duplicate", "{}", answer.json);
        self.caller.progress.count("finding handed in again", false);
    }

    /// A radar that has ended takes nothing any more.
    pub(super) async fn report_to_an_ended_radar(&mut self) {
        if self.ended.is_empty() {
            return;
        }
        let radar_id = self.ended[pick(&mut self.dice, self.ended.len())].clone();
        let body = PushSource::finding(&radar_id, &self.name("late"), &json!({}));
        let answer = self.operate(&Request::post(FINDINGS, &body)).await.answer;
        if answer.status != 404 {
            let answer = answer.expect_status(202);
            let outcome = text(&answer.json, "/data/0/outcome");
            assert_eq!(outcome, "dropped", "{}", answer.json);
            self.account.known.borrow_mut().reported(&radar_id, answer.text("/record_id"), Fate::Never);
        }
        self.caller.progress.count("finding for an ended radar", false);
    }

    fn is_approved(&self) -> bool {
        self.account.manner == crate::chaos::history::Manner::Approved
    }

    /// An operator decides about a finding, or forgets it.
    async fn decide(&mut self, radar_id: &str, record_id: &str) -> Fate {
        let decision = match self.dice.below(10) {
            0 => return Fate::Never,
            1 => "reject",
            _ => "approve",
        };
        let radar_id = RadarId(radar_id.parse().expect("an identifier"));
        let finding_id = UpdateId::of(radar_id, record_id);
        let path = format!("{FINDINGS}/{}/{decision}", finding_id.0);
        let Reply { answer, doubts } = self.operate(&Request::post(&path, &json!({}))).await;
        let answer = answer.expect_status(200);
        self.acknowledged(decision, doubts);
        match (decision, answer.text("/data/outcome")) {
            ("approve", "published") => Fate::Published,
            ("approve", "held") => Fate::Waiting,
            ("approve", "duplicate") if doubts > 0 => Fate::Waiting,
            ("reject", "rejected") => Fate::Never,
            ("reject", "duplicate") if doubts > 0 => Fate::Never,
            _ => panic!("{}", answer.json),
        }
    }
}
