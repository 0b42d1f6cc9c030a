//! `GET /v1/updates/stream`: the updates of an account as server-sent events, from where the client stands and for as long as
//! it stays.
//!
//! The identifier of an event is the cursor behind it, so that a client that comes back goes on without gap or repeat, at any
//! process. What is not read waits in the database: a page is read when the client has taken the one before.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{CONTENT_TYPE, ContentEncoding};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};

use crate::api::call::Call;
use crate::api::open_streams::Followed;
use crate::web::{Answer, authentication};
use clock::Clock;
use domain::field_limits::UPDATES_LIMIT_DEFAULT;
use domain::scheduling::retention::kept_from;
use domain::{AccountId, UpdateFilter};
use store::{Store, StoreError};
use wire::public::query;
use wire::public::update_events::{self, EVENT_STREAM, HEARTBEAT, LAST_EVENT_ID, OPENING};

/// The longest silence of a stream: proxies cut connections on which nothing moves, often after a minute.
const HEARTBEAT_EVERY: Duration = Duration::from_secs(15);

/// Updates in the order of their publication, without an end of its own.
pub(crate) async fn stream_updates(call: Call) -> Answer {
    let last_event_id = call.request.headers().get(LAST_EVENT_ID);
    let filter = query::stream(call.query(), last_event_id.map(|value| value.as_bytes()))?;
    let followed = call.state.streams.follow(authentication::key_hash(&call.request)?)?;
    let reader = Reader {
        store: call.store().clone(),
        clock: call.clock.clone(),
        retention: call.state.retention,
        account_id: call.account_id(),
        filter,
        followed,
        is_behind: true,
    };
    let opening = stream::iter([Ok::<_, Infallible>(Bytes::from_static(OPENING.as_bytes()))]);
    let events = stream::unfold(reader, async |mut reader| Some((Ok(reader.next().await?), reader)));
    // What is compressed waits until there is more of it.
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CONTENT_TYPE, EVENT_STREAM)).insert_header(ContentEncoding::Identity);
    Ok(answer.streaming(opening.chain(events)))
}

/// One stream, as far as it was read.
struct Reader {
    store: Arc<Store>,
    clock: Clock,
    retention: chrono::Duration,
    account_id: AccountId,
    filter: UpdateFilter,
    followed: Followed,
    /// Whether there may be more in the database.
    is_behind: bool,
}

impl Reader {
    /// The next events, or a sign of life; `None` when the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if self.followed.is_over() {
                return None;
            }
            if self.is_behind {
                match self.page().await {
                    Ok(events) if events.is_empty() => {}
                    Ok(events) => return Some(Bytes::from(events)),
                    Err(error) => {
                        tracing::warn!(%error, "a stream of updates ends: its client will come back");
                        return None;
                    }
                }
            }
            tokio::select! {
                more = self.followed.more() => self.is_behind = more,
                () = self.clock.real_timer(HEARTBEAT_EVERY) => return Some(Bytes::from_static(HEARTBEAT.as_bytes())),
            }
        }
    }

    async fn page(&mut self) -> Result<String, StoreError> {
        self.filter.keep_from(kept_from(self.clock.now(), self.retention));
        let (updates, has_more) =
            self.store.updates(self.account_id, &self.filter, UPDATES_LIMIT_DEFAULT as usize).await?;
        self.is_behind = has_more;
        if let Some(last) = updates.last() {
            self.filter.after_seq = last.update_seq;
        }
        Ok(updates.iter().map(|update| update_events::event(update.update_seq, &update.body)).collect())
    }
}
