//! `GET /operator/v1/accounts/{id}/ledger`: every ledger transaction of an account's money, with the balance after it.

use crate::operator::call::Call;
use crate::web::call::Answer;
use wire::envelope::Page;
use wire::operator::money::ledger::{self, LedgerTxRecord};

/// A page of the ledger, oldest first, from after the ledger transaction with the number `after`.
pub(crate) async fn page(call: Call) -> Answer {
    let account_id = call.account_id()?;
    let (after, limit) = ledger::parse(call.query())?;
    call.account(account_id).await?;
    let page = call.state.shared.store.ledger(account_id, after, limit as usize).await?;
    let next = page.ledger_txs.last().filter(|_| page.has_more).map(|tx| tx.tx_seq.to_string());
    let records = page.ledger_txs.into_iter().map(LedgerTxRecord::of).collect();
    call.fields(200, "Ledger", Page::of(records, next))
}
