//! `GET /operator/v1/accounts/{id}/ledger`: every movement of an account's money, with the balance after it.

use crate::operator::accounts::found;
use crate::operator::call::Call;
use crate::web::call::Answer;
use crate::wire::operator::ledger::{self, MovementRecord};
use crate::wire::operator::values::Page;

/// A page of the ledger, oldest first, from after the movement with the number `after`.
pub(crate) async fn page(call: Call) -> Answer {
    let account_id = call.account_id()?;
    let (after, limit) = ledger::parse(call.query())?;
    found(&call, account_id).await?;
    let page = call.state.shared.store.ledger(account_id, after, limit as usize).await?;
    let next = page.movements.last().filter(|_| page.has_more).map(|movement| movement.tx_seq.to_string());
    let records = page.movements.into_iter().map(MovementRecord::of).collect();
    call.fields(200, "Ledger", Page::of(records, next))
}
