//! One event, one finding.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{DAY, World, at, radar_id};
use crate::account::{Command, Finding, Origin, Outcome, Report, ReportOutcome};
use crate::content::event::FindingEvent;
use crate::radar_type::RadarType;

const REVIEWS: RadarType = RadarType::CompanyReviews;

fn report(world: &mut World, seconds: i64, findings: &[(u128, Value)]) -> ReportOutcome {
    let findings = findings.iter().map(|(record, content)| Finding {
        record_id: Uuid::from_u128(*record),
        content: content.to_string(),
        detected_at: at(seconds),
        origin: Origin::Pushed,
        event: FindingEvent::of(RadarType::IndustryFundingRounds, &content.to_string()),
        provenance: None,
    });
    let findings = findings.collect();
    match world.run(seconds, Command::Report(Report { radar_id: radar_id(1), findings, cursor: None })) {
        Ok(Outcome::Reported(outcome)) => outcome,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_that_is_published_stands_and_of_one_batch_the_one_that_says_most() {
    let mut world = World::new();
    world.top_up(0, "a", 1_000, None);
    world.create(0, 1, REVIEWS).expect("free");
    let (bare, full) = (json!({"company_name": "Acme"}), json!({"company_name": "Acme", "round": "Seed", "amount": 5}));
    let outcome = report(&mut world, 1, &[(1, bare.clone()), (2, full.clone()), (3, full.clone())]);
    assert_eq!((outcome.published.len(), outcome.duplicates), (1, 2));
    assert_eq!(world.updates().len(), 1);
    let balance = world.balance();
    let later = report(&mut world, 2, &[(4, full), (5, bare)]);
    assert_eq!((later.published.len(), later.duplicates, world.balance()), (0, 2, balance), "later ones cost nothing");
    let other = report(&mut world, 3, &[(6, json!({"company_name": "Acme", "round": "Series A"}))]);
    assert_eq!(other.published.len(), 1, "another round");
    assert_eq!(report(&mut world, 4, &[(7, json!({})), (8, json!({}))]).published.len(), 2, "no event");
}

#[test]
fn what_was_reported_long_ago_takes_no_new_finding_away() {
    let mut world = World::new();
    world.top_up(0, "a", 1_000, None);
    world.create(0, 1, REVIEWS).expect("free");
    let (bare, full) = (json!({"company_name": "Acme"}), json!({"company_name": "Acme", "round": "Seed", "amount": 5}));
    assert_eq!(report(&mut world, 1, &[(1, full.clone())]).published.len(), 1);
    // The window has passed, and the provider hands the old finding in again.
    world.state.events.clear();
    let outcome = report(&mut world, 31 * DAY, &[(1, full), (2, bare)]);
    assert_eq!((outcome.published.len(), outcome.duplicates), (1, 1));
}
