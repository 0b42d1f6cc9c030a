//! `POST /v1/radars/companies`, row by row (Spec 2.1 to 2.3, 2.5, 2.7, 4.2, 8.2; decisions 1.5 to 1.9, 2.1 to 2.7, 3.1).

use serde_json::{Value, json};

use crate::support::stage::{Stage, fields, is_instant, is_uuid, keys, rows, send_bytes};

const PATH: &str = "/v1/radars/companies";
const FILTERABLE: [&str; 4] =
    ["company_job_openings", "company_new_hires", "company_promotions", "company_social_posts_cxo"];
const NOT_FILTERABLE: [&str; 4] =
    ["company_reviews", "company_mentions", "company_social_posts", "company_social_engagements"];
const DEPARTMENTS: [&str; 24] = [
    "Accounting",
    "Administrative",
    "Business Development",
    "Consulting",
    "Customer Success",
    "Design",
    "Education",
    "Engineering",
    "Finance",
    "Human Resources",
    "Information Technology",
    "Legal",
    "Manufacturing",
    "Marketing",
    "Media and Communication",
    "Operations",
    "Product Management",
    "Project Management",
    "Purchasing",
    "Quality Assurance",
    "Real Estate",
    "Research",
    "Sales",
    "Support",
];
const SENIORITIES: [&str; 9] =
    ["Owner", "CXO", "Vice President", "Director", "Manager", "Senior", "Entry", "Training", "Partner"];
const MEGABYTE: usize = 1024 * 1024;

rows! { spec_4_2: &[];
    spec_2_1_company_types_are_created_here_and_nowhere_else,
    spec_2_1_filters_of_types_that_are_not_filterable_are_ignored,
    spec_2_2_a_plain_record_has_only_what_is_set,
    spec_2_2_a_full_record_has_what_was_asked_for,
    spec_2_3_each_value_of_the_vocabularies_is_allowed_and_no_other,
    spec_2_5_creation_charges_subscriptions_and_update_based_radars_are_free,
    spec_2_7_domain_is_normalised_to_the_bare_domain,
    spec_2_7_domain_and_radar_type_are_required,
    spec_2_7_empty_arrays_and_unknown_fields_are_refused,
    spec_2_7_job_titles_replace_departments_and_seniorities,
    spec_2_7_a_duplicate_is_refused_with_the_existing_radars_id,
    decision_1_5_a_target_can_be_created_again_after_delete,
    decision_2_1_what_is_no_domain_is_refused,
    decision_2_2_fields_that_the_type_does_not_use_are_refused,
    decision_2_3_faults_of_job_titles_name_the_column,
    decision_2_6_null_is_absent_and_every_wrong_type_is_named,
    decision_2_6_bodies_that_are_no_json_are_refused,
    decision_2_7_webhook_url_is_kept_as_given,
    decision_3_1_the_first_of_several_rejections_is_answered,
    spec_4_2_the_envelope_of_a_201,
    spec_7_every_offending_field_is_listed_at_once,
    spec_8_2_the_limits_of_fields_hold_to_the_character,
    spec_8_2_nul_is_refused_in_every_text,
    spec_8_2_a_body_has_at_most_one_megabyte,
}

async fn spec_2_1_company_types_are_created_here_and_nowhere_else(stage: &Stage) {
    let customer = stage.customer().await;
    for radar_type in FILTERABLE.iter().chain(&NOT_FILTERABLE) {
        let body = json!({"domain": "acme-robotics.com", "radar_type": radar_type});
        for other in ["/v1/radars/contacts", "/v1/radars/industry"] {
            let refused = stage.post(&customer, other, &body).await.expect_status(400);
            assert!(fields(&refused).contains(&"radar_type"), "{radar_type} at {other}: {}", refused.json);
        }
        let record = stage.radar(&customer, PATH, &body).await;
        assert_eq!(record["radar_type"], *radar_type);
    }
    for radar_type in ["contact_job_changes", "industry_mentions", "company_jobs", "", "Company_Reviews"] {
        let body = json!({"domain": "acme-robotics.com", "radar_type": radar_type});
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        let allowed = FILTERABLE.iter().chain(&NOT_FILTERABLE).copied().collect::<Vec<_>>().join(", ");
        assert_eq!(
            refused.json["errors"],
            json!([{"field": "radar_type", "reason": format!("must be one of {allowed}")}])
        );
    }
}

