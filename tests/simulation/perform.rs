//! Asks the service for pieces of work, through the same ways as its HTTP handlers, and checks the answers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use actors::ledger::LedgerError;
use chrono::DateTime;
use domain::account::{
    Command, CreateOnce, Creation, Deactivate, Decision, Finding, Origin, Outcome, RenderAnswer, Report, SetStatus,
};
use domain::account_status::AccountStatus;
use domain::approval::Approval;
use domain::content::event::FindingEvent;
use domain::ids::{AccountId, RadarId, record_id};
use domain::money::MicroUsd;
use domain::radar::search::WatchedTarget;
use domain::radar::{GracePeriod, PricingModel, Radar, RadarFilter};
use domain::radar_type::RadarType;
use futures_util::future::join_all;
use store::{AccountChange, AccountSummary, OwnPrice, StoreError, Submission};

use super::reading::Reader;
use super::record::{Record, short};
use super::replay::{kept, shown, shown_stored};
use super::service::{PROVIDERS, Service};
use super::state::{Price, Usage};
use super::work::{Setting, Work};

/// The clients of one life of the service, and what they record.
pub struct Parties {
    pub service: Service,
    pub record: Rc<RefCell<Record>>,
    pub readers: Rc<RefCell<Vec<Reader>>>,
}

impl Parties {
    /// Does a piece of work and checks the answer.
    pub async fn perform(&self, work: Work) {
        match work {
            Work::Ask(account_id, command) => {
                let answer = self.service.ledger.ask(account_id, command.clone()).await;
                self.check(&command, &answer);
            }
            Work::Create(account_id, creations) => self.create(account_id, creations).await,
            Work::CreateOnce(account_id, request, creations) => {
                self.create_once(account_id, CreateOnce { request, creations, render: RenderAnswer::new(kept) }).await;
            }
            Work::Delete(account_id, radar_id) => {
                let answer = self.service.shards.deactivate(account_id, radar_id).await;
                let answer = answer.map(|decision| decision.map(Outcome::Deactivated));
                self.check(&Command::Deactivate(Deactivate { radar_id }), &answer);
            }
            Work::Push(target, numbers) => {
                join_all(numbers.into_iter().map(|number| self.push(target.clone(), number))).await;
            }
            Work::Price(account_id, own) => self.price(account_id, own).await,
            Work::Set(account_id, setting) => self.set(account_id, setting).await,
            Work::Find(account_id, radar_id, numbers) => self.find(account_id, radar_id, numbers).await,
            Work::ReadAccount(account_id, month) => self.read_account(account_id, month).await,
            Work::ReadUpdates(reader, limit) => self.read_updates(reader, limit).await,
            Work::ReadRadars(account_id, limit) => self.read_radars(account_id, limit).await,
            Work::ReadRadar(account_id, radar_id) => self.read_radar(account_id, radar_id).await,
        }
    }

    async fn create(&self, account_id: AccountId, creations: Vec<Creation>) {
        let commands: Vec<Command> = creations.into_iter().map(|wanted| Command::Create(Box::new(wanted))).collect();
        match self.service.shards.submit(account_id, commands.clone()).await {
            Ok(decisions) => {
                for (command, decision) in commands.iter().zip(decisions) {
                    self.check(command, &Ok(decision));
                }
            }
            Err(error) => {
                let is_refused = matches!(error, LedgerError::Full);
                self.met_with(&error);
                self.note(format_args!("no answer to {} creations: {error}", commands.len()));
                for command in commands.iter().filter(|_| is_refused) {
                    self.record.borrow_mut().left_nothing(command, self.service.clock.now());
                }
            }
        }
    }

    async fn create_once(&self, account_id: AccountId, once: CreateOnce) {
        let command = Command::from(once);
        let answer = self.service.shards.submit(account_id, vec![command.clone()]).await;
        let answer = answer.map(|mut decisions| decisions.pop().expect("a decision"));
        self.check(&command, &answer);
    }

