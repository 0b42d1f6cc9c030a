//! Threads that read pages of strangers, so that no page keeps the actors waiting.
//!
//! Duty: a bounded queue, a deadline, and isolation: a reader that panics or does not return harms only its own page.
//! Never here: what is read.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::clock::Clock;

/// Pages that wait for a thread; further ones are refused as [`ReadError::Busy`].
const QUEUE_MAX: usize = 256;
/// How long reading a page may take, waiting included, in real time.
const READING_MAX: Duration = Duration::from_secs(10);
/// Threads that did not return in time and were replaced.
const REPLACED_MAX: usize = 4;

/// Why a page was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The deadline passed.
    #[error("it takes too long to read")]
    TooLong,
    /// Too many pages wait to be read, or too much of them is in memory.
    #[error("too much else is being read")]
    Busy,
    /// The reader panicked.
    #[error("it cannot be read")]
    Failed,
}

/// The threads. They start when they are needed and end when this is dropped.
pub struct Workers {
    shared: Arc<Shared>,
    clock: Clock,
    deadline: Duration,
}

struct Shared {
    state: Mutex<State>,
    work_came: Condvar,
    threads_max: usize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Task>,
    /// Threads that take work, those that wait for it among them.
    threads: usize,
    idle: usize,
    /// Threads that were given up and are not back yet.
    replaced: usize,
    is_closed: bool,
}

struct Task {
    work: Box<dyn FnOnce() + Send>,
    progress: Arc<Progress>,
}

/// How far a task is, and whether its caller still waits.
#[derive(Default)]
struct Progress(AtomicU8);

impl Progress {
    const WAITING: u8 = 0;
    const RUNNING: u8 = 1;
    const OVER: u8 = 2;
    const GIVEN_UP: u8 = 3;

    fn advance(&self, from: u8, to: u8) -> bool {
        self.0.compare_exchange(from, to, SeqCst, SeqCst).is_ok()
    }
}

impl Workers {
    /// As many threads as there are processors, at least two, so that one page never waits for one other.
    pub fn new(clock: Clock) -> Self {
        let threads_max = thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
        Self::with(clock, threads_max, READING_MAX)
    }

    fn with(clock: Clock, threads_max: usize, deadline: Duration) -> Self {
        let shared = Shared { state: Mutex::default(), work_came: Condvar::new(), threads_max };
        Self { shared: Arc::new(shared), clock, deadline }
    }

    /// Runs `reader` on one of the threads. A simulated clock stands still meanwhile.
    pub async fn read<T: Send + 'static>(&self, reader: impl FnOnce() -> T + Send + 'static) -> Result<T, ReadError> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting { shared: self.shared.clone(), progress: Arc::default() };
        // The caller may be gone: then nobody wants the answer.
        let work = Box::new(move || drop(answer.send(reader())));
        self.shared.submit(Task { work, progress: waiting.progress.clone() })?;
        let answered = tokio::time::timeout(self.deadline, answered);
        match self.clock.io(answered).await {
            Ok(Ok(read)) => Ok(read),
            Ok(Err(_)) => Err(ReadError::Failed),
            Err(_) => {
                waiting.give_up();
                Err(ReadError::TooLong)
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.work_came.notify_all();
    }
}

/// A caller that waits for a page to be read. When it is dropped, a task that has not begun is skipped.
struct Waiting {
    shared: Arc<Shared>,
    progress: Arc<Progress>,
}

impl Waiting {
    /// Replaces the thread that does not return.
    fn give_up(&self) {
        if self.progress.advance(Progress::RUNNING, Progress::GIVEN_UP) {
            tracing::error!("a page takes too long to read; its thread is given up");
            let mut state = self.shared.lock();
            state.threads = state.threads.saturating_sub(1);
            state.replaced += 1;
            if !state.queue.is_empty() {
                self.shared.start_thread(&mut state);
            }
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.progress.advance(Progress::WAITING, Progress::GIVEN_UP);
    }
}

impl Shared {
    /// A panic elsewhere must not stop the reading: the state is consistent after each statement.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn submit(self: &Arc<Self>, task: Task) -> Result<(), ReadError> {
        let mut state = self.lock();
        if state.queue.len() >= QUEUE_MAX {
            state.queue.retain(|task| task.progress.0.load(SeqCst) == Progress::WAITING);
        }
        if state.queue.len() >= QUEUE_MAX {
            return Err(ReadError::Busy);
        }
        if state.queue.len() >= state.idle {
            self.start_thread(&mut state);
        }
        if state.threads == 0 {
            return Err(ReadError::Busy);
        }
        state.queue.push_back(task);
        self.work_came.notify_one();
        Ok(())
    }