async fn spec_2_1_filters_of_types_that_are_not_filterable_are_ignored(stage: &Stage) {
    let customer = stage.customer().await;
    let nonsense = [
        json!({"departments": ["Sales"], "seniorities": ["CXO"]}),
        json!({"departments": [], "seniorities": ["Boss"], "job_titles": "a b ("}),
        json!({"departments": "x", "seniorities": 7, "job_titles": {"\0": "x"}}),
        json!({"departments": null, "job_titles": "x".repeat(5_000)}),
    ];
    for (radar_type, nonsense) in NOT_FILTERABLE.iter().zip(nonsense) {
        let mut body = nonsense;
        body["domain"] = json!("acme-robotics.com");
        body["radar_type"] = json!(radar_type);
        let record = stage.radar(&customer, PATH, &body).await;
        for filter in ["departments", "seniorities", "job_titles"] {
            assert!(record.get(filter).is_none(), "{radar_type}: {record}");
        }
        assert_eq!(stage.record(&customer, &record["radar_id"]).await, record);
    }
    for radar_type in FILTERABLE {
        let body = json!({"domain": "acme-robotics.com", "radar_type": radar_type, "departments": ["Sales"]});
        let record = stage.radar(&customer, PATH, &body).await;
        assert_eq!(record["departments"], json!(["Sales"]), "{radar_type}");
    }
}

async fn spec_2_2_a_plain_record_has_only_what_is_set(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
    let record = stage.radar(&customer, PATH, &body).await;
    assert_eq!(
        keys(&record),
        [
            "created_at", "custom_fields", "deactivated_at", "domain", "next_charge_at", "radar_id", "radar_status",
            "radar_type",
        ],
        "decision 1.9: {record}"
    );
    assert!(is_uuid(&record["radar_id"], 7), "decision 1.8: {record}");
    assert!(is_instant(&record["created_at"]) && is_instant(&record["next_charge_at"]), "decision 1.7: {record}");
    assert_eq!((&record["radar_status"], &record["deactivated_at"]), (&json!("active"), &json!(null)));
    assert_eq!(record["custom_fields"], json!({}));
    let instant =
        |name: &str| record[name].as_str().expect("text").parse::<chrono::DateTime<chrono::Utc>>().expect("one");
    assert_eq!(instant("next_charge_at") - instant("created_at"), chrono::Duration::days(30));
    assert_eq!(stage.record(&customer, &record["radar_id"]).await, record, "get answers the same");
    let listed = customer.api(&stage.service).get("/v1/radars").await.expect_status(200);
    assert_eq!(listed.json["data"], json!([record]), "list answers the same");
}

async fn spec_2_2_a_full_record_has_what_was_asked_for(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({
        "domain": "acme-robotics.com",
        "radar_type": "company_job_openings",
        "webhook_url": "https://hooks.acme-robotics.com/in?a=1",
        "departments": ["Sales", "Engineering"],
        "seniorities": ["CXO", "Owner"],
        "custom_fields": {"crm": "7", "Ünïcode": "väl\nue", "empty": ""},
    });
    let record = stage.radar(&customer, PATH, &body).await;
    for field in ["domain", "radar_type", "webhook_url", "departments", "seniorities", "custom_fields"] {
        assert_eq!(record[field], body[field], "{field}");
    }
    for field in ["job_titles", "profile_url", "email", "full_name", "keyword", "countries", "status_reason"] {
        assert!(record.get(field).is_none(), "{field}: {record}");
    }
    assert_eq!(stage.record(&customer, &record["radar_id"]).await, record);
}

