//! `GET /v1/account` (Spec 2.6, 4.1; decisions 3.8, 4.3).

use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{advance, push, start};
use crate::support::shapes::{assert_refused, assert_success, keys, prove};
use crate::support::sites::Sites;

/// Noon of the last day of a month.
const START: &str = "2026-01-31T12:00:00Z";
const HOUR: i64 = 60 * 60;
const DAY: i64 = 24 * HOUR;

#[actix_web::test]
async fn spec_4_1_and_spec_2_6_and_decision_3_8_the_account_summary() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["no-jobs.com", "www.no-jobs.com", "late.com", "www.late.com"]);
        sites.put("no-jobs.com/", "text/html", "<html><body>We sell sand.</body></html>");
        for place in ["late.com/", "www.late.com/", "late.com/robots.txt", "www.late.com/robots.txt"] {
            sites.put_status(place, 503);
        }
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", START)];
        let (service, _source) = start(database.url(), &settings, &sites.settings());
        prove!(&service;
            spec_4_1_an_account_without_history_counts_nothing,
            spec_4_1_month_is_a_calendar_month_and_by_default_the_current_one,
            decision_3_8_what_happens_counts_in_its_month_and_what_is_counts_now,
            decision_4_3_expired_money_is_not_in_the_balance,
        );
    })
    .await;
}

async fn spec_4_1_an_account_without_history_counts_nothing(service: &Service) {
    let customer = Customer::create(service).await;
    let answer = customer.api(service).get("/v1/account").await;
    assert_success(&answer, &["data"]);
    let data = &answer.json["data"];
    assert_eq!(keys(data), ["account", "balance_remaining_usd", "usage"]);
    assert_eq!(data["usage"], usage("2026-01", [0, 0, 0, 0], json!(0)));
    assert_eq!(data["account"], totals([0, 0, 0, 0]));
    assert_eq!(data["balance_remaining_usd"], json!(0));
    customer.top_up(service, "first", "12.345678").await;
    assert_eq!(customer.account(service).await["balance_remaining_usd"], json!(12.345678));
}

async fn spec_4_1_month_is_a_calendar_month_and_by_default_the_current_one(service: &Service) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "1").await;
    customer.price(service, "company_reviews", "subscription", "0.1").await;
    create(&customer.api(service), "company_reviews", "month-row.com").await;
    let api = customer.api(service);
    let current = usage("2026-01", [1, 0, 0, 0], json!(0.1));
    for path in ["/v1/account", "/v1/account?", "/v1/account?month=2026-01", "/v1/account?month=2026%2D01"] {
        let answer = api.get(path).await.expect_status(200);
        assert_eq!(answer.json["data"]["usage"], current, "{path}");
    }
    // Before the account existed, and after now, nothing has happened; what is now does not depend on the month.
    for month in ["2025-12", "2026-02", "2025-01", "0001-01", "0000-12", "9999-12"] {
        let answer = api.get(&format!("/v1/account?month={month}")).await.expect_status(200);
        assert_eq!(answer.json["data"]["usage"], usage(month, [0, 0, 0, 0], json!(0)), "{month}");
        assert_eq!(answer.json["data"]["account"], totals([1, 0, 0, 0]), "{month}");
        assert_eq!(answer.json["data"]["balance_remaining_usd"], json!(0.9), "{month}");
    }
    for (query, fields) in [
        ("month=", &["month"][..]),
        ("month", &["month"]),
        ("month=2026-1", &["month"]),
        ("month=2026-00", &["month"]),
        ("month=2026-13", &["month"]),
        ("month=2026-01-31", &["month"]),
        ("month=202601", &["month"]),
        ("month=26-01", &["month"]),
        ("month=-026-01", &["month"]),
        ("month=+026-01", &["month"]),
        ("month=2026-01%20", &["month"]),
        ("month=2026-01,2026-02", &["month"]),
        ("month=January", &["month"]),
        ("month=%D9%A2%D9%A0%D9%A2%D9%A6-01", &["month"]),
        ("month=2026-01&month=2026-01", &["month"]),
        ("months=2026-01", &["months"]),
        ("Month=2026-01", &["Month"]),
        ("month=2026-01&limit=5", &["limit"]),
        ("month=x&limit=5", &["limit", "month"]),
    ] {
        assert_refused(query, &api.get(&format!("/v1/account?{query}")).await, 400, fields);
    }
}

