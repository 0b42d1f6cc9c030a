//! Tables for the commands: each case is a story of one account.

mod daily_bound;
mod events;
mod once;
mod overtake;
mod refund_lots;
mod stopped;
mod unreachable;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::*;
use crate::approval::{ApprovalDecision, ApprovalState};
use crate::ids::UpdateId;
use crate::money::balance_alert::{BalanceAlert, BalanceAlerts};
use crate::money::ledger::{Bucket, TxKind};
use crate::money::lots::LotKind;
use crate::money::pricing::Price;
use crate::radar::filter::Filter;
use crate::radar::update::UpdateType;
use crate::radar::{FailureReason, GracePeriod, NewRadar, PricingModel, Radar, SetUp, Status, StatusReason};
use crate::targets::{DomainName, Target};

const DAY: i64 = 24 * 60 * 60;
const JOBS: RadarType = RadarType::CompanyJobOpenings;
const REVIEWS: RadarType = RadarType::CompanyReviews;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_700_000_000 + seconds, 0).expect("an instant")
}

/// An account whose rows live in memory: what a commit writes, the next one reads.
struct World {
    state: Loaded,
    all: Vec<Changes>,
    /// How many due renewals one transaction decides.
    renewals_max: usize,
}

/// An account of which only its row is known.
fn loaded(account: AccountState) -> Loaded {
    Loaded {
        account,
        spent_this_month: MicroUsd::ZERO,
        lots: Vec::new(),
        prices: PriceList::default(),
        radars: BTreeMap::new(),
        due_renewals: Vec::new(),
        more_renewals_from: None,
        charges_asked: 0,
        pauses: BTreeMap::new(),
        held: Vec::new(),
        has_more_held: false,
        days_over: Vec::new(),
        has_more_days_over: false,
        held_beyond: BTreeMap::new(),
        taken: BTreeMap::new(),
        in_grace: BTreeMap::new(),
        seen: BTreeMap::new(),
        events: BTreeMap::new(),
        approvals: BTreeMap::new(),
        ledger_txs: BTreeMap::new(),
        cursors: BTreeMap::new(),
        endpoints: BTreeMap::new(),
        set_ups: BTreeMap::new(),
        used_keys: UsedKeys::new(),
    }
}

impl World {
    fn new() -> Self {
        let price = |model, micros| Price {
            model,
            rate: MicroUsd::from_micros(micros),
            grace_period: GracePeriod::None,
            findings_per_day: 200,
        };
        let defaults = BTreeMap::from([
            (JOBS, price(PricingModel::Subscription, 100)),
            (REVIEWS, price(PricingModel::UpdateBased, 10)),
        ]);
        let account = AccountState {
            account_id: AccountId(Uuid::from_u128(1)),
            status: AccountStatus::Active,
            balance: MicroUsd::ZERO,
            tx_seq: 0,
            update_seq: 0,
            hold_seq: 0,
            lot_no: 0,
            active_radars: 0,
            ended_radars: 0,
            radars_max: None,
            last_at: at(-1),
            approval: Approval::Auto,
            alerts: None,
            spend_cap: None,
            head_hash: ChainHash::beginning(AccountId(Uuid::from_u128(1))),
            frozen_reason: None,
        };
        let prices = PriceList::new(Arc::new(defaults), []);
        let state = Loaded { prices, charges_asked: 1, ..loaded(account) };
        Self { state, all: vec![], renewals_max: RENEWALS_MAX }
    }

    /// Job openings are subscriptions whose paid period outlives a DELETE.
    fn with_grace() -> Self {
        let mut world = Self::new();
        let price = Price {
            model: PricingModel::Subscription,
            rate: MicroUsd::from_micros(100),
            grace_period: GracePeriod::PaidPeriod,
            findings_per_day: 200,
        };
        world.state.prices = PriceList::new(Arc::default(), [(JOBS, at(0), price)]);
        world
    }

    fn run(&mut self, seconds: i64, command: Command) -> Result<Outcome, CommandRejection> {
        self.run_all(seconds, &[command]).remove(0)
    }