async fn spec_2_3_each_value_of_the_vocabularies_is_allowed_and_no_other(stage: &Stage) {
    let customer = stage.customer().await;
    let create = |domain: &str, field: &str, value: Value| {
        let mut body = json!({"domain": domain, "radar_type": "company_promotions"});
        body[field] = value;
        body
    };
    let body = create("all-departments.com", "departments", json!(DEPARTMENTS));
    assert_eq!(stage.radar(&customer, PATH, &body).await["departments"], json!(DEPARTMENTS));
    let body = create("all-seniorities.com", "seniorities", json!(SENIORITIES));
    assert_eq!(stage.radar(&customer, PATH, &body).await["seniorities"], json!(SENIORITIES));
    for (index, department) in DEPARTMENTS.iter().enumerate() {
        let body = create(&format!("department-{index}.com"), "departments", json!([department]));
        assert_eq!(stage.radar(&customer, PATH, &body).await["departments"], json!([department]));
    }
    for (index, seniority) in SENIORITIES.iter().enumerate() {
        let body = create(&format!("seniority-{index}.com"), "seniorities", json!([seniority]));
        assert_eq!(stage.radar(&customer, PATH, &body).await["seniorities"], json!([seniority]));
    }
    for (field, value, allowed) in [
        ("departments", "sales", DEPARTMENTS.join(", ")),
        ("departments", "Baking", DEPARTMENTS.join(", ")),
        ("departments", "Owner", DEPARTMENTS.join(", ")),
        ("departments", "", DEPARTMENTS.join(", ")),
        ("seniorities", "cxo", SENIORITIES.join(", ")),
        ("seniorities", "VP", SENIORITIES.join(", ")),
        ("seniorities", "Sales", SENIORITIES.join(", ")),
    ] {
        let body = create("acme-robotics.com", field, json!(["Partner", "Support", value]));
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), [field], "{value}");
        let reason = refused.text("/errors/0/reason");
        assert!(reason.contains(&allowed) && reason.contains(&format!("'{value}'")), "{value}: {reason}");
    }
}

async fn spec_2_5_creation_charges_subscriptions_and_update_based_radars_are_free(stage: &Stage) {
    let customer = stage.customer().await;
    customer.price(&stage.service, "company_reviews", "subscription", "0.25").await;
    customer.price(&stage.service, "company_mentions", "update_based", "5").await;
    stage.radar(&customer, PATH, &json!({"domain": "a.com", "radar_type": "company_reviews"})).await;
    assert_eq!(customer.account(&stage.service).await["balance_remaining_usd"], json!(999.75));
    let record = stage.radar(&customer, PATH, &json!({"domain": "a.com", "radar_type": "company_mentions"})).await;
    assert_eq!(record["next_charge_at"], json!(null), "decision 4.8");
    let account = customer.account(&stage.service).await;
    assert_eq!(
        (&account["balance_remaining_usd"], &account["usage"]["balance_used_usd"]),
        (&json!(999.75), &json!(0.25))
    );

    let poor = crate::support::customer::Customer::create(&stage.service).await;
    poor.price(&stage.service, "company_mentions", "update_based", "5").await;
    let refused = stage.post(&poor, PATH, &json!({"domain": "a.com", "radar_type": "company_reviews"})).await;
    assert_eq!(fields(&refused.expect_status(402)), ["balance"]);
    stage.radar(&poor, PATH, &json!({"domain": "a.com", "radar_type": "company_mentions"})).await;
    let listed = poor.api(&stage.service).get("/v1/radars").await.expect_status(200);
    assert_eq!(listed.json["count"], json!(1), "a refused creation leaves nothing");
}

