//! The streams that are open in this process: how many there may be, what wakes them, what ends them.
//!
//! One look per second at the accounts of all of them together: it sees the commits of every process, and idle streams cost the
//! database nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;

use crate::web::Failure;
use clock::Clock;
use domain::Rejection;
use domain::field_limits::STREAMS_PER_KEY_MAX;
use store::Store;

/// The pause between two looks, and so about the longest that a stream is behind.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The open streams. Clones share them.
#[derive(Clone)]
pub(crate) struct OpenStreams {
    store: Arc<Store>,
    clock: Clock,
    places: Arc<Semaphore>,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    /// By the hash of a key: the number of its account's last update, which its streams wait for. A key that leaves ends them.
    keys: HashMap<String, watch::Sender<i64>>,
    /// Looks at the database while there are keys.
    looker: Option<JoinHandle<()>>,
}

/// The place of a stream. Dropping it gives the place back.
pub(crate) struct Followed {
    last: watch::Receiver<i64>,
    _place: OwnedSemaphorePermit,
}

impl OpenStreams {
    /// No stream yet, and room for `in_all`.
    pub(crate) fn new(store: Arc<Store>, clock: Clock, in_all: usize) -> Self {
        Self { store, clock, places: Arc::new(Semaphore::new(in_all)), open: Arc::default() }
    }

    /// Ends all streams and opens no further ones.
    pub(crate) fn close(&self) {
        self.places.close();
        self.open.lock().keys.clear();
    }

    /// A place for a stream of a key. It must be called where HTTP is answered: there the looks go on.
    pub(crate) fn follow(&self, key_hash: String) -> Result<Followed, Failure> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Failure::from(Rejection::Overloaded))?;
        let mut open = self.open.lock();
        let of_key = open.keys.entry(key_hash).or_insert_with(|| watch::Sender::new(0));
        if of_key.receiver_count() >= STREAMS_PER_KEY_MAX {
            let reason = format!("at most {STREAMS_PER_KEY_MAX} streams may be open with one key");
            return Err(Failure::conflict("stream", reason));
        }
        let last = of_key.subscribe();
        if open.looker.as_ref().is_none_or(JoinHandle::is_finished) {
            open.looker = Some(actix_web::rt::spawn(self.clone().look()));
        }
        Ok(Followed { last, _place: place })
    }

    async fn look(self) {
        while let Some(keys) = self.followed_keys() {
            match self.store.last_updates_of_keys(&keys, self.clock.now()).await {
                Ok(found) => self.tell(&keys, &found),
                Err(error) => tracing::warn!(%error, "streams of updates cannot be looked after"),
            }
            self.clock.real_timer(LOOK_EVERY).await;
        }
    }

    /// The keys that have streams; none of them: the looks end.
    fn followed_keys(&self) -> Option<Vec<String>> {
        let mut open = self.open.lock();
        open.keys.retain(|_, of_key| of_key.receiver_count() > 0);
        if open.keys.is_empty() {
            open.looker = None;
            return None;
        }
        Some(open.keys.keys().cloned().collect())
    }

    /// Wakes the streams of keys whose accounts have published, ends those of keys that are good no more.
    fn tell(&self, keys: &[String], found: &HashMap<String, i64>) {
        let mut open = self.open.lock();
        for key_hash in keys {
            match (found.get(key_hash), open.keys.get(key_hash)) {
                (Some(update_seq), Some(of_key)) => {
                    of_key.send_if_modified(|last| std::mem::replace(last, *update_seq) != *update_seq);
                }
                _ => drop(open.keys.remove(key_hash)),
            }
        }
    }
}

impl Followed {
    /// Returns when there may be more to read: `true`, or when the stream has to end: `false`.
    pub(crate) async fn more(&mut self) -> bool {
        self.last.changed().await.is_ok()
    }

    /// Whether the stream has to end.
    pub(crate) fn is_over(&self) -> bool {
        self.last.has_changed().is_err()
    }
}
