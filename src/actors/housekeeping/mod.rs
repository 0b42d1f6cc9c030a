//! Rare duties: finding what was left behind, and removing what has had its time (`duties`).
//!
//! Each duty is begun at the start and then by its schedule in the configuration. On the system clock
//! tokio-cron-scheduler triggers it. That scheduler reads the wall clock, so under a simulated clock the same schedules
//! hang on the clock's own timers.

mod duties;

use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use tokio_cron_scheduler::{Job, JobScheduler, JobSchedulerError};

pub use duties::HousekeeperParts;

use crate::actors::runtime::mailbox::{Mailbox, Posted};
use crate::actors::runtime::metrics::Kind;
use crate::actors::runtime::supervisor::{ExitGuard, supervise};
use crate::clock::Clock;
use crate::domain::scheduling::duty::{CronSchedule, Duty};

/// The shortest time between two triggers of a duty under a simulated clock, where a year may pass in a minute.
const SIMULATED_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Starts the housekeeper on this thread; it is supervised.
pub async fn start(parts: &HousekeeperParts) -> Result<HousekeeperHandle, JobSchedulerError> {
    let (clock, actor_metrics) = (&parts.engine.clock, &parts.engine.actor_metrics);
    let mailbox = Mailbox::new(Kind::Housekeeper, Duty::ALL.len() * 2, actor_metrics, clock);
    let factory_parts = parts.clone();
    supervise(&mailbox, move |guard| {
        Housekeeper { parts: factory_parts.clone(), at_work: Vec::new(), _guard: guard }.start()
    });
    if clock.is_simulated() {
        for (duty, schedule) in &parts.schedules {
            hang_on_clock(clock, &mailbox, *duty, schedule.clone());
        }
        return Ok(HousekeeperHandle { scheduler: None });
    }
    let scheduler = JobScheduler::new().await?;
    for (duty, schedule) in &parts.schedules {
        let (duty, mailbox) = (*duty, mailbox.clone());
        scheduler.add(Job::new(schedule.as_str(), move |_, _| trigger(&mailbox, duty))?).await?;
    }
    scheduler.start().await?;
    Ok(HousekeeperHandle { scheduler: Some(scheduler) })
}

/// Stops the triggers.
pub struct HousekeeperHandle {
    scheduler: Option<JobScheduler>,
}

impl HousekeeperHandle {
    /// Triggers no duty any more.
    pub async fn stop(mut self) {
        if let Some(scheduler) = &mut self.scheduler
            && let Err(error) = scheduler.shutdown().await
        {
            tracing::warn!(%error, "the scheduler did not stop cleanly");
        }
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
        if self.at_work.contains(&duty) {
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
