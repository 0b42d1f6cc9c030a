//! Prepaid money in lots: what is live, in which order it is spent, how long a refund lives (decisions 4.3, 4.4).

use chrono::{DateTime, Duration, Utc};

use crate::closed;
use crate::money::MicroUsd;

closed! {
    /// Where a lot's money came from.
    LotKind {
        /// A top-up.
        Paid = "paid",
        /// A refund whose original lot had expired (decision 4.4).
        Refund = "refund",
    }
}

/// How long a refund lot lives at most, and how far beyond the expiry of the money that it gives back.
pub const REFUND_LOT_LIFE: Duration = Duration::days(7);

/// Prepaid money of one top-up or refund.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lot {
    /// Counts the lots of the account, from 1.
    pub lot_no: i64,
    /// Where the money came from.
    pub kind: LotKind,
    /// What the lot began with.
    pub granted: MicroUsd,
    /// What is left of it.
    pub remaining: MicroUsd,
    /// From this instant on it is worth nothing; `None` never expires.
    pub expires_at: Option<DateTime<Utc>>,
    /// The operation that made it.
    pub op_key: String,
    /// For a refund lot: the expired lot that it stands in for.
    pub parent_lot_no: Option<i64>,
    /// For a refund lot: when the top-up expired that its money first came from, through however many refunds.
    pub origin_expires_at: Option<DateTime<Utc>>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
}

impl Lot {
    /// Whether its money can be spent at `at`: up to the expiry, not at it.
    pub fn is_live(&self, at: DateTime<Utc>) -> bool {
        self.expires_at.is_none_or(|expires_at| at < expires_at)
    }

    /// When the top-up expires, or expired, that its money first came from.
    pub fn first_expires_at(&self) -> Option<DateTime<Utc>> {
        self.origin_expires_at.or(self.expires_at)
    }
}

/// When a refund lot expires that is opened at `at` for money whose top-up expired at `origin_expires_at`. `None` when no
/// such lot can live any more: else expired credit would live for ever by being spent and refunded again and again.
pub fn refund_lot_expires_at(origin_expires_at: DateTime<Utc>, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let latest = origin_expires_at.checked_add_signed(REFUND_LOT_LIFE)?;
    let longest = at.checked_add_signed(REFUND_LOT_LIFE)?;
    Some(latest.min(longest)).filter(|expires_at| at < *expires_at)
}

/// Splits `amount` over the lots live at `at`: soonest expiry first, then oldest. Each lot with its part, above zero; `None`
/// when they do not cover it.
pub fn burn(lots: &[Lot], amount: MicroUsd, at: DateTime<Utc>) -> Option<Vec<(i64, MicroUsd)>> {
    let mut live: Vec<&Lot> = lots.iter().filter(|lot| lot.is_live(at) && !lot.remaining.is_zero()).collect();
    live.sort_by_key(|lot| (lot.expires_at.unwrap_or(DateTime::<Utc>::MAX_UTC), lot.lot_no));
    let mut open = amount;
    let mut shares = Vec::new();
    for lot in live {
        if open.is_zero() {
            break;
        }
        let amount = open.min(lot.remaining);
        shares.push((lot.lot_no, amount));
        open = open.checked_sub(amount)?;
    }
    open.is_zero().then_some(shares)
}

#[cfg(test)]
mod tests {
    use super::{Lot, LotKind, REFUND_LOT_LIFE, burn, refund_lot_expires_at};
    use crate::money::MicroUsd;
    use chrono::{DateTime, Utc};
    use proptest::prelude::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("an instant")
    }

    fn lot(lot_no: i64, remaining: i64, expires_at: Option<i64>) -> Lot {
        Lot {
            lot_no,
            kind: LotKind::Paid,
            granted: MicroUsd::from_micros(remaining),
            remaining: MicroUsd::from_micros(remaining),
            expires_at: expires_at.map(at),
            op_key: format!("topup:{lot_no}"),
            parent_lot_no: None,
            origin_expires_at: None,
            created_at: at(0),
        }
    }

    fn shares(lots: &[Lot], amount: i64, seconds: i64) -> Option<Vec<(i64, i64)>> {
        let shares = burn(lots, MicroUsd::from_micros(amount), at(seconds))?;
        Some(shares.iter().map(|(lot_no, amount)| (*lot_no, amount.micros())).collect())
    }

    #[test]
    fn soonest_expiry_is_spent_first_then_the_oldest() {
        let lots = [lot(1, 5, None), lot(2, 5, Some(100)), lot(3, 5, Some(50)), lot(4, 5, None)];
        assert_eq!(shares(&lots, 12, 10), Some(vec![(3, 5), (2, 5), (1, 2)]));
        assert_eq!(shares(&lots, 12, 50), Some(vec![(2, 5), (1, 5), (4, 2)]), "an expired lot is not touched");
        assert_eq!(shares(&lots, 20, 10), Some(vec![(3, 5), (2, 5), (1, 5), (4, 5)]));
        assert_eq!(shares(&lots, 21, 10), None);
        assert_eq!(shares(&lots, 0, 10), Some(vec![]));
    }

    #[test]
    fn decision_4_4_a_refund_lot_never_outlives_the_first_expiry_by_more_than_its_life() {
        let life = REFUND_LOT_LIFE.num_seconds();
        for (origin, now, expected) in [
            (100, 100, Some(100 + life)),
            (100, 101, Some(100 + life)),
            (100, 99 + life, Some(100 + life)),
            (100, 100 + life, None),
            (100, 100 + 2 * life, None),
        ] {
            assert_eq!(refund_lot_expires_at(at(origin), at(now)), expected.map(at), "{now}");
        }
    }

    proptest! {
        #[test]
        fn a_burn_takes_exactly_the_amount(
            remaining in proptest::collection::vec((0..1_000i64, proptest::option::of(0..100i64)), 0..8),
            amount in 0..3_000i64,
        ) {
            let lots: Vec<Lot> =
                (1..).zip(&remaining).map(|(no, &(micros, expires_at))| lot(no, micros, expires_at)).collect();
            let live: i64 = lots.iter().filter(|lot| lot.is_live(at(50))).map(|lot| lot.remaining.micros()).sum();
            match shares(&lots, amount, 50) {
                Some(taken) => prop_assert_eq!(taken.iter().map(|(_, part)| part).sum::<i64>(), amount),
                None => prop_assert!(live < amount),
            }
        }
    }
}