async fn spec_2_7_domain_is_normalised_to_the_bare_domain(stage: &Stage) {
    let customer = stage.customer().await;
    for (given, domain) in [
        ("bare-domain.com", "bare-domain.com"),
        ("  spaces-around.com\t", "spaces-around.com"),
        ("UPPER-Case.COM", "upper-case.com"),
        ("www.with-www.com", "with-www.com"),
        ("https://a-url.com", "a-url.com"),
        ("http://www.a-path.com/about/us/", "a-path.com"),
        ("a-port.com:8443", "a-port.com"),
        ("https://user:secret@www.everything.com:8443/a?b=c#d", "everything.com"),
        ("root-dot.com.", "root-dot.com"),
        ("careers.sub-domain.co.uk", "careers.sub-domain.co.uk"),
        ("https://www.bücher-laden.de/katalog", "xn--bcher-laden-thb.de"),
    ] {
        let body = json!({"domain": given, "radar_type": "company_reviews"});
        let record = stage.radar(&customer, PATH, &body).await;
        assert_eq!(record["domain"], domain, "{given}");
    }
}

async fn spec_2_7_domain_and_radar_type_are_required(stage: &Stage) {
    let customer = stage.customer().await;
    for (body, offending) in [
        (json!({}), &["radar_type", "domain"][..]),
        (json!({"domain": "acme-robotics.com"}), &["radar_type"]),
        (json!({"radar_type": "company_reviews"}), &["domain"]),
        (json!({"radar_type": null, "domain": null}), &["radar_type", "domain"]),
    ] {
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), offending, "{body}");
        assert_eq!(refused.text("/errors/0/reason"), "is required");
    }
}

async fn spec_2_7_empty_arrays_and_unknown_fields_are_refused(stage: &Stage) {
    let customer = stage.customer().await;
    for (field, value) in [
        ("departments", json!([])),
        ("seniorities", json!([])),
        ("job_titles", json!("")),
        ("job_titles", json!("   ")),
        ("departments", json!(vec!["Sales"; 101])),
        ("department", json!(["Sales"])),
        ("webhookUrl", json!("https://a.com/")),
        ("", json!(1)),
        ("radar_id", json!("7")),
        ("radar_status", json!("active")),
    ] {
        let mut body = json!({"domain": "acme-robotics.com", "radar_type": "company_job_openings"});
        body[field] = value;
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), [field], "{body}");
    }
}

async fn spec_2_7_job_titles_replace_departments_and_seniorities(stage: &Stage) {
    let customer = stage.customer().await;
    let expression = "(cto OR \"vice president\") AND NOT  (Intern OR \"head of it\")";
    let body = json!({"domain": "a.com", "radar_type": "company_new_hires", "job_titles": expression});
    let record = stage.radar(&customer, PATH, &body).await;
    assert_eq!(record["job_titles"], expression, "as it was given");
    assert!(record.get("departments").is_none() && record.get("seniorities").is_none());
    for (field, value) in [("departments", "Sales"), ("seniorities", "CXO")] {
        let mut body = json!({"domain": "b.com", "radar_type": "company_new_hires", "job_titles": "cto"});
        body[field] = json!([value]);
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), ["job_titles"], "{field}");
    }
}

async fn spec_2_7_a_duplicate_is_refused_with_the_existing_radars_id(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
    let record = stage.radar(&customer, PATH, &body).await;
    for again in ["acme-robotics.com", "https://WWW.acme-robotics.com/x", "acme-robotics.com.:80"] {
        let body = json!({"domain": again, "radar_type": "company_reviews", "webhook_url": "https://a.com/"});
        let refused = stage.post(&customer, PATH, &body).await.expect_status(409);
        assert_eq!(refused.json["errors"], json!([{"field": "domain", "reason": record["radar_id"]}]), "decision 1.6");
    }
    for (domain, radar_type) in [
        ("acme-robotics.com", "company_mentions"),
        ("jobs.acme-robotics.com", "company_reviews"),
        ("acme-robotics.de", "company_reviews"),
    ] {
        stage.radar(&customer, PATH, &json!({"domain": domain, "radar_type": radar_type})).await;
    }
    let other = stage.customer().await;
    stage.radar(&other, PATH, &body).await;
    assert_eq!(customer.account(&stage.service).await["account"]["total_radars"], json!(4));
}

