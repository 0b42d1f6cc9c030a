//! Credit that has expired does not come back to life by being spent and refunded (decision 4.4).

use proptest::prelude::*;

use super::*;
use crate::money::lots::REFUND_LOT_LIFE;

fn fail(world: &mut World, seconds: i64, no: u128) {
    let outcome = failed(FailureReason::SourceInaccessible);
    world
        .run(seconds, Command::FinishSetUp(FinishSetUp { radar_id: radar_id(no), lease_no: 0, outcome }))
        .expect("settled");
}

/// When the top-up expires that the money of a lot first came from.
fn first_expiry(world: &World, lot: &Lot) -> Option<DateTime<Utc>> {
    let parent = lot.parent_lot_no.map(|parent| world.state.lots.iter().find(|lot| lot.lot_no == parent));
    match parent {
        None => lot.expires_at,
        Some(parent) => first_expiry(world, parent.expect("a parent")),
    }
}

#[test]
fn decision_4_4_a_refund_of_a_refund_counts_from_the_first_expiry() {
    let mut world = World::new();
    world.top_up(0, "a", 100, Some(100));
    world.create(1, 1, JOBS).expect("enough");
    fail(&mut world, 200, 1);
    world.create(300, 2, JOBS).expect("the refund is spent");
    fail(&mut world, 100 + 7 * DAY - 1, 2);
    assert_eq!(world.balance(), 100, "the lot that was refunded into still lives");
    world.create(100 + 7 * DAY - 1, 3, JOBS).expect("spent in its last second");
    fail(&mut world, 100 + 7 * DAY, 3);
    assert_eq!((world.balance(), world.state.lots.len()), (0, 2), "there is no third lot");
    let refund = world.all.last().and_then(|changes| changes.ledger_txs.last()).expect("a refund");
    let entries: Vec<_> = refund.entries.iter().map(|entry| (entry.bucket, entry.amount.micros())).collect();
    assert_eq!((refund.kind, refund.amount.micros()), (TxKind::Refund, 0));
    assert_eq!(entries, [(Bucket::Breakage, 100), (Bucket::RevenueSubscription, -100)]);
}

proptest! {
    #[test]
    fn cycles_of_creation_and_refund_never_extend_credit(
        steps in proptest::collection::vec((0..4 * DAY, 0..4usize, 0..20 * DAY), 1..40),
    ) {
        let mut world = World::new();
        let (mut now, mut created, mut pending) = (0, 0, Vec::new());
        for (after, step, expires_after) in steps {
            now += after;
            match step {
                0 => world.top_up(now, &now.to_string(), 150, Some(now + expires_after)),
                1 | 2 => {
                    created += 1;
                    if world.create(now, created, JOBS).is_ok() {
                        pending.push(created);
                    }
                }
                _ => pending.drain(..).for_each(|no| fail(&mut world, now, no)),
            }
            for lot in world.state.lots.iter().filter(|lot| lot.kind == LotKind::Refund) {
                let latest = first_expiry(&world, lot).map(|expired_at| expired_at + REFUND_LOT_LIFE);
                prop_assert!(lot.expires_at <= latest, "{lot:?}");
            }
        }
        let end = now + 27 * DAY;
        pending.into_iter().for_each(|no| fail(&mut world, end, no));
        world.run(end, Command::SettleDue(SettleDue { radar_id: None })).expect("settled");
        prop_assert_eq!(world.balance(), 0, "all of it has expired");
    }
}
