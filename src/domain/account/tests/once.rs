//! Creations under a key (decision 2.9).

use super::*;
use crate::idempotency_key::{IdempotencyKey, KEPT_FOR, KeyedRequest};

/// Asks for radars of these numbers under a key.
fn once(key: &str, numbers: &[u128]) -> CreateOnce {
    let key = IdempotencyKey::read([key.as_bytes()]).expect("a key").expect("one");
    let creation = |&no: &u128| {
        let target = Target::Company { domain: DomainName::from_stored(format!("{no}.example")) };
        let wanted = NewRadar {
            radar_type: JOBS,
            target,
            filter: Filter::Everything,
            webhook_url: None,
            webhook_format: None,
            custom_fields: BTreeMap::new(),
        };
        // Each try comes with an identifier of its own.
        Creation { radar_id: RadarId(Uuid::new_v4()), wanted, needs_set_up: true }
    };
    let request = KeyedRequest::new(&key, "/", format!("{numbers:?}").as_bytes());
    let creations: Vec<Creation> = numbers.iter().map(creation).collect();
    let render = RenderAnswer::new(|decisions, now| Some(answer(decisions.len(), now)));
    CreateOnce { request, creations, render }
}

/// The answer to a request for so many radars at `now`.
fn answer(count: usize, now: DateTime<Utc>) -> KeptAnswer {
    KeptAnswer { status: 201, body: format!("{count} at {now}") }
}

fn ask(world: &mut World, seconds: i64, once: CreateOnce) -> Result<Outcome, CommandRejection> {
    world.run(seconds, Command::CreateOnce(Box::new(once)))
}

#[track_caller]
fn fresh(outcome: Result<Outcome, CommandRejection>) -> Vec<Decision<Created>> {
    match outcome {
        Ok(Outcome::CreatedOnce(CreatedOnce::New { decisions, answer })) => {
            assert_eq!(
                answer.is_some(),
                decisions.iter().any(Result::is_ok),
                "an answer is kept where a radar was created"
            );
            decisions
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_answered_before(outcome: Result<Outcome, CommandRejection>, expected: &KeptAnswer) {
    match outcome {
        Ok(Outcome::CreatedOnce(CreatedOnce::AnsweredBefore(answer))) => assert_eq!(answer, *expected),
        other => panic!("{other:?}"),
    }
}

const LAST_SECOND: i64 = KEPT_FOR.num_seconds() - 1;

#[test]
fn decision_2_9_the_same_request_is_answered_alike_and_charged_once() {
    let mut world = World::new();
    world.top_up(0, "a", 1_000, None);
    fresh(ask(&mut world, 1, once("k", &[1, 2])));
    let used = world.all.last().expect("changes").used_keys.values().next().expect("a key").used_at;
    assert_eq!((world.balance(), used), (800, at(1)));
    for seconds in [1, 2, 1 + LAST_SECOND] {
        assert_answered_before(ask(&mut world, seconds, once("k", &[1, 2])), &answer(2, at(1)));
        let changes = world.all.last().expect("changes");
        assert!(changes.used_keys.is_empty() && changes.radars.is_empty() && changes.ledger_txs.is_empty());
    }
    assert_eq!((world.balance(), world.state.radars.len()), (800, 2));
}

#[test]
fn decision_2_9_another_request_under_the_key_is_refused() {
    let mut world = World::new();
    world.top_up(0, "a", 1_000, None);
    fresh(ask(&mut world, 1, once("k", &[1])));
    let refused = ask(&mut world, 2, once("k", &[2]));
    assert!(matches!(refused, Err(CommandRejection::IdempotencyKeyReused)), "{refused:?}");
    assert_eq!(world.balance(), 900);
    fresh(ask(&mut world, 3, once("other", &[2])));
    assert_eq!(world.balance(), 800);
}

#[test]
fn decision_2_9_a_key_is_forgotten_24_hours_after_its_first_use() {
    let mut world = World::new();
    world.top_up(0, "a", 1_000, None);
    fresh(ask(&mut world, 0, once("k", &[1])));
    assert_answered_before(ask(&mut world, LAST_SECOND, once("k", &[1])), &answer(1, at(0)));
    let decisions = fresh(ask(&mut world, LAST_SECOND + 1, once("k", &[1])));
    assert!(matches!(decisions[..], [Err(CommandRejection::Duplicate { .. })]), "{decisions:?}");
    assert!(world.all.last().expect("changes").used_keys.is_empty());
    fresh(ask(&mut world, LAST_SECOND + 1, once("k", &[2])));
    assert_answered_before(ask(&mut world, 2 * LAST_SECOND, once("k", &[2])), &answer(1, at(LAST_SECOND + 1)));
    assert_eq!(world.balance(), 800);
}

#[test]
fn decision_2_9_what_created_nothing_leaves_the_key_free() {
    let mut world = World::new();
    let decisions = fresh(ask(&mut world, 0, once("k", &[1])));
    assert!(matches!(decisions[..], [Err(CommandRejection::InsufficientBalance)]), "{decisions:?}");
    world.top_up(1, "a", 100, None);
    // A mended request may take the key as well; here two are wanted where the balance covers one.
    let decisions = fresh(ask(&mut world, 2, once("k", &[1, 2])));
    assert!(matches!(decisions[..], [Ok(_), Err(CommandRejection::InsufficientBalance)]), "{decisions:?}");
    world.top_up(3, "b", 100, None);
    assert_answered_before(ask(&mut world, 4, once("k", &[1, 2])), &answer(2, at(2)));
    assert_eq!(world.balance(), 100, "what failed the first time is not made up for");
}

#[test]
fn decision_2_9_requests_in_one_transaction_see_each_other() {
    let mut world = World::new();
    world.top_up(0, "a", 1_000, None);
    let mut account = Account::open(world.state.clone(), at(1), |_| String::new(), Settings::default());
    fresh(account.apply(&Command::CreateOnce(Box::new(once("k", &[1])))));
    assert_answered_before(account.apply(&Command::CreateOnce(Box::new(once("k", &[1])))), &answer(1, at(1)));
    assert!(matches!(
        account.apply(&Command::CreateOnce(Box::new(once("k", &[2])))),
        Err(CommandRejection::IdempotencyKeyReused)
    ));
    let (account, changes) = account.close();
    assert_eq!((account.balance.micros(), changes.radars.len(), changes.used_keys.len()), (900, 1, 1));
}

#[test]
fn decision_1_2_a_radar_of_a_paused_type_starts_paused() {
    let mut world = World::new();
    let since = at(-5);
    world.top_up(0, "a", 100, None);
    for (no, radar_type, expected) in [(1, REVIEWS, Some(since)), (2, JOBS, None)] {
        world.state.pauses.insert(radar_type, Pause { since, rate: MicroUsd::from_micros(10) });
        match world.create(1, no, radar_type) {
            Ok(Outcome::Created(Created { paused_since, .. })) => assert_eq!(paused_since, expected, "{radar_type}"),
            other => panic!("{other:?}"),
        }
    }
}
