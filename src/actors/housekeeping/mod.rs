//! Rare duties: finding what was left behind, and removing what has had its time.
//!
//! Each duty is a `run_once` that answers with counts. On the system clock tokio-cron-scheduler triggers them; it reads
//! the wall clock, so under a simulated clock the same duties hang on the clock's own timers. Nothing is visible longer
//! because a duty runs late: reads judge by the time themselves.

use std::sync::Arc;
use std::time::Duration;

use actix::{Actor, ActorFutureExt, AsyncContext, Context, Handler, WrapFuture};
use chrono::{DateTime, Utc};
use tokio_cron_scheduler::{Job, JobScheduler, JobSchedulerError};

use crate::actors::ledger::LedgerHandle;
use crate::actors::radar::Shards;
use crate::actors::runtime::mailbox::{Mailbox, Posted};
use crate::actors::runtime::metrics::{ActorMetrics, Kind};
use crate::actors::runtime::supervisor::{self, ExitGuard};
use crate::clock::Clock;
use crate::config::Retention;
use crate::domain::account;
use crate::domain::idempotency_key::KEPT_FOR;
use crate::store::{Store, StoreError};

/// How many rows a round of a duty takes at most. What is to be removed takes as many rounds as there are, each a short
/// transaction: more may come in an hour than one of them takes.
const ROUND_MAX: u64 = 1_000;
/// The same for radars, each of which goes with everything that it has seen.
const RADARS_ROUND_MAX: u64 = 50;

/// How often a duty is done at most under a simulated clock, where a year may pass in a minute.
const SIMULATED_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// A rare duty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duty {
    /// Wakes radars that have not read all of a feed: left behind by a crash or a full queue.
    FindLagging,
    /// Lets accounts decide what is due: expired lots, held findings that the balance covers, renewals nobody decided.
    SettleAccounts,
    /// Settles the feeds that everybody has read, and wakes those at rest that somebody reads all the same.
    SettleFeeds,
    /// Checks the accounts that have changed; one whose rows do not add up is frozen.
    VerifyLedgers,
    /// Removes updates whose retention is over, with their deliveries, radars that ended as long ago and have nothing left,
    /// and findings that waited too long for a verdict (Spec 6.4, decision 4.10).
    Purge,
    /// Removes answers that no retry is given any more (decision 2.9).
    ForgetAnswers,
}

impl Duty {
    /// Every duty.
    pub const ALL: [Self; 6] = [
        Self::FindLagging,
        Self::SettleAccounts,
        Self::SettleFeeds,
        Self::VerifyLedgers,
        Self::Purge,
        Self::ForgetAnswers,
    ];

    /// How often it is done.
    pub const fn every(self) -> Duration {
        match self {
            Self::FindLagging | Self::SettleAccounts => Duration::from_secs(30),
            Self::SettleFeeds => Duration::from_secs(5 * 60),
            Self::VerifyLedgers | Self::Purge | Self::ForgetAnswers => Duration::from_secs(60 * 60),
        }
    }
}

/// What the housekeeper needs.
#[derive(Clone)]
pub struct HousekeeperParts {
    /// The database.
    pub store: Arc<Store>,
    /// The time.
    pub clock: Clock,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// The radars.
    pub shards: Shards,
    /// How long what is over is kept.
    pub retention: Retention,
}

impl HousekeeperParts {
    /// Does a duty once; answers how many rows it was about.
    ///
    /// # Errors
    /// The database did not answer; the next round tries again.
    pub async fn run_once(&self, duty: Duty) -> Result<usize, StoreError> {
        let now = self.clock.now();
        match duty {
            Duty::FindLagging => {
                let lagging = self.store.sweep_lagging(ROUND_MAX).await?;
                for (account_id, radar_id) in &lagging {
                    self.shards.wake(*account_id, *radar_id);
                }
                Ok(lagging.len())
            }
            Duty::SettleAccounts => {
                let accounts = self.store.sweep_accounts_with_due_work(now, ROUND_MAX).await?;
                for account_id in &accounts {
                    self.ledger.wake(*account_id);
                }
                Ok(accounts.len())
            }
            Duty::SettleFeeds => {
                self.store.sweep_settle_feeds().await?;
                Ok(usize::try_from(self.store.sweep_wake_feeds().await?).unwrap_or(usize::MAX))
            }
            Duty::VerifyLedgers => self.verify_ledgers().await,
            Duty::Purge => {
                let mut purged = 0;
                if let Some(before) = now.checked_sub_signed(account::Settings::default().hold_life) {
                    purged += self.store.sweep_purge_judged(before).await?;
                }
                if let Some(before) = earlier(now, self.retention.updates) {
                    purged += all_rounds(ROUND_MAX, |limit| self.store.sweep_purge_alerts(before, limit)).await?;
                    purged += all_rounds(ROUND_MAX, |limit| self.store.sweep_purge_updates(before, limit)).await?;
                }
                if let Some(before) = earlier(now, self.retention.radars) {
                    purged +=
                        all_rounds(RADARS_ROUND_MAX, |limit| self.store.sweep_purge_radars(before, limit)).await?;
                }
                Ok(purged)
            }
            Duty::ForgetAnswers => {
                all_rounds(ROUND_MAX, |limit| self.store.sweep_forget_answers(now - KEPT_FOR, limit)).await
            }
        }
    }

