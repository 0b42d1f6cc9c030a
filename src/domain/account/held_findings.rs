//! Money came back: held findings are released first in, first out, and pauses end (decision 4.7).

use std::collections::BTreeSet;

use super::findings::HeldFinding;
use super::{Account, DRAIN_MAX, SeenOutcome};
use crate::domain::ids::UpdateId;
use crate::domain::money::MicroUsd;
use crate::domain::radar::Status;
use crate::domain::radar_type::RadarType;

impl Account {
    /// Releases what the balance covers, in order within each type; a type that is too dear blocks only itself. While
    /// renewals are left that were due earlier, nothing is released: the money is theirs first (decision 4.9). Nor while the
    /// account is stopped (decision 4.12).
    pub(super) fn release_held_findings(&mut self) {
        if self.state.more_renewals_from.is_some() || self.is_stopped() {
            return;
        }
        let mut blocked: BTreeSet<RadarType> = BTreeSet::new();
        let mut waiting = Vec::new();
        for held in std::mem::take(&mut self.state.held) {
            let is_blocked = blocked.contains(&held.radar_type) || self.changes.released_holds.len() >= DRAIN_MAX;
            if is_blocked || !self.release(&held) {
                blocked.insert(held.radar_type);
                waiting.push(held);
            }
        }
        self.state.held = waiting;
        self.lift_pauses();
    }

    /// Whether the hold has ended: published, or given up.
    fn release(&mut self, held: &HeldFinding) -> bool {
        let HeldFinding { hold_seq, radar_id, rate, ref finding, .. } = *held;
        let update_id = UpdateId::of(radar_id, &finding.record_id.to_string());
        let radar = self.state.radars.get(&radar_id).filter(|radar| radar.status == Status::Active).cloned();
        let is_too_old = finding.detected_at + self.settings.hold_life <= self.now;
        match radar.filter(|_| !is_too_old) {
            None => self.note_seen(radar_id, finding, SeenOutcome::Dropped, update_id),
            Some(radar) => {
                if self.pay_finding(&radar, rate, finding, update_id).is_none() {
                    return false;
                }
                self.changes.released += 1;
            }
        }
        self.end_hold(hold_seq);
        true
    }

    /// A hold that began in this very transaction was never written and need not be removed.
    fn end_hold(&mut self, hold_seq: i64) {
        let held = &mut self.changes.held;
        match held.iter().position(|held| held.hold_seq == hold_seq) {
            Some(index) => drop(held.remove(index)),
            None => self.changes.released_holds.push(hold_seq),
        }
    }

    /// A pause ends when none of its type is held any more and the balance and the month's cap cover one more finding.
    fn lift_pauses(&mut self) {
        if self.state.has_more_held {
            return;
        }
        let held: BTreeSet<RadarType> = self.state.held.iter().map(|held| held.radar_type).collect();
        let covers = |rate: MicroUsd| rate <= self.state.account.balance && self.is_within_cap(rate);
        let is_lifted = |radar_type: &RadarType| {
            let price = self.state.prices.at(*radar_type, self.now);
            !held.contains(radar_type) && price.is_some_and(|price| covers(price.rate))
        };
        let lifted: Vec<RadarType> = self.state.pauses.keys().copied().filter(is_lifted).collect();
        for radar_type in lifted {
            self.state.pauses.remove(&radar_type);
            if self.changes.paused.remove(&radar_type).is_none() {
                self.changes.resumed.push(radar_type);
            }
        }
    }
}
