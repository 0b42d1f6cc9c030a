//! Rare duties: finding what was left behind, and removing what has had its time (`duties`).
//!
//! Each duty is begun at the start and then by its schedule in the configuration. On the system clock
//! tokio-cron-scheduler triggers it. That scheduler reads the wall clock, so under a simulated clock the same schedules
//! hang on the clock's own timers, and when the wall clock is set back it is made anew and all duties are begun.

mod duties;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use chrono::TimeDelta;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;
use tokio_cron_scheduler::{Job, JobScheduler, JobSchedulerError};

pub use duties::HousekeeperParts;

use crate::runtime::{ExitGuard, Kind, Mailbox, Posted, supervise};
use clock::Clock;
use domain::scheduling::duty::{CronSchedule, Duty};

/// The shortest time between two triggers of a duty under a simulated clock, where a year may pass in a minute.
const SIMULATED_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// How often the system clock is looked at.
const LOOK_AT_CLOCK_EVERY: Duration = Duration::from_secs(10);
/// A clock that is set back by less is taken to be adjusted, as clocks are.
const STEP_MIN: TimeDelta = TimeDelta::seconds(1);

/// Starts the housekeeper on this thread; it is supervised.
pub async fn start(parts: &HousekeeperParts) -> Result<HousekeeperHandle, JobSchedulerError> {
    let (clock, actor_metrics) = (&parts.radars.clock, &parts.radars.actor_metrics);
    let mailbox = Mailbox::new(Kind::Housekeeper, Duty::ALL.len() * 2, actor_metrics, clock);
    let factory_parts = parts.clone();
    supervise(&mailbox, move |guard| {
        Housekeeper { parts: factory_parts.clone(), at_work: Vec::new(), _guard: guard }.start()
    });
    if clock.is_simulated() {
        for (duty, schedule) in &parts.schedules {
            hang_on_clock(clock, &mailbox, *duty, schedule.clone());
        }
        return Ok(HousekeeperHandle { mailbox, triggering: None });
    }
    let triggers = Triggers { mailbox: mailbox.clone(), schedules: parts.schedules.clone() };
    let scheduler = Rc::new(Mutex::new(triggers.schedule().await?));
    let watch = actix::spawn(watch_clock(clock.clone(), triggers, scheduler.clone()));
    Ok(HousekeeperHandle { mailbox, triggering: Some((scheduler, watch)) })
}

/// The way to the housekeeper.
pub struct HousekeeperHandle {
    mailbox: Mailbox<Duty>,
    triggering: Option<(Rc<Mutex<JobScheduler>>, JoinHandle<()>)>,
}

/// Has the housekeeper do a duty before its time. Clones ask the same one.
#[derive(Clone)]
pub struct Duties(Mailbox<Duty>);

impl Duties {
    /// Begins a duty, unless one that was asked for waits.
    pub fn begin(&self, duty: Duty) {
        trigger(&self.0, duty);
    }
}

impl HousekeeperHandle {
    /// What asks for a duty.
    pub fn duties(&self) -> Duties {
        Duties(self.mailbox.clone())
    }

    /// Begins all duties, as after a start: they have come to this process.
    pub fn begin_all(&self) {
        Duty::ALL.iter().for_each(|duty| trigger(&self.mailbox, *duty));
    }

    /// Triggers no duty any more.
    pub async fn stop(&self) {
        if let Some((scheduler, watch)) = &self.triggering {
            watch.abort();
            shut_down(&mut *scheduler.lock().await).await;
        }
    }
}

/// What triggers duties on the system clock.
struct Triggers {
    mailbox: Mailbox<Duty>,
    schedules: BTreeMap<Duty, CronSchedule>,
}

impl Triggers {
    async fn schedule(&self) -> Result<JobScheduler, JobSchedulerError> {
        let scheduler = JobScheduler::new().await?;
        for (duty, schedule) in &self.schedules {
            let (duty, mailbox) = (*duty, self.mailbox.clone());
            scheduler.add(Job::new(schedule.as_str(), move |_, _| trigger(&mailbox, duty))?).await?;
        }
        scheduler.start().await?;
        Ok(scheduler)
    }
}

