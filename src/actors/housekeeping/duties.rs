//! What each rare duty does. Reads do not depend on it: whatever is over is invisible before a duty removes it.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::try_join_all;

use crate::ledger::LedgerError;
use crate::radar::{Shards, SharedParts, new_feeds};
use config::Retention;
use domain::account::{self, EndUnreachable};
use domain::delivery::job::Deactivation;
use domain::idempotency_key::KEPT_FOR;
use domain::radar::health::SILENCE_MAX;
use domain::scheduling::attempts::LOOKS_REMEMBERED_FOR;
use domain::scheduling::duty::CronSchedule;
use domain::{Breakage, Duty, HealthChange, Radar, RadarSearch, RadarType, Status};
use store::{ALERTS, DeliveryWaits, StoreError};
use wire::operator::radars::search;

/// How many rows a round of a duty takes at most. A removal repeats its round until nothing is left, each a short
/// transaction: more may come in an hour than one round takes.
const ROUND_MAX: u64 = 1_000;
/// The same for radars, each of which goes with everything that it has seen.
const RADARS_ROUND_MAX: u64 = 50;
/// The same for updates and alerts, which go with their deliveries and attempts.
const UPDATES_ROUND_MAX: u64 = 250;
/// Radars that a step of a job ends together.
const JOB_STEP: usize = 50;
/// The shortest pause between two rounds. On SQLite a round keeps commits and deliveries waiting, so that rounds take at
/// most half of the time.
const PAUSE_MIN: Duration = Duration::from_millis(5);
/// The longest: a round that seems to have taken longer was measured by a wall clock that was set forward meanwhile.
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// How many companies a round looks at.
const PROFILES_ROUND_MAX: u64 = 50;
/// How long the profile of a company that nobody watches is kept once it is old.
const PROFILES_KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What the housekeeper needs.
#[derive(Clone)]
pub struct HousekeeperParts {
    /// What the radars work with.
    pub radars: SharedParts,
    /// The radars.
    pub shards: Shards,
    /// How long what is over is kept.
    pub retention: Retention,
    /// How far ahead the instants of deliveries can lie.
    pub delivery_waits: DeliveryWaits,
    /// When each duty is begun.
    pub schedules: BTreeMap<Duty, CronSchedule>,
}

impl HousekeeperParts {
    /// Does a duty once; answers how many rows it was about.
    ///
    /// # Errors
    /// A [`StoreError`]; the next round tries again.
    pub async fn run_once(&self, duty: Duty) -> Result<usize, StoreError> {
        match duty {
            Duty::FindLagging => self.find_lagging().await,
            Duty::SettleAccounts => self.settle_accounts().await,
            Duty::SettleFeeds => {
                self.radars.store.settle_feeds().await?;
                Ok(usize::try_from(self.radars.store.wake_feeds().await?).unwrap_or(usize::MAX))
            }
            Duty::EndUnreachable => self.end_unreachable().await,
            Duty::VerifyLedgers => self.verify_ledgers().await,
            Duty::Retention => self.remove_what_is_over().await,
            Duty::SettleClock => {
                let settled = self.radars.store.settle_clock(&self.delivery_waits, self.radars.clock.now()).await?;
                Ok(usize::try_from(settled).unwrap_or(usize::MAX))
            }
            Duty::ForgetAnswers => {
                let before = self.radars.clock.now() - KEPT_FOR;
                self.all_rounds(ROUND_MAX, |limit| self.radars.store.forget_answers(before, limit)).await
            }
            Duty::RefreshProfiles => self.refresh_profiles().await,
            Duty::AssessSources => self.assess_sources().await,
            Duty::WorkOffJobs => self.work_off_jobs().await,
            Duty::ReplaceGone => new_feeds::replace_gone(&self.radars, ROUND_MAX).await,
        }
    }

    async fn find_lagging(&self) -> Result<usize, StoreError> {
        let lagging = self.radars.store.all_lagging_radars(ROUND_MAX).await?;
        for (account_id, radar_id) in &lagging {
            self.shards.wake(*account_id, *radar_id);
        }
        Ok(lagging.len())
    }

    async fn settle_accounts(&self) -> Result<usize, StoreError> {
        let accounts = self.radars.store.all_accounts_with_due_work(self.radars.clock.now(), ROUND_MAX).await?;
        for account_id in &accounts {
            self.radars.ledger.wake(*account_id);
        }
        Ok(accounts.len())
    }

