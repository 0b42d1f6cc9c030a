//! Threads that read pages of strangers, so that no page keeps the actors waiting.
//!
//! Duty: a bounded queue, a deadline, and isolation: a reader that panics or does not return harms only its own page.
//! Never here: what is read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Semaphore, oneshot};

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
    tasks: Sender<Task>,
    /// A permit for each page that may be read or wait.
    pages: Semaphore,
    clock: Clock,
    deadline: Duration,
}

struct Shared {
    /// No more tasks than there are threads to take them.
    tasks: Mutex<Receiver<Task>>,
    /// A permit for each thread that is or could be there and has nothing to do.
    free: Semaphore,
    threads: Mutex<Threads>,
    threads_max: usize,
}

#[derive(Default)]
struct Threads {
    /// Those that take tasks.
    running: usize,
    /// Those that were given up and are not back yet.
    given_up: usize,
}

struct Task {
    work: Box<dyn FnOnce() + Send>,
    /// Set when the work has come back, or was given up: whichever is first.
    is_over: Arc<AtomicBool>,
}

impl Workers {
    /// As many threads as there are processors, at least two, so that one page never waits for one other.
    pub fn new(clock: Clock) -> Self {
        let threads_max = thread::available_parallelism().map_or(2, usize::from).clamp(2, 4);
        Self::with(clock, threads_max, READING_MAX)
    }

    fn with(clock: Clock, threads_max: usize, deadline: Duration) -> Self {
        let (tasks, receiver) = channel();
        let shared = Arc::new(Shared {
            tasks: Mutex::new(receiver),
            free: Semaphore::new(threads_max),
            threads: Mutex::default(),
            threads_max,
        });
        Self { shared, tasks, pages: Semaphore::new(QUEUE_MAX + threads_max), clock, deadline }
    }

    /// Runs `reader` on one of the threads. A simulated clock stands still meanwhile.
    pub async fn read<T: Send + 'static>(&self, reader: impl FnOnce() -> T + Send + 'static) -> Result<T, ReadError> {
        let _page = self.pages.try_acquire().map_err(|_| ReadError::Busy)?;
        let (answer, answered) = oneshot::channel();
        // The caller may be gone: then nobody wants the answer.
        let work = Box::new(move || drop(answer.send(reader())));
        // Nothing is to be given up before it has begun.
        let is_over = Arc::new(AtomicBool::new(true));
        let task = Task { work, is_over: is_over.clone() };
        let reading = async {
            self.submit(task).await?;
            answered.await.map_err(|_| ReadError::Failed)
        };
        match self.clock.io(tokio::time::timeout(self.deadline, reading)).await {
            Ok(read) => read,
            Err(_) => {
                if !is_over.swap(true, SeqCst) {
                    self.shared.give_up_thread();
                }
                Err(ReadError::TooLong)
            }
        }
    }

    /// Hands `task` to a thread as soon as one is free.
    async fn submit(&self, task: Task) -> Result<(), ReadError> {
        if self.shared.threads.lock().given_up >= REPLACED_MAX + self.shared.threads_max {
            return Err(ReadError::Busy);
        }
        let free = self.shared.free.acquire().await.map_err(|_| ReadError::Busy)?;
        self.shared.start_thread()?;
        task.is_over.store(false, SeqCst);
        self.tasks.send(task).map_err(|_| ReadError::Busy)?;
        // The thread gives it back.
        free.forget();
        Ok(())
    }
}

impl Shared {
    /// Starts one more thread, unless all are there.
    fn start_thread(self: &Arc<Self>) -> Result<(), ReadError> {
        let mut threads = self.threads.lock();
        if threads.running + threads.given_up.saturating_sub(REPLACED_MAX) < self.threads_max {
            let shared = self.clone();
            match thread::Builder::new().name("reader".into()).spawn(move || shared.work()) {
                Ok(_) => threads.running += 1,
                Err(error) => tracing::error!(%error, "a thread for reading pages cannot be started"),
            }
        }
        if threads.running > 0 { Ok(()) } else { Err(ReadError::Busy) }
    }

    /// Replaces a thread that does not return, if it may be replaced.
    fn give_up_thread(&self) {
        tracing::error!("a page takes too long to read; its thread is given up");
        let mut threads = self.threads.lock();
        threads.running = threads.running.saturating_sub(1);
        threads.given_up += 1;
        self.free.add_permits(usize::from(threads.given_up <= REPLACED_MAX));
    }

    /// The loop of one thread.
    fn work(&self) {
        loop {
            let next = self.tasks.lock().recv();
            let Ok(Task { work, is_over }) = next else { return };
            if catch_unwind(AssertUnwindSafe(work)).is_err() {
                tracing::error!("a page made its reader panic");
            }
            if is_over.swap(true, SeqCst) {
                // This thread was given up meanwhile.
                let mut threads = self.threads.lock();
                self.free.add_permits(usize::from(threads.given_up > REPLACED_MAX));
                threads.given_up -= 1;
                return;
            }
            self.free.add_permits(1);
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
