//! What a watched stranger shows is not what a customer pays for: the bound of a radar's day (decision 4.14).

use chrono::{DateTime, Duration, Utc};
use domain::account::{
    Command, Deactivate, Finding, Origin, Outcome, Release, Released, Report, ReportOutcome, SettleDue,
};
use domain::money::MicroUsd;
use domain::money::pricing::Price;
use domain::radar::{GracePeriod, PricingModel};
use domain::radar_type::RadarType;
use serde_json::{Value, json};
use store::{OwnPrice, Store};
use uuid::Uuid;

use crate::commit::{ACCOUNT, commit, create, now, open, radar_id, top_up};
use crate::support::customer::{Customer, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::advance;
use crate::support::receiver::Receiver;
use crate::support::sites::{Job, Sites};

const HOUR: i64 = 60 * 60;

fn jobs(last: u64) -> Vec<Job> {
    (1..=last).map(|id| Job::new(id, &format!("Job {id}"))).collect()
}

async fn set_bound(service: &Service, customer: &Customer, findings_per_day: u32) {
    let path = format!("/operator/v1/accounts/{}/prices/company_job_openings", customer.account_id);
    let price = json!({"model": "update_based", "rate_usd": "1", "findings_per_day": findings_per_day});
    let set = service.operator().put(&path, &price).await.expect_status(200);
    assert_eq!(set.json["data"]["findings_per_day"], findings_per_day);
}

/// A radar that is set up and whose site has shown nothing new yet.
async fn watch(service: &Service, customer: &Customer, domain: &str) -> String {
    let wanted = json!({"domain": domain, "radar_type": "company_job_openings"});
    let created = customer.api(service).post("/v1/radars/companies", &wanted).await.expect_status(201);
    advance(service, 1).await;
    let radar_id = created.text("/data/radar_id").to_owned();
    customer.settled(service, &radar_id).await;
    radar_id
}

async fn titles(service: &Service, customer: &Customer, radar_id: &str) -> Vec<String> {
    let updates = customer.updates(service).await;
    let updates = updates.iter().map(|update| parse(update)).filter(|update| update["data"]["radar_id"] == radar_id);
    updates.map(|update| update["content"]["job_title"].as_str().expect("a title").to_owned()).collect()
}

/// Charged in this day, held beyond it, and whether the radar reads no further.
async fn bound(service: &Service, customer: &Customer, radar_id: &str) -> (Value, Value, bool) {
    let health = customer.api(service).get(&format!("/v1/radars/{radar_id}/health")).await.expect_status(200);
    let shown = &health.json["data"]["daily_bound"];
    let seen = service.operator().get(&format!("/operator/v1/radars/{radar_id}")).await.expect_status(200);
    assert_eq!(seen.json["data"]["daily_bound"], *shown, "operators see the same");
    (shown["charged_findings"].clone(), shown["held_findings"].clone(), shown["full_since"].is_string())
}

async fn next_alert(receiver: &mut Receiver) -> Value {
    parse(text(&receiver.next().await.body))
}

#[actix_web::test]
async fn decision_4_14_a_flood_is_charged_as_far_as_the_bound_of_each_day_and_nothing_is_lost() {
    on_both_databases(|database| async move {
        let hosts = ["acme.com", "globex.com", "boards-api.greenhouse.io", "boards.greenhouse.io"];
        let sites = Sites::start(&hosts);
        sites.put_greenhouse_company("acme.com", "acme", &jobs(1));
        sites.put_greenhouse_company("globex.com", "globex", &jobs(1));
        let mut receiver = Receiver::start();
        let clock = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
        let settings = [&clock[..], &[("SOURCES__POLL_INTERVAL", "10m")]].concat();
        let mut service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "100").await;
        let alerts = format!("/operator/v1/accounts/{}/balance-alerts", customer.account_id);
        let receiving = json!({"webhook_url": receiver.url("/alerts"), "thresholds_usd": ["1"]});
        service.operator().put(&alerts, &receiving).await.expect_status(200);
        set_bound(&service, &customer, 3).await;
        let (flooded, calm) =
            (watch(&service, &customer, "acme.com").await, watch(&service, &customer, "globex.com").await);
        let wanted = json!({"domain": "acme.com", "radar_type": "company_job_openings"});
        let preview = customer.api(&service).post("/v1/radars/preview", &wanted).await.expect_status(200);
        assert_eq!(preview.json["data"]["price"]["findings_per_day"], 3);

        sites.put_board("acme", &jobs(9));
        sites.put_board("globex", &jobs(3));
        advance(&service, HOUR).await;
        assert_eq!(titles(&service, &customer, &flooded).await, ["Job 2", "Job 3", "Job 4"]);
        assert_eq!(titles(&service, &customer, &calm).await, ["Job 2", "Job 3"], "another radar of the type");
        assert_eq!(bound(&service, &customer, &flooded).await, (json!(3), json!(5), true));
        assert_eq!(bound(&service, &customer, &calm).await, (json!(2), json!(0), false));
        let radar = customer.api(&service).get(&format!("/v1/radars/{flooded}")).await.expect_status(200);
        assert!(radar.json["data"].get("paused_since").is_none(), "{}", radar.json);
        let alert = next_alert(&mut receiver).await;
        assert_eq!((&alert["alert_type"], &alert["radar_id"]), (&json!("daily_bound_exceeded"), &json!(flooded)));
        assert_eq!((&alert["findings_per_day"], &alert["radar_type"]), (&json!(3), &json!("company_job_openings")));
        let metrics = service.operator().get("/metrics").await.expect_status(200);
        assert!(text(&metrics.bytes).contains("radar_findings_beyond_bound_total 5"));

        // What it shows meanwhile is read another day.
        sites.put_board("acme", &jobs(10));
        advance(&service, HOUR).await;
        assert_eq!(bound(&service, &customer, &flooded).await, (json!(3), json!(5), true));
        service.assert_ledger_adds_up();
        service.terminate();
        service.restart();
        advance(&service, 24 * HOUR).await;
        let expected = ["Job 2", "Job 3", "Job 4", "Job 5", "Job 6", "Job 7"];
        assert_eq!(titles(&service, &customer, &flooded).await, expected);
        assert_eq!(bound(&service, &customer, &flooded).await, (json!(3), json!(3), true), "one more was read");
        assert_eq!(titles(&service, &customer, &calm).await.len(), 2);
        let next = next_alert(&mut receiver).await;
        assert_eq!(next["radar_id"], json!(flooded), "one for each day");
        assert_ne!(next["alert_id"], alert["alert_id"]);

        let path = format!("/operator/v1/radars/{flooded}/release");
        let released = service.operator().post(&path, &json!({})).await.expect_status(200);
        assert_eq!((&released.json["data"]["released"], &released.json["data"]["held"]), (&json!(3), &json!(0)));
        let again = service.operator().post(&path, &json!({})).await.expect_status(200);
        assert_eq!(again.json["data"]["released"], 0);
        let found = titles(&service, &customer, &flooded).await;
        assert_eq!(found[6..], ["Job 8", "Job 9", "Job 10"]);
        assert_eq!(bound(&service, &customer, &flooded).await, (json!(6), json!(0), false));
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(100 - 9 - 2));
        let unknown = "/operator/v1/radars/0198c0de-0000-7000-8000-000000000000/release";
        service.operator().post(unknown, &json!({})).await.expect_status(404);
        service.assert_ledger_adds_up();
    })
    .await;
}

