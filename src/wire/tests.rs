//! Hostile input: everything is read or refused, nothing panics, and endless texts are refused in linear time.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::public::webhooks::webhook_test;
use super::public::{bulk, new_radar, query};
use super::{cursor, json as wire_json, parameters};
use domain::delivery::webhook_url;
use domain::field_limits::{BODY_BYTES_MAX, FIELD_ERRORS_MAX, QUERY_BYTES_MAX};
use domain::targets::free_text;
use domain::{Category, CountryCode, DomainName, Email, EmailError, FieldError, ProfileUrl, TitleExpression};

const MEGABYTE: usize = BODY_BYTES_MAX;

/// Texts of a megabyte for which a careless parser takes long.
fn endless_texts() -> Vec<(&'static str, String)> {
    let repeated = |unit: &str| unit.repeat(MEGABYTE / unit.len());
    vec![
        ("one giant label", repeated("a")),
        ("one giant label outside ASCII", repeated("ü")),
        ("many labels", repeated("a.")),
        ("many labels outside ASCII", repeated("ü.")),
        ("many dots", repeated(".")),
        ("many ignorable characters", repeated("\u{ad}")),
        ("many combining marks", repeated("\u{301}")),
        ("punycode", format!("xn--{}", repeated("a"))),
        ("many slashes", repeated("/")),
        ("many colons", repeated(":")),
        ("many at signs", repeated("@")),
        ("an address with an endless path", format!("https://x.com/{}", repeated("a/"))),
        ("an address with an endless query", format!("https://example.com/?{}", repeated("a&"))),
        ("an address with endless credentials", format!("https://{}example.com/", repeated("a@"))),
        ("endless percent signs", format!("https://example.com/{}", repeated("%"))),
        ("many brackets", repeated("[")),
        ("many opening parentheses", repeated("(")),
        ("many closing parentheses", repeated(")")),
        ("many negations", repeated("NOT ")),
        ("many operators", repeated("a AND ")),
        ("many quotes", repeated("\"")),
        ("many phrases", repeated("\"a\" OR ")),
        ("many commas", repeated(",")),
        ("an endless name at a host", format!("{}@example.com", repeated("a"))),
        ("a name at an endless host", format!("a@{}com", repeated("a."))),
        ("white space around little", format!("{}{}", repeated(" "), "ab")),
    ]
}

/// The reason of a rejection.
fn rejection<T, E: ToString>(answer: Result<T, E>) -> Option<String> {
    answer.err().map(|error| error.to_string())
}

#[test]
fn spec_8_2_endless_texts_are_refused_and_the_limit_is_named() {
    for (shape, text) in endless_texts() {
        let is_blank = shape == "white space around little";
        for (field, rejection, limit) in [
            ("domain", rejection(DomainName::parse(&text)), "253"),
            ("profile_url", rejection(ProfileUrl::parse(&text)), "2048"),
            ("profile_url", rejection(ProfileUrl::parse_social(&text)), "2048"),
            ("email", rejection(Email::parse(&text)), "254"),
            ("webhook_url", rejection(webhook_url::parse(&text, &|_| false)), "2048"),
            ("keyword", rejection(free_text::keyword(&text)), "500"),
            ("full_name", rejection(free_text::full_name(&text)), "500"),
            ("job_titles", rejection(TitleExpression::parse(&text)), "1000"),
        ] {
            if is_blank && field != "job_titles" {
                // It is cut, and what is left is checked like any other text.
                continue;
            }
            let rejection = rejection.unwrap_or_else(|| panic!("{field} takes {shape}"));
            assert!(rejection.contains(limit), "{field} refuses {shape} because it {rejection}");
        }
        assert!(CountryCode::parse(&text).is_err(), "{shape}");
        assert!(parameters::path_id(&text).is_err() && query::updates(&text).is_err(), "{shape}");
        assert_eq!((cursor::UpdatesCursor::decode(&text), cursor::RadarCursor::decode(&text)), (None, None), "{shape}");
    }
    assert_eq!(Email::parse(&"a".repeat(255)), Err(EmailError::TooLong));
}

