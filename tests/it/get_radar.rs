//! `GET /v1/radars/{id}` (Spec 2.2, 4.7; decisions 1.1, 1.2, 1.7 to 1.9, 2.5).

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{push, start};
use crate::support::shapes::{assert_refused, assert_success, instant, keys, prove, uuid};

/// Keys that every record has.
const ALWAYS: [&str; 7] =
    ["radar_id", "radar_type", "radar_status", "custom_fields", "created_at", "deactivated_at", "next_charge_at"];

#[actix_web::test]
async fn spec_4_7_one_radar() {
    on_both_databases(|database| async move {
        let (service, _source) = start(database.url(), &[], "");
        prove!(&service;
            spec_2_2_create_get_and_list_give_the_same_record,
            spec_4_7_the_id_is_a_uuid_of_a_radar_of_the_account,
            decision_1_2_a_paused_radar_is_active_and_says_since_when,
            decision_2_5_no_parameters_are_known,
        );
    })
    .await;
}

/// Creation bodies of every category, with the values of the record where they are not those of the body.
fn creations() -> Vec<(&'static str, Value, Value)> {
    let company = "/v1/radars/companies";
    let contact = "/v1/radars/contacts";
    let industry = "/v1/radars/industry";
    vec![
        (
            company,
            json!({"domain": "https://WWW.Acme.com:8443/jobs?x#y", "radar_type": "company_reviews"}),
            json!({"domain": "acme.com"}),
        ),
        (
            company,
            json!({
                "domain": "acme.com", "radar_type": "company_new_hires", "departments": ["Sales", "Human Resources"],
                "seniorities": ["CXO"], "webhook_url": "http://127.0.0.1:1/hook", "custom_fields": {"b": "2", "a": ""},
            }),
            json!({}),
        ),
        (
            company,
            json!({"domain": "titles.com", "radar_type": "company_new_hires", "job_titles": "cto OR \"vice president\""}),
            json!({}),
        ),
        (
            company,
            json!({"domain": "ignored.com", "radar_type": "company_mentions", "departments": ["Sales"], "job_titles": "a b"}),
            json!({"departments": null, "job_titles": null}),
        ),
        (
            contact,
            json!({
                "radar_type": "contact_job_changes", "domain": "acme.com", "email": "ada@acme.com",
                "full_name": "Ada Lovelace", "profile_url": "linkedin.com/in/ada/",
            }),
            json!({"profile_url": "https://www.linkedin.com/in/ada"}),
        ),
        (contact, json!({"radar_type": "contact_job_changes", "domain": "acme.com", "full_name": "Grace"}), json!({})),
        (contact, json!({"radar_type": "contact_social_posts", "profile_url": "https://x.com/ada"}), json!({})),
        (industry, json!({"radar_type": "industry_funding_rounds"}), json!({})),
        (industry, json!({"radar_type": "industry_mentions", "keyword": "green steel"}), json!({})),
    ]
}

async fn spec_2_2_create_get_and_list_give_the_same_record(service: &Service) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "100").await;
    customer.price(service, "company_new_hires", "subscription", "1").await;
    customer.price(service, "industry_funding_rounds", "update_based", "1").await;
    let api = customer.api(service);
    let mut newest_first = Vec::new();
    for (path, body, changed) in creations() {
        let created = api.post(path, &body).await.expect_status(201).json["data"].clone();
        let mut wanted = body.clone();
        for (key, value) in changed.as_object().expect("an object") {
            wanted[key] = value.clone();
        }
        let set: Vec<&str> = keys(&wanted).into_iter().filter(|key| !wanted[key].is_null()).collect();
        let mut all_keys = [set.as_slice(), &ALWAYS].concat();
        all_keys.sort_unstable();
        all_keys.dedup();
        assert_eq!(keys(&created), all_keys, "what is not set is absent: {body}");
        for key in set {
            assert_eq!(created[key], wanted[key], "{key} of {body}");
        }
        assert_eq!(uuid(&created["radar_id"]).get_version_num(), 7, "decision 1.8");
        assert_eq!(created["radar_status"], "active");
        assert_eq!(created["custom_fields"], *body.get("custom_fields").unwrap_or(&json!({})));
        assert_eq!(created["deactivated_at"], json!(null));
        let created_at = instant(&created["created_at"]);
        match body["radar_type"].as_str() {
            Some("company_new_hires") => {
                assert_eq!(instant(&created["next_charge_at"]) - created_at, chrono::Duration::days(30));
            }
            Some("industry_funding_rounds") => assert_eq!(created["next_charge_at"], json!(null), "decision 4.8"),
            _ => {}
        }
        let got = api.get(&format!("/v1/radars/{}", created["radar_id"].as_str().expect("an id"))).await;
        assert_success(&got, &["data"]);
        assert_eq!(got.json["data"], created);
        newest_first.insert(0, created);
    }
    assert_eq!(api.get("/v1/radars").await.expect_status(200).json["data"], json!(newest_first));
}