pub async fn bound_by(store: &Store, findings_per_day: u32, at: DateTime<Utc>) {
    priced_at(store, 1, findings_per_day, at).await;
}

async fn priced_at(store: &Store, micros: i64, findings_per_day: u32, at: DateTime<Utc>) {
    let (model, rate, grace_period) = (PricingModel::UpdateBased, MicroUsd::from_micros(micros), GracePeriod::None);
    let price = Price { model, rate, grace_period, findings_per_day };
    let own = OwnPrice {
        radar_type: RadarType::CompanyReviews,
        effective_from: at,
        price,
        own_bound: Some(findings_per_day),
    };
    store.set_price(ACCOUNT, own, at).await.expect("a price");
}

async fn find(store: &Store, no: u128, count: u128) -> ReportOutcome {
    find_at(store, no, count, now()).await
}

pub async fn find_at(store: &Store, no: u128, count: u128, at: DateTime<Utc>) -> ReportOutcome {
    let finding = |number| Finding {
        record_id: Uuid::from_u128(no * 10_000 + number),
        content: "{}".into(),
        detected_at: now(),
        origin: Origin::Web,
        event: None,
        provenance: None,
    };
    let report = Report { radar_id: radar_id(no), findings: (0..count).map(finding).collect(), cursor: None };
    match commit(store, vec![Command::Report(report)], at).await.remove(0) {
        Ok(Outcome::Reported(outcome)) => outcome,
        other => panic!("{other:?}"),
    }
}