#[test]
fn spec_8_2_endless_texts_are_refused_inside_a_body() {
    for (shape, text) in endless_texts().into_iter().filter(|(shape, _)| *shape != "white space around little") {
        for (field, body) in [
            ("domain", json!({"radar_type": "company_job_openings"})),
            ("job_titles", json!({"radar_type": "company_job_openings", "domain": "a.com"})),
            ("departments", json!({"radar_type": "company_job_openings", "domain": "a.com"})),
            ("radar_type", json!({"domain": "a.com"})),
            ("webhook_url", json!({"radar_type": "company_reviews", "domain": "a.com"})),
            ("custom_fields", json!({"radar_type": "company_reviews", "domain": "a.com"})),
            ("email", json!({"radar_type": "contact_job_changes", "domain": "a.com"})),
            ("full_name", json!({"radar_type": "contact_job_changes", "domain": "a.com"})),
            ("profile_url", json!({"radar_type": "contact_social_posts"})),
            ("keyword", json!({"radar_type": "industry_mentions"})),
            ("countries", json!({"radar_type": "industry_job_openings", "keyword": "abc"})),
        ] {
            let mut body = body;
            body[field] = match field {
                "custom_fields" => json!({"label": &text}),
                "departments" | "countries" => json!([&text]),
                _ => json!(&text),
            };
            let errors = new_radar::read(&body, None, &|_| false).expect_err(shape);
            assert!(errors.iter().all(|error| error.field == field), "{shape}: {errors:?}");
            assert!(errors.iter().all(|error| error.reason.len() < 600), "{shape} of {field} is echoed");
        }
    }
}

#[test]
fn spec_7_endless_errors_are_not_answered_without_end() {
    let many = |name: &str| (0..100_000).map(|number| (format!("{name}{number}"), json!(1))).collect::<Map<_, _>>();
    let bounded = |answer: Result<(), Vec<FieldError>>, field: &str| {
        let errors = answer.expect_err("a rejection");
        assert!((1..=FIELD_ERRORS_MAX).contains(&errors.len()), "{} errors", errors.len());
        assert!(errors.iter().any(|error| error.field.starts_with(field)), "{:?}", errors[0]);
    };
    let create = |body: Value| new_radar::read(&body, None, &|_| false).map(drop);
    let company = |field: &str, value: Value| {
        let mut body = json!({"radar_type": "company_job_openings", "domain": "example.com"});
        body[field] = value;
        body
    };
    bounded(create(Value::Object(many("field"))), "field");
    bounded(create(company(&"k".repeat(MEGABYTE / 2), json!(1))), "kkkk");
    bounded(create(company("custom_fields", Value::Object(many("key")))), "custom_fields");
    bounded(create(company("departments", json!(vec!["x"; 250_000]))), "departments");
    bounded(create(company("departments", json!(vec!["Sales"; 100_000]))), "departments");
    bounded(create(company("seniorities", json!(vec![1; 250_000]))), "seniorities");
    let countries = json!({"radar_type": "industry_job_openings", "keyword": "abc", "countries": vec!["SE"; 200_000]});
    bounded(create(countries), "countries");
    bounded(bulk::parse(&Value::Object(many("field")), &|_| false).map(drop), "field");
    bounded(bulk::parse(&json!({"radars": vec![1; 500_000]}), &|_| false).map(drop), "radars");

    let pairs = "limit=1&".repeat(QUERY_BYTES_MAX / 8 + 1);
    for answer in [query::radars(&pairs).map(drop), query::updates(&pairs).map(drop), parameters::none(&pairs)] {
        assert_eq!(answer, Err(vec![FieldError::new("query", "must be at most 8192 bytes")]));
    }
}

