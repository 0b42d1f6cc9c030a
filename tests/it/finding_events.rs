//! One event, one finding: what several sources announce is reported and paid for once, on both databases and across
//! restarts (Spec 2.5).

use chrono::{DateTime, Duration, Utc};
use domain::account::{Command, Finding, Origin, Outcome, Report, ReportOutcome};
use domain::content::event::FindingEvent;
use domain::radar_type::RadarType;
use serde_json::{Value, json};
use store::Store;
use uuid::Uuid;

use crate::commit::{commit, connect, create, now, open, radar_id, top_up};
use crate::support::databases::on_both_databases;

const TYPE: RadarType = RadarType::CompanyReviews;

/// A finding of a round, from any source. The radar's type sets the price alone.
fn round(record: u128, content: &Value) -> Finding {
    let content = content.to_string();
    let event = FindingEvent::of(RadarType::IndustryFundingRounds, &content);
    Finding {
        record_id: Uuid::from_u128(record),
        content,
        detected_at: now(),
        origin: Origin::Pushed,
        event,
        provenance: None,
    }
}

async fn report(store: &Store, no: u128, findings: Vec<Finding>, at: DateTime<Utc>) -> ReportOutcome {
    let command = Command::Report(Report { radar_id: radar_id(no), findings, cursor: None });
    match commit(store, vec![command], at).await.remove(0) {
        Ok(Outcome::Reported(outcome)) => outcome,
        other => panic!("{other:?}"),
    }
}

fn counts(outcome: &ReportOutcome) -> (usize, usize, usize) {
    (outcome.published.len(), outcome.held, outcome.duplicates)
}

#[actix_web::test]
async fn an_event_that_several_sources_announce_is_one_finding() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        commit(&store, vec![top_up("a", 500), create(1, TYPE), create(2, TYPE)], now()).await;
        let (bare, named) =
            (json!({"company_name": "Acme"}), json!({"company_name": "ACME, Inc.", "round": "Series A"}));
        let together = report(&store, 1, vec![round(1, &bare), round(2, &named)], now()).await;
        assert_eq!(counts(&together), (1, 0, 1), "of one batch the one that says most");
        assert_eq!(counts(&report(&store, 2, vec![round(1, &bare)], now()).await), (1, 0, 0), "each radar has its own");
        let other_round = json!({"company_name": "Acme", "round": "Series B"});
        let days = |days: i64| now() + Duration::days(days);
        assert_eq!(counts(&report(&store, 1, vec![round(3, &other_round)], days(1)).await), (1, 0, 0));
        drop(store);

        let store = connect(&database).await;
        assert_eq!(counts(&report(&store, 1, vec![round(4, &named)], days(29)).await), (0, 0, 1), "after a restart");
        assert_eq!(counts(&report(&store, 1, vec![round(5, &named)], days(32)).await), (1, 0, 0), "the window is over");
        let summary = store.account_summary(crate::commit::ACCOUNT, "2027-01", days(32)).await.expect("a summary");
        assert_eq!((summary.total_updates_found, summary.balance.micros()), (4, 100), "four findings, four charges");
    })
    .await;
}

#[actix_web::test]
async fn an_event_that_waits_for_money_is_known_all_the_same() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        commit(&store, vec![create(1, TYPE)], now()).await;
        let acme = json!({"company_name": "Acme", "round": "Seed"});
        assert_eq!(counts(&report(&store, 1, vec![round(1, &acme)], now()).await), (0, 1, 0));
        assert_eq!(counts(&report(&store, 1, vec![round(2, &acme)], now()).await), (0, 0, 1));
        commit(&store, vec![top_up("a", 500)], now()).await;
        assert_eq!(counts(&report(&store, 1, vec![round(3, &acme)], now()).await), (0, 0, 1), "released and known");
        let summary = store.account_summary(crate::commit::ACCOUNT, "2027-01", now()).await.expect("a summary");
        assert_eq!((summary.total_updates_found, summary.balance.micros()), (1, 400));
    })
    .await;
}
