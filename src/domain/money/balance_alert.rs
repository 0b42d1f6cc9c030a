//! Telling an account's owner that the balance runs low: once for each time that it falls below a threshold.
//!
//! There is nothing to re-arm: a threshold is crossed again only after the balance was at or above it again.

use chrono::{DateTime, Utc};

use crate::ids::{AccountId, UpdateId};
use crate::money::MicroUsd;

/// How many thresholds an account has at most.
pub const THRESHOLDS_MAX: usize = 10;

/// Whom to tell, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceAlerts {
    /// Where alerts are pushed to, normalised.
    pub webhook_url: String,
    /// The balances below which somebody wants to know; at most [`THRESHOLDS_MAX`].
    pub thresholds: Vec<MicroUsd>,
}

impl BalanceAlerts {
    /// The thresholds that a fall from `before` to `after` crosses, the highest first.
    pub fn crossed(&self, before: MicroUsd, after: MicroUsd) -> Vec<MicroUsd> {
        let is_crossed = |threshold: &MicroUsd| after < *threshold && *threshold <= before;
        let mut crossed: Vec<MicroUsd> = self.thresholds.iter().copied().filter(is_crossed).collect();
        crossed.sort_unstable_by(|one, other| other.cmp(one));
        crossed
    }
}

/// A threshold was crossed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BalanceAlert {
    /// What receivers deduplicate on; an alert is delivered like an update.
    pub alert_id: UpdateId,
    /// Whose balance it is.
    pub account_id: AccountId,
    /// The ledger transaction that crossed it.
    pub tx_seq: i64,
    /// The threshold.
    pub threshold: MicroUsd,
    /// The balance after the ledger transaction.
    pub balance: MicroUsd,
    /// When.
    pub crossed_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::BalanceAlerts;
    use crate::money::MicroUsd;

    #[test]
    fn a_threshold_is_crossed_when_the_balance_falls_below_it() {
        let micros = MicroUsd::from_micros;
        let alerts = BalanceAlerts {
            webhook_url: "https://receiver.example/".into(),
            thresholds: [5, 20, 10].map(micros).to_vec(),
        };
        for (before, after, crossed) in [
            (30, 20, vec![]),
            (20, 19, vec![20]),
            (19, 10, vec![]),
            (30, 0, vec![20, 10, 5]),
            (10, 4, vec![10, 5]),
            (4, 0, vec![]),
            (0, 30, vec![]),
            (10, 10, vec![]),
        ] {
            let expected: Vec<MicroUsd> = crossed.into_iter().map(micros).collect();
            assert_eq!(alerts.crossed(micros(before), micros(after)), expected, "{before} to {after}");
        }
    }
}
