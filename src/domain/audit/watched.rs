//! The radars of an account against the charges and updates of each (Spec 2.5, 3).

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::rows::{Claims, Published, Watched};
use super::{At, Discrepancies, Location};
use crate::ids::RadarId;
use crate::money::chain::StoredTx;
use crate::money::ledger::{Bucket, TxKind, subscription_key};
use crate::radar::renewal::next_charge_at;
use crate::radar::update::UpdateType;
use crate::radar::{FailureReason, PricingModel, SetUp, Status, StatusReason};

/// Clocks of several processes agree within this, in microseconds.
const CLOCKS_AGREE_WITHIN: i64 = 60 * 1_000_000;

/// What the ledger transactions and updates say of each radar.
#[derive(Debug, Default)]
pub(super) struct Radars {
    recorded: HashMap<Uuid, Recorded>,
    active: i64,
    ended: i64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Recorded {
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
    pub(super) fn charged(&mut self, tx: &StoredTx, discrepancies: &mut Discrepancies) {
        let (Some(radar_id), Ok(kind)) = (tx.radar_id, tx.kind.parse::<TxKind>()) else { return };
        let recorded = self.recorded.entry(radar_id).or_default();
        match kind {
            TxKind::Subscription => {
                let is_next = tx.op_key == subscription_key(RadarId(radar_id), recorded.periods);
                let what = format_args!("is not for period {} of its radar, as its turn would be", recorded.periods);
                discrepancies.at(Location::LedgerTx(tx.tx_seq)).unless(is_next, what);
                if recorded.periods == 0 {
                    recorded.creation_micros = -tx.amount_micros;
                }
                recorded.last_period_micros = -tx.amount_micros;
                recorded.periods += 1;
            }
            TxKind::Refund => {
                let lapsed = tx.entries.iter().filter(|entry| entry.bucket == Bucket::Breakage.as_str());
                recorded.refunded_micros += tx.amount_micros + lapsed.map(|entry| entry.amount_micros).sum::<i64>();
                recorded.failed_at = Some(tx.at);
            }
            TxKind::Finding | TxKind::TopUp | TxKind::Expiry => {}
        }
        if kind != TxKind::Refund {
            recorded.charged_at = recorded.charged_at.max(Some(tx.due_at));
        }
    }

    pub(super) fn published(&mut self, published: &Published) {
        if published.update_type == UpdateType::Failure.as_str() {
            let recorded = self.recorded.entry(published.radar_id).or_default();
            recorded.failures += 1;
            recorded.failed_at.get_or_insert(published.discovered_at);
        }
    }

    /// Takes the next radar; answers when its set-up failed.
    pub(super) fn take(&mut self, watched: &Watched, claims: &Claims, discrepancies: &mut Discrepancies) -> FailedAt {
        let recorded = self.recorded.remove(&watched.radar_id).unwrap_or_default();
        let mut at = discrepancies.at(Location::Radar(RadarId(watched.radar_id)));
        let is_subscription = watched.model == PricingModel::Subscription.as_str();
        let is_active = watched.status == Status::Active.as_str();
        *(if is_active { &mut self.active } else { &mut self.ended }) += 1;
        let due_at = (is_active && is_subscription).then(|| grid(watched)).flatten();
        at.unless(watched.next_charge_at == due_at, "has a next charge that is not on its grid of 30 days");
        let periods = if is_subscription { watched.period_no + 1 } else { 0 };
        let charged = recorded.periods;
        at.unless(charged == periods, format_args!("has begun {periods} periods, {charged} are in the ledger"));
        let is_failed = watched.set_up == SetUp::Failed.as_str();
        let owed = match (is_failed, is_unreachable(watched)) {
            (true, _) => recorded.creation_micros,
            (false, true) => recorded.last_period_micros,
            (false, false) => 0,
        };
        let refunded = recorded.refunded_micros;
        at.unless(refunded == owed, format_args!("was given back {refunded}, and was owed {owed}"));
        let ended_at = watched.deactivated_at.map(|ended_at| ended_at.saturating_add(CLOCKS_AGREE_WITHIN));
        let is_late = ended_at.zip(recorded.charged_at).is_some_and(|(ended_at, charged_at)| charged_at > ended_at);
        at.unless(!is_late, "was charged after its end");
        failures(watched, recorded.failures, claims, &mut at);
        match (is_failed, recorded.failed_at, ended_at) {
            (false, ..) => FailedAt::Never,
            (true, Some(failed_at), Some(ended_at)) if failed_at > ended_at => FailedAt::Known(failed_at),
            (true, Some(failed_at), _) => FailedAt::Known(watched.deactivated_at.unwrap_or(failed_at)),
            (true, None, _) => FailedAt::Forgotten,
        }
    }

    /// Radars that were charged may be gone, as many as retention has removed; one that still has a failure to tell of may
    /// not.
    pub(super) fn finish(&self, claims: &Claims, discrepancies: &mut Discrepancies) {
        let are_too_many = i64::try_from(self.recorded.len()).unwrap_or(i64::MAX) > claims.purged_radars;
        let missing = self.recorded.iter().filter(|(_, recorded)| are_too_many || recorded.failures > 0);
        let mut unknown: Vec<Uuid> = missing.map(|(radar_id, _)| *radar_id).collect();
        unknown.sort_unstable();
        for radar_id in unknown {
            let mut at = discrepancies.at(Location::Radar(RadarId(radar_id)));
            at.note("was charged or reported, but the account has no such radar");
        }
        for (what, counted, there) in
            [("active", claims.active_radars, self.active), ("ended", claims.ended_radars, self.ended)]
        {
            let what = format_args!("counts {counted} {what} radars, there are {there}");
            discrepancies.at(Location::Account).unless(counted == there, what);
        }
    }
}

/// A radar that failed or ran out of money has published that once; any other has published nothing of the kind.
fn failures(watched: &Watched, recorded: i64, claims: &Claims, at: &mut At<'_>) {
    let reason = watched.status_reason.as_deref();
    let has_failed = is_unreachable(watched) || reason.is_some_and(|reason| reason.parse::<FailureReason>().is_ok());
    let is_stored = claims.has_update_of(watched.deactivated_at.unwrap_or(i64::MIN));
    let least = i64::from(has_failed && is_stored);
    let most = i64::from(has_failed);
    at.unless((least..=most).contains(&recorded), format_args!("has told of {recorded} failures, and had {most}"));
}

/// Whether no source of it answered any more (decision 4.11).
fn is_unreachable(watched: &Watched) -> bool {
    watched.status_reason.as_deref() == Some(StatusReason::SystemDeactivated.as_str())
}

fn grid(watched: &Watched) -> Option<i64> {
    let created_at: DateTime<Utc> = DateTime::from_timestamp_micros(watched.created_at)?;
    Some(next_charge_at(created_at, watched.period_no).timestamp_micros())
}
