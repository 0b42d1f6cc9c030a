//! Threads that read pages of strangers, so that no page keeps the actors waiting.
//!
//! Duty: a bounded queue (`queue.rs`), a deadline, and isolation: a reader that panics or does not return harms only its
//! own page, and one that nobody waits for any more is told to end (`reading.rs`). Never here: what is read.

mod queue;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use self::queue::Queue;
pub use self::queue::{Holder, Holders};
use crate::reading;
use clock::Clock;

/// Pages that wait for a thread; further ones are refused as [`ReadError::Busy`].
const QUEUE_MAX: usize = 256;
/// How long reading a page may take, waiting included, in real time.
const READING_MAX: Duration = Duration::from_secs(10);
/// Threads that did not return in time and were replaced.
const REPLACED_MAX: usize = 4;

/// Why a page was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The deadline passed, or all steps are taken.
    #[error("it takes too long to read")]
    TooLong,
    /// Too many pages wait to be read, or too much of them is in memory.
    #[error("too much else is being read")]
    Busy,
    /// The reader panicked.
    #[error("it cannot be read")]
    Failed,
}

/// How many threads and pages there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReaderCounts {
    /// Pages that wait for a thread.
    pub waiting: usize,
    /// Threads that were given up and are not back yet.
    pub given_up: usize,
}

/// The threads. They start when they are needed and end when this is dropped.
pub struct Workers {
    shared: Arc<Pool>,
    tasks: Sender<Task>,
    clock: Clock,
    deadline: Duration,
}

/// A look at the threads from any other one.
#[derive(Clone)]
pub struct Readers(Arc<Pool>);

impl Readers {
    /// How many threads and pages there are now.
    pub fn counts(&self) -> ReaderCounts {
        let state = self.0.state.lock();
        ReaderCounts { waiting: state.queue.waiting_count(), given_up: state.given_up }
    }
}

struct Pool {
    /// No more tasks than there are threads to take them.
    tasks: Mutex<Receiver<Task>>,
    state: Mutex<State>,
    threads_max: usize,
}

struct State {
    queue: Queue,
    /// Threads that take tasks.
    running: usize,
    /// Threads that were given up and are not back yet.
    given_up: usize,
}

struct Task {
    work: Box<dyn FnOnce() + Send>,
    holders: Holders,
    /// Set when the work has come back, or was given up: whichever is first.
    is_over: Arc<AtomicBool>,
}

/// How far a page has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    AtWork,
    Answered,
}

/// A page in the queue or at work. Where nobody waits for it any more, its thread is given up.
struct Page<'a> {
    shared: &'a Pool,
    holders: Holders,
    number: u64,
    is_over: Arc<AtomicBool>,
    stage: Stage,
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        state.queue.leave(&self.holders);
        match self.stage {
            Stage::Waiting => state.queue.stop_waiting(self.number, &self.holders),
            Stage::AtWork if !self.is_over.swap(true, SeqCst) => state.give_up_thread(),
            Stage::AtWork | Stage::Answered => {}
        }
    }
}

impl Workers {
    /// As many threads as there are processors, at least two, so that one page never waits for one other.
    pub fn new(clock: Clock) -> Self {
        let threads_max = thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
        Self::with(clock, threads_max, READING_MAX)
    }

    fn with(clock: Clock, threads_max: usize, deadline: Duration) -> Self {
        let (tasks, receiver) = channel();
        let queue = Queue::new(QUEUE_MAX + threads_max, threads_max);
        let state = Mutex::new(State { queue, running: 0, given_up: 0 });
        let shared = Arc::new(Pool { tasks: Mutex::new(receiver), state, threads_max });
        Self { shared, tasks, clock, deadline }
    }

    /// A look at them from any thread.
    pub fn readers(&self) -> Readers {
        Readers(self.shared.clone())
    }

    /// Runs `reader` on one of the threads, on behalf of `holders`. A simulated clock stands still meanwhile.
    pub async fn read<T: Send + 'static>(
        &self,
        holders: Holders,
        reader: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ReadError> {
        let (mut page, has_thread) = self.shared.enter(holders.clone())?;
        let (answer, answered) = oneshot::channel();
        let is_over = page.is_over.clone();
        // The caller may be gone: then nobody wants the answer.
        let work = move || drop(answer.send(reading::within(reading::STEPS_MAX, &is_over, reader)));
        let task = Task { work: Box::new(work), holders, is_over: page.is_over.clone() };
        let read = async {
            has_thread.await.map_err(|_| ReadError::Busy)?;
            self.shared.start_thread()?;
            self.tasks.send(task).map_err(|_| ReadError::Busy)?;
            page.stage = Stage::AtWork;
            let answer = answered.await;
            page.stage = Stage::Answered;
            answer.map_err(|_| ReadError::Failed)?.map_err(|reading::Spent| ReadError::TooLong)
        };
        match self.clock.io(tokio::time::timeout(self.deadline, read)).await {
            Ok(read) => read,
            Err(_) if page.stage == Stage::Waiting => Err(ReadError::Busy),
            Err(_) => {
                tracing::error!("a page takes too long to read; its thread is given up");
                Err(ReadError::TooLong)
            }
        }
    }
}

