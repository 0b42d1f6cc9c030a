//! The bound of a radar's day: what is charged, what is held, who is told, when it is released (decision 4.14).

use proptest::prelude::*;

use super::*;
use crate::radar::daily_bound::RADAR_DAY;

const HOUR: i64 = 60 * 60;

/// Radars 1 and 2 pay per finding, and are charged for three a day from the web; there is money for a hundred.
fn world() -> World {
    let mut world = poor_world();
    world.top_up(0, "a", 1_000, None);
    world
}

fn poor_world() -> World {
    let mut world = World::new();
    world.state.prices = prices(3);
    let webhook_url = "https://alerts.example/".into();
    world.state.account.alerts = Some(BalanceAlerts { webhook_url, thresholds: vec![] });
    world.create(0, 1, REVIEWS).expect("free");
    world.create(0, 2, REVIEWS).expect("free");
    world
}

fn prices(findings_per_day: u32) -> PriceList {
    prices_at(10, findings_per_day)
}

fn prices_at(micros: i64, findings_per_day: u32) -> PriceList {
    let price = Price {
        model: PricingModel::UpdateBased,
        rate: MicroUsd::from_micros(micros),
        grace_period: GracePeriod::None,
        findings_per_day,
    };
    PriceList::new(Arc::new(BTreeMap::from([(REVIEWS, price)])), [])
}

impl World {
    fn find(&mut self, seconds: i64, no: u128, records: &[u128]) -> (usize, usize) {
        let outcome = self.report_from(Origin::Web, seconds, no, records);
        (outcome.published.len(), outcome.held)
    }

    fn settle_due(&mut self, seconds: i64) -> bool {
        match self.run(seconds, Command::SettleDue(SettleDue::default())) {
            Ok(Outcome::Settled(settled)) => settled.has_more,
            other => panic!("{other:?}"),
        }
    }

    fn release(&mut self, seconds: i64, no: u128) -> Released {
        match self.run(seconds, Command::Release(Release { radar_id: radar_id(no) })) {
            Ok(Outcome::Released(released)) => released,
            other => panic!("{other:?}"),
        }
    }

    /// The records that were published, in order.
    fn published(&self, no: u128, records: impl IntoIterator<Item = u128>) -> Vec<u128> {
        let known: BTreeMap<UpdateId, u128> = records
            .into_iter()
            .map(|record| (UpdateId::of(radar_id(no), &Uuid::from_u128(record).to_string()), record))
            .collect();
        self.updates().iter().filter_map(|update| known.get(&update.update_id).copied()).collect()
    }

    fn bound_alerts(&self) -> Vec<(RadarId, DateTime<Utc>)> {
        let alerts = self.all.iter().flat_map(|changes| &changes.alerts);
        let of_bound = |alert: &Alert| if let Alert::Bound(alert) = alert { Some(*alert) } else { None };
        alerts.filter_map(of_bound).map(|alert| (alert.radar_id, alert.release_at)).collect()
    }
}

#[test]
fn decision_4_14_beyond_the_bound_of_a_day_findings_are_held_and_the_next_day_releases_them_in_order() {
    let mut world = world();
    assert_eq!(world.find(0, 1, &[1]), (1, 0));
    assert_eq!(world.find(HOUR, 1, &[2, 3, 4, 5]), (2, 2));
    assert!(world.state.pauses.is_empty(), "nothing else has to wait");
    assert_eq!(world.find(HOUR, 2, &[1, 2, 3]), (3, 0), "another radar has a day of its own");
    assert_eq!(world.report(HOUR, 1, &[100]).published.len(), 1, "what a provider pushes is not bounded");
    assert_eq!(world.radar(1).wake_at(), Some(at(DAY)));
    assert!(!world.settle_due(DAY - 1));
    assert_eq!((world.balance(), world.radar(1).daily.held), (1_000 - 70, 2));
    assert!(!world.settle_due(DAY));
    assert_eq!(world.published(1, 1..=100), [1, 2, 3, 100, 4, 5]);
    assert_eq!((world.radar(1).daily.held, world.radar(1).wake_at()), (0, None));
    assert_eq!(world.find(DAY + 1, 1, &[6, 7]), (1, 1), "what was released counts in its day");
    let days = [(radar_id(1), at(DAY)), (radar_id(1), at(2 * DAY))];
    assert_eq!(world.bound_alerts(), days, "one alert for each day");
    let held_and_exceeded = world
        .all
        .iter()
        .map(|changes| (changes.held_beyond_bound, changes.exceeded.len()))
        .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert_eq!(held_and_exceeded, (3, 2));
}

