//! A process among others: the whole service and those who use it there, on tasks of their own, so that it can be frozen
//! in the middle of what it does, and be gone from one moment to the next.

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};

use clock::Clock;
use futures_util::future::{Either, select};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, LocalSet};

use crate::faults::Planned;
use crate::perform::Parties;
use crate::sends::Sends;

/// A running process.
pub struct Process {
    /// Which start of any process of the run this is.
    number: usize,
    clock: Clock,
    sends: Sends,
    tasks: Weak<LocalSet>,
    ice: Rc<Ice>,
    running: JoinHandle<()>,
    parties: Rc<Parties>,
    works: Vec<JoinHandle<()>>,
}

/// Keeps a process from running while it is frozen.
#[derive(Default)]
struct Ice(RefCell<Frozen>);

#[derive(Default)]
struct Frozen {
    is_frozen: bool,
    waker: Option<Waker>,
}

impl Process {
    /// Starts one with what `starting` makes; `None` when it crashes before it is up.
    pub async fn start(
        number: usize,
        clock: Clock,
        sends: Sends,
        planned: Planned,
        starting: impl Future<Output = Parties> + 'static,
    ) -> Option<Self> {
        planned.revive();
        let tasks = Rc::new(LocalSet::new());
        let ice = Rc::new(Ice::default());
        let (ready, parties) = oneshot::channel();
        tasks.spawn_local(async move { ready.send(Rc::new(starting.await)).ok() });
        let weak = Rc::downgrade(&tasks);
        let (cut_off, at) = (sends.clone(), clock.clone());
        let until_crash = async move {
            tasks.run_until(planned.crashed()).await;
            cut_off.cut_off(number, at.common_now());
        };
        let mut running = actix_rt::spawn(ice.clone().over(Box::pin(until_crash)));
        let started = match select(pin!(parties), &mut running).await {
            Either::Left((started, _)) => started.ok(),
            Either::Right(_) => None,
        };
        let parties = started?;
        Some(Self { number, clock, sends, tasks: weak, ice, running, parties, works: Vec::new() })
    }

    /// Whether it has not crashed.
    pub fn is_alive(&self) -> bool {
        !self.running.is_finished()
    }

    /// Whether it is frozen.
    pub fn is_frozen(&self) -> bool {
        self.ice.0.borrow().is_frozen
    }

    /// The service and its users.
    pub const fn parties(&self) -> &Rc<Parties> {
        &self.parties
    }

    /// Begins a piece of work in it.
    pub fn begin<F: Future<Output = ()> + 'static>(&mut self, work: impl FnOnce(Rc<Parties>) -> F) {
        if let Some(tasks) = self.tasks.upgrade() {
            self.works.push(tasks.spawn_local(work(self.parties.clone())));
        }
    }

    /// Whether something that was begun in it is not done.
    pub fn is_busy(&self) -> bool {
        self.works.iter().any(|work| !work.is_finished())
    }

    /// It stops in the middle of what it does. In a piece of I/O of the run.
    pub fn freeze(&self) {
        self.clock.set_frozen(true);
        self.ice.0.borrow_mut().is_frozen = true;
        self.sends.cut_off(self.number, self.clock.common_now());
    }

    /// It goes on where it was.
    pub fn thaw(&self) {
        self.clock.set_frozen(false);
        let mut frozen = self.ice.0.borrow_mut();
        frozen.is_frozen = false;
        frozen.waker.take().into_iter().for_each(Waker::wake);
    }

    /// It is gone. In a piece of I/O of the run.
    pub async fn crash(self) {
        self.sends.cut_off(self.number, self.clock.common_now());
        self.running.abort();
        // Ended by itself or not.
        self.running.await.ok();
    }
}

impl Ice {
    /// `process`, which stands still while it is frozen.
    async fn over(self: Rc<Self>, mut process: Pin<Box<dyn Future<Output = ()>>>) {
        poll_fn(|context| {
            let mut frozen = self.0.borrow_mut();
            if frozen.is_frozen {
                frozen.waker = Some(context.waker().clone());
                return Poll::Pending;
            }
            drop(frozen);
            process.as_mut().poll(context)
        })
        .await;
    }
}