#[test]
fn spec_8_2_nul_is_refused_wherever_a_text_may_stand() {
    for (field, value, body) in [
        ("domain", json!("exam\0ple.com"), json!({"radar_type": "company_job_openings"})),
        ("radar_type", json!("company_reviews\0"), json!({"domain": "a.com"})),
        ("webhook_url", json!("https://a.com/\0"), json!({"radar_type": "company_reviews", "domain": "a.com"})),
        ("job_titles", json!("\"a\0b\""), json!({"radar_type": "company_job_openings", "domain": "a.com"})),
        ("departments", json!(["Sales\0"]), json!({"radar_type": "company_job_openings", "domain": "a.com"})),
        ("custom_fields", json!({"a\0": "b"}), json!({"radar_type": "company_reviews", "domain": "a.com"})),
        ("custom_fields", json!({"a": "\0"}), json!({"radar_type": "company_reviews", "domain": "a.com"})),
        ("email", json!("a\0@a.com"), json!({"radar_type": "contact_job_changes", "domain": "a.com"})),
        ("full_name", json!("Ada\0"), json!({"radar_type": "contact_job_changes", "domain": "a.com"})),
        ("profile_url", json!("x.com/ada\0"), json!({"radar_type": "contact_social_posts"})),
        ("keyword", json!("abc\0"), json!({"radar_type": "industry_mentions"})),
        ("countries", json!(["SE\0"]), json!({"radar_type": "industry_job_openings", "keyword": "abc"})),
    ] {
        let mut body = body;
        body[field] = value;
        let errors = new_radar::read(&body, None, &|_| false).expect_err(field);
        assert_eq!(errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), [field], "{body}");
    }
}

/// Names and values that lead further into the readers than arbitrary ones.
fn telling_text() -> impl Strategy<Value = String> {
    let known = [
        "radar_type", "domain", "webhook_url", "custom_fields", "departments", "seniorities", "job_titles", "keyword",
        "countries", "profile_url", "email", "full_name", "radars", "update_type", "company_job_openings",
        "contact_job_changes", "contact_social_posts", "industry_job_openings", "industry_mentions", "Sales", "CXO",
        "SE", "example.com", "https://x.com/ada", "ada@example.com", "cto OR cio", "steel", "radar_finding",
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), ".{0,8}"]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        telling_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(telling_text(), inner, 0..8)
                .prop_map(|object| Value::Object(object.into_iter().collect())),
        ]
    })
}

/// A rejection names at least one field, and each with a reason.
fn is_told<T>(answer: Result<T, Vec<FieldError>>) -> bool {
    answer.err().is_none_or(|errors| {
        let is_whole = |error: &FieldError| !error.reason.is_empty();
        !errors.is_empty() && errors.len() <= FIELD_ERRORS_MAX && errors.iter().all(is_whole)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_json_is_read_or_refused(body in any_value()) {
        let forbidden = |host: domain::delivery::webhook_url::WebhookHost| host.address.is_some_and(|address| address.is_loopback());
        prop_assert!(is_told(new_radar::read(&body, Some(Category::Company), &forbidden)));
        prop_assert!(is_told(new_radar::read(&body, Some(Category::Contact), &forbidden)));
        prop_assert!(is_told(new_radar::read(&body, Some(Category::Industry), &forbidden)));
        prop_assert!(is_told(new_radar::read(&body, None, &forbidden)));
        prop_assert!(is_told(webhook_test::parse(&body, &forbidden)));
        if let Ok(bulk) = bulk::parse(&body, &forbidden) {
            prop_assert!((1..=100).contains(&bulk.items.len()));
            prop_assert!(bulk.items.into_iter().all(is_told));
        }
    }

    #[test]
    fn any_item_of_a_bulk_is_read_as_it_is_alone(items in prop::collection::vec(any_value(), 1..5)) {
        let bulk = bulk::parse(&json!({"radars": &items}), &|_| false).expect("a sound envelope");
        let alone: Vec<_> = items.iter().map(|item| new_radar::read(item, None, &|_| false)).collect();
        prop_assert_eq!(bulk.items, alone);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(body) = wire_json::parse(&bytes) {
            prop_assert!(is_told(new_radar::read(&body, None, &|_| false)));
            prop_assert!(is_told(bulk::parse(&body, &|_| false)));
        }
    }

    #[test]
    fn any_query_is_read_or_refused(
        pairs in prop::collection::vec((telling_text(), telling_text()), 0..6), raw in ".{0,40}",
    ) {
        let written: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        for raw in [written.join("&"), raw] {
            prop_assert!(is_told(query::account(&raw)));
            prop_assert!(is_told(query::radars(&raw)));
            prop_assert!(is_told(query::updates(&raw)));
            prop_assert!(is_told(query::schema(&raw)));
            prop_assert!(is_told(parameters::none(&raw)));
            prop_assert!(is_told(parameters::path_id(&raw)));
        }
    }
}
