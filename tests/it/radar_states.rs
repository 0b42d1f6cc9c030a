//! The table of states, transition by transition, on a clock that the test moves (Spec 2.5, 3, 6.1; decisions 1.1, 1.2,
//! 1.10, 4.5, 4.6, 4.8). Set-up that fails is in `failed_set_up`, the release of what is held in `pause`.

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::stage::{Stage, rows};

const COMPANIES: &str = "/v1/radars/companies";
const DAY: i64 = 24 * 60 * 60;

rows! { spec_3: &[("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-01-01T00:00:00Z")];
    spec_3_creation_charges_and_sets_the_next_charge,
    spec_3_delete_ends_a_radar_for_good,
    spec_3_a_renewal_that_is_covered_charges_and_advances,
    spec_3_a_renewal_that_is_not_covered_ends_the_radar,
    spec_3_a_finding_that_cannot_be_charged_pauses_all_radars_of_the_type,
    spec_2_5_findings_are_charged_one_by_one,
    spec_2_5_top_ups_that_expire_take_what_is_left_of_them,
    decision_4_6_renewals_are_decided_one_by_one,
}

async fn customer_with(stage: &Stage, amount_usd: &str) -> Customer {
    let customer = Customer::create(&stage.service).await;
    customer.price(&stage.service, "company_reviews", "subscription", "1").await;
    customer.price(&stage.service, "company_mentions", "update_based", "0.5").await;
    customer.top_up(&stage.service, "first", amount_usd).await;
    customer
}

fn reviews(domain: &str) -> Value {
    json!({"domain": domain, "radar_type": "company_reviews"})
}

fn mentions(domain: &str) -> Value {
    json!({"domain": domain, "radar_type": "company_mentions"})
}

fn instant(value: &Value) -> chrono::DateTime<chrono::Utc> {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is no instant"))
}

async fn balance(stage: &Stage, customer: &Customer) -> Value {
    customer.account(&stage.service).await["balance_remaining_usd"].clone()
}

async fn failures(stage: &Stage, customer: &Customer) -> Vec<Value> {
    let path = "/v1/updates?update_type=radar_failure";
    let answer = customer.api(&stage.service).get(path).await.expect_status(200);
    answer.json["updates"].as_array().expect("updates").clone()
}

async fn spec_3_creation_charges_and_sets_the_next_charge(stage: &Stage) {
    let customer = customer_with(stage, "1").await;
    let record = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    assert_eq!((&record["radar_status"], &record["deactivated_at"]), (&json!("active"), &json!(null)));
    assert_eq!(instant(&record["next_charge_at"]) - instant(&record["created_at"]), chrono::Duration::days(30));
    assert_eq!(balance(stage, &customer).await, json!(0));
    stage.post(&customer, COMPANIES, &reviews("a.com")).await.expect_status(409);
    stage.post(&customer, COMPANIES, &reviews("b.com")).await.expect_status(402);
    let account = customer.account(&stage.service).await;
    assert_eq!(account["account"]["total_radars"], json!(1), "what is refused leaves no radar");
    assert_eq!(account["account"]["failed_radars"], json!(0));
    assert_eq!(account["usage"]["radars_activated"], json!(1));
    assert!(failures(stage, &customer).await.is_empty(), "and no update");
}

