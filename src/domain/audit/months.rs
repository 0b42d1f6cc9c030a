//! The usage of each month, counted again from what happened (Spec 4.1, decision 3.8).

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;

use super::rows::{Claims, Published, Watched, Written};
use super::watched::FailedAt;
use super::{Discrepancies, Place};
use crate::domain::account::UsageDelta;
use crate::domain::money::ledger::TxKind;
use crate::domain::money::month::Month;
use crate::domain::radar::Status;
use crate::domain::radar::update::UpdateType;

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

impl Gone {
    /// What was counted, and what of a month may have been removed since.
    fn complete(&mut self, counted: UsageDelta, noted: UsageDelta, purged: i64) -> UsageDelta {
        let missing = |noted: i64, counted: i64| if purged > 0 { (noted - counted).max(0) } else { 0 };
        let activated = missing(noted.radars_activated, counted.radars_activated);
        let ended = missing(noted.radars_deactivated, counted.radars_deactivated);
        let failed = missing(noted.radars_failed, counted.radars_failed);
        self.activated += activated;
        self.ended += ended;
        self.failed += failed;
        UsageDelta {
            radars_activated: counted.radars_activated + activated,
            radars_deactivated: counted.radars_deactivated + ended,
            radars_failed: counted.radars_failed + failed,
            ..counted
        }
    }
}

impl Months {
    pub(super) fn moved(&mut self, written: &Written) {
        let at = match written.kind.parse().ok() {
            Some(TxKind::Subscription | TxKind::Finding) => Some(written.at),
            Some(TxKind::Refund) => written.given_back.map(|charge| charge.at),
            _ => None,
        };
        if let Some(at) = at {
            self.of(at).used_micros -= written.amount_micros;
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
        let (mut failed_sometime, mut gone) = (self.failed_sometime, Gone::default());
        for month in months {
            let counted = self.by_month.get(month).copied().unwrap_or_default();
            let noted = noted.get(month).copied().unwrap_or_default();
            let removed = if has_every_update(month) { 0 } else { noted.updates_found - counted.updates_found };
            let found = counted.updates_found + removed.max(0);
            let failed_then = (noted.radars_failed - counted.radars_failed).clamp(0, failed_sometime);
            failed_sometime -= failed_then;
            let counted = UsageDelta { radars_failed: counted.radars_failed + failed_then, ..counted };
            let counted = gone.complete(counted, noted, claims.purged_radars);
            for (what, noted, counted) in [
                ("radars activated", noted.radars_activated, counted.radars_activated),
                ("radars deactivated", noted.radars_deactivated, counted.radars_deactivated),
                ("radars failed", noted.radars_failed, counted.radars_failed),
                ("updates found", noted.updates_found, found),
                ("used", noted.used_micros, counted.used_micros),
            ] {
                if noted != counted {
                    discrepancies
                        .add(Place::Month(month.clone()), format!("notes {noted} {what}, {counted} are found again"));
                }
            }
        }
        if failed_sometime > 0 {
            discrepancies.add(Place::Account, format!("has {failed_sometime} radars that failed in no month"));
        }
        if gone.ended != gone.activated || gone.activated + gone.failed != claims.purged_radars {
            let what = format!("has removed {} radars, its months tell of {gone:?}", claims.purged_radars);
            discrepancies.add(Place::Account, what);
        }
    }

    fn of(&mut self, at: i64) -> &mut UsageDelta {
        self.by_month.entry(month_of(at)).or_default()
    }
}

fn month_of(at: i64) -> String {
    DateTime::from_timestamp_micros(at).map_or_else(|| "never".to_owned(), |at| Month::of(at).to_string())
}
