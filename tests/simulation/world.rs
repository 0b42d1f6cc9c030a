//! One run: a database, lives of the service on it one after another, its clients and its readers, all from one seed.

use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use chrono::{DateTime, Duration, Utc};
use clock::Clock;
use domain::account::TopUp;
use domain::account_status::AccountStatus;
use domain::approval::Approval;
use domain::ids::AccountId;
use domain::money::MicroUsd;
use domain::radar::{GracePeriod, PricingModel};
use futures_util::future::{Either, join, join_all, select};
use radar::app::run_on;
use store::faults::Faults;
use uuid::Uuid;

use super::alarms;
use super::audit::audit;
use super::dice::Dice;
use super::faults::{Coverage, Planned};
use super::model::Model;
use super::panics;
use super::perform::Parties;
use super::plan::{Plan, Step};
use super::reading::Reader;
use super::record::Record;
use super::sends::Sends;
use super::service::{Service, Settings};
use super::situations::{self, Situations};
use super::state::{DAY, Price, Radar};
use super::template;
use super::trace::Trace;
use super::work::{Drawing, Memory, Setting, Work, setting};

/// So many lives are more than any plan needs.
const LIVES_MAX: usize = 200;

/// What came of a run.
pub struct Outcome {
    pub seed: u64,
    pub violation: Option<String>,
    pub trace: Trace,
    pub coverage: Coverage,
    pub situations: Situations,
    pub commits: u64,
    pub lives: usize,
}

/// Why a life ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The process was ended from outside.
    Restart,
    /// It crashed at a named point.
    Crash,
    /// Everything is done.
    Done,
}

/// A run.
pub struct World {
    url: String,
    pub plan: Plan,
    pub dice: Dice,
    pub planned: Planned,
    pub record: Rc<RefCell<Record>>,
    readers: Rc<RefCell<Vec<Reader>>>,
    pub accounts: Vec<AccountId>,
    memory: Memory,
    pub rounds_left: u64,
    pub sends: Sends,
    /// For how long nobody runs the service next.
    away: Option<Duration>,
    pub now: DateTime<Utc>,
}

/// Runs a seed to its end, or to the first violation.
pub fn run(seed: u64) -> Outcome {
    let (_folder, url) = template::copy();
    World::new(seed, url, |_, _| {}).live_on(seed)
}

impl World {
    /// The beginning of a run in the database at `url`, whose plan is drawn and then changed.
    pub fn new(seed: u64, url: String, change: impl FnOnce(&mut Plan, &mut Dice)) -> Self {
        panics::listen();
        alarms::listen();
        let mut dice = Dice::new(seed, 1);
        let mut plan = Plan::draw(&mut dice);
        change(&mut plan, &mut dice);
        let now =
            DateTime::from_timestamp(1_767_225_600 + dice.between(0, 400) * 86_400 + 3_600, 0).expect("an instant");
        let accounts: Vec<AccountId> = template::ACCOUNTS[..plan.accounts].to_vec();
        let readers = accounts.iter().flat_map(|account_id| [*account_id; 3]);
        let readers = readers.map(|account_id| Reader::draw(&mut dice, &plan, account_id)).collect();
        let models = accounts.iter().map(|account_id| (account_id.0, model(&plan)));
        let record = Record::new(&url, plan.renewals_max, models);
        Self {
            url,
            planned: Planned::new(Dice::new(seed, 2), plan.faults.clone()),
            rounds_left: plan.rounds,
            away: None,
            plan,
            dice,
            record: Rc::new(RefCell::new(record)),
            readers: Rc::new(RefCell::new(readers)),
            accounts,
            memory: Memory::default(),
            sends: Sends::default(),
            now,
        }
    }