    /// Answers how many accounts were found bad: a round in which all are sound is nothing to speak of.
    async fn verify_ledgers(&self) -> Result<usize, StoreError> {
        let mut bad = 0;
        for account_id in self.store.sweep_unchecked_accounts(ROUND_MAX).await? {
            let checked = self.store.check_account(account_id, self.clock.now()).await?;
            if let Some(fault) = checked.as_ref().and_then(|checked| checked.faults.first()) {
                bad += 1;
                tracing::error!(account.id = %account_id, %fault, "an account does not add up and is frozen");
            }
        }
        Ok(bad)
    }
}

/// The instant so long before `now`; `None` before time began.
fn earlier(now: DateTime<Utc>, span: Duration) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(chrono::Duration::from_std(span).ok()?)
}

/// Repeats a round until it leaves nothing; answers how many rows all of them were about.
async fn all_rounds<F>(limit: u64, round: impl Fn(u64) -> F) -> Result<usize, StoreError>
where
    F: Future<Output = Result<usize, StoreError>>,
{
    let mut rows = 0;
    loop {
        let done = round(limit).await?;
        rows += done;
        if (done as u64) < limit {
            return Ok(rows);
        }
    }
}

/// Starts the housekeeper on this thread; it is supervised.
///
/// # Errors
/// The scheduler cannot be started.
pub async fn start(
    parts: &HousekeeperParts,
    actor_metrics: &ActorMetrics,
) -> Result<HousekeeperHandle, JobSchedulerError> {
    let mailbox = Mailbox::new(Kind::Housekeeper, Duty::ALL.len() * 2, actor_metrics, &parts.clock);
    let factory_parts = parts.clone();
    supervisor::supervise(Kind::Housekeeper, actor_metrics, &parts.clock, &mailbox, move |guard| {
        Housekeeper { parts: factory_parts.clone(), at_work: Vec::new(), _guard: guard }.start()
    });
    let scheduler = match parts.clock.is_simulated() {
        true => {
            for duty in Duty::ALL {
                hang_on_clock(&parts.clock, &mailbox, duty);
            }
            None
        }
        false => Some(schedule(&mailbox).await?),
    };
    Ok(HousekeeperHandle { scheduler })
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

async fn schedule(mailbox: &Mailbox<Housekeeper>) -> Result<JobScheduler, JobSchedulerError> {
    let scheduler = JobScheduler::new().await?;
    for duty in Duty::ALL {
        let mailbox = mailbox.clone();
        let job = Job::new_repeated(duty.every(), move |_, _| trigger(&mailbox, duty))?;
        scheduler.add(job).await?;
    }
    scheduler.start().await?;
    Ok(scheduler)
}

fn hang_on_clock(clock: &Clock, mailbox: &Mailbox<Housekeeper>, duty: Duty) {
    let (clock, mailbox) = (clock.clone(), mailbox.clone());
    actix::spawn(async move {
        loop {
            trigger(&mailbox, duty);
            clock.sleep(duty.every().max(SIMULATED_EVERY)).await;
        }
    });
}

/// A duty that still waits from last time need not wait twice.
fn trigger(mailbox: &Mailbox<Housekeeper>, duty: Duty) {
    if mailbox.post(DoOnce(duty)).is_err() {
        tracing::debug!(?duty, "a duty is skipped because the last one still waits");
    }
}

struct DoOnce(Duty);

/// The actor.
pub struct Housekeeper {
    parts: HousekeeperParts,
    at_work: Vec<Duty>,
    _guard: ExitGuard,
}

impl Actor for Housekeeper {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        for duty in Duty::ALL {
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
                Ok(rows) => tracing::info!(?duty, rows, "a duty found work"),
                Err(error) => tracing::warn!(?duty, %error, "a duty could not be done"),
            }
        }));
    }
}

impl Handler<Posted<DoOnce>> for Housekeeper {
    type Result = ();

    fn handle(&mut self, posted: Posted<DoOnce>, context: &mut Context<Self>) {
        let DoOnce(duty) = posted.open();
        self.begin(duty, context);
    }
}
