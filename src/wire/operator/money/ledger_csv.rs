//! The ledger of an account as a CSV file.

use chrono::{DateTime, Utc};

use crate::csv::{guarded, record};
use crate::parameters::{Parameters, instant};
use crate::time;
use domain::money::ledger::top_up_key;
use domain::{FieldError, LedgerTx, Month};

const HEADER: [&str; 12] = [
    "seq", "kind", "amount_usd", "balance_usd", "at", "due_at", "key", "payment_ref", "radar_id", "radar_type",
    "update_id", "hash",
];

/// From an instant on, and before another.
pub type Span = (DateTime<Utc>, DateTime<Utc>);

/// The line with the names of the columns.
pub fn header() -> String {
    record(HEADER)
}

/// The line of a ledger transaction.
pub fn line(tx: &LedgerTx) -> String {
    let payment_ref = tx.op_key.strip_prefix(&top_up_key("")).map(guarded).unwrap_or_default();
    let radar_id = tx.radar.map(|(radar_id, _)| radar_id.to_string()).unwrap_or_default();
    let update_id = tx.update_id.map(|update_id| update_id.to_string()).unwrap_or_default();
    record([
        tx.tx_seq.to_string().as_str(),
        tx.kind.as_str(),
        &tx.amount.to_string(),
        &tx.balance_after.to_string(),
        &time::text(tx.at),
        &time::text(tx.due_at),
        &guarded(&tx.op_key),
        &payment_ref,
        &radar_id,
        tx.radar.map_or("", |(_, radar_type)| radar_type.as_str()),
        &update_id,
        &tx.hash.to_string(),
    ])
}

/// Reads which part is asked for: a month, a span, or everything.
pub fn parse(query: &str) -> Result<Span, Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["month", "from", "to"]);
    let month = parameters.one("month", |text| Month::parse(text).ok_or("must be a month such as 2026-01"));
    let from = parameters.one("from", instant);
    let to = parameters.one("to", instant);
    if month.is_some() && (from.is_some() || to.is_some()) {
        parameters.refuse("month", "cannot stand beside from or to");
    }
    let span = match month {
        Some(month) => (month.starts_at(), month.ends_at()),
        None => (from.unwrap_or(DateTime::<Utc>::MIN_UTC), to.unwrap_or(DateTime::<Utc>::MAX_UTC)),
    };
    if span.0 >= span.1 {
        parameters.refuse("to", "must be later than from");
    }
    parameters.finish(span)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use uuid::Uuid;

    use super::{line, parse};
    use domain::{AccountId, ChainHash, LedgerTx, MicroUsd, TxKind};

    #[test]
    fn a_part_is_a_month_or_a_span() {
        let text = |query: &str| parse(query).map(|(from, to)| (from.to_rfc3339(), to.to_rfc3339()));
        let january = ("2026-01-01T00:00:00+00:00".to_owned(), "2026-02-01T00:00:00+00:00".to_owned());
        assert_eq!(text("month=2026-01"), Ok(january.clone()));
        assert_eq!(text("from=2026-01-01T00:00:00Z&to=2026-02-01T01:00:00+01:00"), Ok(january));
        assert_eq!(parse(""), Ok((DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC)));
        for (query, field) in [
            ("month=2026", "month"),
            ("month=2026-01&to=2026-02-01T00:00:00Z", "month"),
            ("from=yesterday", "from"),
            ("from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z", "to"),
            ("limit=5", "limit"),
        ] {
            assert_eq!(parse(query).expect_err(query)[0].field, field, "{query}");
        }
    }

    #[test]
    fn a_payment_reference_can_neither_break_a_line_nor_be_run() {
        let tx = LedgerTx {
            tx_seq: 7,
            op_key: "topup:=cmd|' /C calc'!A0,\"x\"".to_owned(),
            kind: TxKind::TopUp,
            amount: MicroUsd::from_micros(-100_000),
            balance_after: MicroUsd::from_micros(12_500_000),
            at: DateTime::UNIX_EPOCH,
            due_at: DateTime::UNIX_EPOCH,
            radar: None,
            update_id: None,
            entries: Vec::new(),
            hash: ChainHash::beginning(AccountId(Uuid::nil())),
        };
        let expected = "7,top_up,-0.1,12.5,1970-01-01T00:00:00.000000Z,1970-01-01T00:00:00.000000Z,\
            \"topup:=cmd|' /C calc'!A0,\"\"x\"\"\",\"'=cmd|' /C calc'!A0,\"\"x\"\"\",,,,";
        let line = line(&tx);
        assert_eq!(line.rsplit_once(',').map(|(cells, _)| cells.to_owned() + ","), Some(expected.to_owned()));
        assert!(line.ends_with("\r\n"));
    }
}