    /// Several in one transaction.
    fn run_all(&mut self, seconds: i64, commands: &[Command]) -> Vec<Result<Outcome, CommandRejection>> {
        let now = at(seconds);
        let mut due: Vec<(DateTime<Utc>, RadarId)> = self
            .state
            .radars
            .values()
            .filter_map(|radar| Some((radar.next_charge_at.filter(|&due_at| due_at <= now)?, radar.radar_id)))
            .collect();
        due.sort();
        let left = due.split_off(due.len().min(self.renewals_max));
        self.state.more_renewals_from = left.first().map(|(due_at, _)| *due_at);
        self.state.due_renewals = due.into_iter().map(|(_, radar_id)| radar_id).collect();
        let is_over = |radar: &&Radar| {
            radar.daily.is_release_due(now) && !self.state.pauses.contains_key(&radar.wanted.radar_type)
        };
        let mut over: Vec<&Radar> = self.state.radars.values().filter(is_over).collect();
        over.sort_by_key(|radar| (radar.daily.release_at, radar.radar_id));
        self.state.days_over = over.into_iter().map(|radar| radar.radar_id).collect();
        let mut account = Account::open(
            self.state.clone(),
            now,
            |publication| publication.update_id.to_string(),
            Settings::default(),
        );
        let outcomes = commands.iter().map(|command| account.apply(command)).collect();
        let kept = account.state.clone();
        let (account, changes) = account.close();
        self.state = Loaded { account, ..kept };
        self.all.push(changes);
        let lots: i64 = self.state.lots.iter().map(|lot| lot.remaining.micros()).sum();
        assert_eq!(lots, self.state.account.balance.micros(), "the balance is the sum of its lots");
        outcomes
    }

    fn top_up(&mut self, seconds: i64, payment_ref: &str, micros: i64, expires: Option<i64>) {
        let top_up = TopUp {
            payment_ref: payment_ref.into(),
            amount: MicroUsd::from_micros(micros),
            expires_at: expires.map(at),
        };
        self.run(seconds, Command::TopUp(top_up)).expect("a top-up");
    }

    fn create(&mut self, seconds: i64, no: u128, radar_type: RadarType) -> Result<Outcome, CommandRejection> {
        self.run(seconds, creation(no, radar_type))
    }

    /// Creates a radar and sets it up without feeds.
    fn set_up(&mut self, seconds: i64, no: u128, radar_type: RadarType) {
        self.create(seconds, no, radar_type).expect("a creation");
        self.run(seconds, ready(no)).expect("set up");
    }

    fn report(&mut self, seconds: i64, no: u128, records: &[u128]) -> ReportOutcome {
        self.report_from(Origin::Pushed, seconds, no, records)
    }

    fn report_from(&mut self, origin: Origin, seconds: i64, no: u128, records: &[u128]) -> ReportOutcome {
        let findings = records
            .iter()
            .map(|&record| Finding {
                record_id: Uuid::from_u128(record),
                content: "{}".into(),
                detected_at: at(seconds),
                origin,
                event: None,
                provenance: None,
            })
            .collect();
        match self.run(seconds, Command::Report(Report { radar_id: radar_id(no), findings, cursor: None })) {
            Ok(Outcome::Reported(outcome)) => outcome,
            other => panic!("{other:?}"),
        }
    }

    fn radar(&self, no: u128) -> &Radar {
        &self.state.radars[&radar_id(no)]
    }

    fn balance(&self) -> i64 {
        self.state.account.balance.micros()
    }

    fn updates(&self) -> Vec<&NewUpdate> {
        self.all.iter().flat_map(|changes| &changes.updates).collect()
    }

    fn ledger_txs(&self) -> Vec<(TxKind, i64)> {
        self.all.iter().flat_map(|changes| &changes.ledger_txs).map(|tx| (tx.kind, tx.amount.micros())).collect()
    }
}

fn radar_id(no: u128) -> RadarId {
    RadarId(Uuid::from_u128(no))
}

fn creation(no: u128, radar_type: RadarType) -> Command {
    let domain = DomainName::from_stored(format!("{no}.example"));
    let wanted = NewRadar {
        radar_type,
        target: Target::Company { domain },
        filter: Filter::Everything,
        webhook_url: Some("https://receiver.example/".into()),
        custom_fields: BTreeMap::new(),
    };
    Command::Create(Box::new(Creation { radar_id: radar_id(no), wanted, needs_set_up: true }))
}

