//! I/O in a fixed order: one piece at a time, first come first served, and its answer is seen only when nothing else can
//! run.
//!
//! The database driver lives on threads of its own. When two of its answers race, or an answer races with work on the
//! actors' thread, the machine decides which is seen first; here nothing races, so the same seed gives the same run.

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

/// Where I/O takes turns.
pub(super) struct InOrder {
    turn: Semaphore,
    answer: Arc<Answer>,
}

/// The answer to the piece of I/O whose turn it is.
#[derive(Default)]
struct Answer {
    is_there: AtomicBool,
    /// Whether the work may be polled: once after each answer that was passed on.
    may_look: AtomicBool,
    asker: Mutex<Option<Waker>>,
    /// Makes the actors' thread go idle once more.
    nudge: Arc<Notify>,
}

impl InOrder {
    /// `nudge` makes the actors' thread run, and so go idle, once more.
    pub(super) fn new(nudge: Arc<Notify>) -> Self {
        let answer = Answer { nudge, ..Answer::default() };
        Self { turn: Semaphore::new(1), answer: Arc::new(answer) }
    }

    /// Runs `work` when its turn has come.
    pub(super) async fn run<F: Future>(&self, work: F) -> F::Output {
        // The semaphore is never closed.
        let _turn = self.turn.acquire().await;
        // From its beginning on nothing else can run, however much of it is done in one go.
        self.answer.clone().wake();
        InTurn { work: pin!(work), answer: &self.answer }.await
    }

    /// To be called when the actors' thread has nothing left to run; whether an answer was passed on.
    pub(super) fn pass_on(&self) -> bool {
        let is_there = self.answer.is_there.swap(false, SeqCst);
        if is_there {
            self.answer.may_look.store(true, SeqCst);
            if let Some(asker) = self.answer.asker.lock().take() {
                asker.wake();
            }
        }
        is_there
    }
}

impl Wake for Answer {
    fn wake(self: Arc<Self>) {
        self.is_there.store(true, SeqCst);
        self.nudge.notify_one();
    }
}

struct InTurn<'a, F> {
    work: Pin<&'a mut F>,
    answer: &'a Arc<Answer>,
}

impl<F> Drop for InTurn<'_, F> {
    /// Drops the waker of a task that is not woken any more: the runtime holds this clock, and would keep itself alive.
    fn drop(&mut self) {
        self.answer.asker.lock().take();
    }
}

impl<F: Future> Future for InTurn<'_, F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        *self.answer.asker.lock() = Some(context.waker().clone());
        // The waiting task may be woken for another reason, and must not see the answer earlier because of it.
        if !self.answer.may_look.swap(false, SeqCst) {
            return Poll::Pending;
        }
        let waker = Waker::from(self.answer.clone());
        self.work.as_mut().poll(&mut Context::from_waker(&waker))
    }
}