    /// One life of the service after another, until everything is done or something is wrong.
    pub fn live_on(mut self, seed: u64) -> Outcome {
        let mut lives = 0;
        loop {
            lives += 1;
            let end = self.live();
            let mut record = self.record.borrow_mut();
            note_alarms(&mut record, self.now);
            record.trace.note(self.now, format_args!("life {lives} ended: {end:?}"));
            record.verify(self.now);
            if end == End::Done || lives % 4 == 0 {
                record.expect(self.now, audit(&self.url));
            }
            if lives == LIVES_MAX {
                record.expect(self.now, Err("L1 the service keeps crashing".to_owned()));
            }
            let is_over = end == End::Done || record.violation.is_some();
            drop(record);
            if is_over {
                return self.outcome(seed, lives);
            }
            self.pass_time_without_a_process();
        }
    }

    /// What came of the run.
    pub fn outcome(self, seed: u64, lives: usize) -> Outcome {
        let mut record = self.record.borrow_mut();
        let trace = std::mem::take(&mut record.trace);
        let (violation, commits) = (record.violation.take(), record.commits());
        let mut situations = record.situations.clone();
        record.accounts.values().for_each(|account| situations::count(&account.chronicle, &mut situations));
        Outcome { seed, violation, trace, coverage: self.planned.coverage(), situations, commits, lives }
    }

    /// One life of the service.
    fn live(&mut self) -> End {
        let clock = Clock::in_order(self.now);
        self.planned.revive();
        let planned = self.planned.clone();
        let end = run_on(&clock, async |clock| {
            let faults = self.faults(0, &self.planned, &clock);
            let parties = self.starting("alone".to_owned(), &self.planned, faults, clock).await;
            let use_service = async {
                match select(pin!(alarms::raised()), pin!(self.use_service(&parties))).await {
                    Either::Left(((), _)) => End::Done,
                    Either::Right((end, _)) => end,
                }
            };
            match select(pin!(planned.crashed()), pin!(use_service)).await {
                Either::Left(((), _)) => End::Crash,
                Either::Right((end, _)) => end,
            }
        });
        self.now = clock.now();
        end.expect("a runtime")
    }

    /// The faults of a process, which also tell of what it sends.
    pub fn faults(&self, process: usize, planned: &Planned, clock: &Clock) -> Faults {
        let (sends, planned, clock) = (self.sends.clone(), planned.clone(), clock.clone());
        Faults::failing(move |point, subject| {
            if point == "dispatcher.before_send" {
                sends.begin(process, subject, clock.common_now());
            }
            planned.pass(point, subject)
        })
    }

    /// Starts the service under a name, with faults, of which `planned` tells.
    pub fn starting(
        &self,
        name: String,
        planned: &Planned,
        faults: Faults,
        clock: Clock,
    ) -> impl Future<Output = Parties> + use<> {
        let (url, record, planned) = (self.url.clone(), self.record.clone(), planned.clone());
        let (record_of_parties, readers) = (self.record.clone(), self.readers.clone());
        let default_prices = self.plan.default_prices();
        let Plan { receiver, queue, renewals_max, .. } = self.plan;
        async move {
            let settings = Settings {
                url: &url,
                name,
                sends: receiver.is_some(),
                default_prices,
                faults,
                on_commit: Rc::new(move |store, submissions, decisions, now| {
                    let mut record = record.borrow_mut();
                    for news in planned.news() {
                        record.trace.note(now, news);
                    }
                    if let Some(node_id) = store.membership().node_id() {
                        record.made_by(node_id, now);
                    }
                    record.committed(submissions, decisions, now);
                }),
                queue,
                renewals_max,
            };
            let service = Service::start(settings, clock).await;
            Parties { service, record: record_of_parties, readers }
        }
    }

    /// Rounds of work while things go wrong, then the end in which they must come right.
    async fn use_service(&mut self, parties: &Parties) -> End {
        let clock = &parties.service.clock;
        if self.rounds_left == self.plan.rounds {
            for (account_id, first) in self.first_settings() {
                parties.set(account_id, first).await;
            }
        }
        while self.rounds_left > 0 {
            self.rounds_left -= 1;
            let is_cut_off = self.plan.restarts > 0 && self.dice.one_in(self.plan.restarts);
            self.round(parties, is_cut_off).await;
            if self.away.is_some() || is_cut_off {
                return End::Restart;
            }
            if parties.record.borrow().violation.is_some() {
                return End::Done;
            }
            if self.rounds_left.is_multiple_of(8) {
                clock.advance(Duration::zero()).await;
                parties.record.borrow_mut().verify(clock.now());
            }
        }
        self.planned.end();
        self.come_right(parties).await;
        End::Done
    }

