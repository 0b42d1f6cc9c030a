//! `POST /v1/radars/bulk`, row by row (Spec 4.5, 8.1, 8.2; decisions 3.1, 3.2).

use serde_json::{Value, json};

use crate::support::customer::Customer;
use crate::support::stage::{Stage, fields, is_instant, is_uuid, keys, rows, send_bytes};

const PATH: &str = "/v1/radars/bulk";
const MEGABYTE: usize = 1024 * 1024;

rows! { spec_4_5: &[];
    spec_4_5_all_items_created_is_201_and_categories_may_be_mixed,
    spec_4_5_some_items_created_is_207,
    spec_4_5_the_envelopes_webhook_url_is_the_items_default,
    spec_4_5_the_envelopes_custom_fields_are_echoed_and_not_copied,
    spec_4_5_an_item_has_1_to_100_siblings,
    spec_4_5_a_broken_envelope_is_400_and_creates_nothing,
    spec_4_5_a_bulk_larger_than_the_budget_is_400,
    spec_4_5_too_little_budget_left_is_429_and_nothing_is_created_or_billed,
    spec_4_5_a_shortage_of_balance_is_found_item_by_item,
    spec_4_5_items_are_decided_as_they_are_alone,
    decision_3_2_items_see_each_other_in_index_order,
    decision_3_2_all_items_failed_is_400_with_prefixed_fields,
    decision_3_2_the_whole_bulk_is_one_transaction,
    spec_8_2_a_bulk_has_at_most_one_megabyte,
}

fn company(domain: &str) -> Value {
    json!({"radar_type": "company_reviews", "domain": domain})
}

async fn count(stage: &Stage, customer: &Customer) -> Value {
    customer.api(&stage.service).get("/v1/radars").await.expect_status(200).json["count"].clone()
}

fn codes(answer: &Value) -> Vec<u64> {
    let results = answer["results"].as_array().unwrap_or_else(|| panic!("no results in {answer}"));
    let in_order = results.iter().zip(0..).all(|(result, index)| result["index"] == json!(index));
    assert!(in_order, "one per item, in order: {answer}");
    results.iter().map(|result| result["code"].as_u64().expect("a code")).collect()
}

async fn spec_4_5_all_items_created_is_201_and_categories_may_be_mixed(stage: &Stage) {
    let customer = stage.customer().await;
    let mut items: Vec<Value> = [
        "company_job_openings",
        "company_new_hires",
        "company_promotions",
        "company_social_posts_cxo",
        "company_reviews",
        "company_mentions",
        "company_social_posts",
        "company_social_engagements",
    ]
    .map(|radar_type| json!({"radar_type": radar_type, "domain": "https://www.acme-robotics.com"}))
    .to_vec();
    items.push(json!({"radar_type": "contact_job_changes", "domain": "acme-robotics.com", "email": "ada@a.com"}));
    items.push(json!({"radar_type": "contact_social_posts", "profile_url": "x.com/ada"}));
    items.push(json!({"radar_type": "contact_social_engagements", "profile_url": "x.com/ada"}));
    items.push(json!({"radar_type": "industry_mentions", "keyword": "steel", "departments": []}));
    items.push(json!({"radar_type": "industry_funding_rounds"}));
    items.push(json!({"radar_type": "industry_new_companies"}));
    items.push(json!({"radar_type": "industry_job_openings", "keyword": "steel", "countries": ["se"]}));
    let answer = stage.post(&customer, PATH, &json!({"radars": items})).await.expect_status(201);
    assert_eq!(keys(&answer.json), ["code", "custom_fields", "message", "results", "status", "summary", "timestamp"]);
    assert_eq!((&answer.json["status"], &answer.json["code"]), (&json!("success"), &json!(201)));
    assert!(is_instant(&answer.json["timestamp"]));
    assert_eq!(answer.json["summary"], json!({"total": 15, "created": 15, "failed": 0, "retryable": 0}));
    assert_eq!(codes(&answer.json), [201; 15]);
    for (item, result) in items.iter().zip(answer.json["results"].as_array().expect("results")) {
        assert_eq!(keys(result), ["code", "data", "index", "status"]);
        assert_eq!((&result["status"], &result["data"]["radar_type"]), (&json!("success"), &item["radar_type"]));
        assert_eq!(stage.record(&customer, &result["data"]["radar_id"]).await, result["data"], "{item}");
    }
    assert_eq!(answer.json["results"][0]["data"]["domain"], "acme-robotics.com");
    assert_eq!(answer.json["results"][14]["data"]["countries"], json!(["SE"]));
}

