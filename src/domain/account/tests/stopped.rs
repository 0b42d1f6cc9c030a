//! A stopped account (decision 4.12): nothing is charged, published or released, and all of it goes on afterwards.

use super::*;

fn set(world: &mut World, seconds: i64, status: AccountStatus) {
    world.run(seconds, Command::SetStatus(SetStatus { status })).expect("set");
}

#[test]
fn decision_4_12_what_falls_due_while_stopped_is_recorded_at_0() {
    let mut world = World::new();
    world.top_up(0, "a", 1000, None);
    world.set_up(0, 1, JOBS);
    set(&mut world, 40 * DAY, AccountStatus::Inactive);
    assert_eq!(world.balance(), 800, "the renewal of day 30 was due before");
    set(&mut world, 100 * DAY, AccountStatus::Active);
    assert_eq!((world.balance(), world.radar(1).period_no), (800, 3), "those of day 60 and 90 cost nothing");
    assert_eq!((world.radar(1).status, world.radar(1).next_charge_at), (Status::Active, Some(at(120 * DAY))));
    world.run(120 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("renewed");
    assert_eq!(world.balance(), 700);
}

#[test]
fn decision_4_12_a_stopped_account_without_money_keeps_its_radars() {
    let mut world = World::new();
    world.top_up(0, "a", 100, None);
    world.set_up(0, 1, JOBS);
    set(&mut world, DAY, AccountStatus::Inactive);
    world.run(70 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("decided in time");
    assert_eq!((world.radar(1).status, world.updates().len()), (Status::Active, 0));
}

#[test]
fn decision_4_12_findings_are_neither_charged_nor_published_and_the_cursor_stays() {
    let mut world = World::new();
    world.top_up(0, "a", 20, None);
    world.create(0, 1, REVIEWS).expect("free");
    assert_eq!(world.report(1, 1, &[1, 2, 3]).held, 1);
    set(&mut world, 2, AccountStatus::Inactive);
    world.state.cursors.insert((radar_id(1), FeedId(Uuid::nil())), 5);
    let findings = vec![Finding {
        record_id: Uuid::from_u128(9),
        content: "{}".into(),
        detected_at: at(3),
        origin: Origin::Pushed,
        event: None,
        provenance: None,
    }];
    let cursor = Some(CursorMove { feed_id: FeedId(Uuid::nil()), from_seq: 5, to_seq: 9, filtered: 0 });
    let report = Command::Report(Report { radar_id: radar_id(1), findings, cursor });
    let Ok(Outcome::Reported(outcome)) = world.run(3, report.clone()) else { panic!("reported") };
    assert_eq!((outcome.dropped, outcome.is_watching), (1, false));
    assert!(world.all.last().is_some_and(|changes| changes.moved_cursors.is_empty() && changes.seen.is_empty()));
    world.top_up(4, "b", 100, None);
    assert_eq!((world.balance(), world.updates().len()), (100, 2), "what is held stays held");
    set(&mut world, 5, AccountStatus::Active);
    assert_eq!((world.balance(), world.updates().len()), (90, 3), "and is released when the account goes on");
    let Ok(Outcome::Reported(outcome)) = world.run(6, report) else { panic!("reported") };
    assert_eq!((outcome.published.len(), world.balance()), (1, 80));
}

#[test]
fn decision_4_12_nothing_is_created_set_up_or_approved() {
    let mut world = World::new();
    world.top_up(0, "a", 200, None);
    world.create(0, 1, JOBS).expect("enough");
    set(&mut world, 1, AccountStatus::Inactive);
    assert_eq!(world.create(2, 2, JOBS).expect_err("stopped"), CommandRejection::Stopped);
    let outcome = failed(FailureReason::SourceInaccessible);
    let finish = Command::FinishSetUp(FinishSetUp { radar_id: radar_id(1), lease_no: 0, outcome });
    world.run(3, finish.clone()).expect("left as it is");
    assert_eq!((world.radar(1).set_up, world.balance()), (SetUp::Pending, 100));
    set(&mut world, 4, AccountStatus::Active);
    world.run(5, finish).expect("settled");
    assert_eq!((world.radar(1).set_up, world.balance()), (SetUp::Failed, 200));
    world.state.account.approval = Approval::Manual;
    world.create(6, 3, REVIEWS).expect("free");
    world.report(6, 3, &[1]);
    set(&mut world, 7, AccountStatus::Inactive);
    let update_id = UpdateId::of(radar_id(3), &Uuid::from_u128(1).to_string());
    let decide = |decision| Command::DecideApproval(DecideApproval { update_id, decision });
    assert_eq!(world.run(8, decide(ApprovalDecision::Approve)).expect_err("stopped"), CommandRejection::Stopped);
    world.run(9, decide(ApprovalDecision::Reject)).expect("costs nothing");
}

#[test]
fn decision_4_12_a_change_of_status_waits_for_renewals_that_were_due_before() {
    let mut world = World::new();
    world.renewals_max = 1;
    world.top_up(0, "a", 10_000, None);
    world.set_up(0, 1, JOBS);
    world.set_up(0, 2, JOBS);
    let stop = Command::SetStatus(SetStatus { status: AccountStatus::Inactive });
    assert_eq!(world.run(31 * DAY, stop.clone()).expect_err("one is left"), CommandRejection::Overdue);
    assert_eq!(world.state.account.status, AccountStatus::Active);
    world.run(31 * DAY, stop).expect("all are decided");
    assert_eq!(world.balance(), 9_600, "under the status that held when they fell due");
}

#[test]
fn decision_4_12_a_frozen_account_can_be_stopped() {
    let mut world = World::new();
    world.state.account.frozen_reason = Some("ledger transaction 3".to_owned());
    set(&mut world, 1, AccountStatus::Inactive);
    assert_eq!(world.state.account.status, AccountStatus::Inactive);
    let rejection = world.run(2, Command::SettleDue(SettleDue { radar_id: None })).expect_err("frozen");
    assert!(matches!(rejection, CommandRejection::Frozen { .. }));
}
