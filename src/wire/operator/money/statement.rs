//! The statement of a month.

use std::collections::BTreeMap;

use serde::Serialize;
use uuid::Uuid;

use crate::money::Usd;
use crate::time::Instant;
use domain::ids::AccountId;
use domain::money::month::Month;
use domain::money::statement::Statement;

/// A statement. Closing is opening plus the amounts of all kinds, and the opening of the next month.
#[derive(Debug, Serialize)]
pub struct StatementRecord {
    account_id: Uuid,
    month: String,
    starts_at: Instant,
    ends_at: Instant,
    /// Whether the month is over, so that the statement is final.
    is_final: bool,
    opening_balance_usd: Usd,
    by_kind: BTreeMap<&'static str, SumRecord>,
    closing_balance_usd: Usd,
    #[serde(rename = "movements")]
    ledger_txs: i64,
    first_seq: Option<i64>,
    last_seq: Option<i64>,
}

#[derive(Debug, Serialize)]
struct SumRecord {
    #[serde(rename = "movements")]
    ledger_txs: i64,
    amount_usd: Usd,
}

impl StatementRecord {
    pub fn of(account_id: AccountId, month: Month, is_final: bool, statement: &Statement) -> Self {
        let Statement { first_seq, end_seq, opening, closing, ref by_kind } = *statement;
        let ledger_txs = end_seq - first_seq;
        let sum = |ledger_txs, amount| SumRecord { ledger_txs, amount_usd: Usd(amount) };
        Self {
            account_id: account_id.0,
            month: month.to_string(),
            starts_at: Instant(month.starts_at()),
            ends_at: Instant(month.ends_at()),
            is_final,
            opening_balance_usd: Usd(opening),
            by_kind: by_kind.iter().map(|of| (of.kind.as_str(), sum(of.ledger_txs, of.amount))).collect(),
            closing_balance_usd: Usd(closing),
            ledger_txs,
            first_seq: (ledger_txs > 0).then_some(first_seq),
            last_seq: (ledger_txs > 0).then_some(end_seq - 1),
        }
    }
}