#[test]
fn a_finding_never_overtakes_one_that_is_held_even_when_the_day_is_over() {
    let mut world = world();
    world.find(0, 1, &[1, 2, 3, 4]);
    assert_eq!(world.find(DAY + 1, 1, &[5]), (0, 1), "nobody has released the other one yet");
    world.settle_due(DAY + 2);
    assert_eq!(world.published(1, 1..=5), [1, 2, 3, 4, 5]);
}

#[test]
fn who_holds_as_many_as_a_day_allows_reads_no_further_until_they_are_released() {
    let mut world = world();
    let feed_id = FeedId::of("a_source", "token");
    world.state.cursors.insert((radar_id(1), feed_id), 0);
    let read = |world: &mut World, seconds: i64, from_seq: i64, records: std::ops::RangeInclusive<u128>| {
        let to_seq = from_seq + records.clone().count() as i64;
        let findings = records.map(|record| Finding {
            record_id: Uuid::from_u128(record),
            content: "{}".into(),
            detected_at: at(seconds),
            origin: Origin::Web,
            event: None,
            provenance: None,
        });
        let cursor = Some(CursorMove { feed_id, from_seq, to_seq, filtered: 0 });
        let report = Report { radar_id: radar_id(1), findings: findings.collect(), cursor };
        match world.run(seconds, Command::Report(report)) {
            Ok(Outcome::Reported(outcome)) => (outcome.published.len(), outcome.held, outcome.is_full),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(read(&mut world, 0, 0, 1..=5), (3, 2, false));
    assert_eq!(read(&mut world, 1, 5, 6..=7), (0, 2, false), "there was room for one more");
    assert_eq!(read(&mut world, 2, 7, 8..=9), (0, 0, true));
    assert_eq!(world.state.cursors[&(radar_id(1), feed_id)], 7, "they are read another day");
    assert_eq!(world.report(3, 1, &[100]).published.len(), 1, "a provider is heard all the same");
    world.settle_due(DAY);
    assert!(world.all.last().is_some_and(|changes| changes.reads_on));
    assert_eq!((world.radar(1).daily.held, world.radar(1).daily.full_since), (1, None));
    assert_eq!(read(&mut world, DAY + 1, 7, 8..=9), (0, 2, false));
}

#[test]
fn an_operator_releases_what_is_held_at_once_and_the_account_hears_of_the_day_once() {
    let mut world = world();
    world.find(0, 1, &[1, 2, 3, 4, 5]);
    assert_eq!(world.release(1, 1), Released { released: 2, held: 0, has_more: false });
    assert_eq!(world.release(2, 1), Released { released: 0, held: 0, has_more: false });
    assert_eq!(world.find(3, 1, &[6]), (0, 1), "the bound is still exceeded");
    assert_eq!(world.bound_alerts().len(), 1);
    assert!(!world.settle_due(DAY));
    assert_eq!(world.published(1, 1..=6), [1, 2, 3, 4, 5, 6]);
    let unknown = world.run(DAY, Command::Release(Release { radar_id: radar_id(9) }));
    assert_eq!(unknown.expect_err("unknown"), CommandRejection::UnknownRadar);
    world.state.account.status = AccountStatus::Inactive;
    let stopped = world.run(DAY, Command::Release(Release { radar_id: radar_id(1) }));
    assert_eq!(stopped.expect_err("stopped"), CommandRejection::Stopped);
}

#[test]
fn a_release_without_money_pauses_the_type_and_goes_on_with_the_next_credit() {
    let mut world = poor_world();
    world.top_up(0, "a", 40, None);
    assert_eq!(world.find(0, 1, &[1, 2, 3, 4, 5]), (3, 2));
    world.settle_due(DAY);
    assert_eq!((world.balance(), world.radar(1).daily.held), (0, 0));
    let waiting: Vec<(i64, HoldReason)> = world.state.held.iter().map(|held| (held.hold_seq, held.reason)).collect();
    assert_eq!(waiting, [(2, HoldReason::Money)], "its day has come, and it waits for money");
    assert!(world.state.pauses.contains_key(&REVIEWS));
    assert_eq!(world.release(DAY + 1, 1).released, 0, "money rules");
    assert_eq!(world.find(DAY + 2, 2, &[1]), (0, 1), "a failed charge pauses every radar of the type");
    world.top_up(DAY + 3, "b", 30, None);
    assert_eq!((world.balance(), world.state.held.len()), (10, 0), "both");
    assert_eq!(world.published(1, 1..=5), [1, 2, 3, 4, 5]);
}

#[test]
fn a_pause_that_a_release_began_stands_while_what_it_waits_for_is_dearer_than_findings_are_now() {
    let mut world = poor_world();
    world.top_up(0, "a", 37, None);
    assert_eq!(world.find(0, 1, &[1, 2, 3, 4, 5, 6]), (3, 3));
    world.state.prices = prices_at(5, 3);
    for seconds in [DAY, DAY + 60, DAY + 120] {
        assert!(!world.settle_due(seconds), "there is nothing more to do");
        assert_eq!(world.state.pauses.get(&REVIEWS).map(|pause| pause.since), Some(at(DAY)));
        assert_eq!((world.balance(), world.state.held.len(), world.radar(1).daily.held), (7, 1, 2));
    }
    assert_eq!(world.find(DAY + 180, 2, &[1]), (0, 1));
    world.top_up(DAY + 240, "b", 63, None);
    let mut rounds = 0;
    while world.settle_due(DAY + 240) {
        rounds += 1;
        assert!(rounds < 9, "it never ends");
    }
    assert_eq!(world.published(1, 1..=6), [1, 2, 3, 4, 5, 6], "in their order");
    assert_eq!((world.balance(), world.state.pauses.len()), (70 - 30 - 5, 0));
}

#[test]
fn a_day_that_is_met_twice_because_a_clock_was_set_back_is_told_under_another_identifier() {
    let mut world = world();
    world.find(0, 1, &[1, 2, 3, 4]);
    world.release(1, 1);
    world.settle_due(DAY);
    assert_eq!(world.find(HOUR, 1, &[5]), (0, 1), "the clock is back");
    let alerts = world.all.iter().flat_map(|changes| &changes.alerts);
    let id = |alert: &Alert| if let Alert::Bound(alert) = alert { Some(alert.alert_id) } else { None };
    let ids: Vec<UpdateId> = alerts.filter_map(id).collect();
    assert!(ids.len() == 2 && ids[0] != ids[1], "{ids:?}");
}

#[test]
fn findings_that_waited_for_money_count_when_they_are_released() {
    let mut world = poor_world();
    assert_eq!(world.find(0, 1, &[1, 2, 3, 4, 5]), (0, 5));
    assert_eq!((world.state.held.len(), world.radar(1).daily.held), (5, 0), "all of them wait for money");
    assert_eq!(world.report(1, 1, &[100]).held, 1);
    world.top_up(2, "a", 1_000, None);
    assert_eq!(world.published(1, 1..=100), [1, 2, 3, 100], "what was pushed is not bounded");
    assert_eq!((world.state.held.len(), world.radar(1).daily.held), (0, 2));
    assert!(world.state.pauses.is_empty());
    let reasons: Vec<(i64, HoldReason)> =
        world.all[world.all.len() - 1].held.iter().map(|held| (held.hold_seq, held.reason)).collect();
    assert_eq!(reasons, [(4, HoldReason::DailyBound), (5, HoldReason::DailyBound)]);
    world.settle_due(2 + DAY);
    assert_eq!(world.published(1, 1..=100), [1, 2, 3, 100, 4, 5]);
}

#[test]
fn an_approval_is_a_release_and_counts() {
    let mut world = world();
    world.state.account.approval = Approval::Manual;
    world.find(0, 1, &[1, 2, 3, 4]);
    for record in 1..=4 {
        let update_id = UpdateId::of(radar_id(1), &Uuid::from_u128(record).to_string());
        let decision = ApprovalDecision::Approve;
        world.run(1, Command::DecideApproval(DecideApproval { update_id, decision })).expect("approved");
    }
    assert_eq!((world.balance(), world.radar(1).daily.charged), (960, 4));
    world.state.account.approval = Approval::Auto;
    assert_eq!(world.find(2, 1, &[5]), (0, 1));
}

#[test]
fn what_an_ended_radar_holds_is_dropped_and_so_is_what_has_waited_too_long() {
    let mut world = world();
    world.find(0, 1, &[1, 2, 3, 4]);
    world.find(0, 2, &[1, 2, 3, 4]);
    world.run(1, Command::Deactivate(Deactivate { radar_id: radar_id(1) })).expect("ended");
    assert_eq!(world.radar(1).wake_at(), None, "no paid time is left to it");
    world.settle_due(60 * DAY);
    assert_eq!((world.radar(1).daily.held, world.radar(2).daily.held), (0, 0));
    assert_eq!(world.balance(), 940);
    let released: usize = world.all.iter().map(|changes| changes.released_holds.len()).sum();
    assert_eq!(released, 2);
}

#[test]
fn a_bound_that_was_raised_holds_for_the_next_finding() {
    let mut world = world();
    world.find(0, 1, &[1, 2, 3, 4]);
    world.find(0, 2, &[1, 2, 3]);
    world.state.prices = prices(4);
    assert_eq!(world.find(1, 2, &[4, 5]), (1, 1));
    assert_eq!(world.find(1, 1, &[5]), (0, 1), "those before it wait for the next day, or for an operator");
}

/// A pause that ends and begins again in one transaction is written as it is then.
#[test]
fn a_pause_that_begins_anew_in_one_transaction_is_kept() {
    let mut world = poor_world();
    world.report(0, 1, &[1]);
    let top_up = TopUp { payment_ref: "a".into(), amount: MicroUsd::from_micros(20), expires_at: None };
    let findings = [2, 3].map(|record| Finding {
        record_id: Uuid::from_u128(record),
        content: "{}".into(),
        detected_at: at(5),
        origin: Origin::Pushed,
        event: None,
        provenance: None,
    });
    let report = Report { radar_id: radar_id(1), findings: findings.to_vec(), cursor: None };
    let decided = world.run_all(5, &[Command::TopUp(top_up), Command::Report(report)]);
    assert!(decided.iter().all(Result::is_ok));
    let changes = world.all.last().expect("a transaction");
    assert_eq!(changes.paused.get(&REVIEWS).map(|pause| pause.since), Some(at(5)));
    assert!(changes.resumed.is_empty());
}

#[derive(Clone, Debug)]
enum Step {
    Find(u128, usize),
    Push(u128),
    Pass(i64),
    TopUp(i64),
    Release(u128),
    End(u128),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let radar = 1..=2_u128;
    let step = prop_oneof![
        5 => (radar.clone(), 1..6_usize).prop_map(|(no, count)| Step::Find(no, count)),
        1 => radar.clone().prop_map(Step::Push),
        4 => (1..30_i64).prop_map(Step::Pass),
        2 => (1..9_i64).prop_map(Step::TopUp),
        1 => radar.clone().prop_map(Step::Release),
        1 => radar.prop_map(Step::End),
    ];
    prop::collection::vec(step, 1..40)
}

proptest! {
    /// Never more is charged in a day of a radar than its bound and what an operator released in it; nothing is lost, and the
    /// findings from the web of a radar keep their order.
    #[test]
    fn whatever_happens_a_day_stays_within_its_bound(steps in steps()) {
        let mut world = poor_world();
        let (mut hours, mut next_record) = (0, 0_u128);
        let mut found: BTreeMap<u128, Vec<u128>> = BTreeMap::new();
        let mut by_operator: BTreeMap<u128, Vec<DateTime<Utc>>> = BTreeMap::new();
        let mut charged: BTreeMap<u128, Vec<DateTime<Utc>>> = BTreeMap::new();
        for step in steps {
            let seconds = hours * HOUR;
            let before: Vec<usize> = (1..=2).map(|no| world.published(no, found.get(&no).cloned().unwrap_or_default()).len()).collect();
            match step {
                Step::Find(no, count) => {
                    let records: Vec<u128> = (1..=count as u128).map(|more| next_record + more).collect();
                    next_record += count as u128;
                    if world.report_from(Origin::Web, seconds, no, &records).dropped == 0 {
                        found.entry(no).or_default().extend(records);
                    }
                }
                Step::Push(no) => {
                    next_record += 1;
                    world.report(seconds, no, &[next_record]);
                }
                Step::Pass(more) => hours += more,
                Step::TopUp(rates) => world.top_up(seconds, &format!("{next_record} {hours} {rates}"), rates * 10, None),
                Step::Release(no) => {
                    let released = world.release(seconds, no).released;
                    by_operator.entry(no).or_default().extend(vec![at(seconds); released]);
                }
                Step::End(no) => drop(world.run(seconds, Command::Deactivate(Deactivate { radar_id: radar_id(no) }))),
            }
            let mut rounds = 0;
            while world.settle_due(hours * HOUR) {
                rounds += 1;
                prop_assert!(rounds < 9, "it never ends");
            }
            for no in 1..=2_u128 {
                let daily = world.radar(no).daily;
                let waiting = world.state.held_beyond.get(&radar_id(no)).map_or(0, Vec::len);
                prop_assert_eq!(daily.held, waiting as i64);
                prop_assert!(daily.held == 0 || daily.release_at.is_some());
                let records = found.get(&no).cloned().unwrap_or_default();
                let published = world.published(no, records.clone());
                prop_assert!(published.is_sorted(), "{published:?}");
                let new = published.len() - before[no as usize - 1];
                charged.entry(no).or_default().extend(vec![at(hours * HOUR); new]);
                let known = |record: &u128| {
                    world.state.seen.get(&(radar_id(no), Uuid::from_u128(*record))).copied()
                };
                let lost = records.iter().find(|record| known(record).is_none());
                prop_assert_eq!(lost, None);
                let still_held = records.iter().filter(|record| known(record) == Some(SeenOutcome::Held)).count();
                let for_money = world.state.held.iter().filter(|held| held.radar_id == radar_id(no) && held.finding.origin == Origin::Web);
                prop_assert_eq!(still_held, waiting + for_money.count());
            }
        }
        for no in 1..=2_u128 {
            let (charged, mut day) = (charged.get(&no).cloned().unwrap_or_default(), None);
            let by_operator = by_operator.get(&no).cloned().unwrap_or_default();
            for &first in &charged {
                if day.is_none_or(|day| first >= day + RADAR_DAY) {
                    day = Some(first);
                    let in_day = |at: &&DateTime<Utc>| (first..first + RADAR_DAY).contains(*at);
                    let most = 3 + by_operator.iter().filter(in_day).count();
                    let count = charged.iter().filter(in_day).count();
                    prop_assert!(count <= most, "{count} of {most} on the day from {first}");
                }
            }
        }
    }
}