/// Settles in as many transactions as it takes; answers how many findings each of them charged.
async fn settle(store: &Store, at: DateTime<Utc>) -> Vec<i64> {
    let mut charged = Vec::new();
    loop {
        let before = store.account_summary(ACCOUNT, "", at).await.expect("a summary").total_updates_found;
        let settled = commit(store, vec![Command::SettleDue(SettleDue::default())], at).await.remove(0);
        let after = store.account_summary(ACCOUNT, "", at).await.expect("a summary").total_updates_found;
        charged.push(after - before);
        match settled {
            Ok(Outcome::Settled(settled)) if settled.has_more => assert!(charged.len() < 20, "it never ends"),
            Ok(Outcome::Settled(_)) => return charged,
            other => panic!("{other:?}"),
        }
    }
}

async fn held(store: &Store, no: u128) -> i64 {
    store.radar(ACCOUNT, radar_id(no)).await.expect("an answer").expect("a radar").0.daily.held
}

#[actix_web::test]
async fn a_flooded_radar_keeps_no_other_waiting_and_is_released_in_as_many_transactions_as_it_takes() {
    on_both_databases(|database| async move {
        const CALM: std::ops::RangeInclusive<u128> = 2..=41;
        let store = open(&database).await;
        bound_by(&store, 1, now()).await;
        let radars = (1..=41).map(|no| create(no, RadarType::CompanyReviews));
        commit(&store, [top_up("a", 1_000_000)].into_iter().chain(radars).collect(), now()).await;
        assert_eq!(find(&store, 1, 1_000).await.held, 999);
        for no in CALM {
            assert_eq!(find(&store, no, 3).await.held, 2);
        }

        let next_day = now() + Duration::days(1);
        assert!(settle(&store, next_day - Duration::microseconds(1)).await == [0], "the day is not over");
        assert_eq!(settle(&store, next_day).await, [32, 9], "one for each radar, those that wait longest first");
        bound_by(&store, 500, next_day).await;
        let third_day = next_day + Duration::days(1);
        let charged = settle(&store, third_day).await;
        assert!(charged[..2].iter().sum::<i64>() < 150, "the others wait for no flood: {charged:?}");
        assert_eq!(charged.iter().sum::<i64>(), 500 + 40, "{charged:?}");
        for no in CALM {
            assert_eq!(held(&store, no).await, 0, "{no}");
        }
        assert_eq!(held(&store, 1).await, 498);

        let mut released = Vec::new();
        loop {
            let release = Command::Release(Release { radar_id: radar_id(1) });
            match commit(&store, vec![release], third_day).await.remove(0) {
                Ok(Outcome::Released(Released { released: some, held, has_more })) => {
                    released.push((some, held));
                    if !has_more {
                        break;
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(released, [(256, 242), (242, 0)]);
        assert_eq!(settle(&store, third_day + Duration::days(1)).await, [0]);
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_pause_whose_type_holds_findings_beyond_the_bound_alone_ends_with_a_lower_price() {
    on_both_databases(|database| async move {
        let store = open(&database).await;
        bound_by(&store, 1, now()).await;
        let radars = (1..=3).map(|no| create(no, RadarType::CompanyReviews));
        commit(&store, [top_up("a", 10)].into_iter().chain(radars).collect(), now()).await;
        assert_eq!(find(&store, 1, 3).await.held, 2, "beyond the bound");
        priced_at(&store, 1_000, 1, now()).await;
        assert_eq!(find(&store, 2, 1).await.held, 1, "for money");
        commit(&store, vec![Command::Deactivate(Deactivate { radar_id: radar_id(2) })], now()).await;
        assert_eq!(settle(&store, now()).await, [0], "what an ended radar holds is given up");
        priced_at(&store, 1, 1, now()).await;
        assert_eq!(store.all_accounts_with_due_work(now(), 10).await.expect("a look"), [ACCOUNT]);
        settle(&store, now()).await;
        assert_eq!(find(&store, 3, 1).await.published.len(), 1, "the type is not paused any more");
        store.close().await;
    })
    .await;
}

#[actix_web::test]
async fn a_price_of_an_account_that_says_no_bound_has_the_configured_one() {
    on_both_databases(|database| async move {
        let configured = "BILLING__PRICES__COMPANY_JOB_OPENINGS__FINDINGS_PER_DAY";
        let service = Service::start(database.url(), &[(configured, "7")]);
        let customer = Customer::create(&service).await;
        let prices = format!("/operator/v1/accounts/{}/prices", customer.account_id);
        let price = json!({"model": "update_based", "rate_usd": "1"});
        let set = service.operator().put(&format!("{prices}/company_job_openings"), &price).await.expect_status(200);
        assert_eq!(set.json["data"]["findings_per_day"], 7);
        let listed = service.operator().get(&prices).await.expect_status(200);
        assert_eq!(listed.json["data"][0]["findings_per_day"], 7, "{}", listed.json);
    })
    .await;
}