async fn spec_4_5_some_items_created_is_207(stage: &Stage) {
    let customer = Customer::create(&stage.service).await;
    customer.price(&stage.service, "company_reviews", "subscription", "1").await;
    customer.top_up(&stage.service, "first", "2").await;
    let existing = stage.radar(&customer, "/v1/radars/companies", &company("existing.com")).await;
    let items = json!([
        company("existing.com"), company("new.com"), {"radar_type": "company_reviews", "x": 1}, company("poor.com"),
    ]);
    let answer = stage.post(&customer, PATH, &json!({"radars": items})).await.expect_status(207);
    assert_eq!((&answer.json["status"], &answer.json["code"]), (&json!("partial_success"), &json!(207)));
    assert_eq!(answer.json["summary"], json!({"total": 4, "created": 1, "failed": 3, "retryable": 1}));
    assert_eq!((answer.json.get("errors"), answer.json.get("error_id")), (None, None));
    assert_eq!(codes(&answer.json), [409, 201, 400, 402]);
    let results = answer.json["results"].as_array().expect("results");
    for (result, retryable, offending) in [
        (&results[0], false, &["domain"][..]),
        (&results[2], false, &["x", "domain"]),
        (&results[3], true, &["balance"]),
    ] {
        assert_eq!(
            keys(result),
            ["code", "error_id", "errors", "index", "message", "retryable", "status", "timestamp"]
        );
        assert_eq!((&result["status"], &result["retryable"]), (&json!("error"), &json!(retryable)));
        assert!(is_uuid(&result["error_id"], 4) && is_instant(&result["timestamp"]) && result["message"].is_string());
        let named: Vec<&str> = result["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .map(|error| error["field"].as_str().expect("one"))
            .collect();
        assert_eq!(named, offending);
    }
    let ids: Vec<&Value> = [0, 2, 3].map(|index: usize| &results[index]["error_id"]).to_vec();
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], "each has its own error_id");
    assert_eq!(results[0]["errors"][0]["reason"], existing["radar_id"]);
    assert_eq!(count(stage, &customer).await, json!(2));
}

async fn spec_4_5_the_envelopes_webhook_url_is_the_items_default(stage: &Stage) {
    let customer = stage.customer().await;
    let with_url = |domain: &str, webhook_url: Value| json!({"radar_type": "company_reviews", "domain": domain, "webhook_url": webhook_url});
    let body = json!({
        "webhook_url": "https://all.acme-robotics.com",
        "radars": [
            company("a.com"), with_url("b.com", json!("https://own.acme-robotics.com/in")), with_url("c.com", json!(null)),
        ],
    });
    let answer = stage.post(&customer, PATH, &body).await.expect_status(201);
    let urls: Vec<&Value> = (0..3).map(|index: usize| &answer.json["results"][index]["data"]["webhook_url"]).collect();
    let all = json!("https://all.acme-robotics.com");
    assert_eq!(urls, [&all, &json!("https://own.acme-robotics.com/in"), &all]);
    let answer = stage.post(&customer, PATH, &json!({"radars": [company("d.com")]})).await.expect_status(201);
    assert!(answer.json["results"][0]["data"].get("webhook_url").is_none());
}

async fn spec_4_5_the_envelopes_custom_fields_are_echoed_and_not_copied(stage: &Stage) {
    let customer = stage.customer().await;
    let own = json!({"radar_type": "company_reviews", "domain": "b.com", "custom_fields": {"own": "2"}});
    let body = json!({"custom_fields": {"batch": "1"}, "radars": [company("a.com"), own]});
    let answer = stage.post(&customer, PATH, &body).await.expect_status(201);
    assert_eq!(answer.json["custom_fields"], json!({"batch": "1"}));
    assert_eq!(answer.json["results"][0]["data"]["custom_fields"], json!({}));
    assert_eq!(answer.json["results"][1]["data"]["custom_fields"], json!({"own": "2"}));
    let answer = stage.post(&customer, PATH, &body).await.expect_status(400);
    assert_eq!(answer.json["custom_fields"], json!({"batch": "1"}), "also when all failed");
    let answer = stage.post(&customer, PATH, &json!({"radars": [company("c.com")]})).await.expect_status(201);
    assert_eq!(answer.json["custom_fields"], json!({}));
}

