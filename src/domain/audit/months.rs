//! The usage of each month, counted again from what happened (Spec 4.1, decision 3.8).

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;

use super::rows::{Claims, Published, Watched, Written};
use super::watched::FailedAt;
use super::{Discrepancies, Location};
use crate::account::UsageDelta;
use crate::money::ledger::TxKind;
use crate::money::month::Month;
use crate::radar::Status;
use crate::radar::update::UpdateType;

/// What happened in each month.
#[derive(Debug, Default)]
pub(super) struct Months {
    by_month: BTreeMap<String, UsageDelta>,
    /// Radars that failed in an unknown month.
    failed_sometime: i64,
}

/// Radars that months tell of and that are not there any more.
#[derive(Debug, Default)]
struct Gone {
    activated: i64,
    ended: i64,
    failed: i64,
}

impl Months {
    pub(super) fn moved(&mut self, Written { tx, given_back_at, .. }: &Written) {
        let at = match tx.kind.parse().ok() {
            Some(TxKind::Subscription | TxKind::Finding) => Some(tx.at),
            Some(TxKind::Refund) => *given_back_at,
            _ => None,
        };
        if let Some(at) = at {
            self.of(at).used_micros -= tx.amount_micros;
        }
    }

    pub(super) fn published(&mut self, published: &Published) {
        if published.update_type == UpdateType::Finding.as_str() {
            self.of(published.discovered_at).updates_found += 1;
        }
    }

    pub(super) fn watched(&mut self, watched: &Watched, failed_at: FailedAt) {
        match failed_at {
            FailedAt::Known(failed_at) => self.of(failed_at).radars_failed += 1,
            FailedAt::Forgotten => self.failed_sometime += 1,
            FailedAt::Never => {
                self.of(watched.created_at).radars_activated += 1;
                let ended_at = watched.deactivated_at.filter(|_| watched.status == Status::Inactive.as_str());
                if let Some(ended_at) = ended_at {
                    self.of(ended_at).radars_deactivated += 1;
                }
            }
        }
    }

    /// Updates of a month in which retention has begun can only be fewer than were found, and so can radars be once it has
    /// removed some.
    pub(super) fn finish(
        &self,
        noted: &BTreeMap<String, UsageDelta>,
        claims: &Claims,
        discrepancies: &mut Discrepancies,
    ) {
        let has_every_update = |month: &str| match claims.first_update {
            Some((update_seq, discovered_at)) => update_seq == 1 || *month > *month_of(discovered_at),
            None => claims.update_seq == 0,
        };
        let months: BTreeSet<&String> = self.by_month.keys().chain(noted.keys()).collect();
        let mut failed_sometime = self.failed_sometime;
        let mut gone = Gone::default();
        let mut removed_updates = 0;
        let may_miss_radars = claims.purged_radars > 0;
        for month in months {
            let mut at = discrepancies.at(Location::Month(month.clone()));
            let counted = self.by_month.get(month).copied().unwrap_or_default();
            let noted = noted.get(month).copied().unwrap_or_default();
            let failed_then = (noted.radars_failed - counted.radars_failed).clamp(0, failed_sometime);
            failed_sometime -= failed_then;
            let failed = counted.radars_failed + failed_then;
            let (activated, ended) = (counted.radars_activated, counted.radars_deactivated);
            // Each with the sum of those that may be missing because they were removed.
            for (what, noted, counted, removed) in [
                ("radars activated", noted.radars_activated, activated, may_miss_radars.then_some(&mut gone.activated)),
                ("radars deactivated", noted.radars_deactivated, ended, may_miss_radars.then_some(&mut gone.ended)),
                ("radars failed", noted.radars_failed, failed, may_miss_radars.then_some(&mut gone.failed)),
                (
                    "updates found",
                    noted.updates_found,
                    counted.updates_found,
                    (!has_every_update(month)).then_some(&mut removed_updates),
                ),
                ("used", noted.used_micros, counted.used_micros, None),
            ] {
                let missing = removed.map_or(0, |removed| {
                    let missing = (noted - counted).max(0);
                    *removed += missing;
                    missing
                });
                let found = counted + missing;
                at.unless(noted == found, format_args!("notes {noted} {what}, {found} are found again"));
            }
        }
        let mut at = discrepancies.at(Location::Account);
        at.unless(failed_sometime <= 0, format_args!("has {failed_sometime} radars that failed in no month"));
        let purged = claims.purged_radars;
        let is_recorded = gone.ended == gone.activated && gone.activated + gone.failed == purged;
        at.unless(is_recorded, format_args!("has removed {purged} radars, its months tell of {gone:?}"));
    }

    fn of(&mut self, at: i64) -> &mut UsageDelta {
        self.by_month.entry(month_of(at)).or_default()
    }
}

fn month_of(at: i64) -> String {
    DateTime::from_timestamp_micros(at).map_or_else(|| "never".to_owned(), |at| Month::of(at).to_string())
}
