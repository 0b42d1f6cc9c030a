//! Which commands and settlements go into the next transaction.

use super::pace::RENEWALS_MAX;
use super::pace::{QUIET_AFTER, RENEWALS_BESIDE, SETTLEMENTS_MAX, SETTLEMENTS_MIN};
use super::{Group, MaySettle, Queue, Quiet, SETTLEMENTS_BESIDE, WEIGHT_MAX};
use crate::ids::AccountId;
use uuid::Uuid;

fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number))
}

fn queue(commands: &[(u128, usize, &'static str)]) -> Queue<&'static str, &'static str> {
    let mut queue = Queue::default();
    for &(number, weight, waiter) in commands {
        queue.push(account(number), weight, waiter);
    }
    queue
}

fn commands(group: Option<Group<&'static str>>) -> Vec<&'static str> {
    group.map(|group| group.commands).unwrap_or_default()
}

#[test]
fn a_group_is_bounded_and_keeps_the_order_of_each_account() {
    let half = WEIGHT_MAX / 2;
    let mut shared = queue(&[(1, half, "a"), (1, 1, "b"), (2, 1, "c"), (1, 1, "d")]);
    assert_eq!(commands(shared.take(MaySettle::Many)), ["a", "c"], "one account fills no more than half");
    assert_eq!(commands(shared.take(MaySettle::Many)), ["b", "d"]);

    let mut alone = queue(&[(1, WEIGHT_MAX, "a"), (1, 1, "b")]);
    assert_eq!(commands(alone.take(MaySettle::Many)), ["a"], "alone it may fill it");

    let mut large = queue(&[(1, WEIGHT_MAX * 2, "a"), (2, 1, "b")]);
    assert_eq!(commands(large.take(MaySettle::Many)), ["a"], "what is too large goes alone");
    assert_eq!(commands(large.take(MaySettle::Many)), ["b"]);
    assert!(large.take(MaySettle::Many).is_none());
}

#[test]
fn settlements_of_an_account_are_one_and_repeated_while_more_is_due() {
    let mut queue: Queue<&str, &str> = Queue::default();
    for waiter in [Some("a"), None, Some("b")] {
        queue.settle_due(account(1), waiter);
    }
    assert_eq!(queue.take(MaySettle::Many).expect("a group").settlements, [account(1)]);
    assert!(queue.settle(account(1), true).is_empty(), "nobody hears before all is decided");
    queue.settle_due(account(1), Some("c"));
    assert_eq!(queue.take(MaySettle::Many).expect("a group").settlements, [account(1)]);
    queue.settle_due(account(1), Some("d"));
    assert!(queue.take(MaySettle::Many).is_none(), "it is under way");
    assert_eq!(queue.settle(account(1), false), ["a", "b", "c"]);
    assert_eq!(
        queue.take(MaySettle::Many).expect("a group").settlements,
        [account(1)],
        "what became due meanwhile is another settlement"
    );
    assert_eq!(queue.settle(account(1), false), ["d"]);
    assert!(queue.take(MaySettle::Many).is_none());
}

#[test]
fn commands_go_first_and_settlements_get_a_share() {
    let mut queue = queue(&[]);
    for number in 1..=100 {
        queue.settle_due(account(number), None);
    }
    let quiet = queue.take(MaySettle::Many).expect("a group");
    assert_eq!(quiet.settlements.len(), SETTLEMENTS_MIN);
    queue.push(account(500), 1, "a");
    let first = queue.take(MaySettle::Many).expect("a group");
    assert_eq!((first.commands.len(), first.settlements.len()), (1, 0), "a command does not wait for renewals");
    queue.push(account(500), 1, "b");
    let second = queue.take(MaySettle::Many).expect("a group");
    assert_eq!((second.commands.len(), second.settlements.len()), (1, SETTLEMENTS_BESIDE), "nor they for ever");
    assert!(queue.take(MaySettle::Not).is_none(), "another partition settles");
    assert_eq!(queue.take(MaySettle::Many).expect("a group").settlements.len(), SETTLEMENTS_MIN);
}

#[test]
fn renewals_are_decided_by_the_hundred_where_nobody_waits() {
    let mut quiet = Quiet::default();
    assert_eq!((quiet.note(false), quiet.note(true)), (RENEWALS_MAX, RENEWALS_BESIDE));
    for _ in 0..QUIET_AFTER {
        assert_eq!(quiet.note(false), RENEWALS_BESIDE, "another command may come at any moment");
    }
    assert_eq!(quiet.note(false), RENEWALS_MAX);
}

#[test]
fn the_less_each_account_has_due_the_more_of_them_are_settled_together() {
    let mut queue: Queue<&str, &str> = Queue::default();
    for number in 1..=2_000 {
        queue.settle_due(account(number), None);
    }
    let mut take = |has_more: bool| {
        let settlements = queue.take(MaySettle::Many).expect("a group").settlements;
        let count = settlements.len();
        for account_id in settlements {
            queue.settle(account_id, has_more);
        }
        count
    };
    let widening = [SETTLEMENTS_MIN, 8, 16, 32, 64, 128, SETTLEMENTS_MAX, SETTLEMENTS_MAX];
    assert_eq!(widening.map(|_| take(false)), widening);
    let narrowing = [SETTLEMENTS_MAX, 128, 64, 32, 16, 8, SETTLEMENTS_MIN, SETTLEMENTS_MIN];
    assert_eq!(narrowing.map(|_| take(true)), narrowing);
}

#[test]
fn while_commands_come_in_a_transaction_settles_few_accounts_however_little_each_has_due() {
    let mut queue: Queue<&str, &str> = Queue::default();
    for number in 1..=500 {
        queue.settle_due(account(number), None);
    }
    for _ in 0..50 {
        let settlements = queue.take(MaySettle::Few).expect("a group").settlements;
        assert_eq!(settlements.len(), SETTLEMENTS_BESIDE);
        for account_id in settlements {
            queue.settle(account_id, false);
        }
    }
}

#[test]
fn decision_4_9_commands_that_are_behind_wait_for_their_account_in_order() {
    let mut queue = queue(&[(1, 1, "a"), (1, 1, "b"), (2, 1, "x")]);
    assert_eq!(commands(queue.take(MaySettle::Many)), ["a", "b", "x"]);
    queue.push(account(1), 1, "c");
    queue.put_blocked([(account(1), 1, "a"), (account(1), 1, "b")]);
    queue.push(account(2), 1, "y");
    queue.push(account(1), 1, "d");
    assert_eq!(queue.len(), (5, 1));
    let group = queue.take(MaySettle::Many).expect("a group");
    assert_eq!((group.commands, group.settlements), (vec!["y"], vec![account(1)]), "others go on");
    queue.settle(account(1), true);
    assert!(queue.take(MaySettle::Many).expect("a group").commands.is_empty());
    queue.settle(account(1), false);
    queue.push(account(1), 1, "e");
    assert_eq!(commands(queue.take(MaySettle::Many)), ["a", "b", "c", "d", "e"]);
}

#[test]
fn a_stop_waits_for_commands_alone() {
    let mut queue: Queue<&str, &str> = Queue::default();
    queue.settle_due(account(1), Some("a"));
    queue.put_blocked([(account(2), 1, "b")]);
    queue.forget_settlements();
    assert_eq!(queue.len(), (1, 1));
    assert_eq!(queue.take(MaySettle::Many).expect("a group").settlements, [account(2)]);
    queue.push(account(3), 1, "c");
    queue.settle_due(account(3), Some("d"));
    assert_eq!(queue.clear(), (vec!["c", "b"], vec!["d"]));
    assert_eq!(queue.len(), (0, 0));
}
