//! Update records as they are pulled, key by key (Spec 2.4, 6.1; decisions 1.7, 1.8, 1.9, 3.5 to 3.7, section 6).

use serde_json::{Value, json};

use crate::support::receiver::Receiver;
use crate::support::stage::{Stage, is_instant, is_uuid, keys, rows};

rows! { spec_2_4: &[];
    spec_2_4_a_finding_of_job_openings,
    spec_2_4_a_finding_of_a_radar_without_domain,
    spec_2_4_a_record_has_the_same_identifiers_wherever_it_is_found,
    spec_2_4_every_type_has_the_same_frame,
    decision_5_5_radars_whose_addresses_are_written_differently_share_an_endpoint,
}

fn parsed(updates: &[String]) -> Vec<Value> {
    updates.iter().map(|update| serde_json::from_str(update).expect("JSON")).collect()
}

async fn spec_2_4_a_finding_of_job_openings(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({
        "domain": "acme-robotics.com", "radar_type": "company_job_openings", "departments": ["Engineering"],
        "custom_fields": {"crm": "7", "team": "north"},
    });
    let record = stage.radar(&customer, "/v1/radars/companies", &body).await;
    let content = json!({
        "job_title": "Senior Software Engineer",
        "job_url": "https://acme-robotics.com/jobs/1",
        "job_posted_at": "2026-11-17",
        "job_description": "Build it.\nShip it.",
        "job_source": "acme",
        "country": "NO",
    });
    stage.push(&customer, &record["radar_id"], "1", content.clone()).await;
    let updates = parsed(&customer.updates(&stage.service).await);
    let [update] = &updates[..] else { panic!("{updates:?}") };
    let frame = ["content", "data", "discovered_at", "radar_type", "record_id", "update_id", "update_type"];
    assert_eq!(keys(update), frame);
    assert!(is_uuid(&update["update_id"], 5) && is_uuid(&update["record_id"], 5), "decision 1.8: {update}");
    assert_ne!(update["update_id"], update["record_id"]);
    assert_eq!((&update["update_type"], &update["radar_type"]), (&json!("radar_finding"), &record["radar_type"]));
    assert!(is_instant(&update["discovered_at"]), "decision 1.7: {update}");
    let data = json!({
        "radar_id": record["radar_id"], "radar_type": "company_job_openings", "domain": "acme-robotics.com",
        "custom_fields": body["custom_fields"], "next_charge_at": record["next_charge_at"],
    });
    assert_eq!(update["data"], data, "decisions 3.6 and 3.7");
    assert_eq!(update["content"], content);
}

async fn spec_2_4_a_finding_of_a_radar_without_domain(stage: &Stage) {
    let customer = stage.customer().await;
    customer.price(&stage.service, "industry_job_openings", "update_based", "0.01").await;
    let body = json!({"radar_type": "industry_job_openings", "keyword": "welding"});
    let record = stage.radar(&customer, "/v1/radars/industry", &body).await;
    stage.push(&customer, &record["radar_id"], "1", json!({"job_title": "Welder"})).await;
    let updates = parsed(&customer.updates(&stage.service).await);
    let data = json!({
        "radar_id": record["radar_id"], "radar_type": "industry_job_openings", "custom_fields": {}, "next_charge_at": null,
    });
    assert_eq!(updates[0]["data"], data);
    let content = json!({
        "job_title": "Welder", "job_url": null, "job_posted_at": null, "job_description": null, "job_source": null,
        "country": null, "company_name": null, "company_domain": null,
    });
    assert_eq!(updates[0]["content"], content, "every key is present");
}

