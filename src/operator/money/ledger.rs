//! `GET /operator/v1/accounts/{id}/ledger`: every ledger transaction of an account's money, with the balance after it.

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::Answer;
use domain::LedgerTx;
use wire::operator::money::ledger;
use wire::{Instant, Page, Usd, object};

/// A page of the ledger, oldest first, from after the ledger transaction with the number `after`.
pub(crate) async fn page(call: Call) -> Answer {
    let account_id = call.account_id()?;
    let (after, limit) = ledger::parse(call.query())?;
    call.account(account_id).await?;
    let page = call.store().ledger(account_id, after, limit as usize).await?;
    let next = page.ledger_txs.last().filter(|_| page.has_more).map(|tx| tx.tx_seq.to_string());
    let records = page.ledger_txs.into_iter().map(record).collect();
    let page = Page::of(records, next);
    call.page("Ledger", page)
}

fn record(tx: LedgerTx) -> impl Serialize {
    object! {
        seq: tx.tx_seq,
        kind: tx.kind,
        amount_usd: Usd(tx.amount),
        balance_usd: Usd(tx.balance_after),
        at: Instant(tx.at),
        due_at: Instant(tx.due_at),
        key: tx.op_key,
        radar_id: tx.radar.map(|(radar_id, _)| radar_id),
        radar_type: tx.radar.map(|(_, radar_type)| radar_type),
        update_id: tx.update_id,
        hash: tx.hash.to_string(),
    }
}
