//! `POST /v1/radars/contacts`, row by row (Spec 2.1, 2.2, 2.4, 2.7, 4.3, 8.2; decisions 1.5, 1.6, 1.9, 2.2, 2.8).

use serde_json::{Value, json};

use crate::support::stage::{Stage, fields, keys, rows};

const PATH: &str = "/v1/radars/contacts";
const TYPES: [&str; 3] = ["contact_job_changes", "contact_social_posts", "contact_social_engagements"];

rows! { spec_4_3: &[];
    spec_2_1_contact_types_are_created_here_and_nowhere_else,
    spec_2_1_filters_are_ignored,
    spec_2_2_the_record_of_job_changes_has_what_was_asked_for,
    spec_2_2_the_record_of_a_social_type_has_no_domain,
    spec_2_4_identifiers_of_the_contact_are_in_no_update,
    spec_2_7_what_each_type_requires,
    spec_2_7_profile_url_is_normalised,
    spec_2_7_the_social_types_know_three_networks,
    spec_2_7_a_profile_is_unique_per_type,
    decision_1_5_without_a_profile_the_email_and_then_the_name_identify,
    decision_2_2_fields_that_the_type_does_not_use_are_refused,
    spec_8_2_the_limits_of_fields_hold_to_the_character,
}

fn body_of(radar_type: &str, profile_url: &str) -> Value {
    let mut body = json!({"radar_type": radar_type, "profile_url": profile_url});
    if radar_type == "contact_job_changes" {
        body["domain"] = json!("acme-robotics.com");
    }
    body
}

