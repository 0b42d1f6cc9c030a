//! The `data` of `GET /v1/account` (Spec 4.1, decision 3.8): a month's events, the state now, and the balance; and for what an
//! account paid in a month.

use uuid::Uuid;

use crate::money::Usd;
use crate::record::records;
use crate::shapes::{MONTH, text};
use domain::{Month, RadarId, RadarType, Spend, SpendByRadar};

records! {
    /// The account's month, state and balance.
    #[derive(Debug)]
    pub struct AccountData {
        /// What happened in the month.
        pub usage: Usage,
        /// The state now; every radar is counted once.
        pub account: Totals,
        /// The prepaid balance, in USD with at most 6 decimals.
        pub balance_remaining_usd: Usd,
    }

    /// The events of a month.
    #[derive(Debug)]
    pub struct Usage {
        /// The month, in UTC.
        pub month: String = |about| text(about).pattern(Some(MONTH)),
        /// Radars created that did not fail.
        pub radars_activated: u64,
        /// Radars ended by you or for lack of funds.
        pub radars_deactivated: u64,
        /// Radars that failed.
        pub radars_failed: u64,
        /// Findings published.
        pub updates_found: u64,
        /// Charges of the month less refunds of those charges, in USD.
        pub balance_used_usd: Usd,
    }

    /// The state now.
    #[derive(Debug)]
    pub struct Totals {
        /// All radars.
        pub total_radars: u64,
        /// Radars that are active.
        pub active_radars: u64,
        /// Radars that are inactive and did not fail.
        pub inactive_radars: u64,
        /// Radars that failed.
        pub failed_radars: u64,
        /// Findings published ever.
        pub total_updates_found: u64,
    }

    /// What radars cost in a month, refunds taken off.
    #[derive(Debug)]
    pub struct SpendRecord {
        /// The month, in UTC.
        month: String = |about| text(about).pattern(Some(MONTH)),
        /// Every type that cost something, the most costly first.
        by_type: Vec<TypeSpend>,
        /// The radars that cost most, at most 100.
        by_radar: Vec<RadarSpend>,
        /// How many of the month's first charges and other movements are left out: 0 up to 100,000 in the month.
        not_summed: i64,
    }

    /// What radars of a type cost.
    #[derive(Debug)]
    struct TypeSpend {
        /// Their type.
        radar_type: RadarType,
        /// Charges and refunds.
        movements: i64,
        /// What they came to.
        amount_usd: Usd,
    }

    /// What a radar cost.
    #[derive(Debug)]
    struct RadarSpend {
        /// The radar.
        radar_id: Uuid,
        /// Its type.
        radar_type: RadarType,
        /// Charges and refunds.
        movements: i64,
        /// What they came to.
        amount_usd: Usd,
    }
}

impl SpendRecord {
    /// The most radars that are named.
    pub const RADARS_MAX: u64 = 100;
    /// The most ledger transactions that are summed: as many as are read in a third of a second.
    pub const SUMMED_MAX: i64 = 100_000;

    /// What was spent in `month`.
    pub fn of(month: Month, spend: &SpendByRadar) -> Self {
        Self {
            month: month.to_string(),
            by_type: spend.by_type.iter().map(of_type).collect(),
            by_radar: spend.by_radar.iter().map(of_radar).collect(),
            not_summed: spend.not_summed,
        }
    }
}

fn of_type(&Spend { radar_type, ledger_txs, amount }: &Spend) -> TypeSpend {
    TypeSpend { radar_type, movements: ledger_txs, amount_usd: Usd(amount) }
}

fn of_radar((radar_id, spend): &(RadarId, Spend)) -> RadarSpend {
    let TypeSpend { radar_type, movements, amount_usd } = of_type(spend);
    RadarSpend { radar_id: radar_id.0, radar_type, movements, amount_usd }
}