async fn spec_3_delete_ends_a_radar_for_good(stage: &Stage) {
    let customer = customer_with(stage, "10").await;
    let record = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    stage.advance(3 * DAY).await;
    let path = format!("/v1/radars/{}", record["radar_id"].as_str().expect("an id"));
    let ended = customer.api(&stage.service).delete(&path).await.expect_status(200).json["data"].clone();
    assert_eq!((&ended["radar_status"], &ended["next_charge_at"]), (&json!("inactive"), &json!(null)));
    assert_eq!(instant(&ended["deactivated_at"]) - instant(&record["created_at"]), chrono::Duration::days(3));
    assert_eq!(ended["status_reason"], "user_deactivated", "decision 1.1");
    stage.advance(90 * DAY).await;
    let again = customer.api(&stage.service).delete(&path).await.expect_status(200).json["data"].clone();
    assert_eq!(again, ended, "decision 1.10");
    assert_eq!(stage.record(&customer, &record["radar_id"]).await, ended, "the record is kept");
    assert_eq!(balance(stage, &customer).await, json!(9), "no further charge and no refund");
    assert!(failures(stage, &customer).await.is_empty(), "the customer's own wish is no failure");
    let pushed = stage.push(&customer, &record["radar_id"], "1", json!({})).await;
    assert_eq!(pushed.json["data"][0]["outcome"], "dropped", "{}", pushed.json);
    let anew = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    assert_ne!(anew["radar_id"], record["radar_id"], "monitoring resumes only with a new radar");
    let account = customer.account(&stage.service).await;
    assert_eq!((&account["account"]["active_radars"], &account["account"]["inactive_radars"]), (&json!(1), &json!(1)));
}

async fn spec_3_a_renewal_that_is_covered_charges_and_advances(stage: &Stage) {
    let customer = customer_with(stage, "10").await;
    let record = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    let created_at = instant(&record["created_at"]);
    stage.advance(30 * DAY - 1).await;
    assert_eq!(balance(stage, &customer).await, json!(9), "a second before");
    for (period, left) in [(1, 8), (2, 7), (3, 6)] {
        stage.advance(if period == 1 { 1 } else { 30 * DAY }).await;
        let now = stage.record(&customer, &record["radar_id"]).await;
        assert_eq!((&now["radar_status"], balance(stage, &customer).await), (&json!("active"), json!(left)));
        assert_eq!(instant(&now["next_charge_at"]) - created_at, chrono::Duration::days(30 * (period + 1)));
    }
}

async fn spec_3_a_renewal_that_is_not_covered_ends_the_radar(stage: &Stage) {
    let customer = customer_with(stage, "2.5").await;
    let record = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    stage.advance(61 * DAY).await;
    let ended = stage.record(&customer, &record["radar_id"]).await;
    assert_eq!((&ended["radar_status"], &ended["status_reason"]), (&json!("inactive"), &json!("insufficient_funds")));
    assert_eq!(ended["next_charge_at"], json!(null));
    assert!(instant(&ended["deactivated_at"]) - instant(&record["created_at"]) >= chrono::Duration::days(60));
    assert_eq!(balance(stage, &customer).await, json!(0.5), "what does not cover a period is left alone");
    let failures = failures(stage, &customer).await;
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!((&failure["update_type"], &failure["record_id"]), (&json!("radar_failure"), &json!(null)));
    assert_eq!(failure["data"]["radar_id"], record["radar_id"]);
    let content = failure["content"].as_object().expect("an object");
    let keys: Vec<&str> = content.keys().map(String::as_str).collect();
    assert_eq!(keys, ["failure_reason", "message", "refund_amount", "refund_amount_usd"]);
    assert_eq!((&content["failure_reason"], &content["refund_amount"]), (&json!("insufficient_funds"), &json!(0)));
    assert!(content["message"].as_str().is_some_and(|message| !message.is_empty()));
    customer.top_up(&stage.service, "too late", "10").await;
    stage.advance(31 * DAY).await;
    assert_eq!(stage.record(&customer, &record["radar_id"]).await, ended, "deactivation is irreversible");
    stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
}