    /// A radar whose ledger has no room now is ended in a later round.
    async fn end_unreachable(&self) -> Result<usize, StoreError> {
        let mut ended = 0;
        let is_pushed = |radar_type: &RadarType| self.radars.catalog.has_push_source(*radar_type);
        let pushed: Vec<RadarType> = RadarType::ALL.iter().copied().filter(is_pushed).collect();
        for radar in self.radars.store.all_unreachable_radars(SILENCE_MAX, &pushed, ROUND_MAX).await? {
            let (radar_id, period_no) = (radar.radar_id, radar.period_no);
            match self.radars.ledger.ask(radar.account_id, EndUnreachable { radar_id, period_no }).await {
                Ok(Ok(true)) => {
                    ended += 1;
                    tracing::info!(%radar_id, account_id = %radar.account_id, "a radar whose sources do not answer is ended");
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%radar_id, %error, "a radar whose sources do not answer could not be ended")
                }
            }
        }
        Ok(ended)
    }

    /// Ends the radars that jobs are about; answers how many.
    async fn work_off_jobs(&self) -> Result<usize, StoreError> {
        let (store, mut ended) = (&self.radars.store, 0);
        while store.membership().has_duties() {
            let Some(job) = store.next_deactivation().await? else { break };
            let began_at = self.radars.clock.steady_now();
            // A radar whose ledger has no room now is ended in a later round.
            let Some(done) = self.end_next_of(&job).await? else { break };
            ended += done;
            self.pause(began_at).await;
        }
        Ok(ended)
    }

    /// Ends the next radars of a job; answers how many, and nothing if it must be tried again.
    async fn end_next_of(&self, job: &Deactivation) -> Result<Option<usize>, StoreError> {
        let Ok((sought, _)) = search(&job.search) else {
            tracing::error!(job_id = %job.job_id, "a job is stopped, because what it is about cannot be read");
            self.radars.store.stop_job(job.job_id, self.radars.clock.now()).await?;
            return Ok(Some(0));
        };
        let sought = RadarSearch { before: Some(job.before), ..sought };
        let found = self.radars.store.all_radars_found(&sought, JOB_STEP).await?.radars;
        let ending = found.iter().map(|(radar, _)| self.end_for(job, radar));
        let done = match try_join_all(ending).await {
            Ok(ended) => ended.into_iter().filter(|is_ended| *is_ended).count(),
            Err(error) => {
                tracing::warn!(job_id = %job.job_id, %error, "radars of a job could not be ended");
                return Ok(None);
            }
        };
        self.radars.faults.pass("housekeeper.before_job_advances", &done);
        let last = found.last().map(|(radar, _)| (radar.created_at, radar.radar_id));
        self.radars.store.advance_deactivation(job, (last, done as u64), self.radars.clock.now()).await?;
        Ok(Some(done))
    }

    /// Whether a radar has ended since the job began; one of an account that is frozen stays as it is.
    async fn end_for(&self, job: &Deactivation, radar: &Radar) -> Result<bool, LedgerError> {
        if radar.status == Status::Inactive {
            return Ok(radar.deactivated_at.is_some_and(|ended_at| ended_at >= job.created_at));
        }
        Ok(self.shards.deactivate(radar.account_id, radar.radar_id).await?.is_ok())
    }

    /// Answers how many accounts were found bad: a round in which all are sound is not worth a line in the log.
    async fn verify_ledgers(&self) -> Result<usize, StoreError> {
        let mut bad = 0;
        for account_id in self.radars.store.all_unchecked_accounts(ROUND_MAX).await? {
            let checked = self.radars.store.check_account(account_id, self.radars.clock.now()).await?;
            if let Some(discrepancy) = checked.as_ref().and_then(|checked| checked.discrepancies.first()) {
                bad += 1;
                tracing::error!(%account_id, %discrepancy, "an account does not add up and is frozen");
            }
        }
        Ok(bad)
    }

    async fn refresh_profiles(&self) -> Result<usize, StoreError> {
        let refreshed = self.radars.profiles.refresh_due(PROFILES_ROUND_MAX).await?;
        for domain in &refreshed {
            new_feeds::attach(&self.radars, domain).await?;
        }
        let Some(before) = earlier(self.radars.clock.now(), PROFILES_KEPT_FOR) else { return Ok(refreshed.len()) };
        let forgotten = self.all_rounds(ROUND_MAX, |limit| self.radars.store.forget_profiles(before, limit)).await?;
        Ok(refreshed.len() + forgotten)
    }

    /// Answers how many sources have changed: broken for everybody from now on, or well again.
    async fn assess_sources(&self) -> Result<usize, StoreError> {
        let (states, changes) = self.radars.store.assess_sources(self.radars.clock.now()).await?;
        self.radars.scanner.figures().note_assessed(states);
        for (source, change) in &changes {
            match change {
                HealthChange::Broke(Breakage { class, since, .. }) => {
                    tracing::error!(source, class = class.as_str(), %since, "most feeds of a source fail in the same way");
                }
                HealthChange::Recovered(Breakage { since, .. }) => {
                    tracing::info!(source, broken_since = %since, "a source answers again");
                }
            }
        }
        Ok(changes.len())
    }

    async fn remove_what_is_over(&self) -> Result<usize, StoreError> {
        let now = self.radars.clock.now();
        let mut removed = 0;
        if let Some(before) = now.checked_sub_signed(account::Settings::default().hold_life) {
            removed += self.radars.store.purge_approvals(before).await?;
        }
        removed += self.radars.store.forget_preview_looks(now - LOOKS_REMEMBERED_FOR).await?;
        removed += self.radars.store.forget_redelivery_hosts(now - TimeDelta::days(1)).await?;
        removed += self.radars.store.forget_hosts(now, now - TimeDelta::days(1)).await?;
        if let Some(before) = earlier(now, self.retention.updates) {
            let (store, round_max) = (&self.radars.store, UPDATES_ROUND_MAX);
            for table in ALERTS {
                removed += self.all_rounds(round_max, |limit| store.purge_alerts(table, before, limit)).await?;
            }
            removed += self.all_rounds(ROUND_MAX, |limit| store.give_up_over(before, now, limit)).await?;
            // Before the partitions: what is kept of an account are its last updates, without a gap.
            removed += self.remove_updates(before).await?;
            removed += store.drop_partitions(before).await?;
        }
        removed += self.radars.store.make_partitions(now).await?;
        if let Some(before) = earlier(now, self.retention.audit) {
            removed += self.radars.store.forget_actions(before).await?;
        }
        if let Some(before) = earlier(now, self.retention.radars) {
            removed += self.all_rounds(RADARS_ROUND_MAX, |limit| self.radars.store.purge_radars(before, limit)).await?;
        }
        Ok(removed)
    }

    async fn remove_updates(&self, before: DateTime<Utc>) -> Result<usize, StoreError> {
        let (mut removed, mut from) = (0, None);
        loop {
            let began_at = self.radars.clock.steady_now();
            let purged = self.radars.store.purge_updates(before, from, UPDATES_ROUND_MAX).await?;
            removed += purged.removed;
            if purged.next.is_none() {
                return Ok(removed);
            }
            from = purged.next;
            self.pause(began_at).await;
        }
    }

    /// Repeats a round until it leaves nothing; answers how many rows all of them were about.
    async fn all_rounds<F>(&self, limit: u64, round: impl Fn(u64) -> F) -> Result<usize, StoreError>
    where
        F: Future<Output = Result<usize, StoreError>>,
    {
        let mut rows = 0;
        loop {
            let began_at = self.radars.clock.steady_now();
            let done = round(limit).await?;
            rows += done;
            if (done as u64) < limit {
                return Ok(rows);
            }
            self.pause(began_at).await;
        }
    }

    /// Waits as long as the round that began at `began_at` has taken.
    async fn pause(&self, began_at: DateTime<Utc>) {
        let took = (self.radars.clock.steady_now() - began_at).to_std().unwrap_or_default();
        self.radars.clock.sleep(took.clamp(PAUSE_MIN, PAUSE_MAX)).await;
    }
}

/// The instant `span` before `now`; `None` before time began.
fn earlier(now: DateTime<Utc>, span: Duration) -> Option<DateTime<Utc>> {
    now.checked_sub_signed(chrono::Duration::from_std(span).ok()?)
}