async fn decision_1_5_a_target_can_be_created_again_after_delete(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
    let mut before = None;
    for _ in 0..3 {
        let record = stage.radar(&customer, PATH, &body).await;
        assert_ne!(before, Some(record["radar_id"].clone()), "a new radar");
        stage.post(&customer, PATH, &body).await.expect_status(409);
        let path = format!("/v1/radars/{}", record["radar_id"].as_str().expect("an id"));
        customer.api(&stage.service).delete(&path).await.expect_status(200);
        before = Some(record["radar_id"].clone());
    }
}

async fn decision_2_1_what_is_no_domain_is_refused(stage: &Stage) {
    let customer = stage.customer().await;
    for domain in [
        "", " ", "localhost", "com", "co.uk", "192.0.2.1", "http://192.0.2.1:80/", "[2001:db8::1]", "exa mple.com",
        "exa_mple.com", "-example.com", "example..com", "example.notasuffix", "https://", "@", "example.com:http",
    ] {
        let body = json!({"domain": domain, "radar_type": "company_reviews"});
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), ["domain"], "{domain}");
    }
}

async fn decision_2_2_fields_that_the_type_does_not_use_are_refused(stage: &Stage) {
    let customer = stage.customer().await;
    for (field, value) in [
        ("keyword", json!("steel")),
        ("countries", json!(["SE"])),
        ("profile_url", json!("https://x.com/ada")),
        ("email", json!("ada@example.com")),
        ("full_name", json!("Ada L")),
    ] {
        let mut body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
        body[field] = value;
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), [field]);
        assert!(refused.text("/errors/0/reason").starts_with("is not used by company_reviews; allowed are: "));
    }
}

async fn decision_2_3_faults_of_job_titles_name_the_column(stage: &Stage) {
    let customer = stage.customer().await;
    for (expression, column) in [
        ("vice president", 6),
        ("é or b", 3),
        ("a AND", 6),
        ("a OR (b", 6),
        ("a)", 2),
        ("a OR \"b", 6),
        ("\"\"", 1),
        ("NOT", 4),
        ("a NOT b", 3),
        ("((((((((((((((((( a )))))))))))))))))", 17),
    ] {
        let body = json!({"domain": "a.com", "radar_type": "company_new_hires", "job_titles": expression});
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), ["job_titles"]);
        let reason = refused.text("/errors/0/reason");
        assert!(reason.starts_with(&format!("column {column}: ")), "{expression}: {reason}");
    }
    for (expression, code) in [
        ("é".repeat(1000), 201),
        ("é".repeat(1001), 400),
        (vec!["b"; 65].join(" OR "), 400),
        ("(".repeat(500) + "a" + &")".repeat(499), 400),
    ] {
        let body = json!({"domain": "a.com", "radar_type": "company_new_hires", "job_titles": expression});
        stage.post(&customer, PATH, &body).await.expect_status(code);
    }
}

async fn decision_2_6_null_is_absent_and_every_wrong_type_is_named(stage: &Stage) {
    let customer = stage.customer().await;
    let nothing = json!({
        "domain": "acme-robotics.com", "radar_type": "company_job_openings", "webhook_url": null, "departments": null,
        "seniorities": null, "job_titles": null, "custom_fields": null, "keyword": null, "countries": null,
    });
    let record = stage.radar(&customer, PATH, &nothing).await;
    assert_eq!((keys(&record).len(), &record["custom_fields"]), (8, &json!({})), "{record}");
    let (number, flag, text, list, object) = (json!(7), json!(true), json!("x"), json!(["x"]), json!({"x": "y"}));
    for (field, wrong) in [
        ("domain", [&number, &flag, &list, &object]),
        ("radar_type", [&number, &flag, &list, &object]),
        ("webhook_url", [&number, &flag, &list, &object]),
        ("job_titles", [&number, &flag, &list, &object]),
        ("departments", [&number, &flag, &text, &object]),
        ("seniorities", [&number, &flag, &text, &object]),
        ("custom_fields", [&number, &flag, &text, &list]),
    ] {
        for value in wrong {
            let mut body = json!({"domain": "other.com", "radar_type": "company_job_openings"});
            body[field] = value.clone();
            let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
            assert_eq!(fields(&refused), [field], "{body}");
        }
    }
    for (field, value) in [
        ("departments", json!([null])),
        ("departments", json!(["Sales", 7])),
        ("seniorities", json!([["CXO"]])),
        ("custom_fields", json!({"a": 1})),
        ("custom_fields", json!({"a": null})),
        ("custom_fields", json!({"a": {"b": "c"}})),
    ] {
        let mut body = json!({"domain": "other.com", "radar_type": "company_job_openings"});
        body[field] = value;
        assert_eq!(fields(&stage.post(&customer, PATH, &body).await.expect_status(400)), [field], "{body}");
    }
    for body in [json!(null), json!([]), json!("x"), json!(7), json!(true)] {
        assert_eq!(fields(&stage.post(&customer, PATH, &body).await.expect_status(400)), ["body"], "{body}");
    }
}

