//! `GET /v1/updates` (Spec 4.9, 6.4, decisions 3.4, 3.5).

use crate::api::call::Call;
use crate::web::Answer;
use crate::web::call::text;
use wire::UpdatesCursor;
use wire::public::{query, updates_page};

/// A page of the account's updates, in the order of their publication.
pub(crate) async fn list_updates(call: Call) -> Answer {
    let (mut filter, limit) = query::updates(call.query())?;
    let now = call.now();
    filter.keep_from(call.kept_from());
    let (updates, has_more) = call.store().updates(call.account_id(), &filter, limit as usize).await?;
    let next = updates.last().filter(|_| has_more).map(|last| UpdatesCursor { sequence: last.update_seq });
    let bodies = updates.iter().map(|update| update.body.as_str());
    let page = text(200, updates_page::body("Updates", now, bodies, next))?;
    Ok(call.linked(page, next.map(|next| next.encode())))
}