/// Looks whether the wall clock was set back. The scheduler would wait until it has caught up with what it showed before.
async fn watch_clock(clock: Clock, triggers: Triggers, scheduler: Rc<Mutex<JobScheduler>>) {
    let mut watch = StepWatch::new(&clock);
    loop {
        clock.sleep(LOOK_AT_CLOCK_EVERY).await;
        let Some(back) = watch.set_back(&clock) else { continue };
        tracing::warn!(seconds = back.num_seconds(), "the clock was set back");
        match triggers.schedule().await {
            Ok(anew) => shut_down(&mut std::mem::replace(&mut *scheduler.lock().await, anew)).await,
            Err(error) => tracing::warn!(%error, "duties wait until the clock shows what it did before"),
        }
        Duty::ALL.iter().for_each(|duty| trigger(&triggers.mailbox, *duty));
    }
}

async fn shut_down(scheduler: &mut JobScheduler) {
    if let Err(error) = scheduler.shutdown().await {
        tracing::warn!(%error, "the scheduler did not stop cleanly");
    }
}

/// By how much the wall clock is ahead of the steady one.
struct StepWatch(TimeDelta);

impl StepWatch {
    fn new(clock: &Clock) -> Self {
        Self(clock.now() - clock.steady_now())
    }

    /// By how much the wall clock was set back since the last look, if it was.
    fn set_back(&mut self, clock: &Clock) -> Option<TimeDelta> {
        let before = std::mem::replace(&mut self.0, clock.now() - clock.steady_now());
        Some(before - self.0).filter(|back| *back > STEP_MIN)
    }
}

fn hang_on_clock(clock: &Clock, mailbox: &Mailbox<Duty>, duty: Duty, schedule: CronSchedule) {
    let (clock, mailbox) = (clock.clone(), mailbox.clone());
    actix::spawn(async move {
        let next_at = || schedule.next_from(clock.now() + SIMULATED_EVERY);
        while let Some(next_at) = next_at() {
            clock.sleep_until(next_at).await;
            trigger(&mailbox, duty);
        }
    });
}

/// Begins a duty, unless the last trigger still waits.
fn trigger(mailbox: &Mailbox<Duty>, duty: Duty) {
    if mailbox.post(duty).is_err() {
        tracing::debug!(duty = duty.as_str(), "a duty is skipped because the last one still waits");
    }
}

/// The actor.
pub struct Housekeeper {
    parts: HousekeeperParts,
    at_work: Vec<Duty>,
    _guard: ExitGuard,
}

impl Actor for Housekeeper {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        for &duty in Duty::ALL {
            self.begin(duty, context);
        }
    }
}

impl Housekeeper {
    fn begin(&mut self, duty: Duty, context: &mut Context<Self>) {
        let is_left_to_another = duty.is_shared() && !self.parts.radars.store.membership().has_duties();
        if is_left_to_another || self.at_work.contains(&duty) {
            return;
        }
        self.at_work.push(duty);
        let parts = self.parts.clone();
        let round = async move { parts.run_once(duty).await };
        context.spawn(round.into_actor(self).map(move |result, housekeeper, _| {
            housekeeper.at_work.retain(|at_work| *at_work != duty);
            match result {
                Ok(0) => {}
                Ok(rows) => tracing::info!(duty = duty.as_str(), rows, "a duty found work"),
                Err(error) => tracing::warn!(duty = duty.as_str(), %error, "a duty could not be done"),
            }
        }));
    }
}

impl Handler<Posted<Duty>> for Housekeeper {
    type Result = ();

    fn handle(&mut self, posted: Posted<Duty>, context: &mut Context<Self>) {
        self.begin(posted.open(), context);
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::StepWatch;
    use clock::Clock;

    #[test]
    fn a_clock_that_is_set_back_is_noticed_once() {
        let clock = Clock::system();
        let mut watch = StepWatch::new(&clock);
        assert_eq!(watch.set_back(&clock), None);
        clock.step(TimeDelta::hours(2));
        assert_eq!(watch.set_back(&clock), None, "forward");
        clock.step(TimeDelta::hours(-2));
        assert!(watch.set_back(&clock).is_some_and(|back| back > TimeDelta::minutes(119)));
        assert_eq!(watch.set_back(&clock), None);
    }
}