async fn decision_2_6_bodies_that_are_no_json_are_refused(stage: &Stage) {
    let customer = stage.customer().await;
    let sound = r#"{"domain":"acme-robotics.com","radar_type":"company_reviews"}"#;
    let mut bodies: Vec<Vec<u8>> = [
        "",
        " ",
        "{",
        "}",
        "{}x",
        "domain=acme-robotics.com",
        "{'domain':'a.com'}",
        "{\"domain\":}",
        "NaN",
        r#"{"domain":"\ud800.com","radar_type":"company_reviews"}"#,
        r#"{"domain":"a.com","radar_type":"company_reviews","custom_fields":{"a":"\udc00"}}"#,
        r#"{"domain":"a.com","domain":"b.com","radar_type":"company_reviews"}"#,
        r#"{"domain":"a.com","radar_type":"company_reviews","custom_fields":{"a":"1","\u0061":"2"}}"#,
        r#"{"domain":1e999,"radar_type":"company_reviews"}"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    bodies.push(format!("{sound}{sound}").into_bytes());
    bodies.push([b"\xef\xbb\xbf", sound.as_bytes()].concat());
    bodies.push(sound.replace("acme", "ac\u{0}me").into_bytes());
    bodies.push([&sound.as_bytes()[..15], b"\xff\xfe", &sound.as_bytes()[15..]].concat());
    bodies.push(sound.encode_utf16().flat_map(u16::to_le_bytes).collect());
    bodies.push("[".repeat(100_000).into_bytes());
    bodies.push(("[".repeat(100_000) + &"]".repeat(100_000)).into_bytes());
    bodies.push(("{\"domain\":".repeat(90_000) + "1" + &"}".repeat(90_000)).into_bytes());
    bodies.push(format!("{{\"domain\":{}}}", "9".repeat(500_000)).into_bytes());
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(70)]).into_owned();
        let (status, answer) = send_bytes(stage, &customer, PATH, Some("application/json"), body, false).await;
        assert_eq!((status, &answer["errors"][0]["field"]), (400, &json!("body")), "{shown}: {answer}");
        assert!(is_uuid(&answer["error_id"], 4), "{shown}: {answer}");
    }
    for content_type in [None, Some("text/plain"), Some("application/x-www-form-urlencoded"), Some("application/jsonx")]
    {
        let (status, answer) = send_bytes(stage, &customer, PATH, content_type, sound.into(), false).await;
        assert_eq!((status, &answer["errors"][0]["field"]), (400, &json!("body")), "{content_type:?}: {answer}");
    }
    let listed = customer.api(&stage.service).get("/v1/radars").await.expect_status(200);
    assert_eq!(listed.json["count"], json!(0));
    let content_type = Some("application/json; charset=utf-8");
    assert_eq!(send_bytes(stage, &customer, PATH, content_type, sound.into(), false).await.0, 201);
}

