//! Tables for the commands: each case is a story of one account.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::*;
use crate::domain::filter::Filter;
use crate::domain::ids::UpdateId;
use crate::domain::ledger::TxKind;
use crate::domain::pricing::Price;
use crate::domain::radar::{FailureReason, GracePeriod, NewRadar, PricingModel, Radar, SetUp, Status, StatusReason};
use crate::domain::target::{DomainName, Target};
use crate::domain::update::UpdateType;

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
}

impl World {
    fn new() -> Self {
        let price =
            |model, micros| Price { model, rate: MicroUsd::from_micros(micros), grace_period: GracePeriod::None };
        let defaults = BTreeMap::from([
            (JOBS, price(PricingModel::Subscription, 100)),
            (REVIEWS, price(PricingModel::UpdateBased, 10)),
        ]);
        let account = AccountState {
            account_id: AccountId(Uuid::from_u128(1)),
            balance: MicroUsd::ZERO,
            tx_seq: 0,
            update_seq: 0,
            hold_seq: 0,
            lot_no: 0,
            last_at: at(-1),
            head_hash: ChainHash::beginning(AccountId(Uuid::from_u128(1))),
            frozen_reason: None,
        };
        let state = Loaded {
            account,
            lots: vec![],
            prices: PriceList::new(Arc::new(defaults), []),
            radars: BTreeMap::new(),
            due_renewals: vec![],
            more_renewals_from: None,
            pauses: BTreeMap::new(),
            held: vec![],
            has_more_held: false,
            taken: BTreeMap::new(),
            seen: BTreeMap::new(),
            movements: BTreeMap::new(),
            readings: BTreeMap::new(),
            endpoints: BTreeMap::new(),
        };
        Self { state, all: vec![] }
    }

    fn run(&mut self, seconds: i64, command: Command) -> Result<Outcome, Refusal> {
        let now = at(seconds);
        let mut due: Vec<(DateTime<Utc>, RadarId)> = self
            .state
            .radars
            .values()
            .filter_map(|radar| Some((radar.next_charge_at.filter(|&due_at| due_at <= now)?, radar.radar_id)))
            .collect();
        due.sort();
        self.state.due_renewals = due.into_iter().map(|(_, radar_id)| radar_id).collect();
        let mut book =
            Book::open(self.state.clone(), now, |publication| publication.update_id.to_string(), Settings::default());
        let outcome = book.apply(&command);
        let kept = book.state.clone();
        let (account, changes) = book.close();
        self.state = Loaded { account, ..kept };
        self.all.push(changes);
        let lots: i64 = self.state.lots.iter().map(|lot| lot.remaining.micros()).sum();
        assert_eq!(lots, self.state.account.balance.micros(), "the balance is the sum of its lots");
        outcome
    }

    fn top_up(&mut self, seconds: i64, payment_ref: &str, micros: i64, expires: Option<i64>) {
        let top_up = TopUp {
            payment_ref: payment_ref.into(),
            amount: MicroUsd::from_micros(micros),
            expires_at: expires.map(at),
        };
        self.run(seconds, Command::TopUp(top_up)).expect("a top-up");
    }

    fn create(&mut self, seconds: i64, no: u128, radar_type: RadarType) -> Result<Outcome, Refusal> {
        let domain = DomainName::from_stored(format!("{no}.example"));
        let wanted = NewRadar {
            radar_type,
            target: Target::Company { domain },
            filter: Filter::Everything,
            webhook_url: Some("https://receiver.example/".into()),
            custom_fields: BTreeMap::new(),
        };
        self.run(seconds, Command::Create(Box::new(Creation { radar_id: radar_id(no), wanted })))
    }

