//! `GET /operator/v1/accounts/{id}/ledger.csv`: the ledger, or a part of it, as a file of any length.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};

use crate::operator::call::Call;
use crate::web::Answer;
use domain::AccountId;
use store::{Store, StoreError};
use wire::operator::money::ledger_csv;

/// Ledger transactions that are read at once.
const PAGE: i64 = 1_000;

/// The ledger transactions of a month, of a span, or all; in order, as they are when the answer begins.
pub(crate) async fn download(call: Call) -> Answer {
    let account_id = call.account_id()?;
    let (from, to) = ledger_csv::parse(call.query())?;
    call.account(account_id).await?;
    let store = call.store().clone();
    let (first_seq, end_seq) = store.ledger_span(account_id, from, to).await?;
    let header = stream::iter([Ok(Bytes::from(ledger_csv::header()))]);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8; header=present"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"ledger-{account_id}.csv\"")))
        .streaming(header.chain(pages(store, account_id, first_seq, end_seq))))
}

/// One piece per page. If the database fails meanwhile, the answer is cut off, which the client notices.
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
            let text: String = page.ledger_txs.iter().map(ledger_csv::line).collect();
            Ok(Some((Bytes::from(text), seq + limit)))
        }
    })
}