async fn spec_4_5_an_item_has_1_to_100_siblings(stage: &Stage) {
    let customer = stage.customer().await;
    let bulk =
        |items: usize| json!({"radars": (0..items).map(|no| company(&format!("s{no}.com"))).collect::<Vec<_>>()});
    for items in [0, 101, 5_000] {
        let refused = stage.post(&customer, PATH, &bulk(items)).await.expect_status(400);
        assert_eq!(refused.json["errors"], json!([{"field": "radars", "reason": "must have 1 to 100 items"}]));
        assert!(refused.json.get("results").is_none());
    }
    assert_eq!(count(stage, &customer).await, json!(0));
    let answer = stage.post(&customer, PATH, &bulk(100)).await.expect_status(201);
    assert_eq!(answer.json["summary"], json!({"total": 100, "created": 100, "failed": 0, "retryable": 0}));
    let answer = stage.post(&customer, PATH, &json!({"radars": [company("one-more.com")]})).await.expect_status(201);
    assert_eq!(codes(&answer.json), [201]);
}

async fn spec_4_5_a_broken_envelope_is_400_and_creates_nothing(stage: &Stage) {
    let customer = stage.customer().await;
    let items = json!([company("a.com")]);
    for (body, offending) in [
        (json!({}), &["radars"][..]),
        (json!({"radars": null}), &["radars"]),
        (json!({"radars": {}}), &["radars"]),
        (json!({"radars": "x"}), &["radars"]),
        (json!([company("a.com")]), &["body"]),
        (json!({"radars": items, "radar_type": "company_reviews"}), &["radar_type"]),
        (json!({"radars": items, "webhook_url": "ftp://a.com"}), &["webhook_url"]),
        (json!({"radars": items, "webhook_url": 7}), &["webhook_url"]),
        (json!({"radars": items, "custom_fields": {"a": 1}}), &["custom_fields"]),
        (json!({"radars": items, "custom_fields": {"k".repeat(51): "v"}}), &["custom_fields"]),
        (
            json!({"radars": [], "x": 1, "webhook_url": "y", "custom_fields": []}),
            &["x", "webhook_url", "custom_fields", "radars"],
        ),
    ] {
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), offending, "{body}");
        assert_eq!(keys(&refused.json), ["code", "error_id", "errors", "message", "status", "timestamp"], "{body}");
    }
    assert_eq!(count(stage, &customer).await, json!(0));
}

async fn spec_4_5_a_bulk_larger_than_the_budget_is_400(stage: &Stage) {
    let customer = stage.customer_with_budget(5).await;
    let bulk =
        |items: usize| json!({"radars": (0..items).map(|no| company(&format!("s{no}.com"))).collect::<Vec<_>>()});
    for _ in 0..3 {
        let refused = stage.post(&customer, PATH, &bulk(6)).await.expect_status(400);
        assert_eq!(refused.json["errors"], json!([{"field": "radars", "reason": "bulk_exceeds_rate_limit"}]));
        assert!(is_uuid(&refused.json["error_id"], 4));
    }
    assert_eq!(count(stage, &customer).await, json!(0));
    stage.post(&customer, PATH, &bulk(5)).await.expect_status(201);
}

async fn spec_4_5_too_little_budget_left_is_429_and_nothing_is_created_or_billed(stage: &Stage) {
    let customer = stage.customer_with_budget(5).await;
    let bulk = |first: usize, items: usize| json!({"radars": (first..first + items).map(|no| company(&format!("s{no}.com"))).collect::<Vec<_>>()});
    stage.post(&customer, PATH, &bulk(0, 3)).await.expect_status(201);
    let balance = customer.account(&stage.service).await["balance_remaining_usd"].clone();
    let refused = stage.post(&customer, PATH, &bulk(3, 5)).await.expect_status(429);
    assert_eq!(refused.json["errors"], json!([{"field": "rate_limit", "reason": "minute"}]));
    let refused = stage.post(&customer, PATH, &json!({"radars": []})).await.expect_status(400);
    assert_eq!(fields(&refused), ["radars"], "decision 3.1: a broken envelope comes before 429");
    let refused = stage.post(&customer, PATH, &bulk(3, 6)).await.expect_status(400);
    assert_eq!(refused.text("/errors/0/reason"), "bulk_exceeds_rate_limit", "decision 3.1");
    assert_eq!(count(stage, &customer).await, json!(3));
    assert_eq!(customer.account(&stage.service).await["balance_remaining_usd"], balance);
    stage.post(&customer, PATH, &bulk(3, 2)).await.expect_status(201);
}