async fn spec_3_a_finding_that_cannot_be_charged_pauses_all_radars_of_the_type(stage: &Stage) {
    let customer = customer_with(stage, "1.2").await;
    let one = stage.radar(&customer, COMPANIES, &mentions("a.com")).await;
    let other = stage.radar(&customer, COMPANIES, &mentions("b.com")).await;
    let subscribed = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    let held = stage.push(&customer, &one["radar_id"], "1", json!({"mention_content": "One."})).await;
    assert_eq!(held.json["data"][0]["outcome"], "held");
    let later = stage.radar(&customer, COMPANIES, &mentions("c.com")).await;
    assert!(later["paused_since"].is_string(), "decision 1.2: it starts paused: {later}");
    for radar in [&one, &other, &later] {
        let now = stage.record(&customer, &radar["radar_id"]).await;
        assert_eq!((&now["radar_status"], now["paused_since"].is_string()), (&json!("active"), true), "{now}");
    }
    assert!(stage.record(&customer, &subscribed["radar_id"]).await.get("paused_since").is_none());
    assert_eq!(balance(stage, &customer).await, json!(0.2));

    customer.top_up(&stage.service, "second", "1").await;
    for radar in [&one, &other, &later] {
        let now = stage.record(&customer, &radar["radar_id"]).await;
        assert_eq!((&now["radar_status"], now.get("paused_since")), (&json!("active"), None), "{now}");
    }
    assert_eq!(customer.updates(&stage.service).await.len(), 1, "what was held is there");
    assert_eq!(balance(stage, &customer).await, json!(0.7));
    let published = stage.push(&customer, &other["radar_id"], "2", json!({"mention_content": "Two."})).await;
    assert_eq!(published.json["data"][0]["outcome"], "published");
}

async fn spec_2_5_findings_are_charged_one_by_one(stage: &Stage) {
    let customer = customer_with(stage, "2").await;
    let record = stage.radar(&customer, COMPANIES, &mentions("a.com")).await;
    assert_eq!((&record["next_charge_at"], balance(stage, &customer).await), (&json!(null), json!(2)), "decision 4.8");
    for (native_id, left) in [("1", 1.5), ("2", 1.0), ("1", 1.0), ("3", 0.5)] {
        stage.push(&customer, &record["radar_id"], native_id, json!({"mention_content": "It is."})).await;
        assert_eq!(balance(stage, &customer).await.as_f64(), Some(left), "after {native_id}");
    }
    stage.advance(60 * DAY).await;
    assert_eq!(balance(stage, &customer).await, json!(0.5), "nothing is charged for time");
    assert_eq!(stage.record(&customer, &record["radar_id"]).await["radar_status"], "active");

    let subscribed = stage.radar(&customer_with(stage, "1").await, COMPANIES, &reviews("a.com")).await;
    assert!(subscribed["next_charge_at"].is_string());
}

async fn spec_2_5_top_ups_that_expire_take_what_is_left_of_them(stage: &Stage) {
    let customer = customer_with(stage, "3").await;
    let now = stage.service.operator().get("/operator/v1/clock").await.expect_status(200);
    let expires_at = instant(&now.json["data"]["now"]) + chrono::Duration::days(10);
    let body = json!({"amount_usd": "5", "payment_ref": "second", "expires_at": expires_at});
    let path = format!("/operator/v1/accounts/{}/top-ups", customer.account_id);
    stage.service.operator().post(&path, &body).await.expect_status(201);
    stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    assert_eq!(balance(stage, &customer).await, json!(7));
    stage.advance(10 * DAY - 1).await;
    assert_eq!(balance(stage, &customer).await, json!(7));
    stage.advance(1).await;
    assert_eq!(balance(stage, &customer).await, json!(3), "the charge came out of what expires first");
}

async fn decision_4_6_renewals_are_decided_one_by_one(stage: &Stage) {
    let customer = customer_with(stage, "2.6").await;
    customer.price(&stage.service, "company_social_posts", "subscription", "0.3").await;
    let first = stage.radar(&customer, COMPANIES, &reviews("a.com")).await;
    stage.advance(60).await;
    let second = stage.radar(&customer, COMPANIES, &reviews("b.com")).await;
    stage.advance(60).await;
    let cheap = json!({"domain": "a.com", "radar_type": "company_social_posts"});
    let third = stage.radar(&customer, COMPANIES, &cheap).await;
    customer.top_up(&stage.service, "second", "1.4").await;
    stage.advance(31 * DAY).await;
    let mut states = Vec::new();
    for radar in [&first, &second, &third] {
        states.push(stage.record(&customer, &radar["radar_id"]).await["radar_status"].clone());
    }
    assert_eq!(states, ["active", "inactive", "active"].map(|state| json!(state)));
    assert_eq!((balance(stage, &customer).await, failures(stage, &customer).await.len()), (json!(0.4), 1));
}