async fn decision_3_8_what_happens_counts_in_its_month_and_what_is_counts_now(service: &Service) {
    let customer = Customer::create(service).await;
    let api = customer.api(service);
    customer.top_up(service, "first", "10").await;
    customer.price(service, "company_reviews", "subscription", "1").await;
    customer.price(service, "company_mentions", "update_based", "0.25").await;
    customer.price(service, "company_job_openings", "subscription", "0.5").await;

    let first = create(&api, "company_reviews", "first.com").await;
    create(&api, "company_reviews", "second.com").await;
    let ended = create(&api, "company_reviews", "third.com").await;
    let mentions = create(&api, "company_mentions", "first.com").await;
    let untraceable = create(&api, "company_job_openings", "no-jobs.com").await;
    for radar_id in [&first, &mentions, &untraceable] {
        customer.settled(service, radar_id).await;
    }
    api.delete(&format!("/v1/radars/{ended}")).await.expect_status(200);
    api.delete(&format!("/v1/radars/{ended}")).await.expect_status(200);
    push(service, &first, "review", &json!({})).await;
    push(service, &first, "review", &json!({})).await;
    push(service, &mentions, "mention", &json!({})).await;
    // The refund of the failed creation is of the same month: nothing of it was used.
    let january = usage("2026-01", [4, 1, 1, 2], json!(3.25));
    assert_eq!(month(&api, "2026-01").await["usage"], january);
    let now = customer.account(service).await;
    assert_eq!(now["account"], totals([3, 1, 1, 2]));
    assert_eq!(now["balance_remaining_usd"], json!(6.75));

    // A second before midnight a radar is created that fails after midnight: January charged it, January gets its
    // charge back and has never activated it, and it became failed in February.
    advance(service, 12 * HOUR - 1).await;
    let late = create(&api, "company_job_openings", "late.com").await;
    assert_eq!(month(&api, "2026-01").await["usage"], usage("2026-01", [5, 1, 1, 2], json!(3.75)));
    advance(service, 1).await;
    push(service, &mentions, "at midnight", &json!({})).await;
    advance(service, DAY + HOUR).await;
    customer.settled(service, &late).await;
    assert_eq!(month(&api, "2026-01").await["usage"], january);
    let february = usage("2026-02", [0, 0, 1, 1], json!(0.25));
    assert_eq!(customer.account(service).await["usage"], february, "the default is the month that it is now");
    assert_eq!(month(&api, "2026-03").await["usage"], usage("2026-03", [0, 0, 0, 0], json!(0)));

    // The renewals of 2 March: the balance covers one of two. The failure that tells of the other is no finding.
    customer.price(service, "company_reviews", "subscription", "4").await;
    advance(service, 30 * DAY - HOUR).await;
    let march = month(&api, "2026-03").await;
    assert_eq!(march["usage"], usage("2026-03", [0, 1, 0, 0], json!(4)));
    assert_eq!(march["account"], totals([2, 2, 2, 3]));
    assert_eq!(march["balance_remaining_usd"], json!(2.5));
    assert_eq!(month(&api, "2026-01").await["usage"], january);
    assert_eq!(month(&api, "2026-02").await["usage"], february);
    let all = customer.updates(service).await;
    assert_eq!(all.len(), 3 + 3, "three findings, two failed set-ups, one renewal without funds");
}

async fn decision_4_3_expired_money_is_not_in_the_balance(service: &Service) {
    let customer = Customer::create(service).await;
    let clock = service.operator().get("/operator/v1/clock").await.expect_status(200);
    let now: chrono::DateTime<chrono::Utc> = clock.text("/data/now").parse().expect("an instant");
    let path = format!("/operator/v1/accounts/{}/top-ups", customer.account_id);
    let expires_at = (now + chrono::Duration::seconds(10)).to_rfc3339();
    let body = json!({"amount_usd": "5", "payment_ref": "short", "expires_at": expires_at});
    service.operator().post(&path, &body).await.expect_status(201);
    customer.top_up(service, "long", "2").await;
    advance(service, 9).await;
    assert_eq!(customer.account(service).await["balance_remaining_usd"], json!(7));
    advance(service, 1).await;
    let expired = customer.account(service).await;
    assert_eq!(expired["balance_remaining_usd"], json!(2));
    assert_eq!(expired["usage"]["balance_used_usd"], json!(0), "what expires is not used");
}

fn usage(month: &str, counts: [i64; 4], used: Value) -> Value {
    let [activated, deactivated, failed, found] = counts;
    json!({
        "month": month,
        "radars_activated": activated,
        "radars_deactivated": deactivated,
        "radars_failed": failed,
        "updates_found": found,
        "balance_used_usd": used,
    })
}

fn totals(counts: [i64; 4]) -> Value {
    let [active, inactive, failed, found] = counts;
    json!({
        "total_radars": active + inactive + failed,
        "active_radars": active,
        "inactive_radars": inactive,
        "failed_radars": failed,
        "total_updates_found": found,
    })
}

async fn month(api: &Client, month: &str) -> Value {
    api.get(&format!("/v1/account?month={month}")).await.expect_status(200).json["data"].clone()
}

async fn create(api: &Client, radar_type: &str, domain: &str) -> String {
    let body = json!({"domain": domain, "radar_type": radar_type});
    api.post("/v1/radars/companies", &body).await.expect_status(201).text("/data/radar_id").to_owned()
}
