//! `POST /v1/radars/industry`, row by row (Spec 2.1, 2.2, 2.7, 4.4, 8.2; decisions 1.5, 1.6, 1.9, 2.2, 2.4).

use serde_json::{Value, json};

use crate::support::stage::{Stage, fields, keys, rows};

const PATH: &str = "/v1/radars/industry";
const TYPES: [&str; 4] =
    ["industry_mentions", "industry_funding_rounds", "industry_new_companies", "industry_job_openings"];

rows! { spec_4_4: &[];
    spec_2_1_industry_types_are_created_here_and_nowhere_else,
    spec_2_1_filters_are_ignored,
    spec_2_2_the_record_has_what_was_asked_for,
    spec_2_7_what_each_type_takes_and_requires,
    decision_1_5_keyword_and_countries_identify,
    decision_2_4_countries_are_read_in_any_case,
    spec_8_2_the_limits_of_fields_hold_to_the_character,
}

fn body_of(radar_type: &str, keyword: &str) -> Value {
    match radar_type {
        "industry_mentions" | "industry_job_openings" => json!({"radar_type": radar_type, "keyword": keyword}),
        _ => json!({"radar_type": radar_type}),
    }
}

async fn spec_2_1_industry_types_are_created_here_and_nowhere_else(stage: &Stage) {
    let customer = stage.customer().await;
    for radar_type in TYPES {
        let body = body_of(radar_type, "green steel");
        for other in ["/v1/radars/companies", "/v1/radars/contacts"] {
            let refused = stage.post(&customer, other, &body).await.expect_status(400);
            assert!(fields(&refused).contains(&"radar_type"), "{radar_type} at {other}: {}", refused.json);
        }
        assert_eq!(stage.radar(&customer, PATH, &body).await["radar_type"], radar_type);
    }
    let refused = stage.post(&customer, PATH, &json!({"radar_type": "company_reviews"})).await.expect_status(400);
    let reason = format!("must be one of {}", TYPES.join(", "));
    assert_eq!(refused.json["errors"], json!([{"field": "radar_type", "reason": reason}]));
}

async fn spec_2_1_filters_are_ignored(stage: &Stage) {
    let customer = stage.customer().await;
    for radar_type in TYPES {
        let mut body = body_of(radar_type, "green steel");
        body["departments"] = json!("x");
        body["seniorities"] = json!([]);
        body["job_titles"] = json!(7);
        let record = stage.radar(&customer, PATH, &body).await;
        for filter in ["departments", "seniorities", "job_titles"] {
            assert!(record.get(filter).is_none(), "{radar_type}: {record}");
        }
    }
}

async fn spec_2_2_the_record_has_what_was_asked_for(stage: &Stage) {
    let customer = stage.customer().await;
    const PLAIN: [&str; 7] =
        ["created_at", "custom_fields", "deactivated_at", "next_charge_at", "radar_id", "radar_status", "radar_type"];
    for radar_type in ["industry_funding_rounds", "industry_new_companies"] {
        assert_eq!(keys(&stage.radar(&customer, PATH, &body_of(radar_type, "")).await), PLAIN, "decision 1.9");
    }
    let record = stage.radar(&customer, PATH, &body_of("industry_mentions", "  Green  Steel ")).await;
    assert_eq!(record["keyword"], "Green  Steel", "only the white space around it is cut");
    assert_eq!((record.get("domain"), record.get("countries")), (None, None));
    let body = json!({
        "radar_type": "industry_job_openings", "keyword": "green steel", "countries": ["SE", "NO"],
        "webhook_url": "https://hooks.acme-robotics.com/", "custom_fields": {"crm": "7"},
    });
    let record = stage.radar(&customer, PATH, &body).await;
    for field in ["keyword", "countries", "webhook_url", "custom_fields"] {
        assert_eq!(record[field], body[field], "{field}");
    }
    assert_eq!(stage.record(&customer, &record["radar_id"]).await, record);
}

async fn spec_2_7_what_each_type_takes_and_requires(stage: &Stage) {
    let customer = stage.customer().await;
    for (body, offending) in [
        (json!({}), &["radar_type"][..]),
        (json!({"radar_type": "industry_funding_rounds", "keyword": "steel"}), &["keyword"]),
        (json!({"radar_type": "industry_funding_rounds", "countries": ["SE"]}), &["countries"]),
        (json!({"radar_type": "industry_funding_rounds", "domain": "a.com"}), &["domain"]),
        (json!({"radar_type": "industry_new_companies", "keyword": "steel"}), &["keyword"]),
        (json!({"radar_type": "industry_new_companies", "countries": ["SE"]}), &["countries"]),
        (json!({"radar_type": "industry_mentions"}), &["keyword"]),
        (json!({"radar_type": "industry_mentions", "keyword": null}), &["keyword"]),
        (json!({"radar_type": "industry_mentions", "keyword": 123}), &["keyword"]),
        (json!({"radar_type": "industry_mentions", "keyword": "steel", "countries": ["SE"]}), &["countries"]),
        (json!({"radar_type": "industry_mentions", "keyword": "steel", "domain": "a.com"}), &["domain"]),
        (json!({"radar_type": "industry_mentions", "keyword": "steel", "email": "a@b.com"}), &["email"]),
        (json!({"radar_type": "industry_job_openings"}), &["keyword"]),
        (json!({"radar_type": "industry_job_openings", "countries": ["XX"], "x": 1}), &["x", "keyword", "countries"]),
        (json!({"radar_type": "industry_funding_rounds", "keyword": null, "countries": null, "domain": null}), &[]),
        (json!({"radar_type": "industry_new_companies"}), &[]),
        (json!({"radar_type": "industry_mentions", "keyword": "steel"}), &[]),
        (json!({"radar_type": "industry_job_openings", "keyword": "steel"}), &[]),
    ] {
        let answer = stage.post(&customer, PATH, &body).await;
        if offending.is_empty() {
            assert_eq!(answer.status, 201, "{body}: {}", answer.json);
        } else {
            assert_eq!((answer.status, fields(&answer)), (400, offending.to_vec()), "{body}");
        }
    }
}