async fn spec_4_7_the_id_is_a_uuid_of_a_radar_of_the_account(service: &Service) {
    let (mine, other) = (Customer::create(service).await, Customer::create(service).await);
    mine.price(service, "company_reviews", "update_based", "1").await;
    let api = mine.api(service);
    let body = json!({"domain": "acme.com", "radar_type": "company_reviews"});
    let radar_id = api.post("/v1/radars/companies", &body).await.expect_status(201).text("/data/radar_id").to_owned();
    api.get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
    api.get(&format!("/v1/radars/{}", radar_id.to_uppercase())).await.expect_status(200);
    for unknown in [Uuid::now_v7(), Uuid::new_v4(), Uuid::nil(), Uuid::max()] {
        let answer = api.get(&format!("/v1/radars/{unknown}")).await;
        assert_refused("unknown", &answer, 404, &["id"]);
        assert_eq!(answer.json["message"], "Radar not found");
    }
    // Another account's radar is as unknown as any, to the letter.
    let foreign = other.api(service).get(&format!("/v1/radars/{radar_id}")).await;
    assert_refused("foreign", &foreign, 404, &["id"]);
    let unknown = api.get(&format!("/v1/radars/{}", Uuid::nil())).await;
    assert_eq!(foreign.json["errors"], unknown.json["errors"]);
    assert_eq!(foreign.json["message"], unknown.json["message"]);
    for malformed in [
        "7",
        "null",
        "%20",
        &radar_id.replace('-', ""),
        &format!("%7B{radar_id}%7D"),
        &format!("urn:uuid:{radar_id}"),
        &format!("{radar_id}%20"),
        &radar_id[1..],
        &format!("{radar_id},{radar_id}"),
        "%00",
    ] {
        assert_refused(malformed, &api.get(&format!("/v1/radars/{malformed}")).await, 400, &["id"]);
    }
    for path in ["/v1/radars//", &format!("/v1/radars/{radar_id}//"), &format!("/v1/radars/{radar_id}/updates")] {
        assert_refused(path, &api.get(path).await, 404, &["path"]);
    }
}

async fn decision_1_2_a_paused_radar_is_active_and_says_since_when(service: &Service) {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "update_based", "1").await;
    let api = customer.api(service);
    let create = async |domain: &str| {
        let body = json!({"domain": domain, "radar_type": "company_reviews"});
        api.post("/v1/radars/companies", &body).await.expect_status(201).json["data"].clone()
    };
    let first = create("first.com").await;
    assert_eq!(first.get("paused_since"), None);
    let radar_id = first["radar_id"].as_str().expect("an id");
    push(service, radar_id, "one", &json!({})).await;
    let paused = api.get(&format!("/v1/radars/{radar_id}")).await.expect_status(200).json["data"].clone();
    assert_eq!(paused["radar_status"], "active");
    let since = instant(&paused["paused_since"]);
    assert!(since >= instant(&paused["created_at"]));
    assert_eq!(paused.get("status_reason"), None, "a pause is no reason of a status");
    let second = create("second.com").await;
    assert_eq!(second["paused_since"], paused["paused_since"], "its type is paused from its beginning");
    customer.top_up(service, "enough", "5").await;
    let resumed = api.get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
    assert_eq!(resumed.json["data"], first);
}

async fn decision_2_5_no_parameters_are_known(service: &Service) {
    let customer = Customer::create(service).await;
    let path = format!("/v1/radars/{}", Uuid::nil());
    let answer = customer.api(service).get(&format!("{path}?radar_id=x&a=b")).await;
    assert_refused("parameters", &answer, 400, &["radar_id", "a"]);
}