async fn spec_4_5_a_shortage_of_balance_is_found_item_by_item(stage: &Stage) {
    let customer = Customer::create(&stage.service).await;
    customer.price(&stage.service, "company_reviews", "subscription", "1").await;
    customer.price(&stage.service, "company_social_posts", "subscription", "0.5").await;
    customer.price(&stage.service, "company_mentions", "update_based", "9").await;
    customer.top_up(&stage.service, "first", "2.5").await;
    let cheap = json!({"radar_type": "company_social_posts", "domain": "a.com"});
    let free = json!({"radar_type": "company_mentions", "domain": "a.com"});
    let items = json!([company("a.com"), company("b.com"), company("c.com"), cheap, company("d.com"), free]);
    let answer = stage.post(&customer, PATH, &json!({"radars": items})).await.expect_status(207);
    assert_eq!(codes(&answer.json), [201, 201, 402, 201, 402, 201]);
    assert_eq!(answer.json["summary"], json!({"total": 6, "created": 4, "failed": 2, "retryable": 2}));
    assert_eq!(customer.account(&stage.service).await["balance_remaining_usd"], json!(0));
}

async fn spec_4_5_items_are_decided_as_they_are_alone(stage: &Stage) {
    let customer = stage.customer().await;
    let items = [
        json!(7),
        json!(null),
        json!([]),
        json!({}),
        json!({"radar_type": "radar_created", "webhook_url": 1}),
        json!({"radar_type": "company_job_openings", "domain": "a.com", "departments": [], "job_titles": "a b"}),
        json!({"radar_type": "contact_social_posts", "profile_url": "example.com"}),
        json!({"radar_type": "industry_mentions", "keyword": "ab"}),
        json!({"radar_type": "industry_mentions", "keyword": "abc", "domain": "a.com"}),
        json!({"radar_type": "company_reviews", "domain": "a.com", "custom_fields": {"a": "v".repeat(501)}}),
        json!({"radar_type": "company_reviews", "domain": "a\u{0}.com"}),
        company("sound.com"),
    ];
    let answer = stage.post(&customer, PATH, &json!({"radars": items})).await.expect_status(207);
    let mut expected = vec![400; items.len() - 1];
    expected.push(201);
    assert_eq!(codes(&answer.json), expected);
    let named: Vec<Vec<&str>> = answer.json["results"].as_array().expect("results")[..items.len() - 1]
        .iter()
        .map(|result| {
            let errors = result["errors"].as_array().expect("errors");
            errors.iter().map(|error| error["field"].as_str().expect("a field")).collect()
        })
        .collect();
    assert_eq!(
        named,
        [
            &["body"][..],
            &["body"],
            &["body"],
            &["radar_type"],
            &["radar_type", "webhook_url"],
            &["departments", "job_titles", "job_titles"],
            &["profile_url"],
            &["keyword"],
            &["domain"],
            &["custom_fields"],
            &["domain"],
        ]
    );
}

async fn decision_3_2_items_see_each_other_in_index_order(stage: &Stage) {
    let customer = stage.customer().await;
    let social = |profile_url: &str| json!({"radar_type": "contact_social_posts", "profile_url": profile_url});
    let items = json!([
        company("a.com"),
        company("https://www.A.com/x"),
        company("b.com"),
        social("x.com/ada"),
        social("twitter.com/ada"),
    ]);
    let answer = stage.post(&customer, PATH, &json!({"radars": items})).await.expect_status(207);
    assert_eq!(codes(&answer.json), [201, 409, 201, 201, 409]);
    let results = &answer.json["results"];
    assert_eq!(results[1]["errors"], json!([{"field": "domain", "reason": results[0]["data"]["radar_id"]}]));
    assert_eq!(results[4]["errors"], json!([{"field": "profile_url", "reason": results[3]["data"]["radar_id"]}]));
    assert_eq!(count(stage, &customer).await, json!(3));
}