async fn decision_1_5_keyword_and_countries_identify(stage: &Stage) {
    let customer = stage.customer().await;
    let openings = |keyword: &str, countries: &[&str]| match countries {
        [] => json!({"radar_type": "industry_job_openings", "keyword": keyword}),
        _ => json!({"radar_type": "industry_job_openings", "keyword": keyword, "countries": countries}),
    };
    let mentions = |keyword: &str| json!({"radar_type": "industry_mentions", "keyword": keyword});
    for (body, field) in [
        (openings("Green Steel", &["SE", "NO"]), None),
        (openings(" green   STEEL", &["no", "se"]), Some("keyword")),
        (openings("green steel", &["SE"]), None),
        (openings("green steel", &[]), None),
        (openings("GREEN STEEL", &[]), Some("keyword")),
        (openings("green-steel", &[]), None),
        (mentions("green steel"), None),
        (mentions("Green Steel"), Some("keyword")),
        (mentions("STRASSE"), None),
        (json!({"radar_type": "industry_funding_rounds"}), None),
        (json!({"radar_type": "industry_funding_rounds"}), Some("radar_type")),
        (json!({"radar_type": "industry_new_companies"}), None),
        (json!({"radar_type": "industry_new_companies"}), Some("radar_type")),
    ] {
        let answer = stage.post(&customer, PATH, &body).await;
        match field {
            None => assert_eq!(answer.status, 201, "{body}: {}", answer.json),
            Some(field) => assert_eq!((answer.status, fields(&answer)), (409, vec![field]), "{body}"),
        }
    }
}

async fn decision_2_4_countries_are_read_in_any_case(stage: &Stage) {
    let customer = stage.customer().await;
    let body =
        |countries: Value| json!({"radar_type": "industry_job_openings", "keyword": "steel", "countries": countries});
    let record = stage.radar(&customer, PATH, &body(json!(["se", "No", "DK"]))).await;
    assert_eq!(record["countries"], json!(["SE", "NO", "DK"]), "in the order in which they came");
    for countries in [
        json!([]),
        json!(["XX"]),
        json!(["UK"]),
        json!(["SWE"]),
        json!(["Sweden"]),
        json!([""]),
        json!(["SE", "se"]),
        json!(["SE", 1]),
        json!("SE"),
        json!({"SE": true}),
        json!([["SE"]]),
        json!([null]),
        json!(["SE\u{0}"]),
    ] {
        let refused = stage.post(&customer, PATH, &body(countries.clone())).await.expect_status(400);
        let mut named = fields(&refused);
        named.dedup();
        assert_eq!(named, ["countries"], "{countries}");
    }
    let refused = stage.post(&customer, PATH, &body(json!(["SE", "UK"]))).await.expect_status(400);
    let reason = "each value must be an ISO 3166-1 alpha-2 country code such as SE, not 'UK'";
    assert_eq!(refused.text("/errors/0/reason"), reason);
}

async fn spec_8_2_the_limits_of_fields_hold_to_the_character(stage: &Stage) {
    let customer = stage.customer().await;
    // Of four bytes each, and no two alike, so that nothing can pack them: what fits is the worst that may come.
    let wide: String = ('\u{20000}'..).take(501).collect();
    let wide_500: String = wide.chars().take(500).collect();
    let five = json!(["SE", "NO", "DK", "FI", "IS"]);
    let six = json!(["SE", "NO", "DK", "FI", "IS", "DE"]);
    for (number, (field, value, code)) in [
        ("keyword", json!("ab"), 400),
        ("keyword", json!(" ab "), 400),
        ("keyword", json!("鉄鋼"), 400),
        ("keyword", json!(""), 400),
        ("keyword", json!("abc"), 201),
        ("keyword", json!(" 鉄鋼業 "), 201),
        ("keyword", json!(wide_500), 201),
        ("keyword", json!(wide), 400),
        ("keyword", json!("k".repeat(900_000)), 400),
        ("keyword", json!("abc\u{0}"), 400),
        ("keyword", json!("ab\u{7}c"), 400),
        ("countries", five, 201),
        ("countries", six, 400),
        ("countries", json!(vec!["SE"; 200_000]), 400),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = json!({"radar_type": "industry_job_openings", "keyword": "steel"});
        body[field] = value;
        let answer = stage.post(&customer, PATH, &body).await;
        assert_eq!(answer.status, code, "row {number}, {field}: {}", answer.json);
        if code == 400 {
            assert_eq!(fields(&answer), [field], "row {number}");
            assert!(answer.bytes.len() < 1000, "row {number} is echoed");
        }
    }
}