    /// What operators set before anything happens.
    pub fn first_settings(&mut self) -> Vec<(AccountId, Setting)> {
        let mut settings = Vec::new();
        for &account_id in &self.accounts {
            if self.dice.one_in(3) {
                settings.push((account_id, Setting::Approval(Approval::Manual)));
            }
            for _ in 0..self.dice.below(3) {
                settings.push((account_id, setting(&self.plan, &mut self.dice)));
            }
        }
        settings
    }

    /// Pieces of work that are begun at once.
    pub fn draw_works(&mut self, now: DateTime<Utc>) -> Vec<Work> {
        let record = self.record.borrow();
        let drawing = Drawing {
            plan: &self.plan,
            record: &record,
            accounts: &self.accounts,
            readers: self.readers.borrow().len(),
            now,
        };
        let count = self.dice.between(1, self.plan.at_once as i64);
        let works = (0..count).map(|_| drawing.work(&mut self.dice, &mut self.memory)).collect();
        for reader in self.readers.borrow_mut().iter_mut() {
            reader.narrow(&mut self.dice, &record);
        }
        works
    }

    /// Several pieces of work at once, before, after or in the middle of a step of the clock. One that is cut off ends
    /// when the work is answered, in the middle of what comes of it.
    async fn round(&mut self, parties: &Parties, is_cut_off: bool) {
        let clock = &parties.service.clock;
        let now = clock.now();
        let works = self.draw_works(now);
        let step = self.step(now);
        let step = self.without_a_process(step);
        parties.record.borrow_mut().trace.note(now, format_args!("round of {} and {step}", works.len()));
        let delay = [Duration::zero(), step][self.dice.below(2) as usize];
        let working = async {
            clock.sleep_until(now + delay).await;
            join_all(works.into_iter().map(|work| parties.perform(work))).await;
        };
        if is_cut_off {
            select(pin!(working), pin!(clock.advance(step))).await;
        } else {
            join(working, clock.advance(step)).await;
        }
    }

    /// How long until the next round.
    pub fn step(&mut self, now: DateTime<Utc>) -> Duration {
        let record = self.record.borrow();
        match self.dice.weighted(&self.plan.steps) {
            Step::None => Duration::zero(),
            Step::Seconds => Duration::seconds(self.dice.between(1, 90)),
            Step::Hours => Duration::hours(self.dice.between(1, 30)),
            Step::Days => Duration::days(self.dice.between(1, 9)),
            Step::Month => Duration::days(self.dice.between(28, 70)),
            Step::NextDue => {
                let models = record.accounts.values().map(|account| &account.model);
                let due = models.flat_map(|model| {
                    let renewals = model.radars.values().filter_map(|radar| radar.next_charge_at);
                    let days = model.radars.values().filter_map(|radar| radar.release_at);
                    renewals
                        .chain(days)
                        .chain(model.lots.iter().filter(|lot| lot.left > 0).filter_map(|lot| lot.expires_at))
                });
                let next = due.filter(|&at| at > now.timestamp_micros()).min();
                let until = next.and_then(DateTime::from_timestamp_micros).map_or(Duration::zero(), |at| at - now);
                (until - Duration::microseconds(self.dice.between(0, 1))).max(Duration::zero())
            }
        }
    }

    /// Long quiet times mostly pass without a process: its daily rounds take the longest of a run, and it does the same
    /// when it comes back. Answers what of a step passes with one.
    fn without_a_process(&mut self, step: Duration) -> Duration {
        let last = Duration::minutes(self.dice.between(0, 90));
        if step < Duration::days(3) || self.dice.one_in(4) {
            return step;
        }
        self.away = Some(step - last);
        Duration::zero()
    }

