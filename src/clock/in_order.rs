//! I/O in a fixed order: one piece at a time, first come first served, and its answer is seen only when nothing else can
//! run. The turns of a machine that is frozen wait, and others go ahead of them.
//!
//! The database driver lives on threads of its own. When two of its answers race, or an answer races with work on the
//! actors' thread, the machine decides which is seen first; here nothing races, so the same seed gives the same run.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::machine::Machine;

/// Where I/O takes turns.
pub(super) struct InOrder {
    turns: Mutex<Turns>,
    answer: Arc<Answer>,
}

/// Whose turn it is, and who waits for one, by the order in which they came.
#[derive(Default)]
struct Turns {
    next_no: u64,
    current: Option<u64>,
    waiting: BTreeMap<u64, (Waker, Option<Arc<Machine>>)>,
}

/// A turn that somebody waits for or has; it ends when this is dropped.
struct Turn<'a> {
    no: u64,
    turns: &'a Mutex<Turns>,
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
        Self { turns: Mutex::default(), answer: Arc::new(answer) }
    }

    /// Runs `work` when its turn has come; `machine`: where it runs, if there are several.
    pub(super) async fn run<F: Future>(&self, work: F, machine: Option<&Arc<Machine>>) -> F::Output {
        let turn = Turn::new(&self.turns);
        poll_fn(|context| turn.poll(context, machine)).await;
        InTurn { work: pin!(work), answer: &self.answer }.await
    }

    /// To be called when the actors' thread has nothing left to run: from its beginning on a turn has it for itself, however
    /// much is done in one go. Whether one has begun or got its answer.
    pub(super) fn pass_on(&self) -> bool {
        let begun = self.turns.lock().begin_next();
        if let Some(waker) = begun {
            self.answer.may_look.store(true, SeqCst);
            waker.wake();
            return true;
        }
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

impl Turns {
    /// Begins the next turn, unless one is under way.
    fn begin_next(&mut self) -> Option<Waker> {
        if self.current.is_some() {
            return None;
        }
        let may_run = |machine: &Option<Arc<Machine>>| machine.as_ref().is_none_or(|machine| !machine.is_frozen());
        let no = self.waiting.iter().find(|(_, (_, machine))| may_run(machine)).map(|(no, _)| *no)?;
        self.current = Some(no);
        self.waiting.remove(&no).map(|(waker, _)| waker)
    }
}

impl<'a> Turn<'a> {
    fn new(turns: &'a Mutex<Turns>) -> Self {
        let mut state = turns.lock();
        state.next_no += 1;
        Self { no: state.next_no, turns }
    }

    /// Ready once it has come.
    fn poll(&self, context: &Context<'_>, machine: Option<&Arc<Machine>>) -> Poll<()> {
        let mut turns = self.turns.lock();
        if turns.current == Some(self.no) {
            return Poll::Ready(());
        }
        turns.waiting.insert(self.no, (context.waker().clone(), machine.cloned()));
        Poll::Pending
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut turns = self.turns.lock();
        turns.waiting.remove(&self.no);
        turns.current.take_if(|current| *current == self.no);
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
