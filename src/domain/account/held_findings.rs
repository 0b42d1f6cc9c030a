//! Held findings are released, first in, first out: those that wait for money once there is some, which ends pauses
//! (decision 4.7), those beyond the bound of a day with the next day of their radar (decision 4.14).

use std::collections::BTreeSet;

use super::findings::{Finding, HeldFinding, HoldReason};
use super::{Account, DRAIN_MAX, Pause, Released, SeenOutcome};
use crate::ids::{RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::radar::daily_bound::DailyBound;
use crate::radar::{Radar, Status};
use crate::radar_type::RadarType;

/// What a try to release a held finding came to.
enum Tried {
    /// It was published, or given up.
    Ended,
    /// The balance or the month's cap does not cover it.
    Unpaid,
    /// Its radar has been charged for as many as its day allows.
    BeyondBound,
}

impl Account {
    /// Releases what can be released. While renewals are left that were due earlier, that is nothing: the money is theirs
    /// first (decision 4.9). Nor while the account is stopped (decision 4.12).
    pub(super) fn release_held_findings(&mut self) {
        if self.state.more_renewals_from.is_some() || self.is_stopped() {
            return;
        }
        self.release_what_waits_for_money();
        self.lift_pauses();
        self.release_what_waits_for_a_day();
    }

    /// Releases what the balance covers, in order within each type; a type that is too dear blocks only itself.
    fn release_what_waits_for_money(&mut self) {
        let mut blocked: BTreeSet<RadarType> = BTreeSet::new();
        let mut waiting = Vec::new();
        let mut has_moved = false;
        for held in std::mem::take(&mut self.state.held) {
            if blocked.contains(&held.radar_type) || self.changes.released_holds.len() >= DRAIN_MAX {
                blocked.insert(held.radar_type);
                waiting.push(held);
                continue;
            }
            // What is not covered goes on waiting for money, and keeps its type paused, whatever its radar's day allows.
            let must_wait = self.covers(held.rate) && self.must_wait_for_day(held.radar_id, &held.finding);
            match self.try_to_release(&held, must_wait) {
                Tried::Ended => has_moved = true,
                Tried::BeyondBound => {
                    has_moved = true;
                    self.keep_beyond_bound(held);
                }
                Tried::Unpaid => {
                    blocked.insert(held.radar_type);
                    waiting.push(held);
                }
            }
        }
        self.state.held = waiting;
        self.has_more_releases |= has_moved && self.state.has_more_held;
    }

    /// Every radar whose day is over releases in its turn, those that have waited longest first.
    fn release_what_waits_for_a_day(&mut self) {
        let mut has_moved = false;
        for radar_id in self.state.days_over.clone() {
            let before = self.state.radars.get(&radar_id).map(|radar| radar.daily);
            if before.is_none_or(|daily| !daily.is_release_due(self.now)) {
                continue;
            }
            let Released { has_more, .. } = self.release_beyond_bound(radar_id, true);
            self.has_more_releases |= has_more;
            has_moved |= self.state.radars.get(&radar_id).map(|radar| radar.daily) != before;
        }
        // What a pause kept from being read can be released in the next transaction.
        let has_resumed = self.paused_before.keys().any(|radar_type| !self.state.pauses.contains_key(radar_type));
        self.has_more_releases |= has_resumed || has_moved && self.state.has_more_days_over;
    }

    /// Releases what a radar holds beyond the bound of a day: as far as the bound of this day allows, or regardless of it. A
    /// charge that fails pauses the type, as any other (Spec 2.5): its finding waits for money from then on, and what is left
    /// waits for the end of the pause.
    pub(super) fn release_beyond_bound(&mut self, radar_id: RadarId, is_bounded: bool) -> Released {
        let queue = self.state.held_beyond.remove(&radar_id).unwrap_or_default();
        let mut released = 0;
        let mut is_unpaid = false;
        for held in &queue {
            let radar = self.state.radars.get(&radar_id);
            let is_beyond = is_bounded && radar.is_some_and(|radar| self.is_bound_reached(radar));
            if self.state.pauses.contains_key(&held.radar_type) {
                break;
            }
            match self.try_to_release(held, is_beyond) {
                Tried::Ended => released += 1,
                Tried::BeyondBound => {
                    self.note_exceeded(radar_id);
                    break;
                }
                Tried::Unpaid => {
                    is_unpaid = true;
                    break;
                }
            }
        }
        let was_read_whole = released == queue.len();
        let mut left = queue.into_iter().skip(released);
        let unpaid = if is_unpaid { left.next() } else { None };
        self.state.held_beyond.insert(radar_id, left.collect());
        let moved = released + usize::from(unpaid.is_some());
        if moved > 0 {
            self.note_held_beyond_bound(radar_id, -(moved as i64));
        }
        if let Some(held) = unpaid {
            self.keep_for_money(held);
        }
        let daily = self.state.radars.get(&radar_id).map_or(DailyBound::default(), |radar| radar.daily);
        if daily.held == 0
            && daily.is_release_due(self.now)
            && let Some(radar) = self.radar_mut(radar_id)
        {
            radar.daily.release_at = None;
        }
        Released { released, held: daily.held, has_more: was_read_whole && released > 0 && daily.held > 0 }
    }

    fn try_to_release(&mut self, held: &HeldFinding, is_beyond_bound: bool) -> Tried {
        let HeldFinding { hold_seq, radar_id, rate, ref finding, .. } = *held;
        let update_id = UpdateId::of(radar_id, &finding.record_id.to_string());
        let radar = self.state.radars.get(&radar_id).filter(|radar| radar.status == Status::Active).cloned();
        let is_too_old = finding.detected_at + self.settings.hold_life <= self.now;
        match radar.filter(|_| !is_too_old) {
            None => self.note_seen(radar_id, finding, SeenOutcome::Dropped, update_id),
            Some(_) if is_beyond_bound => return Tried::BeyondBound,
            Some(radar) => {
                if self.pay_finding(&radar, rate, finding, update_id).is_none() {
                    return Tried::Unpaid;
                }
            }
        }
        self.end_hold(hold_seq);
        Tried::Ended
    }

    /// Begins a hold, the last of the account's.
    pub(super) fn hold(&mut self, radar: &Radar, finding: &Finding, rate: MicroUsd, reason: HoldReason) -> HeldFinding {
        self.state.account.hold_seq += 1;
        let hold_seq = self.state.account.hold_seq;
        let (radar_id, radar_type) = (radar.radar_id, radar.wanted.radar_type);
        let held = HeldFinding { hold_seq, radar_id, radar_type, rate, reason, finding: finding.clone() };
        self.changes.held.push(held.clone());
        held
    }

    /// A finding that waited for a day of its radar, which has come, waits for money instead; its type is paused.
    fn keep_for_money(&mut self, held: HeldFinding) {
        self.pause(held.radar_type, held.rate);
        let held = self.hold_for(held, HoldReason::Money);
        let place = self.state.held.partition_point(|other| other.hold_seq < held.hold_seq);
        if place < self.state.held.len() || !self.state.has_more_held {
            self.state.held.insert(place, held);
        }
    }

    /// A hold goes on for another reason.
    pub(super) fn hold_for(&mut self, held: HeldFinding, reason: HoldReason) -> HeldFinding {
        let held = HeldFinding { reason, ..held };
        self.changes.held.retain(|new| new.hold_seq != held.hold_seq);
        self.changes.held.push(held.clone());
        held
    }

    /// A hold that began in this very transaction was never written and need not be removed.
    fn end_hold(&mut self, hold_seq: i64) {
        self.changes.held.retain(|held| held.hold_seq != hold_seq);
        if hold_seq <= self.hold_seq_before {
            self.changes.released_holds.push(hold_seq);
        }
    }

    /// A type is paused, unless it is so already: a charge of this rate failed.
    pub(super) fn pause(&mut self, radar_type: RadarType, rate: MicroUsd) {
        self.state.pauses.entry(radar_type).or_insert(Pause { since: self.now, rate });
    }

    /// A pause ends when none of its type waits for money any more and the balance and the month's cap cover one more
    /// finding.
    fn lift_pauses(&mut self) {
        if self.state.has_more_held {
            return;
        }
        let held: BTreeSet<RadarType> = self.state.held.iter().map(|held| held.radar_type).collect();
        let is_lifted = |radar_type: &RadarType| {
            let price = self.state.prices.at(*radar_type, self.now);
            !held.contains(radar_type) && price.is_some_and(|price| self.covers(price.rate))
        };
        let lifted: Vec<RadarType> = self.state.pauses.keys().copied().filter(is_lifted).collect();
        self.state.pauses.retain(|radar_type, _| !lifted.contains(radar_type));
    }
}
