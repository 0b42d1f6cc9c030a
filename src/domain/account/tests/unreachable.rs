//! A radar whose sources do not answer is ended, and its current period given back (decision 4.11).

use super::*;
use crate::account::EndUnreachable;

fn end(world: &mut World, seconds: i64, no: u128, period_no: i64) -> bool {
    let command = EndUnreachable { radar_id: radar_id(no), period_no };
    match world.run(seconds, Command::EndUnreachable(command)) {
        Ok(Outcome::UnreachableEnded(has_ended)) => has_ended,
        other => panic!("{other:?}"),
    }
}

#[test]
fn decision_4_11_the_current_period_is_given_back_once() {
    let mut world = World::new();
    world.top_up(0, "a", 300, None);
    world.set_up(0, 1, JOBS);
    world.run(30 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("renewed");
    assert_eq!(world.balance(), 100);
    assert!(end(&mut world, 37 * DAY, 1, 1));
    assert_eq!(world.balance(), 200, "the first period was served");
    let radar = world.radar(1);
    assert_eq!((radar.status, radar.status_reason), (Status::Inactive, Some(StatusReason::SystemDeactivated)));
    assert_eq!((radar.set_up, radar.next_charge_at), (SetUp::Ready, None));
    assert_eq!(world.updates().len(), 1);
    let months: Vec<i64> = world.all.last().expect("changes").usage.values().map(|usage| usage.used_micros).collect();
    assert_eq!(months.iter().sum::<i64>(), -100, "in the month of its charge");
    assert!(!end(&mut world, 38 * DAY, 1, 1));
    assert_eq!((world.balance(), world.updates().len()), (200, 1));
}

#[test]
fn decision_4_11_a_period_that_began_meanwhile_is_looked_at_anew() {
    let mut world = World::new();
    world.top_up(0, "a", 300, None);
    world.set_up(0, 1, JOBS);
    world.run(30 * DAY, Command::SettleDue(SettleDue { radar_id: None })).expect("renewed");
    assert!(!end(&mut world, 31 * DAY, 1, 0));
    assert_eq!((world.balance(), world.radar(1).status), (100, Status::Active));
}

#[test]
fn decision_4_11_what_pays_per_finding_is_ended_without_a_refund() {
    let mut world = World::new();
    world.top_up(0, "a", 300, None);
    world.set_up(0, 1, REVIEWS);
    assert!(end(&mut world, 8 * DAY, 1, 0));
    assert_eq!((world.balance(), world.updates().len()), (300, 1));
}

#[test]
fn decision_4_12_a_stopped_account_is_not_polled_and_its_radars_wait() {
    let mut world = World::new();
    world.top_up(0, "a", 300, None);
    world.set_up(0, 1, JOBS);
    world.run(1, Command::SetStatus(SetStatus { status: AccountStatus::Inactive })).expect("stopped");
    assert!(!end(&mut world, 8 * DAY, 1, 0));
    assert_eq!(world.radar(1).status, Status::Active);
}
