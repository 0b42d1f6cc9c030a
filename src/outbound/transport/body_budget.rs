//! Room for the bodies of all answers that the process holds at once.
//!
//! Each body has a bound of its own; here is the bound of all of them together. A body takes room as it grows and gives
//! it back when it is dropped; where none is left, the fetch waits. One fetch at a time may read on without room:
//! otherwise several that wait for more could hold all of it between them, and none would end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes of bodies that the process holds at once, and one body more.
const BODIES_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Room is taken in steps of this many bytes.
const STEP_BYTES: usize = 64 * 1024;

/// The room that there is.
#[derive(Clone, Debug)]
pub(super) struct BodyBudget {
    room: Arc<Semaphore>,
    overdraft: Arc<Semaphore>,
}

impl BodyBudget {
    /// The budget that all fetches of this process share.
    pub(super) fn of_process() -> Self {
        static SHARED: LazyLock<BodyBudget> = LazyLock::new(|| BodyBudget::new(BODIES_BYTES_MAX));
        SHARED.clone()
    }

    pub(super) fn new(bytes: usize) -> Self {
        Self { room: Arc::new(Semaphore::new(bytes)), overdraft: Arc::new(Semaphore::new(1)) }
    }

    /// No room yet, for a body that is about to be read.
    pub(super) fn for_body(&self, waits: Arc<Waits>) -> Room {
        Room { budget: self.clone(), taken: None, overdraft: None, waits }
    }
}

/// Whether a fetch waits for room, or has waited since that was last asked.
#[derive(Debug, Default)]
pub(super) struct Waits {
    is_waiting: AtomicBool,
    has_waited: AtomicBool,
}

impl Waits {
    /// Whether the time that passed since the last call says nothing of the host, because we did not read.
    pub(super) fn excuse(&self) -> bool {
        self.is_waiting.load(Ordering::Relaxed) || self.has_waited.swap(false, Ordering::Relaxed)
    }
}

/// The room that one body takes.
#[derive(Debug)]
pub(crate) struct Room {
    budget: BodyBudget,
    taken: Option<OwnedSemaphorePermit>,
    overdraft: Option<OwnedSemaphorePermit>,
    waits: Arc<Waits>,
}

impl Room {
    /// Takes room for `bytes` in all; waits while there is none.
    pub(super) async fn grow_to(&mut self, bytes: usize) {
        let missing = bytes.saturating_sub(self.bytes());
        if missing == 0 || self.overdraft.is_some() {
            return;
        }
        let step = u32::try_from(missing.max(STEP_BYTES)).unwrap_or(u32::MAX);
        if let Ok(permit) = self.budget.room.clone().try_acquire_many_owned(step) {
            return self.take(permit);
        }
        self.waits.is_waiting.store(true, Ordering::Relaxed);
        tokio::select! {
            biased;
            Ok(permit) = self.budget.room.clone().acquire_many_owned(step) => self.take(permit),
            permit = self.budget.overdraft.clone().acquire_owned() => self.overdraft = permit.ok(),
        }
        self.waits.has_waited.store(true, Ordering::Relaxed);
        self.waits.is_waiting.store(false, Ordering::Relaxed);
    }

    /// Gives back what a body of `bytes` does not need.
    pub(super) fn shrink_to(&mut self, bytes: usize) {
        let surplus = self.bytes().saturating_sub(bytes);
        drop(self.taken.as_mut().and_then(|taken| taken.split(surplus)));
    }

    fn bytes(&self) -> usize {
        self.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits)
    }

    fn take(&mut self, permit: OwnedSemaphorePermit) {
        match &mut self.taken {
            Some(taken) => taken.merge(permit),
            None => self.taken = Some(permit),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{BodyBudget, Room, STEP_BYTES, Waits};

    async fn body(budget: &BodyBudget, bytes: usize) -> Room {
        let mut room = budget.for_body(Arc::default());
        room.grow_to(bytes).await;
        room
    }

    #[actix_web::test]
    async fn bodies_wait_for_room_and_one_at_a_time_does_without() {
        let budget = BodyBudget::new(2 * STEP_BYTES);
        let first = body(&budget, 2 * STEP_BYTES).await;
        let second = body(&budget, STEP_BYTES).await;
        assert!(second.overdraft.is_some() && second.bytes() == 0, "the first that finds no room reads on");
        let waits: Arc<Waits> = Arc::default();
        let mut third = budget.for_body(waits.clone());
        {
            let mut growing = std::pin::pin!(third.grow_to(10));
            assert!(tokio::time::timeout(Duration::from_millis(20), &mut growing).await.is_err(), "there is no room");
            assert!(waits.excuse() && waits.excuse(), "for as long as it waits");
            drop(first);
            growing.await;
        }
        assert_eq!(third.bytes(), STEP_BYTES);
        assert!(waits.excuse() && !waits.excuse(), "once for having waited");
        drop(second);
        assert_eq!(budget.overdraft.available_permits(), 1);
    }

    #[actix_web::test]
    async fn a_body_keeps_no_more_than_it_needs_and_gives_all_back() {
        let budget = BodyBudget::new(10 * STEP_BYTES);
        let mut room = body(&budget, 100).await;
        room.grow_to(STEP_BYTES + 1).await;
        assert_eq!(room.bytes(), 2 * STEP_BYTES);
        room.shrink_to(100);
        assert_eq!(budget.room.available_permits(), 10 * STEP_BYTES - 100);
        room.shrink_to(0);
        drop(room);
        assert_eq!(budget.room.available_permits(), 10 * STEP_BYTES);
    }

    #[actix_web::test]
    async fn bodies_that_grow_together_all_end_however_little_room_there_is() {
        let budget = BodyBudget::new(3 * STEP_BYTES);
        let read = |_| async {
            let mut room = budget.for_body(Arc::default());
            for step in 1..=4 {
                room.grow_to(step * STEP_BYTES).await;
                tokio::task::yield_now().await;
            }
        };
        let reading = futures_util::future::join_all((0..20).map(read));
        assert!(
            tokio::time::timeout(Duration::from_secs(20), reading).await.is_ok(),
            "none waits for another for ever"
        );
        assert_eq!(budget.room.available_permits(), 3 * STEP_BYTES);
    }
}
