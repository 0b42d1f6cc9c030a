//! A source showed something: dedupe, await approval, charge, publish, or hold (Spec 2.5; decisions 4.7, 4.10, 4.14).

use crate::account::events::poorer;
use crate::account::findings::{Finding, HoldReason, Provenance};
use crate::account::posting::{NewLedgerTx, NewPublication};
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Cursor, Decision, SeenFinding, SeenOutcome};
use crate::approval::Approval;
use crate::ids::{AccountId, FeedId, RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::money::ledger::{TxKind, finding_key};
use crate::radar::daily_bound::DailyBound;
use crate::radar::update::Content;
use crate::radar::{PricingModel, Radar};
use crate::radar_type::RadarType;

/// So many bytes of findings weigh as much as another finding.
const WEIGHT_BYTES: usize = 16 * 1024;

/// A source showed something that a radar wants.
#[derive(Clone, Debug)]
pub struct Report {
    /// The radar.
    pub radar_id: RadarId,
    /// What was found, in order.
    pub findings: Vec<Finding>,
    /// How its cursor moves with this, when the findings come from a feed.
    pub cursor: Option<CursorMove>,
}

/// How a radar's cursor in a feed's log moves, in the transaction that publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorMove {
    /// The feed.
    pub feed_id: FeedId,
    /// The last item that was read before.
    pub from_seq: i64,
    /// The last item that is read with this.
    pub to_seq: i64,
    /// How many of the items between the radar keeps out: by its filter, or because they are older than itself.
    pub filtered: u32,
    /// How many of these are older than it.
    pub older: u32,
}

/// How the reported findings were decided. The counts add up to what was reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportOutcome {
    /// Charged where that is the model, stored and visible.
    pub published: Vec<UpdateId>,
    /// Waiting for money, or for the next day of the radar.
    pub held: usize,
    /// Waiting for an operator.
    pub pending: usize,
    /// Seen before, or about an event that was reported lately.
    pub duplicates: usize,
    /// Of no use: the radar is inactive, and no paid time is left, or its account is stopped.
    pub dropped: usize,
    /// Whether the radar had moved on in the feed meanwhile, so that nothing was done.
    pub is_stale: bool,
    /// Whether the radar holds as many findings as a day allows, so that it reads no further and nothing was done.
    pub is_full: bool,
    /// Whether the radar wants findings at all.
    pub is_watching: bool,
    /// Where the radar stands against the bound of its day afterwards.
    pub daily: DailyBound,
}

impl Report {
    pub(in crate::account) fn read(&self, _: AccountId, read_set: &mut ReadSet) {
        read_set.radars.insert(self.radar_id);
        read_set.findings.extend(self.findings.iter().map(|finding| (self.radar_id, finding.record_id)));
        let events = self.findings.iter().filter_map(|finding| finding.event.as_ref());
        read_set.events.extend(events.map(|event| (self.radar_id, event.id)));
        if self.cursor.is_some() {
            read_set.cursors.insert(self.radar_id);
        }
    }

    /// Settles findings of a radar in order, and moves its cursor in the feed with them.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<ReportOutcome> {
        let &Report { radar_id, ref findings, cursor } = self;
        let radar = account.state.radars.get(&radar_id).ok_or(CommandRejection::UnknownRadar)?.clone();
        let is_watching = radar.is_watching(account.now) && !account.is_stopped();
        let mut outcome = ReportOutcome { is_watching, daily: radar.daily, ..ReportOutcome::default() };
        if !outcome.is_watching {
            outcome.dropped = findings.len();
            return Ok(outcome);
        }
        if cursor.is_some() && radar.daily.full_since.is_some() {
            outcome.is_full = true;
            return Ok(outcome);
        }
        if let Some(CursorMove { feed_id, from_seq, to_seq, filtered, older }) = cursor {
            let read_seq = account.state.cursors.get_mut(&(radar_id, feed_id));
            match read_seq.filter(|read_seq| **read_seq == from_seq) {
                Some(read_seq) => *read_seq = to_seq,
                None => {
                    outcome.is_stale = true;
                    return Ok(outcome);
                }
            }
            let moved = account.changes.moved_cursors.entry((radar_id, feed_id)).or_default();
            *moved = Cursor {
                read_seq: to_seq,
                filtered: moved.filtered + i64::from(filtered),
                older: moved.older + i64::from(older),
            };
        }
        let poorer = poorer(findings, |finding| !account.state.seen.contains_key(&(radar_id, finding.record_id)));
        for (index, finding) in findings.iter().enumerate() {
            match poorer.contains(&index) {
                true => outcome.duplicates += 1,
                false => account.settle(&radar, finding, &mut outcome),
            }
        }
        outcome.daily = account.state.radars.get(&radar_id).map_or(radar.daily, |radar| radar.daily);
        Ok(outcome)
    }

    pub(in crate::account) fn weight(&self) -> usize {
        let bytes: usize = self.findings.iter().map(|finding| finding.content.len()).sum();
        (self.findings.len() + bytes / WEIGHT_BYTES).max(1)
    }
}