impl Pool {
    /// Lets a page into the queue.
    fn enter(&self, holders: Holders) -> Result<(Page<'_>, oneshot::Receiver<()>), ReadError> {
        let mut state = self.state.lock();
        if state.given_up >= REPLACED_MAX + self.threads_max {
            return Err(ReadError::Busy);
        }
        let (number, has_thread) = state.queue.enter(&holders).ok_or(ReadError::Busy)?;
        let page = Page { shared: self, holders, number, is_over: Arc::default(), stage: Stage::Waiting };
        Ok((page, has_thread))
    }

    /// Starts one more thread, unless all are there.
    fn start_thread(self: &Arc<Self>) -> Result<(), ReadError> {
        let mut state = self.state.lock();
        if state.running + state.given_up.saturating_sub(REPLACED_MAX) < self.threads_max {
            let shared = self.clone();
            match thread::Builder::new().name("reader".into()).spawn(move || shared.work()) {
                Ok(_) => state.running += 1,
                Err(error) => tracing::error!(%error, "a thread for reading pages cannot be started"),
            }
        }
        if state.running > 0 { Ok(()) } else { Err(ReadError::Busy) }
    }

    /// The loop of one thread.
    fn work(&self) {
        loop {
            let next = self.tasks.lock().recv();
            let Ok(Task { work, holders, is_over }) = next else { return };
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("a page made its reader panic");
            }
            let mut state = self.state.lock();
            if is_over.swap(true, SeqCst) {
                // This thread was given up meanwhile.
                let is_free = state.given_up > REPLACED_MAX;
                state.given_up -= 1;
                return state.queue.end_work(&holders, is_free);
            }
            state.queue.end_work(&holders, true);
        }
    }
}

