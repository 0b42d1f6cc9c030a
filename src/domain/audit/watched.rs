//! The radars of an account against what was charged and told about them (Spec 2.5, 3).

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::rows::{Claims, Published, Watched, Written};
use super::{Discrepancies, Place};
use crate::domain::ids::RadarId;
use crate::domain::money::ledger::{Bucket, TxKind, subscription_key};
use crate::domain::radar::renewal::next_charge_at;
use crate::domain::radar::update::UpdateType;
use crate::domain::radar::{FailureReason, PricingModel, SetUp, Status, StatusReason};

/// Clocks of several processes agree within this, in microseconds.
const CLOCKS_AGREE_WITHIN: i64 = 60 * 1_000_000;

/// What the ledger transactions and updates say of each radar.
#[derive(Debug, Default)]
pub(super) struct Radars {
    told: HashMap<Uuid, Told>,
    active: i64,
    ended: i64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Told {
    /// Periods charged or recorded as missed.
    periods: i64,
    /// When the last charge of any kind was due.
    charged_at: Option<i64>,
    /// What creation and the last period were charged.
    creation_micros: i64,
    last_period_micros: i64,
    /// How much was given back or stays expired.
    refunded_micros: i64,
    failures: i64,
    /// When it was refunded, or its failure was published.
    failed_at: Option<i64>,
}

/// When the set-up of a radar failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailedAt {
    /// It did not.
    Never,
    /// At its end, or in the paid time after it (decision 1.4).
    Known(i64),
    /// Nothing was refunded, and retention has removed the update.
    Forgotten,
}

impl Radars {
    pub(super) fn charged(&mut self, written: &Written, discrepancies: &mut Discrepancies) {
        let (Some(radar_id), Some(kind)) = (written.radar_id, written.kind.parse::<TxKind>().ok()) else { return };
        let told = self.told.entry(radar_id).or_default();
        match kind {
            TxKind::Subscription => {
                if written.op_key != subscription_key(RadarId(radar_id), told.periods) {
                    let what = format!("is not for period {} of its radar, as its turn would be", told.periods);
                    discrepancies.add(Place::LedgerTx(written.tx_seq), what);
                }
                if told.periods == 0 {
                    told.creation_micros = -written.amount_micros;
                }
                told.last_period_micros = -written.amount_micros;
                told.periods += 1;
            }
            TxKind::Refund => {
                let lapsed = written.entries.iter().filter(|entry| entry.bucket == Bucket::Breakage.as_str());
                told.refunded_micros += written.amount_micros + lapsed.map(|entry| entry.amount_micros).sum::<i64>();
                told.failed_at = Some(written.at);
            }
            TxKind::Finding | TxKind::TopUp | TxKind::Expiry => {}
        }
        if kind != TxKind::Refund {
            told.charged_at = told.charged_at.max(Some(written.due_at));
        }
    }

    pub(super) fn told(&mut self, published: &Published) {
        if published.update_type == UpdateType::Failure.as_str() {
            let told = self.told.entry(published.radar_id).or_default();
            told.failures += 1;
            told.failed_at.get_or_insert(published.discovered_at);
        }
    }

    /// Takes the next radar; answers when its set-up failed.
    pub(super) fn take(
        &mut self,
        watched: &Watched,
        first_update: Option<(i64, i64)>,
        discrepancies: &mut Discrepancies,
    ) -> FailedAt {
        let told = self.told.remove(&watched.radar_id).unwrap_or_default();
        let place = || Place::Radar(RadarId(watched.radar_id));
        let is_subscription = watched.model == PricingModel::Subscription.as_str();
        let is_active = watched.status == Status::Active.as_str();
        *(if is_active { &mut self.active } else { &mut self.ended }) += 1;
        let due_at = (is_active && is_subscription).then(|| grid(watched)).flatten();
        if watched.next_charge_at != due_at {
            discrepancies.add(place(), "has a next charge that is not on its grid of 30 days");
        }
        let periods = if is_subscription { watched.period_no + 1 } else { 0 };
        if told.periods != periods {
            discrepancies.add(place(), format!("has begun {periods} periods, {} are in the ledger", told.periods));
        }
        let is_failed = watched.set_up == SetUp::Failed.as_str();
        let owed = match (is_failed, is_unreachable(watched)) {
            (true, _) => told.creation_micros,
            (false, true) => told.last_period_micros,
            (false, false) => 0,
        };
        if told.refunded_micros != owed {
            discrepancies.add(place(), format!("was given back {}, and was owed {owed}", told.refunded_micros));
        }
        let ended_at = watched.deactivated_at.map(|ended_at| ended_at.saturating_add(CLOCKS_AGREE_WITHIN));
        if ended_at.zip(told.charged_at).is_some_and(|(ended_at, charged_at)| charged_at > ended_at) {
            discrepancies.add(place(), "was charged after its end");
        }
        failures(watched, told.failures, first_update, discrepancies);
        match (is_failed, told.failed_at, ended_at) {
            (false, ..) => FailedAt::Never,
            (true, Some(failed_at), Some(ended_at)) if failed_at > ended_at => FailedAt::Known(failed_at),
            (true, Some(failed_at), _) => FailedAt::Known(watched.deactivated_at.unwrap_or(failed_at)),
            (true, None, _) => FailedAt::Forgotten,
        }
    }

    /// Radars that were charged may be gone, as many as retention has removed; one that still has a failure to tell of may
    /// not.
    pub(super) fn finish(&self, claims: &Claims, discrepancies: &mut Discrepancies) {
        let are_too_many = i64::try_from(self.told.len()).unwrap_or(i64::MAX) > claims.purged_radars;
        let missing = self.told.iter().filter(|(_, told)| are_too_many || told.failures > 0);
        let mut unknown: Vec<Uuid> = missing.map(|(radar_id, _)| *radar_id).collect();
        unknown.sort_unstable();
        for radar_id in unknown {
            discrepancies
                .add(Place::Radar(RadarId(radar_id)), "was charged or reported, but the account has no such radar");
        }
        for (what, counted, there) in
            [("active", claims.active_radars, self.active), ("ended", claims.ended_radars, self.ended)]
        {
            if counted != there {
                discrepancies.add(Place::Account, format!("counts {counted} {what} radars, there are {there}"));
            }
        }
    }
}

/// A radar that failed or ran out of money told so once; what did not, told nothing of the kind.
fn failures(watched: &Watched, told: i64, first_update: Option<(i64, i64)>, discrepancies: &mut Discrepancies) {
    let reason = watched.status_reason.as_deref();
    let has_failed = is_unreachable(watched) || reason.is_some_and(|reason| reason.parse::<FailureReason>().is_ok());
    let is_stored = first_update.is_some_and(|(update_seq, discovered_at)| {
        update_seq == 1 || watched.deactivated_at.is_some_and(|ended_at| ended_at >= discovered_at)
    });
    let least = i64::from(has_failed && is_stored);
    if told < least || told > i64::from(has_failed) {
        let place = Place::Radar(RadarId(watched.radar_id));
        discrepancies.add(place, format!("has told of {told} failures, and had {}", i64::from(has_failed)));
    }
}

/// Whether no source of it answered any more (decision 4.11).
fn is_unreachable(watched: &Watched) -> bool {
    watched.status_reason.as_deref() == Some(StatusReason::SystemDeactivated.as_str())
}

fn grid(watched: &Watched) -> Option<i64> {
    let created_at: DateTime<Utc> = DateTime::from_timestamp_micros(watched.created_at)?;
    Some(next_charge_at(created_at, watched.period_no).timestamp_micros())
}