impl Account {
    fn settle(&mut self, radar: &Radar, finding: &Finding, outcome: &mut ReportOutcome) {
        let key = (radar.radar_id, finding.record_id);
        if self.state.seen.contains_key(&key) || self.is_known_event(radar.radar_id, finding) {
            outcome.duplicates += 1;
            return;
        }
        self.note_event(radar.radar_id, finding);
        let update_id = UpdateId::of(radar.radar_id, &finding.record_id.to_string());
        match self.state.account.approval {
            Approval::Auto if self.must_wait_for_day(radar.radar_id, finding) => {
                self.hold_beyond_bound(radar, finding, update_id);
                outcome.held += 1;
            }
            Approval::Auto => self.let_through(radar, finding, update_id, outcome),
            Approval::Manual => {
                self.await_approval(radar, finding, update_id);
                outcome.pending += 1;
            }
        }
    }

    /// Publishes an approved finding, paid for where that is the model, or holds it.
    pub(in crate::account) fn let_through(
        &mut self,
        radar: &Radar,
        finding: &Finding,
        update_id: UpdateId,
        outcome: &mut ReportOutcome,
    ) {
        if radar.model == PricingModel::Subscription {
            self.publish_finding(radar, finding, update_id, None);
            outcome.published.push(update_id);
            return;
        }
        let radar_type = radar.wanted.radar_type;
        let rate = self.rate_of(radar_type, finding);
        let is_paused = self.state.pauses.contains_key(&radar_type);
        if !is_paused && self.pay_finding(radar, rate, finding, update_id).is_some() {
            outcome.published.push(update_id);
        } else {
            self.hold_for_money(radar, finding, rate, update_id);
            outcome.held += 1;
        }
    }

    /// What a finding costs: the price in force at its detection. Without one nothing covers it.
    pub(in crate::account) fn rate_of(&self, radar_type: RadarType, finding: &Finding) -> MicroUsd {
        self.state.prices.at(radar_type, finding.detected_at).map_or(MicroUsd::INPUT_MAX, |price| price.rate)
    }

    /// Charges and publishes in one breath; `None`, and nothing, when the balance or the month's cap does not cover it.
    pub(in crate::account) fn pay_finding(
        &mut self,
        radar: &Radar,
        rate: MicroUsd,
        finding: &Finding,
        update_id: UpdateId,
    ) -> Option<()> {
        let about = (radar.radar_id, radar.wanted.radar_type);
        let tx = NewLedgerTx::of_radar(about, TxKind::Finding, finding_key(update_id), self.now);
        let tx = NewLedgerTx { update_id: Some(update_id), ..tx };
        if !self.is_within_cap(rate) {
            return None;
        }
        let tx_seq = self.charge(rate, tx)?;
        self.note_charged_finding(radar.radar_id, finding);
        self.publish_finding(radar, finding, update_id, Some(tx_seq));
        Some(())
    }

    fn publish_finding(&mut self, radar: &Radar, finding: &Finding, update_id: UpdateId, tx_seq: Option<i64>) {
        let content = Content::Finding(finding.content.clone());
        let (record_id, detected_at) = (Some(finding.record_id), finding.detected_at);
        let trace = match finding.provenance {
            Some(Provenance::Provider { trace, .. }) => trace,
            _ => None,
        };
        self.publish(radar, NewPublication { update_id, record_id, content: &content, detected_at, tx_seq, trace });
        self.note_seen(radar.radar_id, finding, SeenOutcome::Stored, update_id);
    }

    /// The finding waits at the end of the queue, and its type is paused from now on, in one transaction.
    fn hold_for_money(&mut self, radar: &Radar, finding: &Finding, rate: MicroUsd, update_id: UpdateId) {
        self.pause(radar.wanted.radar_type, rate);
        let held = self.hold(radar, finding, rate, HoldReason::Money);
        if !self.state.has_more_held {
            self.state.held.push(held);
        }
        self.note_seen(radar.radar_id, finding, SeenOutcome::Held, update_id);
    }

    pub(in crate::account) fn note_seen(
        &mut self,
        radar_id: RadarId,
        finding: &Finding,
        seen: SeenOutcome,
        update_id: UpdateId,
    ) {
        let key = (radar_id, finding.record_id);
        self.state.seen.insert(key, seen);
        // Both were noted when the finding was first seen, perhaps in this very transaction.
        let known = self.changes.seen.remove(&key);
        let event = finding.event.clone().or_else(|| known.as_ref()?.event.clone());
        let provenance = finding.provenance.clone().or_else(|| known?.provenance);
        self.changes.seen.insert(key, SeenFinding { outcome: seen, update_id, event, provenance });
    }
}