impl State {
    /// Replaces a thread that nobody waits for, if it may be replaced.
    fn give_up_thread(&mut self) {
        self.running = self.running.saturating_sub(1);
        self.given_up += 1;
        if self.given_up <= REPLACED_MAX {
            self.queue.add_thread();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use actix_rt::System;
    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::{Holder, Holders, QUEUE_MAX, REPLACED_MAX, ReadError, ReaderCounts, Workers};
    use crate::reading;
    use clock::Clock;

    const LONG: Duration = Duration::from_secs(60);
    const NOBODY: fn() -> Holders = Holders::default;

    #[actix_rt::test]
    async fn readings_come_back_and_a_panic_harms_only_its_own() {
        let workers = Workers::with(Clock::system(), 2, LONG);
        let readings = (0..100_u32).map(|number| workers.read(NOBODY(), move || number * 2));
        let read = join_all(readings).await.into_iter().collect::<Result<Vec<u32>, _>>().unwrap();
        assert_eq!(read, (0..100).map(|number| number * 2).collect::<Vec<u32>>());
        for _ in 0..10 {
            assert_eq!(workers.read(NOBODY(), || Vec::<u8>::new()[0]).await, Err(ReadError::Failed));
        }
        assert_eq!(workers.read(NOBODY(), || 7).await, Ok(7));
    }

    #[actix_rt::test]
    async fn a_reading_that_does_not_come_back_is_given_up_and_its_thread_replaced() {
        let workers = Workers::with(Clock::system(), 1, Duration::from_millis(20));
        let mut held = Vec::new();
        for _ in 0..=REPLACED_MAX {
            let (let_go, hold) = mpsc::channel::<()>();
            held.push(let_go);
            assert_eq!(workers.read(NOBODY(), move || hold.recv().is_ok()).await, Err(ReadError::TooLong));
        }
        // All that may be replaced are: there is no thread left, and nobody waits for one.
        assert_eq!(workers.read(NOBODY(), || 7).await, Err(ReadError::Busy));
        drop(held);
        while workers.read(NOBODY(), || 7).await.is_err() {
            tokio::task::yield_now().await;
        }
    }

    #[actix_rt::test]
    async fn a_reading_that_is_given_up_ends_and_its_thread_is_back() {
        let workers = Workers::with(Clock::system(), 1, Duration::from_millis(20));
        let (ended, has_ended) = mpsc::channel();
        let endless = move || {
            while reading::goes_on() {
                std::thread::yield_now();
            }
            ended.send(()).ok();
        };
        assert_eq!(workers.read(NOBODY(), endless).await, Err(ReadError::TooLong));
        has_ended.recv().unwrap();
        while workers.readers().counts() != ReaderCounts::default() {
            tokio::task::yield_now().await;
        }
    }

    #[actix_rt::test]
    async fn a_reading_that_takes_too_many_steps_gives_nothing() {
        let workers = Workers::with(Clock::system(), 1, LONG);
        let endless = || while reading::take(1_000) {};
        assert_eq!(workers.read(NOBODY(), endless).await, Err(ReadError::TooLong));
        assert_eq!(workers.read(NOBODY(), || reading::take(1_000)).await, Ok(true));
        assert_eq!(workers.readers().counts(), ReaderCounts::default());
    }

    #[actix_rt::test]
    async fn a_reading_whose_caller_is_gone_ends() {
        let workers = Workers::with(Clock::system(), 1, LONG);
        let (begun, has_begun) = mpsc::channel();
        let (ended, has_ended) = mpsc::channel();
        let mut reading = Box::pin(workers.read(NOBODY(), move || {
            begun.send(()).ok();
            while reading::goes_on() {
                std::thread::yield_now();
            }
            ended.send(()).ok();
        }));
        assert!(reading.as_mut().now_or_never().is_none());
        has_begun.recv().unwrap();
        drop(reading);
        has_ended.recv().unwrap();
        assert_eq!(workers.read(NOBODY(), || 7).await, Ok(7));
    }

    #[actix_rt::test]
    async fn a_host_that_wants_all_threads_keeps_no_other_waiting() {
        let workers = Workers::with(Clock::system(), 2, LONG);
        let slow: Holders = [Holder::Host("slow.example".to_owned())].into();
        let (let_go, hold) = mpsc::channel::<()>();
        let hold = std::sync::Arc::new(parking_lot::Mutex::new(hold));
        let mut held: Vec<_> = (0..20)
            .map(|_| {
                let hold = hold.clone();
                Box::pin(workers.read(slow.clone(), move || hold.lock().recv().is_err()))
            })
            .collect();
        for one in &mut held {
            assert!(one.now_or_never().is_none());
        }
        // One of these threads is never given to the slow host.
        for number in 0..10 {
            let other: Holders = [Holder::Host(format!("{number}.example"))].into();
            assert_eq!(workers.read(other, move || number).await, Ok(number));
        }
        drop(let_go);
        assert!(join_all(held).await.into_iter().all(|read| read == Ok(true)));
    }

    #[actix_rt::test]
    async fn the_queue_has_an_end_and_readings_that_nobody_waits_for_leave_it() {
        let workers = Workers::with(Clock::system(), 1, LONG);
        let (let_go, hold) = mpsc::channel::<()>();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let first = workers.read(NOBODY(), move || {
            begun.send(()).unwrap();
            hold.recv().is_err()
        });
        let others = async {
            has_begun.await.unwrap();
            let mut waiting: Vec<_> = (0..QUEUE_MAX).map(|_| Box::pin(workers.read(NOBODY(), || true))).collect();
            for one in &mut waiting {
                assert!(one.now_or_never().is_none());
            }
            assert_eq!(workers.read(NOBODY(), || true).await, Err(ReadError::Busy));
            drop(waiting);
            let (last, ()) = tokio::join!(workers.read(NOBODY(), || true), async { drop(let_go) });
            assert_eq!(last, Ok(true));
        };
        assert_eq!(tokio::join!(first, others).0, Ok(true));
    }

    #[test]
    fn a_simulated_clock_stands_still_while_something_is_read() {
        let clock = Clock::simulated("2026-11-21T00:00:00Z".parse().unwrap());
        let runtime = clock.runtime().unwrap();
        let outcome = System::with_tokio_rt(|| runtime).block_on(async move {
            let driven = clock.clone();
            let driving = actix_rt::spawn(async move { driven.drive().await });
            let workers = Workers::with(clock.clone(), 1, LONG);
            let began_at = clock.now();
            let (let_go, hold) = mpsc::channel::<()>();
            let reading = async { (workers.read(NOBODY(), move || hold.recv().is_err()).await, clock.now()) };
            let letting_go = async {
                tokio::task::yield_now().await;
                drop(let_go);
            };
            let ((read, read_at), _, ()) = tokio::join!(reading, clock.advance(chrono::Duration::hours(1)), letting_go);
            driving.abort();
            (read, read_at == began_at)
        });
        assert_eq!(outcome, (Ok(true), true));
    }
}