    async fn push(&self, target: WatchedTarget, number: u64) {
        let (source, content) = announced(number);
        let finding = |radar_type: RadarType| Finding {
            record_id: record_id(source, &number.to_string()),
            content: content.clone(),
            detected_at: self.service.clock.now(),
            origin: Origin::Pushed,
            event: FindingEvent::of(radar_type, &content),
            provenance: None,
        };
        let watchers = match self.service.store.all_watchers([&target]).await {
            Ok(watchers) => watchers,
            Err(error) => return self.note(format_args!("no watchers: {error}")),
        };
        let tell = |radar: &Radar| {
            let (radar_id, account_id, finding) = (radar.radar_id, radar.account_id, finding(radar.wanted.radar_type));
            async move {
                let command = Command::from(Report { radar_id, findings: vec![finding], cursor: None });
                let answer = self.service.shards.submit(account_id, vec![command.clone()]).await;
                self.check(&command, &answer.map(|mut decisions| decisions.pop().expect("a decision")));
            }
        };
        let radars = watchers.get(&target).into_iter().flat_map(BTreeMap::values);
        join_all(radars.map(tell)).await;
    }

    /// What sources show is reported together.
    async fn find(&self, account_id: AccountId, radar_id: RadarId, numbers: Vec<u64>) {
        let known = self.record.borrow().accounts[&account_id.0].model.radars.get(&radar_id.0).cloned();
        let finding = |number: u64| {
            let (source, content) = announced(number);
            Finding {
                record_id: record_id(source, &number.to_string()),
                detected_at: self.service.clock.now(),
                origin: Origin::Web,
                event: known.as_ref().and_then(|radar| FindingEvent::of(radar.radar_type, &content)),
                content,
                provenance: None,
            }
        };
        let report = |number: u64| Report { radar_id, findings: vec![finding(number)], cursor: None };
        let commands: Vec<Command> = numbers.into_iter().map(report).map(Command::Report).collect();
        let submission = Submission { account_id, commands: commands.clone() };
        match self.service.ledger.submit(submission).await {
            Ok(decisions) => {
                for (command, decision) in commands.iter().zip(decisions) {
                    self.check(command, &Ok(decision));
                }
            }
            Err(error) => {
                self.met_with(&error);
                self.note(format_args!("no answer to {} reports: {error}", commands.len()));
            }
        }
    }

    /// The oracle hears of a price in the moment in which it is stored: nothing is committed in between.
    async fn price(&self, account_id: AccountId, own: OwnPrice) {
        let set = self.service.store.set_price(account_id, own, self.service.clock.now()).await;
        self.note(format_args!("price of {}: {own:?}: {set:?}", short(account_id.0)));
        if let (Ok(true), Some(account)) = (set, self.record.borrow_mut().accounts.get_mut(&account_id.0)) {
            let is_subscription = own.price.model == PricingModel::Subscription;
            let has_grace = own.price.grace_period == GracePeriod::PaidPeriod;
            let findings_per_day = i64::from(own.price.findings_per_day);
            let price = Price { is_subscription, rate: own.price.rate.micros(), has_grace, findings_per_day };
            account.model.prices.insert((own.radar_type, own.effective_from.timestamp_micros()), price);
        }
    }

    /// As with a price.
    pub async fn set(&self, account_id: AccountId, setting: Setting) {
        let store = &self.service.store;
        let set = match &setting {
            Setting::Status(status) => return self.set_status(account_id, *status).await,
            Setting::Approval(approval) => {
                let change = AccountChange { approval: Some(*approval), ..AccountChange::default() };
                store.change_account(account_id, change).await
            }
            Setting::Cap(cap) => store.set_spend_cap(account_id, *cap).await,
            Setting::Alerts(alerts) => store.set_balance_alerts(account_id, alerts.as_ref()).await,
        };
        self.note(format_args!("setting of {}: {setting:?}: {set:?}", short(account_id.0)));
        if let (Ok(true), Some(account)) = (set, self.record.borrow_mut().accounts.get_mut(&account_id.0)) {
            let model = &mut account.model;
            match setting {
                Setting::Approval(approval) => model.is_manual = approval == Approval::Manual,
                Setting::Cap(cap) => model.cap = cap.map(MicroUsd::micros),
                Setting::Status(_) => {}
                Setting::Alerts(alerts) => {
                    model.has_alerts = alerts.is_some();
                    let thresholds = alerts.map(|alerts| alerts.thresholds).unwrap_or_default();
                    model.thresholds = thresholds.into_iter().map(MicroUsd::micros).collect();
                }
            }
            account.chronicle.settings_changed();
        }
    }