async fn decision_2_7_webhook_url_is_kept_as_given(stage: &Stage) {
    let customer = stage.customer().await;
    for (index, webhook_url) in [
        "https://hooks.acme-robotics.com",
        "HTTPS://Hooks.Acme-Robotics.com:443/In?a=b",
        "http://hooks.bücher-laden.de/ein/../aus",
        "http://203.0.114.7:8080/hook",
    ]
    .iter()
    .enumerate()
    {
        let body = json!({
            "domain": format!("hook-{index}.com"), "radar_type": "company_reviews", "webhook_url": webhook_url,
        });
        let record = stage.radar(&customer, PATH, &body).await;
        assert_eq!(record["webhook_url"], *webhook_url);
        assert_eq!(stage.record(&customer, &record["radar_id"]).await["webhook_url"], *webhook_url);
    }
    for webhook_url in [
        "",
        "hooks.acme-robotics.com/in",
        "//hooks.acme-robotics.com",
        "ftp://acme-robotics.com/",
        "mailto:a@b.com",
        "https://ada:secret@acme-robotics.com/",
        "https://acme-robotics.com/#top",
        "https://",
        "https://a b.com/",
        "http://10.0.0.1/",
        "http://169.254.169.254/latest",
        "http://[fd00::1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://100.64.0.1/",
        "http://0.0.0.0/",
        "http://0x0a.1/",
        "javascript:alert(1)",
    ] {
        let body = json!({"domain": "b.com", "radar_type": "company_reviews", "webhook_url": webhook_url});
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), ["webhook_url"], "{webhook_url}");
    }
}

async fn decision_3_1_the_first_of_several_rejections_is_answered(stage: &Stage) {
    let poor = crate::support::customer::Customer::create(&stage.service).await;
    poor.top_up(&stage.service, "first", "0.1").await;
    poor.price(&stage.service, "company_reviews", "subscription", "0.1").await;
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
    stage.radar(&poor, PATH, &body).await;
    stage.post(&poor, PATH, &body).await.expect_status(409);
    let broken = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews", "x": 1});
    stage.post(&poor, PATH, &broken).await.expect_status(400);
    let other = json!({"domain": "other.com", "radar_type": "company_reviews"});
    stage.post(&poor, PATH, &other).await.expect_status(402);
    let strange = stage.service.public().with_header("x-api-key", "nobody");
    strange.post(PATH, &broken).await.expect_status(401);
    let answer = poor.api(&stage.service).post(&format!("{PATH}?dry_run=1"), &other).await.expect_status(400);
    assert_eq!(fields(&answer), ["dry_run"], "decision 2.5");
}

async fn spec_4_2_the_envelope_of_a_201(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({"domain": "acme-robotics.com", "radar_type": "company_reviews"});
    let answer = stage.post(&customer, PATH, &body).await.expect_status(201);
    assert_eq!(keys(&answer.json), ["code", "data", "message", "status", "timestamp"]);
    assert_eq!((&answer.json["status"], &answer.json["code"]), (&json!("success"), &json!(201)));
    assert!(answer.json["message"].is_string() && is_instant(&answer.json["timestamp"]));
}

