//! The harm that is done to a fleet, and how it is healed.

use std::time::Duration;

use futures_util::future::join;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};

use super::fleet::{Fleet, LOOK_EVERY, blocking, pick};
use super::{Plan, Progress};
use crate::support::dice::Dice;
use crate::support::failing_disk::Failure;

/// How long a frozen process is still asked, as long as a balancer would take to notice.
const NOTICED_AFTER: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, Debug)]
enum Fault {
    Kill,
    Cut,
    DatabaseCrash,
    Disk(Failure),
}

impl Fleet {
    /// Does all the harm of the plan, spread over the operations, and heals it.
    pub async fn faults(&self, plan: &Plan, progress: &Progress, mut dice: Dice) {
        let mut faults = vec![Fault::Kill; usize::try_from(plan.kills).expect("few")];
        if self.server.borrow().is_some() {
            faults.extend((0..plan.database_crashes).map(|_| Fault::DatabaseCrash));
            faults.extend((0..plan.cuts).map(|_| Fault::Cut));
        }
        let failures = Failure::ALL.into_iter().cycle().map(Fault::Disk);
        faults.extend(failures.take(usize::try_from(plan.disk_faults).expect("few")));
        for place in (1..faults.len()).rev() {
            faults.swap(place, pick(&mut dice, place + 1));
        }
        let mut stop_dice = Dice::new(dice.below(u64::MAX));
        let moment = |number: u64, of: u64| plan.operations * (number + 1) / (of + 1);
        let total = faults.len() as u64;
        let hitting = async {
            for (number, fault) in (0..total).zip(faults) {
                await_moment(progress, moment(number, total)).await;
                tokio::time::sleep(Duration::from_millis(dice.below(60))).await;
                match fault {
                    Fault::Kill => self.kill(&mut dice).await,
                    Fault::Cut => self.cut(&mut dice).await,
                    Fault::DatabaseCrash => self.crash_database(&mut dice).await,
                    Fault::Disk(failure) => self.fail_disk(failure, &mut dice).await,
                }
            }
        };
        let stopping = async {
            for number in 0..plan.stops {
                await_moment(progress, moment(number, plan.stops)).await;
                self.freeze(&mut stop_dice, plan.stop_seconds).await;
            }
        };
        join(hitting, stopping).await;
        progress.faults_are_over.set(true);
    }

    /// `kill -9` of one process or, now and then, of all of them, and new ones in their places.
    async fn kill(&self, dice: &mut Dice) {
        let (first, service) = self.take(dice).await;
        let mut taken = vec![(first, service)];
        if dice.below(8) == 0 {
            let others = (0..self.processes.len()).filter(|&number| number != first);
            taken.extend(others.filter_map(|number| Some((number, self.processes[number].service.take()?))));
        }
        let mut dead = Vec::new();
        for (number, mut service) in taken {
            self.processes[number].is_reachable.set(false);
            service.kill();
            self.note("kills");
            dead.push((number, service));
        }
        tokio::time::sleep(Duration::from_millis(dice.below(400))).await;
        for (number, service) in dead {
            self.revive(number, service).await;
        }
    }

    /// Cuts the connections of all processes to the database, or about half of them.
    async fn cut(&self, dice: &mut Dice) {
        let _turn = self.start_turn.lock().await;
        let share = if dice.below(2) == 0 { "" } else { " and random() < 0.5" };
        let sql = format!(
            "select count(pg_terminate_backend(pid)) as cut from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid(){share}"
        );
        let connection = Database::connect(&self.database_url).await.expect("the server answers");
        let statement = Statement::from_string(DbBackend::Postgres, sql);
        let row = connection.query_one_raw(statement).await.expect("cut").expect("a row");
        let cut: i64 = row.try_get("", "cut").expect("a number");
        connection.close().await.expect("closed");
        *self.figures.borrow_mut().entry("connections cut").or_default() += cut.unsigned_abs();
        self.note("cuts");
    }

    /// The database crashes and comes back; now and then it takes a process with it.
    async fn crash_database(&self, dice: &mut Dice) {
        let victim = if dice.below(3) == 0 { Some(self.take(dice).await) } else { None };
        let turn = self.start_turn.lock().await;
        let server = self.server.take().expect("nobody else is at it");
        let server = blocking(server, |server| server.stop_at_once()).await;
        self.note("database crashes");
        let dead = victim.map(|(number, mut service)| {
            self.processes[number].is_reachable.set(false);
            service.kill();
            self.note("kills");
            (number, service)
        });
        tokio::time::sleep(Duration::from_millis(dice.below(3_000))).await;
        self.server.replace(Some(blocking(server, |server| server.start_again()).await));
        drop(turn);
        if let Some((number, service)) = dead {
            self.revive(number, service).await;
        }
    }

    /// The disk fails for a while, and heals. Nothing is started again for it, but now and
    /// then a process is killed meanwhile.
    async fn fail_disk(&self, failure: Failure, dice: &mut Dice) {
        let disk = self.disk.as_ref().expect("a disk that can fail");
        let turn = self.start_turn.lock().await;
        disk.fail(failure);
        self.note(match failure {
            Failure::Full => "full disks",
            Failure::Write => "disks that fail to write",
            Failure::Sync => "disks that fail to sync",
            Failure::Frozen => "disks that only read",
        });
        // What a file has already may be enough for a while on a full disk.
        if failure != Failure::Full {
            self.await_readiness(false).await;
        }
        tokio::time::sleep(Duration::from_millis(dice.below(1_500))).await;
        let mut dead = None;
        if dice.below(3) == 0 {
            let (number, mut service) = self.take(dice).await;
            self.processes[number].is_reachable.set(false);
            service.kill();
            self.note("kills");
            dead = Some((number, service));
        }
        disk.heal();
        self.revive_server().await;
        self.await_readiness(true).await;
        drop(turn);
        if let Some((number, service)) = dead {
            self.revive(number, service).await;
        }
    }

    /// A process does nothing for a while and then goes on as if nothing had happened, or dies in its sleep.
    async fn freeze(&self, dice: &mut Dice, seconds_max: u64) {
        // Mostly short; sometimes longer than the database waits for a transaction, rarely longer than every lease.
        let milliseconds_max = seconds_max * 1_000;
        let milliseconds = match dice.below(8) {
            0..5 => 100 + dice.below(3_000),
            5..7 => milliseconds_max / 4 + dice.below(milliseconds_max / 4),
            _ => milliseconds_max - dice.below(milliseconds_max / 10 + 1),
        };
        let frozen_for = Duration::from_millis(milliseconds.min(milliseconds_max));
        let dies = dice.below(4) == 0;
        let (number, mut service) = self.take(dice).await;
        let process = &self.processes[number];
        service.signal("STOP");
        self.note("stops");
        *self.figures.borrow_mut().entry("milliseconds stopped").or_default() += milliseconds.min(milliseconds_max);
        tokio::time::sleep(frozen_for.min(NOTICED_AFTER)).await;
        if frozen_for > NOTICED_AFTER {
            process.is_reachable.set(false);
            tokio::time::sleep(frozen_for.saturating_sub(NOTICED_AFTER)).await;
        }
        if dies {
            process.is_reachable.set(false);
            service.kill();
            self.note("kills");
            self.revive(number, service).await;
        } else {
            service.signal("CONT");
            process.is_reachable.set(true);
            process.service.replace(Some(service));
        }
    }
}

/// Waits until so many changes are acknowledged.
async fn await_moment(progress: &Progress, changes: u64) {
    while progress.changes.get() < changes && !progress.is_over.get() {
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