    async fn set_status(&self, account_id: AccountId, status: AccountStatus) {
        let command = Command::SetStatus(SetStatus { status });
        let answer = self.service.ledger.ask(account_id, command.clone()).await;
        self.service.shards.look_again(account_id);
        self.check(&command, &answer);
    }

    /// C5: what is shown is what the oracle holds at that moment.
    async fn read_account(&self, account_id: AccountId, month: String) {
        let now = self.service.clock.now();
        let shown = self.service.store.account_summary(account_id, &month, now).await;
        self.note(format_args!("summary of {} in {month}: {shown:?}", short(account_id.0)));
        let Ok(shown) = shown else { return };
        let mut record = self.record.borrow_mut();
        let expected = self.summary(&record, account_id, &month, now);
        let is_as_expected = shown == expected || self.is_less_what_is_gone(&record, account_id, &shown, &expected);
        let is_right = if is_as_expected { Ok(()) } else { Err(format!("C5 shown {shown:?}, not {expected:?}")) };
        record.expect(now, is_right);
    }

    /// Retention removes radars that have ended at any moment once their time is over.
    fn is_less_what_is_gone(
        &self,
        record: &Record,
        account_id: AccountId,
        shown: &AccountSummary,
        expected: &AccountSummary,
    ) -> bool {
        let (account, now) = (&record.accounts[&account_id.0], self.service.clock.now().timestamp_micros());
        let may_be_gone = account.model.radars.keys().filter(|id| account.chronicle.may_be_gone(**id, now)).count();
        let ended = |summary: &AccountSummary| summary.inactive_radars + summary.failed_radars;
        let missing = ended(expected) - ended(shown);
        let AccountSummary { inactive_radars, failed_radars, .. } = *shown;
        let expected = AccountSummary { inactive_radars, failed_radars, ..expected.clone() };
        (0..=may_be_gone as i64).contains(&missing) && *shown == expected
    }

    fn summary(
        &self,
        record: &Record,
        account_id: AccountId,
        month: &str,
        now: DateTime<chrono::Utc>,
    ) -> AccountSummary {
        let model = &record.accounts[&account_id.0].model;
        let count = |is_counted: fn(&super::state::Radar) -> bool| {
            model.radars.values().filter(|radar| is_counted(radar)).count() as i64
        };
        let Usage { activated, deactivated, failed, found, used } = model.usage.get(month).cloned().unwrap_or_default();
        let mut summary = AccountSummary::default();
        summary.usage.radars_activated = activated;
        summary.usage.radars_deactivated = deactivated;
        summary.usage.radars_failed = failed;
        summary.usage.updates_found = found;
        summary.usage.used_micros = used;
        summary.active_radars = count(|radar| radar.ended.is_none());
        summary.failed_radars = count(|radar| radar.set_up == "failed");
        summary.inactive_radars = model.radars.len() as i64 - summary.active_radars - summary.failed_radars;
        summary.total_updates_found = model.usage.values().map(|usage| usage.found).sum();
        summary.balance = MicroUsd::from_micros(model.live_balance(now.timestamp_micros()));
        summary
    }

    async fn read_updates(&self, number: usize, limit: usize) {
        let reader = self.readers.borrow()[number].clone();
        let question = reader.question(&self.record.borrow());
        let page = self.service.store.updates(reader.account_id, &question, limit).await;
        let Ok(page) = page else { return self.note(format_args!("reader {number} got nothing: {page:?}")) };
        self.note(format_args!("reader {number} got {} and more: {}", page.0.len(), page.1));
        // Another page of the same reader may have been read meanwhile.
        let mut reader = reader;
        let checked = reader.check(&self.record.borrow(), self.service.clock.now(), limit, &page);
        self.record.borrow_mut().expect(self.service.clock.now(), checked);
        self.readers.borrow_mut()[number] = reader;
    }