    /// The process is away for a while, now and then for long.
    fn pass_time_without_a_process(&mut self) {
        if let Some(away) = self.away.take() {
            self.now += away;
            return;
        }
        self.now += match self.dice.below(8) {
            0 => Duration::days(self.dice.between(1, 95)),
            1 | 2 => Duration::hours(self.dice.between(1, 48)),
            _ => Duration::seconds(self.dice.between(0, 30)),
        };
    }

    /// Nothing goes wrong any more, and there is money: whatever is due happens, and nothing waits (L1 to L3).
    async fn come_right(&self, parties: &Parties) {
        let clock = &parties.service.clock;
        clock.advance(Duration::hours(2)).await;
        for account_id in &self.accounts {
            parties.set(*account_id, Setting::Status(AccountStatus::Active)).await;
            parties.set(*account_id, Setting::Cap(None)).await;
            let amount = MicroUsd::from_micros(1_000_000_000_000);
            let command = TopUp { payment_ref: "the last".to_owned(), amount, expires_at: None };
            let answer = parties.service.ledger.ask(*account_id, command).await;
            let is_taken = answer.map(drop).map_err(|error| format!("L1 a quiet service refuses: {error}"));
            parties.record.borrow_mut().expect(clock.now(), is_taken);
        }
        clock.advance(Duration::hours(26)).await;
        let readers = self.readers.borrow().len();
        for reader in 0..readers {
            let read = parties.read_all(reader).await.map_err(|error| format!("L1 a reader waits: {error}"));
            parties.record.borrow_mut().expect(clock.now(), read);
        }
        let mut record = parties.record.borrow_mut();
        record.verify(clock.now());
        let waiting: Vec<_> =
            record.accounts.iter().map(|(id, account)| waiting(*id, &account.model, clock.now())).collect();
        for waiting in waiting {
            record.expect(clock.now(), waiting);
        }
    }
}

/// Whether the service itself says that something is wrong, or somebody has panicked.
pub fn note_alarms(record: &mut Record, now: DateTime<Utc>) {
    let panicked = panics::unplanned().map_or(Ok(()), |message| Err(format!("somebody panicked: {message}")));
    record.expect(now, panicked);
    let alarmed = alarms::first().map_or(Ok(()), |alarm| Err(format!("the service raised an alarm: {alarm}")));
    record.expect(now, alarmed);
}

/// Says what of an account has waited too long.
fn waiting(id: Uuid, model: &Model, now: DateTime<Utc>) -> Result<(), String> {
    let now = now.timestamp_micros();
    let late = |what: &str, is_late: bool| if is_late { Err(format!("L1 account {id}: {what} waits")) } else { Ok(()) };
    let radars = || model.radars.values().filter(|radar| radar.ended.is_none());
    late("a set-up", radars().any(|radar| radar.set_up == "pending"))?;
    late("a renewal", radars().any(|radar| radar.next_charge_at.is_some_and(|at| at <= now)))?;
    // The sweep comes once a day under a simulated clock.
    late("an expiry", model.lots.iter().any(|lot| lot.left > 0 && lot.expires_at.is_some_and(|at| at + DAY <= now)))?;
    late("a held finding", model.holds.iter().any(|hold| !hold.waits_for_day))?;
    let is_over = |radar: &Radar| radar.release_at.is_some_and(|at| at + DAY <= now);
    late("the next day of a radar", model.radars.values().any(is_over))?;
    late("the end of a pause", !model.pauses.is_empty())
}

/// An account that has nothing yet.
fn model(plan: &Plan) -> Model {
    let price = |price: &domain::money::pricing::Price| Price {
        is_subscription: price.model == PricingModel::Subscription,
        rate: price.rate.micros(),
        has_grace: price.grace_period == GracePeriod::PaidPeriod,
        findings_per_day: i64::from(price.findings_per_day),
    };
    let prices = plan.prices.iter().map(|(radar_type, own)| ((*radar_type, i64::MIN), price(own))).collect();
    Model { prices, ..Model::default() }
}
