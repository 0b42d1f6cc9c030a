//! More renewals are due than one transaction decides: what is asked meanwhile (decisions 4.6, 4.9).

use super::*;

/// Six radars of 100 a period, all due at day 30, of which a transaction decides two; and what is left to spend then.
fn storm(left: i64) -> World {
    let mut world = World::new();
    world.top_up(0, "a", 600 + left, None);
    for no in 1..=6 {
        world.set_up(i64::try_from(no).expect("small"), no, JOBS);
    }
    world.renewals_max = 2;
    world
}

fn settle_due(world: &mut World) -> bool {
    match world.run(30 * DAY + 60, Command::SettleDue(SettleDue { radar_id: None })) {
        Ok(Outcome::Settled(Settled { has_more, .. })) => has_more,
        other => panic!("{other:?}"),
    }
}

fn active(world: &World) -> Vec<u128> {
    (1..=6).filter(|&no| world.radar(no).status == Status::Active).collect()
}

#[test]
fn decision_4_9_a_creation_waits_for_renewals_whose_money_it_might_take() {
    let mut world = storm(600);
    assert_eq!(world.create(30 * DAY + 60, 7, JOBS).expect_err("not yet"), CommandRejection::Overdue);
    assert_eq!(world.balance(), 400, "two renewals were decided all the same");
    assert!(settle_due(&mut world));
    assert_eq!(
        world.create(30 * DAY + 60, 7, JOBS).expect_err("all are decided, and the money is gone"),
        CommandRejection::InsufficientBalance
    );
    assert_eq!((active(&world), world.balance()), (vec![1, 2, 3, 4, 5, 6], 0));
}

#[test]
fn decision_4_9_a_creation_goes_ahead_where_the_balance_covers_everything() {
    let (mut ahead, mut behind) = (storm(900), storm(900));
    ahead.create(30 * DAY + 60, 7, JOBS).expect("enough for all");
    while settle_due(&mut ahead) {}
    while settle_due(&mut behind) {}
    behind.create(30 * DAY + 60, 7, JOBS).expect("enough for all");
    assert_eq!((active(&ahead), ahead.balance()), (active(&behind), behind.balance()));
    assert_eq!(ahead.radar(7).next_charge_at, behind.radar(7).next_charge_at);
    assert_eq!(ahead.balance(), 200);
    assert_eq!(storm(899).create(30 * DAY + 60, 7, JOBS).expect_err("six radars and one"), CommandRejection::Overdue);
}

#[test]
fn decision_4_9_a_creation_that_the_balance_does_not_cover_is_refused_ahead_of_renewals() {
    for (left, rejection) in [(300, CommandRejection::Overdue), (299, CommandRejection::InsufficientBalance)] {
        let mut world = storm(left);
        assert_eq!(world.create(30 * DAY + 60, 7, JOBS).expect_err("two renewals have taken 200"), rejection);
        assert!(settle_due(&mut world), "more renewals are left");
    }
    let mut world = storm(250);
    assert_eq!(world.create(30 * DAY + 60, 6, JOBS).expect_err("its original may end"), CommandRejection::Overdue);
}

#[test]
fn decision_4_9_what_the_balance_does_not_cover_waits_behind_what_brings_money() {
    let mut world = storm(250);
    let top_up = TopUp { payment_ref: "late".into(), amount: MicroUsd::from_micros(1_000), expires_at: None };
    let asked = [creation(7, JOBS), Command::TopUp(top_up), creation(8, JOBS)];
    let decided = world.run_all(30 * DAY + 60, &asked).into_iter().map(|decision| decision.expect_err("no"));
    assert!(decided.eq([CommandRejection::InsufficientBalance, CommandRejection::Overdue, CommandRejection::Overdue]));
}

#[test]
fn decision_4_6_renewals_are_decided_in_order_however_many_transactions_it_takes() {
    let mut world = storm(250);
    assert!(settle_due(&mut world));
    let top_up = TopUp { payment_ref: "late".into(), amount: MicroUsd::from_micros(1_000), expires_at: None };
    let asked = world.run(30 * DAY + 60, Command::TopUp(top_up.clone()));
    assert_eq!(asked.expect_err("renewals were due before this money came"), CommandRejection::Overdue);
    while settle_due(&mut world) {}
    assert_eq!((active(&world), world.balance()), (vec![1, 2], 50));
    world.run(30 * DAY + 60, Command::TopUp(top_up)).expect("now");
    let late: Vec<DateTime<Utc>> = world.all.iter().flat_map(|changes| changes.renewals.clone()).collect();
    let due: Vec<DateTime<Utc>> = (1..=6).map(|no| at(30 * DAY + no)).collect();
    assert_eq!(late, due, "each is decided once");
    assert_eq!(world.updates().len(), 4, "each radar that ended tells so");
}

#[test]
fn spec_2_5_a_delete_does_not_undo_a_renewal_that_was_due_before_it() {
    let mut world = storm(1_000);
    world.run(30 * DAY + 60, Command::Deactivate(Deactivate { radar_id: radar_id(6) })).expect("ended");
    assert_eq!((world.radar(6).period_no, world.radar(6).status), (1, Status::Inactive));
    while settle_due(&mut world) {}
    assert_eq!((active(&world), world.balance()), (vec![1, 2, 3, 4, 5], 400));
    assert_eq!(world.all.iter().map(|changes| changes.renewals.len()).sum::<usize>(), 6);
}

#[test]
fn decision_4_7_a_cap_makes_the_order_count() {
    let mut world = storm(1_200);
    world.create(20, 8, REVIEWS).expect("free");
    world.state.account.spend_cap = Some(MicroUsd::from_micros(5_000));
    let finding = Finding {
        record_id: Uuid::from_u128(1),
        content: "{}".into(),
        detected_at: at(30 * DAY + 60),
        origin: Origin::Pushed,
        event: None,
        provenance: None,
    };
    let report = Command::Report(Report { radar_id: radar_id(8), findings: vec![finding], cursor: None });
    assert_eq!(world.run(30 * DAY + 60, report.clone()).expect_err("not yet"), CommandRejection::Overdue);
    world.state.account.spend_cap = None;
    world.run(30 * DAY + 60, report).expect("the balance covers everything");
}

#[test]
fn decision_4_10_a_finding_that_has_waited_too_long_calls_no_renewal_forward() {
    for (waited, period_no) in [(60 * DAY, 0), (60 * DAY - 1, 1)] {
        let mut world = storm(1_000);
        world.state.account.approval = Approval::Manual;
        let finding = Finding {
            record_id: Uuid::from_u128(1),
            content: "{}".into(),
            detected_at: at(30 * DAY + 60 - waited),
            origin: Origin::Pushed,
            event: None,
            provenance: None,
        };
        let report = Command::Report(Report { radar_id: radar_id(6), findings: vec![finding], cursor: None });
        world.run(40, report).expect("it waits for an operator");
        let update_id = UpdateId::of(radar_id(6), &Uuid::from_u128(1).to_string());
        let decide = Command::DecideApproval(DecideApproval { update_id, decision: ApprovalDecision::Reject });
        let decided = world.run(30 * DAY + 60, decide).map(drop);
        assert_eq!(decided.is_ok(), period_no == 1, "{decided:?}");
        assert_eq!(world.radar(6).period_no, period_no, "after {waited} s");
    }
}