async fn spec_2_4_a_record_has_the_same_identifiers_wherever_it_is_found(stage: &Stage) {
    let (one, other) = (stage.customer().await, stage.customer().await);
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
    let mut found = Vec::new();
    for customer in [&one, &other] {
        let record = stage.radar(customer, "/v1/radars/companies", &body).await;
        for native_id in ["1", "2", "1"] {
            stage.push(customer, &record["radar_id"], native_id, json!({"review_content": "Fine."})).await;
        }
        let updates = parsed(&customer.updates(&stage.service).await);
        assert_eq!(updates.len(), 2, "the same record again is no second finding");
        let instants: Vec<&str> =
            updates.iter().map(|update| update["discovered_at"].as_str().expect("text")).collect();
        assert!(instants[0] < instants[1], "decision 3.5: {instants:?}");
        found.push(updates);
    }
    let of = |customer: usize, update: usize, name: &str| found[customer][update][name].clone();
    assert_eq!((of(0, 0, "record_id"), of(0, 1, "record_id")), (of(1, 0, "record_id"), of(1, 1, "record_id")));
    assert_ne!(of(0, 0, "record_id"), of(0, 1, "record_id"));
    assert_ne!(of(0, 0, "update_id"), of(1, 0, "update_id"), "an update belongs to one radar");
}

async fn spec_2_4_every_type_has_the_same_frame(stage: &Stage) {
    let customer = stage.customer().await;
    let company = |radar_type: &str| ("companies", json!({"radar_type": radar_type, "domain": "acme-robotics.com"}));
    let social = |radar_type: &str| ("contacts", json!({"radar_type": radar_type, "profile_url": "x.com/ada"}));
    let industry = |radar_type: &str| ("industry", json!({"radar_type": radar_type}));
    let keyword = |radar_type: &str| ("industry", json!({"radar_type": radar_type, "keyword": "steel"}));
    let job_changes = json!({"radar_type": "contact_job_changes", "domain": "a.com", "full_name": "Ada"});
    for (number, (category, body)) in [
        company("company_job_openings"),
        company("company_new_hires"),
        company("company_promotions"),
        company("company_social_posts_cxo"),
        company("company_reviews"),
        company("company_mentions"),
        company("company_social_posts"),
        company("company_social_engagements"),
        ("contacts", job_changes),
        social("contact_social_posts"),
        social("contact_social_engagements"),
        keyword("industry_mentions"),
        industry("industry_funding_rounds"),
        industry("industry_new_companies"),
        keyword("industry_job_openings"),
    ]
    .into_iter()
    .enumerate()
    {
        let record = stage.radar(&customer, &format!("/v1/radars/{category}"), &body).await;
        stage.push(&customer, &record["radar_id"], "1", json!({})).await;
        let updates = parsed(&customer.updates(&stage.service).await);
        assert_eq!(updates.len(), number + 1, "{body}");
        let update = &updates[number];
        assert_eq!((&update["radar_type"], &update["data"]["radar_type"]), (&body["radar_type"], &body["radar_type"]));
        assert_eq!(update["data"].get("domain"), record.get("domain"), "{body}");
        assert!(keys(&update["content"]).len() >= 6 || body["radar_type"] == "contact_job_changes", "{update}");
    }
}

async fn decision_5_5_radars_whose_addresses_are_written_differently_share_an_endpoint(stage: &Stage) {
    let customer = stage.customer().await;
    let mut receiver = Receiver::start();
    for (number, path) in ["/hook", "/a/../hook", "/%2e/hook", "/other"].into_iter().enumerate() {
        let body = json!({
            "radar_type": "company_reviews", "domain": format!("s{number}.com"), "webhook_url": receiver.url(path),
        });
        let record = stage.radar(&customer, "/v1/radars/companies", &body).await;
        assert_eq!(record["webhook_url"], body["webhook_url"], "as it was given");
        stage.push(&customer, &record["radar_id"], "1", json!({"review_content": "Fine."})).await;
        let pushed = receiver.next().await;
        let sequence = pushed.headers.get("webhook-sequence").and_then(|value| value.to_str().ok());
        let expected = if path == "/other" { ("/other", "1".to_owned()) } else { ("/hook", (number + 1).to_string()) };
        assert_eq!((pushed.path.as_str(), sequence), (expected.0, Some(expected.1.as_str())));
        let pulled = customer.updates(&stage.service).await;
        assert_eq!(pulled.last().map(String::as_bytes), Some(&pushed.body[..]), "decision 3.7: byte for byte");
    }
    receiver.stop().await;
}
