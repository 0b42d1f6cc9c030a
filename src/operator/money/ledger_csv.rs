//! `GET /operator/v1/accounts/{id}/ledger.csv`: the ledger, or a part of it, as a file of any length.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::stream::{self, Stream, StreamExt};

use crate::domain::ids::AccountId;
use crate::domain::money::ledger::{LedgerTx, top_up_key};
use crate::domain::money::month::Month;
use crate::domain::rejection::FieldError;
use crate::operator::accounts::found;
use crate::operator::call::Call;
use crate::store::{Store, StoreError};
use crate::web::call::Answer;
use crate::wire::operator::csv::{guarded, record};
use crate::wire::operator::values::instant;
use crate::wire::parameters::Parameters;
use crate::wire::time;

/// Movements that are read at once.
const PAGE: i64 = 1_000;

const HEADER: [&str; 12] = [
    "seq",
    "kind",
    "amount_usd",
    "balance_usd",
    "at",
    "due_at",
    "key",
    "payment_ref",
    "radar_id",
    "radar_type",
    "update_id",
    "hash",
];

/// From an instant on, and before another.
type Span = (DateTime<Utc>, DateTime<Utc>);

/// The movements of a month, of a span, or all; in order, as they are when the answer begins.
pub(crate) async fn download(call: Call) -> Answer {
    let account_id = call.account_id()?;
    let (from, to) = parse(call.query())?;
    found(&call, account_id).await?;
    let store = call.state.shared.store.clone();
    let (first_seq, end_seq) = store.ledger_span(account_id, from, to).await?;
    let header = stream::iter([Ok(Bytes::from(record(HEADER)))]);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8; header=present"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"ledger-{account_id}.csv\"")))
        .streaming(header.chain(pages(store, account_id, first_seq, end_seq))))
}

/// One piece per page. A database that fails meanwhile breaks the answer off, which whoever reads it notices.
fn pages(
    store: Arc<Store>,
    account_id: AccountId,
    first_seq: i64,
    end_seq: i64,
) -> impl Stream<Item = Result<Bytes, StoreError>> {
    stream::try_unfold(first_seq, move |seq| {
        let store = store.clone();
        async move {
            let limit = (end_seq - seq).min(PAGE);
            if limit <= 0 {
                return Ok(None);
            }
            let page = store.ledger(account_id, seq - 1, usize::try_from(limit).unwrap_or(0)).await;
            let page = page.inspect_err(|error| tracing::error!(%error, "a ledger could not be read to its end"))?;
            let text: String = page.movements.iter().map(line).collect();
            Ok(Some((Bytes::from(text), seq + limit)))
        }
    })
}

fn line(movement: &LedgerTx) -> String {
    let payment_ref = movement.op_key.strip_prefix(&top_up_key("")).map(guarded).unwrap_or_default();
    let radar_id = movement.radar.map(|(radar_id, _)| radar_id.to_string()).unwrap_or_default();
    let update_id = movement.update_id.map(|update_id| update_id.to_string()).unwrap_or_default();
    record([
        movement.tx_seq.to_string().as_str(),
        movement.kind.as_str(),
        &movement.amount.to_string(),
        &movement.balance_after.to_string(),
        &time::text(movement.at),
        &time::text(movement.due_at),
        &guarded(&movement.op_key),
        &payment_ref,
        &radar_id,
        movement.radar.map_or("", |(_, radar_type)| radar_type.as_str()),
        &update_id,
        &movement.hash.to_string(),
    ])
}

fn parse(query: &str) -> Result<Span, Vec<FieldError>> {
    let mut parameters = Parameters::of(query, &["month", "from", "to"]);
    let month = parameters.one("month", |text| Month::parse(text).ok_or("must be a month such as 2026-01"));
    let (from, to) = (parameters.one("from", instant), parameters.one("to", instant));
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
    use crate::domain::ids::AccountId;
    use crate::domain::money::MicroUsd;
    use crate::domain::money::chain::ChainHash;
    use crate::domain::money::ledger::{LedgerTx, TxKind};

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
        let movement = LedgerTx {
            tx_seq: 7,
            op_key: "topup:=cmd|' /C calc'!A0,\"x\"".to_owned(),
            kind: TxKind::TopUp,
            amount: MicroUsd::from_micros(-100_000),
            balance_after: MicroUsd::from_micros(12_500_000),
            at: DateTime::UNIX_EPOCH,
            due_at: DateTime::UNIX_EPOCH,
            radar: None,
            update_id: None,
            legs: Vec::new(),
            hash: ChainHash::beginning(AccountId(Uuid::nil())),
        };
        let expected = "7,top_up,-0.1,12.5,1970-01-01T00:00:00.000000Z,1970-01-01T00:00:00.000000Z,\
            \"topup:=cmd|' /C calc'!A0,\"\"x\"\"\",\"'=cmd|' /C calc'!A0,\"\"x\"\"\",,,,";
        let line = line(&movement);
        assert_eq!(line.rsplit_once(',').map(|(cells, _)| cells.to_owned() + ","), Some(expected.to_owned()));
        assert!(line.ends_with("\r\n"));
    }
}