async fn decision_3_2_all_items_failed_is_400_with_prefixed_fields(stage: &Stage) {
    let poor = Customer::create(&stage.service).await;
    poor.price(&stage.service, "company_reviews", "subscription", "1").await;
    poor.top_up(&stage.service, "first", "1").await;
    let existing = stage.radar(&poor, "/v1/radars/companies", &company("a.com")).await;
    let items = json!([company("a.com"), company("b.com"), {"radar_type": "company_reviews", "x": 1}, 7]);
    let body = json!({"radars": items, "custom_fields": {"batch": "1"}});
    let answer = stage.post(&poor, PATH, &body).await.expect_status(400);
    assert_eq!(
        keys(&answer.json),
        ["code", "custom_fields", "error_id", "errors", "message", "results", "status", "summary", "timestamp"]
    );
    assert_eq!((&answer.json["status"], &answer.json["code"]), (&json!("error"), &json!(400)));
    assert!(is_uuid(&answer.json["error_id"], 4));
    assert_eq!(
        fields(&answer),
        ["radars[0].domain", "radars[1].balance", "radars[2].x", "radars[2].domain", "radars[3].body"]
    );
    assert_eq!(answer.json["errors"][0]["reason"], existing["radar_id"]);
    assert_eq!(answer.json["summary"], json!({"total": 4, "created": 0, "failed": 4, "retryable": 1}));
    assert_eq!(codes(&answer.json), [409, 402, 400, 400]);
    assert_eq!(answer.json["custom_fields"], json!({"batch": "1"}));
    let one = stage.post(&poor, PATH, &json!({"radars": [company("a.com")]})).await.expect_status(400);
    assert_eq!((codes(&one.json), fields(&one)), (vec![409], vec!["radars[0].domain"]));
}

async fn decision_3_2_the_whole_bulk_is_one_transaction(stage: &Stage) {
    let customer = stage.customer().await;
    let items: Vec<Value> = (0..50).map(|no| company(&format!("s{no}.com"))).collect();
    let answer = stage.post(&customer, PATH, &json!({"radars": items})).await.expect_status(201);
    let results = answer.json["results"].as_array().expect("results");
    let created_at = &results[0]["data"]["created_at"];
    assert!(results.iter().all(|result| result["data"]["created_at"] == *created_at), "one instant for all");
    let charges: Vec<Value> =
        customer.ledger(&stage.service).await.into_iter().filter(|entry| entry["kind"] == "subscription").collect();
    let ids = |entries: &[Value], pointer: &str| -> Vec<Value> {
        entries.iter().map(|entry| entry.pointer(pointer).expect("an id").clone()).collect()
    };
    assert_eq!(ids(&charges, "/radar_id"), ids(results, "/data/radar_id"), "charged in index order");
}

async fn spec_8_2_a_bulk_has_at_most_one_megabyte(stage: &Stage) {
    let customer = stage.customer().await;
    // The largest items that the limits of their fields allow, so that the megabyte is met by what is in it.
    let labels: serde_json::Map<String, Value> =
        (0..20).map(|key| (format!("{key:050}"), json!("v".repeat(460)))).collect();
    let items: Vec<Value> = (0..90)
        .map(|no| json!({"radar_type": "company_reviews", "domain": format!("s{no}.com"), "custom_fields": labels}))
        .collect();
    let body = json!({"radars": items}).to_string();
    assert!((900_000..MEGABYTE).contains(&body.len()), "{}", body.len());
    for (length, code) in [(MEGABYTE + 1, 400), (MEGABYTE, 201)] {
        let padded = format!("{body}{}", " ".repeat(length - body.len()));
        let (status, answer) =
            send_bytes(stage, &customer, PATH, Some("application/json"), padded.into_bytes(), false).await;
        assert_eq!(status, code, "{length}");
        if code == 400 {
            assert_eq!(answer["errors"], json!([{"field": "body", "reason": "must be at most 1048576 bytes"}]));
        }
    }
}
