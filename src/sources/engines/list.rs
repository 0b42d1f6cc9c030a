//! Sources that show lists of items: recognising and polling them as their source files say.
//!
//! Duty: page after page of a list, and the details of what is new. Never here: anything about one particular source, or
//! what an answer holds (`list_reader`).

use std::sync::Arc;

use super::asking::{Asking, ask_details, ask_list, values_of};
use super::list_reader::{ListReader, items_in};
use super::mapping::Around;
use super::page_at::PageAt;
use crate::feed::{FeedPoll, Known, PollError};
use crate::format::list_source::ListSource;
use crate::format::list_source::items::Alive;
use crate::format::request::Conditional;
use crate::shared_answers::Answer;
use outbound::fetch::{FetchError, Validators, Web};

/// Details that one poll asks for; items that are left over are new at the next one.
const DETAILS_PER_POLL_MAX: usize = 50;

/// Whether the board of `token` is really there.
///
/// # Errors
/// It is unknown for now: a board that throttles or fails is not dead.
pub async fn is_there(web: &Web, list: &Arc<ListSource>, token: &str) -> Result<bool, FetchError> {
    match count(web, list, token).await {
        Ok(count) => Ok(count > 0 || list.items.alive != Alive::NonEmpty),
        Err(PollError::Fetch(error)) if error.is_transient() || matches!(error, FetchError::Forbidden { .. }) => {
            Err(error)
        }
        Err(PollError::Passing(status)) => Err(FetchError::Status(status)),
        Err(_) => Ok(false),
    }
}

/// How many items the first page of the board lists.
async fn count(web: &Web, list: &Arc<ListSource>, token: &str) -> Result<usize, PollError> {
    let values = values_of(web, list, token).await?;
    let answer = ask_list(web, list, &values, &PageAt::first(list), Asking::default()).await?;
    let list = list.clone();
    web.read(move || items_in(&list, &answer.value).map(|items| items.len())).await?
}

/// Polls the feed of `token`.
pub async fn poll(web: &Web, list: &Arc<ListSource>, token: &str, known: Known) -> Result<FeedPoll, PollError> {
    let values = values_of(web, list, token).await?;
    let is_conditional = !known.first_poll && list.request.conditional != Conditional::None;
    let asking = Asking { validators: None, is_second_look: known.is_second_look };
    let sent = Asking { validators: is_conditional.then_some(&known.validators), ..asking };
    let mut at = PageAt::first(list);
    let mut first = ask_list(web, list, &values, &at, sent).await?;
    let validators = kept_validators(list, &first);
    if first.not_modified && validators != Validators::default() {
        return Ok(FeedPoll { validators, unchanged: true, ..FeedPoll::default() });
    }
    if first.not_modified {
        // The file no longer goes by validators, but those of an earlier poll were sent.
        first = ask_list(web, list, &values, &at, asking).await?;
    }
    let around = Around::new(values, first.url.clone(), web.now());
    let mut reader = ListReader::new(list, &known, around);
    let mut next;
    (reader, next) = read(web, reader, first, at).await?;
    let pages_max = list.paging.as_ref().map_or(1, |paging| paging.pages_max);
    for _ in 1..pages_max {
        let Some(page) = next else { break };
        at = page;
        let answer = ask_list(web, list, &reader.around.values, &at, asking).await?;
        (reader, next) = read(web, reader, answer, at).await?;
    }
    let (reader, is_whole) = with_details(web, list, reader).await?;
    reader.finish(if is_whole { validators } else { Validators::default() })
}

/// Reads one page of the list, and says which comes next.
async fn read(
    web: &Web,
    mut reader: ListReader,
    answer: Answer,
    at: PageAt,
) -> Result<(ListReader, Option<PageAt>), PollError> {
    // Of what a wire tells nearly nothing is about one target: no thread is asked to find that out.
    if reader.is_done_with(&answer) {
        return Ok((reader, None));
    }
    web.read(move || {
        let listed = reader.read(&answer)?;
        let next = at.next(&reader.list, &answer, listed, reader.is_all_known);
        Ok((reader, next))
    })
    .await?
}

/// Asks for the details of the new items. `false` when some are left for the next poll, which must then not be answered
/// with "unchanged".
async fn with_details(
    web: &Web,
    list: &Arc<ListSource>,
    mut reader: ListReader,
) -> Result<(ListReader, bool), PollError> {
    let Some(details) = &list.details else { return Ok((reader, true)) };
    let mut waiting = std::mem::take(&mut reader.waiting).into_iter();
    let mut is_whole = true;
    let details_max = reader.known.visits_max.unwrap_or(DETAILS_PER_POLL_MAX);
    for (native_id, item, page) in waiting.by_ref().take(details_max) {
        reader.page = page;
        match ask_details(web, list, details, &reader.around.values, &item).await {
            Ok(detail) => {
                let take = move || {
                    reader.take_detailed(native_id, item, detail);
                    reader
                };
                reader = web.read(take).await?;
            }
            // It ended between list and details, or has none.
            Err(error) if !error.is_transient() => reader.take_detailed(native_id, item, serde_json::Value::Null),
            Err(PollError::Fetch(FetchError::Throttled { .. })) => return Ok((reader, false)),
            Err(error) => {
                tracing::debug!(%error, "the details of an item could not be had");
                is_whole = false;
            }
        }
    }
    if reader.known.visits_max.is_some() {
        // Nobody asks again: an item without its details is better than none.
        for (native_id, item, page) in waiting.by_ref() {
            reader.page = page;
            reader.take_detailed(native_id, item, serde_json::Value::Null);
        }
    }
    Ok((reader, is_whole && waiting.next().is_none()))
}

/// What the next poll sends and compares; nothing where later pages could change behind an unchanged first one.
fn kept_validators(list: &ListSource, answer: &Answer) -> Validators {
    let validators = answer.validators.clone();
    match list.request.conditional {
        Conditional::None => Validators::default(),
        _ if list.paging.as_ref().is_some_and(|paging| !paging.newest_first) => Validators::default(),
        Conditional::Hash => Validators { etag: None, last_modified: None, ..validators },
        Conditional::Etag => validators,
    }
}
