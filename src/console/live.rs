//! `GET /live/{page}`: server-sent events that say when a page shows something else, so that its script loads it again.
//!
//! A stream asks the operator API what its page asks, as its reader would, and tells whether the answer has changed.

use std::collections::hash_map::DefaultHasher;
use std::convert::Infallible;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, ContentEncoding};
use actix_web::web::Path;
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use futures_util::stream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::api::{Api, segment, with_query};
use crate::asked::{Asked, given, given_of};
use crate::frame::{Page, Problem, Visit};
use clock::Clock;

/// Streams of this process at most.
const STREAMS_MAX: usize = 16;
/// The pause between two looks; longer where looks take long, so that they take no more than a tenth of the time.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Looks of a stream; then its page opens another one.
const LOOKS_MAX: u32 = 300;

const CHANGED: &str = "event: changed\ndata:\n\n";
const UNCHANGED: &str = ":\n\n";

/// The streams of this process. Clones share them.
#[derive(Clone)]
pub(crate) struct Streams {
    clock: Clock,
    places: Arc<Semaphore>,
    /// Whether the service stops.
    is_over: watch::Sender<bool>,
}

/// One stream.
struct Stream {
    api: Api,
    /// What its page shows, as paths of the operator API.
    shown: Vec<String>,
    request: HttpRequest,
    streams: Streams,
    _place: OwnedSemaphorePermit,
    looks: u32,
    seen: u64,
    pause: Duration,
}

impl Streams {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, places: Arc::new(Semaphore::new(STREAMS_MAX)), is_over: watch::Sender::new(false) }
    }

    /// Ends all streams and opens no further ones.
    pub(crate) fn close(&self) {
        self.places.close();
        self.is_over.send_replace(true);
    }
}

/// What a page shows, as paths of the operator API. Of the overview not how much its actors have handled, which always changes.
fn shown(page: &str, asked: &Asked) -> Vec<String> {
    let list = |path, names| vec![with_query(path, &given_of(asked, names))];
    match page {
        "overview" => ["attention", "activity"].map(|part| format!("/operator/v1/{part}")).into(),
        "deliveries" => list("/operator/v1/deliveries", &["state", "account_id", "radar_id", "cursor"]),
        "findings" => list("/operator/v1/findings", &["account_id", "cursor"]),
        "radar" => vec![format!("/operator/v1/radars/{}/timeline", segment(given(asked, "id")))],
        "job" => vec![format!("/operator/v1/jobs/{}", segment(given(asked, "id")))],
        _ => Vec::new(),
    }
}

/// The stream of a page.
pub(crate) async fn follow(visit: Visit, page: Path<String>, asked: Asked, request: HttpRequest) -> Page {
    let streams = request.app_data::<Streams>().ok_or(Problem::Broken)?.clone();
    let place = streams.places.clone().try_acquire_owned().map_err(|_| Problem::Busy)?;
    let shown = shown(&page, &asked);
    let (looks, seen, pause) = (0, 0, LOOK_EVERY);
    let stream = Stream { api: visit.api, shown, request, streams, _place: place, looks, seen, pause };
    let events = stream::unfold(stream, |stream| stream.next());
    let mut answer = HttpResponse::Ok();
    // What is compressed waits until there is more of it.
    answer.insert_header(ContentEncoding::Identity).insert_header((CACHE_CONTROL, "no-store"));
    Ok(answer.content_type("text/event-stream").streaming(events))
}

impl Stream {
    /// Whether something has changed; `None` once the stream has lasted long enough, or its reader has signed out.
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        if self.looks > 0 {
            let mut over = self.streams.is_over.subscribe();
            tokio::select! {
                () = self.streams.clock.real_timer(self.pause) => {}
                _ = over.wait_for(|is_over| *is_over) => {}
            }
        }
        let is_over = self.looks == LOOKS_MAX || self.streams.places.is_closed();
        if is_over || Visit::of(&self.request).is_err() {
            return None;
        }
        let began_at = self.streams.clock.real_now();
        let mut hasher = DefaultHasher::new();
        for path in &self.shown {
            self.api.get_or_nothing(path).await.get("data").0.hash(&mut hasher);
        }
        let seen = hasher.finish();
        self.pause = LOOK_EVERY.max(10 * (self.streams.clock.real_now() - began_at));
        // The page was loaded a moment ago.
        let has_changed = self.looks > 0 && seen != self.seen;
        (self.looks, self.seen) = (self.looks + 1, seen);
        Some((Ok(Bytes::from_static(if has_changed { CHANGED } else { UNCHANGED }.as_bytes())), self))
    }
}