async fn spec_7_every_offending_field_is_listed_at_once(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({
        "radar_type": "company_job_openings",
        "webhook_url": "ftp://a.com",
        "departments": ["Baking"],
        "seniorities": [],
        "job_titles": "vice president",
        "custom_fields": {"": "x", "k": "v".repeat(501), "n": 1},
        "colour": "red",
        "keyword": "steel",
    });
    let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
    let mut named = fields(&refused);
    named.dedup();
    assert_eq!(
        named,
        ["colour", "keyword", "domain", "departments", "seniorities", "job_titles", "webhook_url", "custom_fields"]
    );
    for error in refused.json["errors"].as_array().expect("errors") {
        assert!(error["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{error}");
    }
    assert_eq!(keys(&refused.json), ["code", "error_id", "errors", "message", "status", "timestamp"]);
    let body = json!({"domain": "x", "departments": [], "webhook_url": "x", "colour": 1});
    let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
    assert_eq!(fields(&refused), ["radar_type", "colour", "domain", "departments", "webhook_url"]);
}

async fn spec_8_2_the_limits_of_fields_hold_to_the_character(stage: &Stage) {
    let customer = stage.customer().await;
    let webhook_url = |length: usize| format!("https://a.com/{}", "a".repeat(length - 14));
    let domain = |length: usize| format!("{}{}.com", "a.".repeat(100), "b".repeat(length - 204));
    let long_label = |length: usize| format!("{0}.{0}.{0}.{1}.com", "a".repeat(62), "b".repeat(length - 193));
    let labels =
        |count: usize| (0..count).map(|index| (format!("k{index}"), json!(""))).collect::<serde_json::Map<_, _>>();
    let label = |key: usize, value: usize| json!({"é".repeat(key): "鉄".repeat(value)});
    assert_eq!((webhook_url(2048).len(), domain(253).len(), long_label(254).len()), (2048, 253, 254));
    for (number, (field, value, code)) in [
        ("webhook_url", json!(webhook_url(2048)), 201),
        ("webhook_url", json!(webhook_url(2049)), 400),
        ("domain", json!(domain(253)), 201),
        ("domain", json!(long_label(253)), 201),
        ("domain", json!(long_label(254)), 400),
        ("domain", json!(format!("https://acme-robotics.com/{}", "a".repeat(2022))), 201),
        ("domain", json!(format!("https://acme-robotics.com/{}", "a".repeat(2023))), 400),
        ("custom_fields", json!(labels(20)), 201),
        ("custom_fields", json!(labels(21)), 400),
        ("custom_fields", label(50, 500), 201),
        ("custom_fields", label(51, 500), 400),
        ("custom_fields", label(50, 501), 400),
        ("custom_fields", json!({"": "v"}), 400),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = json!({"domain": format!("limit-{number}.com"), "radar_type": "company_reviews"});
        body[field] = value;
        let answer = stage.post(&customer, PATH, &body).await;
        assert_eq!(answer.status, code, "row {number}, {field}: {}", answer.json);
        if code == 400 {
            assert_eq!(fields(&answer), [field], "row {number}");
        } else {
            let record = stage.record(&customer, &answer.json["data"]["radar_id"]).await;
            assert_eq!(record, answer.json["data"], "row {number}");
            assert!(field == "domain" || record[field] == body[field], "row {number}");
        }
    }
}

async fn spec_8_2_nul_is_refused_in_every_text(stage: &Stage) {
    let customer = stage.customer().await;
    for (field, value) in [
        ("domain", json!("acme\u{0}.com")),
        ("radar_type", json!("company_job_openings\u{0}")),
        ("webhook_url", json!("https://a.com/\u{0}")),
        ("job_titles", json!("ab\u{0}c")),
        ("departments", json!(["Sales\u{0}"])),
        ("custom_fields", json!({"a": "\u{0}"})),
        ("custom_fields", json!({"a\u{0}": ""})),
        ("x\u{0}", json!(1)),
    ] {
        let mut body = json!({"domain": "acme-robotics.com", "radar_type": "company_job_openings"});
        body[field] = value;
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), [field]);
    }
}

async fn spec_8_2_a_body_has_at_most_one_megabyte(stage: &Stage) {
    let customer = stage.customer().await;
    for (index, (length, is_chunked, code)) in [
        (MEGABYTE, false, 201),
        (MEGABYTE, true, 201),
        (MEGABYTE + 1, false, 400),
        (MEGABYTE + 1, true, 400),
        (4 * MEGABYTE, false, 400),
        (4 * MEGABYTE, true, 400),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = json!({"domain": format!("large-{index}.com"), "radar_type": "company_reviews"}).to_string();
        body.push_str(&" ".repeat(length - body.len()));
        let (status, answer) =
            send_bytes(stage, &customer, PATH, Some("application/json"), body.into_bytes(), is_chunked).await;
        assert_eq!(status, code, "{length} bytes, chunked: {is_chunked}: {answer}");
        if code == 400 {
            assert_eq!(answer["errors"], json!([{"field": "body", "reason": "must be at most 1048576 bytes"}]));
        }
    }
}