fn ready(no: u128) -> Command {
    Command::FinishSetUp(FinishSetUp { radar_id: radar_id(no), lease_no: 0, outcome: SetUpOutcome::Ready(vec![]) })
}

fn failed(reason: FailureReason) -> SetUpOutcome {
    SetUpOutcome::Failed { reason, message: "no".into() }
}

#[test]
fn a_payment_counts_once() {
    let mut world = World::new();
    world.top_up(0, "a", 50, None);
    world.top_up(1, "a", 50, None);
    assert_eq!((world.balance(), world.ledger_txs().len()), (50, 1));
    let other = TopUp { payment_ref: "a".into(), amount: MicroUsd::from_micros(51), expires_at: None };
    assert_eq!(world.run(2, Command::TopUp(other)).expect_err("another amount"), CommandRejection::PaymentRefReused);
}

#[test]
fn spec_2_5_and_decision_4_8_creation_charges_subscriptions_only_and_refuses_what_the_balance_does_not_cover() {
    let mut world = World::new();
    assert_eq!(world.create(0, 1, JOBS).expect_err("no money"), CommandRejection::InsufficientBalance);
    world.create(0, 2, REVIEWS).expect("pays per finding");
    world.top_up(0, "a", 150, None);
    world.create(0, 1, JOBS).expect("the same request again");
    assert_eq!(world.balance(), 50);
    assert_eq!(world.radar(1).next_charge_at, Some(at(30 * DAY)));
    assert_eq!(world.radar(2).next_charge_at, None, "decision 4.8");
    let existing = radar_id(1);
    let duplicate = world.create(1, 1, JOBS).expect_err("the same target");
    assert_eq!(duplicate, CommandRejection::Duplicate { existing, field: "domain" });
}

#[test]
fn spec_3_a_failed_set_up_gives_the_charge_back_and_tells() {
    let mut world = World::new();
    world.top_up(0, "a", 60, Some(100));
    world.top_up(0, "b", 60, None);
    world.create(1, 1, JOBS).expect("enough");
    let finish = |outcome| Command::FinishSetUp(FinishSetUp { radar_id: radar_id(1), lease_no: 0, outcome });
    world.run(200, finish(failed(FailureReason::MissingPrerequisites))).expect("settled");
    world.run(201, finish(failed(FailureReason::SetupFailure))).expect("settled before");
    assert_eq!(world.balance(), 120, "the expired part came back as a lot of its own");
    let stand_in = world.state.lots.iter().find(|lot| lot.parent_lot_no == Some(1)).expect("a refund lot");
    assert_eq!((stand_in.remaining.micros(), stand_in.expires_at), (60, Some(at(100) + Duration::days(7))));
    let radar = world.radar(1);
    assert_eq!((radar.status, radar.set_up), (Status::Inactive, SetUp::Failed));
    assert_eq!(radar.status_reason, Some(StatusReason::MissingPrerequisites));
    let updates = world.updates();
    assert_eq!(updates.iter().map(|update| update.update_type).collect::<Vec<_>>(), [UpdateType::Failure]);
    let usage: i64 = world.all.iter().flat_map(|changes| changes.usage.values()).map(|usage| usage.used_micros).sum();
    assert_eq!(usage, 0);
}

#[test]
fn a_set_up_is_settled_only_under_the_claim_that_still_holds() {
    let mut world = World::new();
    world.top_up(0, "a", 100, None);
    world.create(0, 1, JOBS).expect("enough");
    world.state.set_ups.insert(radar_id(1), 2);
    let finish = |lease_no, outcome| Command::FinishSetUp(FinishSetUp { radar_id: radar_id(1), lease_no, outcome });
    world.run(1, finish(1, failed(FailureReason::SetupFailure))).expect("without effect");
    assert_eq!((world.radar(1).set_up, world.balance()), (SetUp::Pending, 0), "somebody else has taken it over");
    world.run(2, finish(2, SetUpOutcome::Ready(vec![]))).expect("settled");
    world.run(3, finish(2, failed(FailureReason::SetupFailure))).expect("settled before");
    assert_eq!((world.radar(1).set_up, world.balance()), (SetUp::Ready, 0));
}