    /// Starts one more thread, if there may be one.
    fn start_thread(self: &Arc<Self>, state: &mut State) {
        if state.threads >= self.threads_max || state.replaced > REPLACED_MAX {
            return;
        }
        let shared = self.clone();
        match thread::Builder::new().name("reader".into()).spawn(move || shared.work()) {
            Ok(_) => state.threads += 1,
            Err(error) => tracing::error!(%error, "a thread for reading pages cannot be started"),
        }
    }

    /// The loop of one thread.
    fn work(&self) {
        while let Some(Task { work, progress }) = self.next() {
            if !progress.advance(Progress::WAITING, Progress::RUNNING) {
                continue;
            }
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("a page made its reader panic");
            }
            if !progress.advance(Progress::RUNNING, Progress::OVER) {
                // This thread was replaced meanwhile.
                self.lock().replaced -= 1;
                return;
            }
        }
    }

    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some(task) = state.queue.pop_front() {
                return Some(task);
            }
            state.idle += 1;
            state = self.work_came.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.idle -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::{QUEUE_MAX, REPLACED_MAX, ReadError, Workers};
    use crate::clock::Clock;

    const LONG: Duration = Duration::from_secs(60);

    #[actix_rt::test]
    async fn readings_come_back_and_a_panic_harms_only_its_own() {
        let workers = Workers::with(Clock::system(), 2, LONG);
        let readings = (0..100_u32).map(|number| workers.read(move || number * 2));
        let read = join_all(readings).await.into_iter().collect::<Result<Vec<u32>, _>>().unwrap();
        assert_eq!(read, (0..100).map(|number| number * 2).collect::<Vec<u32>>());
        for _ in 0..10 {
            assert_eq!(workers.read(|| Vec::<u8>::new()[0]).await, Err(ReadError::Failed));
        }
        assert_eq!(workers.read(|| 7).await, Ok(7));
    }

    #[actix_rt::test]
    async fn a_reading_that_does_not_come_back_is_given_up_and_its_thread_replaced() {
        let workers = Workers::with(Clock::system(), 1, Duration::from_millis(20));
        let mut held = Vec::new();
        for _ in 0..=REPLACED_MAX {
            let (let_go, hold) = mpsc::channel::<()>();
            held.push(let_go);
            assert_eq!(workers.read(move || hold.recv().is_ok()).await, Err(ReadError::TooLong));
        }
        // All that may be replaced are: there is no thread left, and nobody waits for one.
        assert_eq!(workers.read(|| 7).await, Err(ReadError::Busy));
        drop(held);
        while workers.read(|| 7).await.is_err() {
            tokio::task::yield_now().await;
        }
    }

    #[actix_rt::test]
    async fn the_queue_has_an_end_and_readings_that_nobody_waits_for_leave_it() {
        let workers = Workers::with(Clock::system(), 1, LONG);
        let (let_go, hold) = mpsc::channel::<()>();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let first = workers.read(move || {
            begun.send(()).unwrap();
            hold.recv().is_err()
        });
        let others = async {
            has_begun.await.unwrap();
            let mut waiting: Vec<_> = (0..QUEUE_MAX).map(|_| Box::pin(workers.read(|| true))).collect();
            for one in &mut waiting {
                assert!(one.now_or_never().is_none());
            }
            assert_eq!(workers.read(|| true).await, Err(ReadError::Busy));
            drop(waiting);
            let (last, ()) = tokio::join!(workers.read(|| true), async { drop(let_go) });
            assert_eq!(last, Ok(true));
        };
        assert_eq!(tokio::join!(first, others).0, Ok(true));
    }

    #[test]
    fn a_simulated_clock_stands_still_while_something_is_read() {
        let clock = Clock::simulated("2026-11-21T00:00:00Z".parse().unwrap());
        let outcome = crate::app::run_on(&clock, |clock| async move {
            let workers = Workers::with(clock.clone(), 1, LONG);
            let began_at = clock.now();
            let (let_go, hold) = mpsc::channel::<()>();
            let reading = async { (workers.read(move || hold.recv().is_err()).await, clock.now()) };
            let letting_go = async {
                tokio::task::yield_now().await;
                drop(let_go);
            };
            let ((read, read_at), _, ()) = tokio::join!(reading, clock.advance(chrono::Duration::hours(1)), letting_go);
            (read, read_at == began_at)
        });
        assert_eq!(outcome.unwrap(), (Ok(true), true));
    }
}