    async fn read_radars(&self, account_id: AccountId, limit: usize) {
        let listed = self.service.store.radars(account_id, &RadarFilter::default(), limit).await;
        let Ok((listed, _)) = listed else { return };
        let listed: Vec<_> = listed.iter().map(|(radar, _)| (radar.created_at, radar.radar_id.0)).collect();
        self.note(format_args!("radars of {}: {}", short(account_id.0), listed.len()));
        let record = self.record.borrow();
        let known = &record.accounts[&account_id.0].model.radars;
        let is_right = listed.is_sorted_by(|newer, older| newer > older)
            && listed.iter().all(|(_, radar_id)| known.contains_key(radar_id));
        drop(record);
        let checked = if is_right { Ok(()) } else { Err(format!("C5 radars were listed as {listed:?}")) };
        self.record.borrow_mut().expect(self.service.clock.now(), checked);
    }

    /// C5: one radar, read over and over, is as it was last committed.
    async fn read_radar(&self, account_id: AccountId, radar_id: RadarId) {
        let found = self.service.store.radar(account_id, radar_id).await;
        let Ok(found) = found else { return self.note(format_args!("radar {radar_id}: {found:?}")) };
        let read = found.map(|(radar, since)| (shown_stored(&radar), since.map(|at| at.timestamp_micros())));
        self.note(format_args!("radar {radar_id}: {read:?}"));
        let mut record = self.record.borrow_mut();
        let model = &record.accounts[&account_id.0].model;
        let expected = model.radars.get(&radar_id.0).map(|radar| (shown(radar), model.paused_since(radar)));
        let now = self.service.clock.now().timestamp_micros();
        let may_be_gone = record.accounts[&account_id.0].chronicle.may_be_gone(radar_id.0, now);
        let is_as_expected = read == expected || read.is_none() && may_be_gone;
        let is_right = if is_as_expected { Ok(()) } else { Err(format!("C5 radar {radar_id} is {expected:?}")) };
        record.expect(self.service.clock.now(), is_right);
    }

    /// Reads whatever a reader has not seen.
    pub async fn read_all(&self, number: usize) -> Result<(), StoreError> {
        for _ in 0..200 {
            let reader = self.readers.borrow()[number].clone();
            let question = reader.question(&self.record.borrow());
            let (updates, has_more) = self.service.store.updates(reader.account_id, &question, 10).await?;
            let mut reader = reader;
            let checked = reader.check(&self.record.borrow(), self.service.clock.now(), 10, &(updates, has_more));
            self.record.borrow_mut().expect(self.service.clock.now(), checked);
            self.readers.borrow_mut()[number] = reader;
            if !has_more {
                break;
            }
        }
        Ok(())
    }

    fn check(&self, command: &Command, answer: &Result<Decision, LedgerError>) {
        let now = self.service.clock.now();
        match answer {
            Ok(decision) => self.record.borrow_mut().answered(command, decision, now),
            // Whether it happened is unknown, unless it was not even taken; then a later try may have been.
            Err(error) => {
                self.met_with(error);
                self.note(format_args!("no answer to {}: {error}", super::record::name(command)));
            }
        }
    }

    fn met_with(&self, error: &LedgerError) {
        let situation = match error {
            LedgerError::Full => "rejections for lack of room",
            LedgerError::Unavailable => "answers that the database is away",
            LedgerError::Broken(_) => "commands that nobody can decide",
            LedgerError::Gone => "answers that were lost",
        };
        *self.record.borrow_mut().situations.entry(situation).or_default() += 1;
    }

    fn note(&self, what: std::fmt::Arguments<'_>) {
        self.record.borrow_mut().trace.note(self.service.clock.now(), what);
    }
}

/// What the finding of this number says, and the source that hands it in: each event is announced by every source, again and
/// again, in words of its own.
fn announced(number: u64) -> (&'static str, String) {
    let source = number as usize % PROVIDERS.len();
    let given = ["Ada", "Ines", "Mara"][number as usize % 3];
    let name = [format!("{given} Byron"), format!("{} K. BYRON", given.to_uppercase())];
    (PROVIDERS[source], format!(r#"{{"full_name":"{}"}}"#, name[source]))
}