#[test]
fn spec_3_renewals_stay_on_the_grid_and_end_when_money_does() {
    let mut world = World::new();
    world.top_up(0, "a", 350, None);
    world.set_up(0, 1, JOBS);
    let settle_due = || Command::SettleDue(SettleDue { radar_id: None });
    world.run(30 * DAY + 5, settle_due()).expect("renewed late");
    assert_eq!((world.balance(), world.radar(1).next_charge_at), (150, Some(at(60 * DAY))));
    world.run(121 * DAY, settle_due()).expect("three periods late");
    assert_eq!((world.balance(), world.radar(1).next_charge_at), (50, Some(at(150 * DAY))));
    assert_eq!(world.radar(1).period_no, 4);
    world.run(150 * DAY, settle_due()).expect("too little");
    assert_eq!(world.radar(1).status_reason, Some(StatusReason::InsufficientFunds));
    assert_eq!((world.balance(), world.radar(1).next_charge_at), (50, None));
    assert_eq!(world.updates().len(), 1);
    assert_eq!(world.ledger_txs().iter().filter(|tx| **tx == (TxKind::Subscription, 0)).count(), 2);
}

#[test]
fn a_period_that_begins_before_the_set_up_has_ended_is_free() {
    let mut world = World::new();
    world.top_up(0, "a", 100, None);
    world.create(0, 1, JOBS).expect("enough");
    world.run(30 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("a renewal without money");
    assert_eq!((world.radar(1).status, world.radar(1).period_no), (Status::Active, 1));
    let finish = Command::FinishSetUp(FinishSetUp {
        radar_id: radar_id(1),
        lease_no: 0,
        outcome: failed(FailureReason::SetupFailure),
    });
    world.run(31 * DAY, finish).expect("settled");
    assert_eq!(world.balance(), 100, "the creation is all that was paid, and it is given back");
}

#[test]
fn a_renewal_that_was_due_before_an_expiry_is_decided_before_it() {
    let mut world = World::new();
    world.top_up(0, "a", 200, Some(30 * DAY + 1));
    world.set_up(0, 1, JOBS);
    world.run(40 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("both late");
    assert_eq!((world.balance(), world.radar(1).period_no), (0, 1));

    let mut world = World::new();
    world.top_up(0, "a", 200, Some(30 * DAY));
    world.set_up(0, 1, JOBS);
    world
        .run(40 * DAY, Command::SettleDue(SettleDue { radar_id: None }))
        .expect("the expiry comes first at the same instant");
    assert_eq!(world.radar(1).status, Status::Inactive);
    assert_eq!(world.ledger_txs().last(), Some(&(TxKind::Expiry, -100)));
}

#[test]
fn findings_are_reported_once_and_charged_once() {
    let mut world = World::new();
    world.top_up(0, "a", 25, None);
    world.create(0, 1, REVIEWS).expect("free");
    let outcome = world.report(1, 1, &[7, 8, 7]);
    assert_eq!((outcome.published.len(), outcome.duplicates), (2, 1));
    assert_eq!(outcome.published[0], UpdateId::of(radar_id(1), &Uuid::from_u128(7).to_string()));
    assert_eq!((world.balance(), world.report(2, 1, &[7]).duplicates), (5, 1));
    let deliveries: Vec<i64> =
        world.all.iter().flat_map(|changes| &changes.deliveries).map(|delivery| delivery.sequence).collect();
    assert_eq!(deliveries, [1, 2]);
}

#[test]
fn spec_3_too_little_money_holds_and_pauses_and_credit_releases_in_order() {
    let mut world = World::new();
    world.top_up(0, "a", 15, None);
    world.create(0, 1, REVIEWS).expect("free");
    let outcome = world.report(1, 1, &[1, 2, 3]);
    assert_eq!((outcome.published.len(), outcome.held), (1, 2));
    assert!(world.state.pauses.contains_key(&REVIEWS));
    assert_eq!(world.report(2, 1, &[2, 4]).duplicates, 1, "a held finding was seen");
    world.top_up(3, "b", 14, None);
    assert_eq!((world.balance(), world.state.held.len()), (9, 2), "one released, the type still paused");
    assert!(world.state.pauses.contains_key(&REVIEWS));
    world.top_up(4, "c", 20, None);
    assert_eq!((world.balance(), world.state.held.len()), (9, 0));
    assert!(world.state.pauses.contains_key(&REVIEWS), "the balance must cover one more");
    world.top_up(5, "d", 1, None);
    assert!(world.state.pauses.is_empty());
    let order: Vec<UpdateId> = world.updates().iter().map(|update| update.update_id).collect();
    let expected: Vec<UpdateId> =
        [1, 2, 3, 4].iter().map(|&no| UpdateId::of(radar_id(1), &Uuid::from_u128(no).to_string())).collect();
    assert_eq!(order, expected);
    let times: Vec<DateTime<Utc>> = world.updates().iter().map(|update| update.discovered_at).collect();
    assert!(times.is_sorted_by(|earlier, later| earlier < later), "decision 3.5");
}

#[test]
fn held_findings_of_an_ended_radar_are_never_charged() {
    let mut world = World::new();
    world.create(0, 1, REVIEWS).expect("free");
    world.report(1, 1, &[1]);
    world.run(2, Command::Deactivate(Deactivate { radar_id: radar_id(1) })).expect("ended");
    world.top_up(3, "a", 100, None);
    assert_eq!((world.balance(), world.updates().len(), world.state.held.len()), (100, 0, 0));
    assert!(world.state.pauses.is_empty());
}

#[test]
fn spec_3_a_deactivated_radar_is_left_alone() {
    let mut world = World::new();
    world.top_up(0, "a", 500, None);
    world.create(0, 1, JOBS).expect("enough");
    let deactivate = || Command::Deactivate(Deactivate { radar_id: radar_id(1) });
    world.run(10, deactivate()).expect("ended");
    let ended_at = world.radar(1).deactivated_at;
    world.run(20, deactivate()).expect("decision 1.10");
    assert_eq!(world.radar(1).deactivated_at, ended_at);
    world.run(90 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("nothing due");
    assert_eq!((world.balance(), world.report(90 * DAY, 1, &[1]).dropped), (400, 1));
    let unknown = Command::Deactivate(Deactivate { radar_id: radar_id(9) });
    assert_eq!(world.run(90 * DAY, unknown).expect_err("unknown"), CommandRejection::UnknownRadar);
    world.create(91 * DAY, 1, JOBS).expect("its target is free again");
}

#[test]
fn decision_1_4_a_paid_period_outlives_the_delete() {
    let mut world = World::with_grace();
    world.top_up(0, "a", 500, None);
    world.create(0, 1, JOBS).expect("enough");
    world.create(0, 2, JOBS).expect("enough");
    for no in [1, 2] {
        world.run(1, ready(no)).expect("settled");
        world.run(DAY, Command::Deactivate(Deactivate { radar_id: radar_id(no) })).expect("ended");
        assert_eq!((world.radar(no).status, world.radar(no).next_charge_at), (Status::Inactive, None));
        assert_eq!(world.radar(no).wake_at(), Some(at(30 * DAY)));
    }
    assert_eq!(world.report(2 * DAY, 1, &[1]).published.len(), 1, "findings still arrive");
    assert_eq!(world.report(30 * DAY - 1, 1, &[2]).published.len(), 1);
    assert_eq!(world.report(30 * DAY, 1, &[3]).dropped, 1, "even before anybody noted the end");
    world.run(30 * DAY, Command::SettleDue(SettleDue { radar_id: Some(radar_id(1)) })).expect("noted");
    assert_eq!(world.radar(1).status_reason, Some(StatusReason::GracePeriodEnded));
    assert_eq!((world.radar(1).deactivated_at, world.radar(1).wake_at()), (Some(at(DAY)), None));
    assert_eq!(world.balance(), 300, "never charged again");
    assert_eq!(world.radar(2).status_reason, Some(StatusReason::UserDeactivated));
}

#[test]
fn decision_1_4_creating_the_same_target_ends_the_grace() {
    let mut world = World::with_grace();
    world.top_up(0, "a", 250, None);
    world.create(0, 1, JOBS).expect("enough");
    world.run(1, Command::Deactivate(Deactivate { radar_id: radar_id(1) })).expect("ended");
    let wanted = world.radar(1).wanted.clone();
    let create = |no: u128| {
        Command::Create(Box::new(Creation { radar_id: radar_id(no), wanted: wanted.clone(), needs_set_up: true }))
    };
    world.run(2, create(2)).expect("its target is free");
    assert_eq!(world.radar(1).status_reason, Some(StatusReason::GracePeriodEnded));
    assert_eq!(world.report(3, 1, &[1]).dropped, 1);
    world.run(4, Command::Deactivate(Deactivate { radar_id: radar_id(2) })).expect("ended");
    world.run(5, create(3)).expect_err("too little money");
    assert_eq!(world.report(6, 2, &[1]).published.len(), 1, "a refused creation ends nothing");
}

#[test]
fn decision_1_4_a_set_up_goes_on_after_the_delete_and_may_still_fail() {
    let mut world = World::with_grace();
    world.top_up(0, "a", 100, None);
    world.create(0, 1, JOBS).expect("enough");
    world.run(1, Command::Deactivate(Deactivate { radar_id: radar_id(1) })).expect("ended");
    let outcome = failed(FailureReason::MissingPrerequisites);
    world.run(2, Command::FinishSetUp(FinishSetUp { radar_id: radar_id(1), lease_no: 0, outcome })).expect("settled");
    let radar = world.radar(1);
    assert_eq!((radar.set_up, radar.status_reason), (SetUp::Failed, Some(StatusReason::MissingPrerequisites)));
    assert_eq!((radar.deactivated_at, world.balance()), (Some(at(1)), 100), "given back");
    let usage = world.all.iter().flat_map(|changes| changes.usage.values());
    let counts = usage.map(|usage| (usage.radars_activated, usage.radars_deactivated, usage.radars_failed));
    let sum = counts.fold((0, 0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1, sum.2 + count.2));
    assert_eq!(sum, (0, 0, 1), "counted once");
}

#[test]
fn decision_4_10_a_finding_waits_for_approval_and_is_charged_then() {
    let mut world = World::new();
    world.state.account.approval = Approval::Manual;
    world.top_up(0, "a", 15, None);
    world.create(0, 1, REVIEWS).expect("free");
    let outcome = world.report(1, 1, &[1, 2, 3, 4]);
    assert_eq!((outcome.pending, outcome.published.len(), world.balance()), (4, 0, 15));
    assert_eq!(world.report(2, 1, &[1]).duplicates, 1, "it was seen");
    let decide = |world: &mut World, seconds: i64, record: u128, decision: ApprovalDecision| {
        let update_id = UpdateId::of(radar_id(1), &Uuid::from_u128(record).to_string());
        world.run(seconds, Command::DecideApproval(DecideApproval { update_id, decision })).map(|outcome| match outcome
        {
            Outcome::ApprovalDecided(report) => {
                (report.published.len(), report.held, report.dropped, report.duplicates)
            }
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(decide(&mut world, 3, 1, ApprovalDecision::Approve), Ok((1, 0, 0, 0)));
    assert_eq!(decide(&mut world, 4, 1, ApprovalDecision::Approve), Ok((0, 0, 0, 1)), "the same again");
    assert_eq!((world.balance(), world.updates().len()), (5, 1));
    assert_eq!(decide(&mut world, 5, 2, ApprovalDecision::Reject), Ok((0, 0, 0, 0)));
    let rejection = decide(&mut world, 6, 2, ApprovalDecision::Approve).expect_err("decided");
    assert_eq!(rejection, CommandRejection::DecidedOtherwise(ApprovalState::Rejected));
    assert_eq!(decide(&mut world, 7, 3, ApprovalDecision::Approve), Ok((0, 1, 0, 0)), "5 do not cover 10");
    world.top_up(8, "b", 5, None);
    assert_eq!((world.balance(), world.updates().len()), (0, 2), "released like any held finding");
    world.run(9, Command::Deactivate(Deactivate { radar_id: radar_id(1) })).expect("ended");
    world.top_up(10, "c", 50, None);
    assert_eq!(
        decide(&mut world, 11, 4, ApprovalDecision::Approve),
        Ok((0, 0, 1, 0)),
        "nothing is charged after the end"
    );
    assert_eq!(decide(&mut world, 12, 9, ApprovalDecision::Approve), Err(CommandRejection::UnknownFinding));
    assert_eq!((world.balance(), world.updates().len()), (50, 2));
}

#[test]
fn decision_4_10_a_finding_that_waited_too_long_is_gone() {
    let mut world = World::new();
    world.state.account.approval = Approval::Manual;
    world.create(0, 1, REVIEWS).expect("free");
    world.report(0, 1, &[1]);
    let update_id = UpdateId::of(radar_id(1), &Uuid::from_u128(1).to_string());
    let decide = Command::DecideApproval(DecideApproval { update_id, decision: ApprovalDecision::Reject });
    assert_eq!(world.run(60 * DAY, decide.clone()).expect_err("gone"), CommandRejection::UnknownFinding);
    world.run(60 * DAY - 1, decide).expect("decided");
}

#[test]
fn an_alert_fires_once_for_each_fall_below_its_threshold() {
    let mut world = World::new();
    let alerts = BalanceAlerts {
        webhook_url: "https://alerts.example/".into(),
        thresholds: vec![MicroUsd::from_micros(150), MicroUsd::from_micros(50)],
    };
    world.state.account.alerts = Some(alerts);
    world.top_up(0, "a", 300, None);
    world.create(1, 1, JOBS).expect("enough");
    world.create(2, 2, JOBS).expect("enough");
    world.top_up(3, "b", 40, Some(10));
    world.run(11, Command::SettleDue(SettleDue { radar_id: None })).expect("expired");
    world.create(12, 3, JOBS).expect("enough");
    world.top_up(13, "c", 100, None);
    world.create(14, 4, JOBS).expect("enough");
    let about_balances = |changes: &Changes| -> Vec<BalanceAlert> {
        let about_balance = |alert: &Alert| if let Alert::Balance(alert) = alert { Some(*alert) } else { None };
        changes.alerts.iter().filter_map(about_balance).collect()
    };
    let fired = world.all.iter().flat_map(about_balances);
    let fired: Vec<(i64, i64)> = fired.map(|alert| (alert.threshold.micros(), alert.balance.micros())).collect();
    assert_eq!(fired, [(150, 100), (50, 0), (50, 0)], "200 to 100, 100 to 0, and 100 to 0 again");
    for changes in &world.all {
        let to_alerts = changes
            .deliveries
            .iter()
            .filter(|delivery| about_balances(changes).iter().any(|alert| alert.alert_id == delivery.update_id));
        assert_eq!(to_alerts.count(), changes.alerts.len(), "each has its outbox row in the same commit");
    }
}

#[test]
fn a_cap_on_the_month_holds_findings_until_the_month_turns_or_the_cap_is_raised() {
    let mut world = World::new();
    world.top_up(0, "a", 1000, None);
    world.create(0, 1, REVIEWS).expect("free");
    world.state.account.spend_cap = Some(MicroUsd::from_micros(25));
    let outcome = world.report(1, 1, &[1, 2, 3, 4]);
    assert_eq!((outcome.published.len(), outcome.held, world.balance()), (2, 2, 980));
    assert_eq!(world.report(2, 1, &[5]).held, 1, "the type is paused");
    world.top_up(3, "b", 1, None);
    assert_eq!(world.balance(), 981, "money alone releases nothing");
    world.state.account.spend_cap = Some(MicroUsd::from_micros(30));
    world.run(4, Command::SettleDue(SettleDue { radar_id: None })).expect("released");
    assert_eq!((world.balance(), world.state.held.len()), (971, 2));
    // A new month: the store reads what that month has spent.
    world.state.spent_this_month = MicroUsd::ZERO;
    world.run(30 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("released");
    assert_eq!((world.balance(), world.state.held.len(), world.state.pauses.len()), (951, 0, 0));
}