async fn spec_2_1_contact_types_are_created_here_and_nowhere_else(stage: &Stage) {
    let customer = stage.customer().await;
    for radar_type in TYPES {
        let body = body_of(radar_type, "https://x.com/ada");
        for other in ["/v1/radars/companies", "/v1/radars/industry"] {
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
        let mut body = body_of(radar_type, "https://x.com/ada");
        body["departments"] = json!([]);
        body["seniorities"] = json!({"a": 1});
        body["job_titles"] = json!("vice president");
        let record = stage.radar(&customer, PATH, &body).await;
        for filter in ["departments", "seniorities", "job_titles"] {
            assert!(record.get(filter).is_none(), "{radar_type}: {record}");
        }
    }
}

async fn spec_2_2_the_record_of_job_changes_has_what_was_asked_for(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({
        "radar_type": "contact_job_changes",
        "domain": "https://www.acme-robotics.com/team",
        "profile_url": "people.acme-robotics.com/ada/",
        "email": " Ada.L@ACME-Robotics.com ",
        "full_name": "  Ada Løvelace ",
        "webhook_url": "https://hooks.acme-robotics.com",
        "custom_fields": {"crm": "7"},
    });
    let record = stage.radar(&customer, PATH, &body).await;
    assert_eq!(
        keys(&record),
        [
            "created_at", "custom_fields", "deactivated_at", "domain", "email", "full_name", "next_charge_at",
            "profile_url", "radar_id", "radar_status", "radar_type", "webhook_url",
        ],
    );
    assert_eq!((&record["domain"], &record["full_name"]), (&json!("acme-robotics.com"), &json!("Ada Løvelace")));
    assert_eq!(record["profile_url"], "https://people.acme-robotics.com/ada");
    assert_eq!(record["email"], "Ada.L@acme-robotics.com");
    assert_eq!((&record["webhook_url"], &record["custom_fields"]), (&body["webhook_url"], &body["custom_fields"]));
    assert_eq!(stage.record(&customer, &record["radar_id"]).await, record);

    let body = json!({"radar_type": "contact_job_changes", "domain": "acme-robotics.com", "full_name": "Ben"});
    let record = stage.radar(&customer, PATH, &body).await;
    assert!(record.get("email").is_none() && record.get("profile_url").is_none(), "{record}");
}

async fn spec_2_2_the_record_of_a_social_type_has_no_domain(stage: &Stage) {
    let customer = stage.customer().await;
    for radar_type in ["contact_social_posts", "contact_social_engagements"] {
        let record = stage.radar(&customer, PATH, &body_of(radar_type, "linkedin.com/in/ada")).await;
        assert_eq!(
            keys(&record),
            [
                "created_at", "custom_fields", "deactivated_at", "next_charge_at", "profile_url", "radar_id",
                "radar_status", "radar_type",
            ],
        );
    }
}

async fn spec_2_4_identifiers_of_the_contact_are_in_no_update(stage: &Stage) {
    let customer = stage.customer().await;
    let body = json!({
        "radar_type": "contact_job_changes", "domain": "acme-robotics.com", "profile_url": "https://x.com/secret-profile",
        "email": "secret-mail@acme-robotics.com", "full_name": "Secret Name", "custom_fields": {"crm": "7"},
    });
    let record = stage.radar(&customer, PATH, &body).await;
    let content = json!({"change_type": "departure", "new_role": {}, "previous_role": {"title": "CTO"}});
    stage.push(&customer, &record["radar_id"], "1", content).await;
    let updates = customer.updates(&stage.service).await;
    assert_eq!(updates.len(), 1);
    assert!(!updates[0].to_lowercase().contains("secret"), "{}", updates[0]);
    let update: Value = serde_json::from_str(&updates[0]).expect("JSON");
    assert_eq!(keys(&update["data"]), ["custom_fields", "domain", "next_charge_at", "radar_id", "radar_type"]);
}

async fn spec_2_7_what_each_type_requires(stage: &Stage) {
    let customer = stage.customer().await;
    let job_changes = |more: Value| {
        let mut body = json!({"radar_type": "contact_job_changes"});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    };
    for (body, offending) in [
        (json!({}), &["radar_type"][..]),
        (job_changes(json!({})), &["email", "domain"]),
        (job_changes(json!({"domain": "acme-robotics.com"})), &["email"]),
        (job_changes(json!({"domain": "a.com", "email": null, "full_name": null})), &["email"]),
        (job_changes(json!({"email": "a@b.com"})), &["domain"]),
        (job_changes(json!({"domain": "a.com", "email": ""})), &["email"]),
        (job_changes(json!({"domain": "a.com", "email": "nobody", "full_name": "Ada"})), &["email"]),
        (job_changes(json!({"domain": "a.com", "full_name": " "})), &["full_name"]),
        (
            job_changes(json!({"domain": "a", "profile_url": "ftp://a.com", "email": 1})),
            &["domain", "profile_url", "email"],
        ),
        (job_changes(json!({"domain": "acme-robotics.com", "email": "ada@acme-robotics.com"})), &[]),
        (job_changes(json!({"domain": "acme-robotics.com", "profile_url": "people.example.org/ada"})), &[]),
        (job_changes(json!({"domain": "acme-robotics.com", "full_name": "Ada L"})), &[]),
        (json!({"radar_type": "contact_social_posts"}), &["profile_url"]),
        (json!({"radar_type": "contact_social_posts", "profile_url": ""}), &["profile_url"]),
        (json!({"radar_type": "contact_social_posts", "profile_url": "x.com/ada"}), &[]),
        (json!({"radar_type": "contact_social_engagements"}), &["profile_url"]),
        (json!({"radar_type": "contact_social_engagements", "profile_url": "x.com/ada"}), &[]),
    ] {
        let answer = stage.post(&customer, PATH, &body).await;
        if offending.is_empty() {
            assert_eq!(answer.status, 201, "{body}: {}", answer.json);
        } else {
            assert_eq!((answer.status, fields(&answer)), (400, offending.to_vec()), "{body}");
        }
    }
}

async fn spec_2_7_profile_url_is_normalised(stage: &Stage) {
    let customer = stage.customer().await;
    for (given, normalised) in [
        ("linkedin.com/in/one", "https://www.linkedin.com/in/one"),
        ("https://linkedin.com/in/two/", "https://www.linkedin.com/in/two"),
        ("www.linkedin.com/in/three?utm_source=a#about", "https://www.linkedin.com/in/three"),
        ("X.com/Four/", "https://x.com/Four"),
        ("https://twitter.com/five?s=20", "https://twitter.com/five"),
        (" http://www.x.com/six ", "http://www.x.com/six"),
    ] {
        for radar_type in TYPES {
            let record = stage.radar(&customer, PATH, &body_of(radar_type, given)).await;
            assert_eq!(record["profile_url"], normalised, "{given} of {radar_type}");
        }
    }
    for (given, normalised) in [
        ("people.example.org/seven/?id=7#x", "https://people.example.org/seven?id=7"),
        ("http://People.Example.org:8080/eight//", "http://people.example.org:8080/eight"),
    ] {
        let record = stage.radar(&customer, PATH, &body_of("contact_job_changes", given)).await;
        assert_eq!(record["profile_url"], normalised, "{given}");
    }
}

async fn spec_2_7_the_social_types_know_three_networks(stage: &Stage) {
    let customer = stage.customer().await;
    for given in [
        "linkedin.com/company/acme",
        "linkedin.com/in/",
        "linkedin.com",
        "x.com",
        "x.com/",
        "example.com/ada",
        "https://example.com/?u=linkedin.com/in/ada",
        "notx.com/ada",
        "x.com.example.org/ada",
        "https://x.com@example.org/ada",
        "ftp://x.com/ada",
        "https://x.com/ada b",
        "mailto:ada@x.com/",
    ] {
        for radar_type in ["contact_social_posts", "contact_social_engagements"] {
            let refused = stage.post(&customer, PATH, &body_of(radar_type, given)).await.expect_status(400);
            assert_eq!(fields(&refused), ["profile_url"], "{given} of {radar_type}");
        }
    }
    let refused = stage.post(&customer, PATH, &body_of("contact_social_posts", "example.com/ada")).await;
    assert_eq!(refused.text("/errors/0/reason"), "must be a profile on linkedin.com/in/, x.com or twitter.com");
}

async fn spec_2_7_a_profile_is_unique_per_type(stage: &Stage) {
    let customer = stage.customer().await;
    let first = stage.radar(&customer, PATH, &body_of("contact_social_posts", "https://x.com/ada")).await;
    for again in ["x.com/ada/", "https://x.com/ada?s=20", "https://twitter.com/ada", "http://www.twitter.com/ada#top"] {
        let refused = stage.post(&customer, PATH, &body_of("contact_social_posts", again)).await.expect_status(409);
        assert_eq!(refused.json["errors"], json!([{"field": "profile_url", "reason": first["radar_id"]}]), "{again}");
    }
    for radar_type in ["contact_social_engagements", "contact_job_changes"] {
        stage.radar(&customer, PATH, &body_of(radar_type, "https://x.com/ada")).await;
    }
    let elsewhere = json!({
        "radar_type": "contact_job_changes", "domain": "other.com", "profile_url": "https://x.com/ada", "email": "a@b.com",
    });
    stage.post(&customer, PATH, &elsewhere).await.expect_status(409);
    stage.radar(&customer, PATH, &body_of("contact_social_posts", "https://x.com/ben")).await;
    stage.radar(&stage.customer().await, PATH, &body_of("contact_social_posts", "https://x.com/ada")).await;
    let path = format!("/v1/radars/{}", first["radar_id"].as_str().expect("an id"));
    customer.api(&stage.service).delete(&path).await.expect_status(200);
    stage.radar(&customer, PATH, &body_of("contact_social_posts", "https://twitter.com/ada")).await;
}

async fn decision_1_5_without_a_profile_the_email_and_then_the_name_identify(stage: &Stage) {
    let customer = stage.customer().await;
    let body = |domain: &str, email: Value, full_name: &str| json!({"radar_type": "contact_job_changes", "domain": domain, "email": email, "full_name": full_name});
    for (wanted, field) in [
        (body("a.com", json!("ada@a.com"), "Ada L"), None),
        (body("b.com", json!("ADA@A.com"), "Somebody Else"), Some("email")),
        (body("a.com", json!("ben@a.com"), "Ada L"), None),
        (body("a.com", json!(null), "Ada L"), None),
        (body("a.com", json!(null), " ada   l "), Some("full_name")),
        (body("b.com", json!(null), "Ada L"), None),
        (body("a.com", json!(null), "Ada M"), None),
    ] {
        let answer = stage.post(&customer, PATH, &wanted).await;
        match field {
            None => assert_eq!(answer.status, 201, "{wanted}: {}", answer.json),
            Some(field) => assert_eq!((answer.status, fields(&answer)), (409, vec![field]), "{wanted}"),
        }
    }
}

async fn decision_2_2_fields_that_the_type_does_not_use_are_refused(stage: &Stage) {
    let customer = stage.customer().await;
    for (radar_type, field, value) in [
        ("contact_social_posts", "domain", json!("acme-robotics.com")),
        ("contact_social_posts", "email", json!("ada@acme-robotics.com")),
        ("contact_social_engagements", "full_name", json!("Ada")),
        ("contact_job_changes", "keyword", json!("steel")),
        ("contact_job_changes", "countries", json!(["SE"])),
    ] {
        let mut body = body_of(radar_type, "https://x.com/ada");
        body[field] = value;
        let refused = stage.post(&customer, PATH, &body).await.expect_status(400);
        assert_eq!(fields(&refused), [field], "{radar_type}");
        body[field] = json!(null);
        let record = stage.radar(&customer, PATH, &body).await;
        let path = format!("/v1/radars/{}", record["radar_id"].as_str().expect("an id"));
        customer.api(&stage.service).delete(&path).await.expect_status(200);
    }
}

async fn spec_8_2_the_limits_of_fields_hold_to_the_character(stage: &Stage) {
    let customer = stage.customer().await;
    let profile_url = |length: usize| json!(format!("https://x.com/{}", "a".repeat(length - 14)));
    let email = |length: usize| json!(format!("{}@{}b.com", "é".repeat(64), "a.".repeat((length - 70) / 2)));
    assert_eq!(email(254).as_str().map(|email| email.chars().count()), Some(254));
    for (field, value, code) in [
        ("profile_url", profile_url(2048), 201),
        ("profile_url", profile_url(2049), 400),
        ("profile_url", profile_url(900_000), 400),
        ("email", email(254), 201),
        ("email", email(256), 400),
        ("email", json!(format!("{}@a.com", "é".repeat(65))), 400),
        ("full_name", json!("鉄".repeat(500)), 201),
        ("full_name", json!("鉄".repeat(501)), 400),
        ("full_name", json!("Ada\u{0}"), 400),
        ("full_name", json!("Ada\nL"), 400),
        ("email", json!("ada\u{0}@a.com"), 400),
        ("profile_url", json!("x.com/a\u{0}da"), 400),
    ] {
        let mut body = json!({"radar_type": "contact_job_changes", "domain": "acme-robotics.com"});
        body[field] = value;
        let answer = stage.post(&customer, PATH, &body).await;
        assert_eq!(answer.status, code, "{field}: {}", answer.json);
        match code {
            400 => assert_eq!(fields(&answer), [field]),
            _ => assert_eq!(answer.json["data"][field], body[field]),
        }
    }
}
