//! `GET /operator/v1/audit`: what operators did.

use super::call::Call;
use crate::web::Answer;
use store::{ActionFilter, OperatorAction};
use wire::operator::actions::{self, ListQuery};
use wire::{Instant, Page, object};

/// Actions, the newest first.
pub(super) async fn list(call: Call) -> Answer {
    let ListQuery { about, since, before, limit } = actions::parse(call.query())?;
    let filter = ActionFilter { about, since, before };
    let found = call.store().all_actions(&filter, u64::from(limit) + 1).await?;
    let record = |action: OperatorAction| {
        let OperatorAction { action_id, begun_at, key_id, client, request_id, method, path, about, detail, status } =
            action;
        let begun_at = Instant(begun_at);
        object! { action_id, begun_at, key_id, client, request_id, method, path, about, detail, status }
    };
    let page = Page::cut(found, limit, |last| last.action_id.to_string(), record);
    call.page("Actions", page)
}