    fn report(&mut self, seconds: i64, no: u128, records: &[u128]) -> ReportOutcome {
        let findings = records
            .iter()
            .map(|&record| Finding {
                record_id: Uuid::from_u128(record),
                content: "{}".into(),
                detected_at: at(seconds),
            })
            .collect();
        match self.run(seconds, Command::Report { radar_id: radar_id(no), findings, reading: None }) {
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

    fn movements(&self) -> Vec<(TxKind, i64)> {
        self.all.iter().flat_map(|changes| &changes.movements).map(|tx| (tx.kind, tx.amount.micros())).collect()
    }
}

fn radar_id(no: u128) -> RadarId {
    RadarId(Uuid::from_u128(no))
}

fn failed(reason: FailureReason) -> SetUpOutcome {
    SetUpOutcome::Failed { reason, message: "no".into() }
}

#[test]
fn a_payment_counts_once() {
    let mut world = World::new();
    world.top_up(0, "a", 50, None);
    world.top_up(1, "a", 50, None);
    assert_eq!((world.balance(), world.movements().len()), (50, 1));
    let other = TopUp { payment_ref: "a".into(), amount: MicroUsd::from_micros(51), expires_at: None };
    assert_eq!(world.run(2, Command::TopUp(other)).expect_err("another amount"), Refusal::PaymentRefReused);
}

#[test]
fn creation_charges_subscriptions_only_and_refuses_what_the_balance_does_not_cover() {
    let mut world = World::new();
    assert_eq!(world.create(0, 1, JOBS).expect_err("no money"), Refusal::InsufficientBalance);
    world.create(0, 2, REVIEWS).expect("pays per finding");
    world.top_up(0, "a", 150, None);
    world.create(0, 1, JOBS).expect("the same request again");
    assert_eq!(world.balance(), 50);
    assert_eq!(world.radar(1).next_charge_at, Some(at(30 * DAY)));
    assert_eq!(world.radar(2).next_charge_at, None, "decision 4.8");
    let existing = radar_id(1);
    let duplicate = world.create(1, 1, JOBS).expect_err("the same target");
    assert_eq!(duplicate, Refusal::Duplicate { existing, field: "domain" });
}

#[test]
fn a_failed_set_up_gives_the_charge_back_and_tells() {
    let mut world = World::new();
    world.top_up(0, "a", 60, Some(100));
    world.top_up(0, "b", 60, None);
    world.create(1, 1, JOBS).expect("enough");
    let finish = |outcome| Command::FinishSetUp { radar_id: radar_id(1), outcome };
    world.run(200, finish(failed(FailureReason::MissingPrerequisites))).expect("settled");
    world.run(201, finish(failed(FailureReason::SetupFailure))).expect("settled before");
    assert_eq!(world.balance(), 120, "the expired part came back as a lot of its own");
    let stand_in = world.state.lots.iter().find(|lot| lot.parent_lot_no == Some(1)).expect("a refund lot");
    assert_eq!((stand_in.remaining.micros(), stand_in.expires_at), (60, Some(at(200) + Duration::days(7))));
    let radar = world.radar(1);
    assert_eq!((radar.status, radar.set_up), (Status::Inactive, SetUp::Failed));
    assert_eq!(radar.status_reason, Some(StatusReason::MissingPrerequisites));
    let updates = world.updates();
    assert_eq!(updates.iter().map(|update| update.update_type).collect::<Vec<_>>(), [UpdateType::Failure]);
    let usage: i64 = world.all.iter().flat_map(|changes| changes.usage.values()).map(|usage| usage.used_micros).sum();
    assert_eq!(usage, 0);
}

#[test]
fn renewals_stay_on_the_grid_and_end_when_money_does() {
    let mut world = World::new();
    world.top_up(0, "a", 350, None);
    world.create(0, 1, JOBS).expect("enough");
    let touch = || Command::Touch { radar_id: None };
    world.run(30 * DAY + 5, touch()).expect("renewed late");
    assert_eq!((world.balance(), world.radar(1).next_charge_at), (150, Some(at(60 * DAY))));
    world.run(121 * DAY, touch()).expect("three periods late");
    assert_eq!((world.balance(), world.radar(1).next_charge_at), (50, Some(at(150 * DAY))));
    assert_eq!(world.radar(1).period_no, 4);
    world.run(150 * DAY, touch()).expect("too little");
    assert_eq!(world.radar(1).status_reason, Some(StatusReason::InsufficientFunds));
    assert_eq!((world.balance(), world.radar(1).next_charge_at), (50, None));
    assert_eq!(world.updates().len(), 1);
    assert_eq!(world.movements().iter().filter(|movement| **movement == (TxKind::Subscription, 0)).count(), 2);
}

#[test]
fn a_renewal_that_was_due_before_an_expiry_is_decided_before_it() {
    let mut world = World::new();
    world.top_up(0, "a", 200, Some(30 * DAY + 1));
    world.create(0, 1, JOBS).expect("enough");
    world.run(40 * DAY, Command::Touch { radar_id: None }).expect("both late");
    assert_eq!((world.balance(), world.radar(1).period_no), (0, 1));

    let mut world = World::new();
    world.top_up(0, "a", 200, Some(30 * DAY));
    world.create(0, 1, JOBS).expect("enough");
    world.run(40 * DAY, Command::Touch { radar_id: None }).expect("the expiry comes first at the same instant");
    assert_eq!(world.radar(1).status, Status::Inactive);
    assert_eq!(world.movements().last(), Some(&(TxKind::Expiry, -100)));
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
fn too_little_money_holds_and_pauses_and_credit_releases_in_order() {
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
    world.run(2, Command::Deactivate { radar_id: radar_id(1) }).expect("ended");
    world.top_up(3, "a", 100, None);
    assert_eq!((world.balance(), world.updates().len(), world.state.held.len()), (100, 0, 0));
    assert!(world.state.pauses.is_empty());
}

#[test]
fn a_deactivated_radar_is_left_alone() {
    let mut world = World::new();
    world.top_up(0, "a", 500, None);
    world.create(0, 1, JOBS).expect("enough");
    let deactivate = || Command::Deactivate { radar_id: radar_id(1) };
    world.run(10, deactivate()).expect("ended");
    let ended_at = world.radar(1).deactivated_at;
    world.run(20, deactivate()).expect("decision 1.10");
    assert_eq!(world.radar(1).deactivated_at, ended_at);
    world.run(90 * DAY, Command::Touch { radar_id: None }).expect("nothing due");
    assert_eq!((world.balance(), world.report(90 * DAY, 1, &[1]).dropped), (400, 1));
    let unknown = Command::Deactivate { radar_id: radar_id(9) };
    assert_eq!(world.run(90 * DAY, unknown).expect_err("unknown"), Refusal::UnknownRadar);
    world.create(91 * DAY, 1, JOBS).expect("its target is free again");
}
