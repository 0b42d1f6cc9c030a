//! The machine-readable contract: the OpenAPI document, the page that shows it, and the schemas of payloads.

use std::collections::BTreeSet;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::contract::{Exchange, compile, contract, document, resolved, strict};
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;

/// Every object in `value`, with where it stands.
fn objects<'a>(value: &'a Value, place: &str, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(fields) => {
            found.push((place.to_owned(), value));
            for (name, value) in fields {
                objects(value, &format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                objects(value, &format!("{place}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn all_objects(document: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    objects(document, "", &mut found);
    found
}

/// Every operation, those of receivers included.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let items = [&document["paths"], &document["webhooks"]].into_iter().flat_map(|items| items.as_object());
    let methods = items.flatten().flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    methods.collect()
}

fn assert_valid(schema: &Validator, value: &Value, place: &str) {
    let errors: Vec<String> =
        schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{place}: {errors:?}");
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    let document = document();
    let mut used = BTreeSet::new();
    for (place, object) in all_objects(&document) {
        if let Some(reference) = object["$ref"].as_str() {
            assert!(resolved(object, &document).is_object(), "{place}");
            used.insert(reference.to_owned());
        }
    }
    for kind in ["schemas", "responses"] {
        for name in document["components"][kind].as_object().expect("components").keys() {
            assert!(used.contains(&format!("#/components/{kind}/{name}")), "{name} is used nowhere");
        }
    }
}

#[test]
fn every_schema_is_one() {
    let document = document();
    for (place, object) in all_objects(&document) {
        let is_component = place.rsplit_once('/').is_some_and(|(parent, _)| parent == "/components/schemas");
        if is_component || place.ends_with("/schema") {
            jsonschema::meta::validate(object).unwrap_or_else(|error| panic!("{place}: {error}"));
            compile(object, &document);
        }
    }
}

#[test]
fn every_example_fits_its_schema() {
    let document = document();
    let mut examples = 0;
    for (place, object) in all_objects(&document) {
        for (name, example) in object["examples"].as_object().into_iter().flatten() {
            assert_valid(&compile(&object["schema"], &document), &example["value"], &format!("{place} {name}"));
            let exactly = compile(&strict(object["schema"].clone()), &strict_document(&document));
            assert_valid(&exactly, &example["value"], &format!("{place} {name}"));
            examples += 1;
        }
        if let Some(default) = object.get("default").filter(|_| object.get("type").is_some()) {
            assert_valid(&compile(object, &document), default, &place);
        }
    }
    let bodies = all_objects(&document).iter().filter(|(place, _)| place.ends_with("/application~1json")).count();
    assert!(examples >= bodies, "{bodies} bodies have {examples} examples");
}

fn strict_document(document: &Value) -> Value {
    let mut document = document.clone();
    document["components"]["schemas"] = strict(document["components"]["schemas"].clone());
    document
}

#[test]
fn every_operation_is_told_whole() {
    let document = document();
    let mut identifiers = BTreeSet::new();
    let tags: Vec<&Value> = document["tags"].as_array().expect("tags").iter().map(|tag| &tag["name"]).collect();
    for (name, operation) in operations(&document) {
        assert!(identifiers.insert(operation["operationId"].as_str().expect("an identifier")), "{name}");
        for text in ["summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| !text.is_empty()), "{name}: {text}");
        }
        for tag in operation["tags"].as_array().expect("tags") {
            assert!(tags.contains(&tag), "{name}: {tag}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string() && parameter["schema"].is_object(), "{name}: {parameter}");
            let is_needed = parameter["in"] == "path" || name == "post radarUpdate";
            assert_eq!(parameter["required"], is_needed, "{name}: {parameter}");
        }
        for (status, answer) in operation["responses"].as_object().expect("responses") {
            let answer = resolved(answer, &document);
            assert!(answer["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {status}");
            for link in answer["links"].as_object().into_iter().flatten().map(|(_, link)| link) {
                let is_known = |other: &(String, &Value)| other.1["operationId"] == link["operationId"];
                assert!(operations(&document).iter().any(is_known), "{name}: {link}");
            }
        }
    }
}

#[test]
fn request_bodies_leave_no_room_for_unknown_fields() {
    let document = document();
    let mut requests = 0;
    for (name, operation) in operations(&document).iter().filter(|(name, _)| name != "post radarUpdate") {
        let content = &operation["requestBody"]["content"]["application/json"];
        for example in content["examples"].as_object().into_iter().flat_map(|examples| examples.values()) {
            let mut body = example["value"].clone();
            body["colour"] = json!("red");
            assert!(!compile(&content["schema"], &document).is_valid(&body), "{name}: {body}");
            requests += 1;
        }
    }
    assert!(requests >= 5, "each of the five requests with a body has an example");
}

#[actix_web::test]
async fn the_document_and_its_page_are_served_without_a_key() {
    on_both_databases(async |database| {
        let service = Service::start(database.url(), &[]);
        let public = service.public();
        let answer = public.get("/openapi.json").await.expect_status(200);
        assert_eq!(answer.json, document());
        assert_eq!(answer.headers.get("content-type").expect("a header"), "application/json");
        assert!(answer.json["openapi"].as_str().expect("a version").starts_with("3.1"));

        let redirect = public.get("/docs").await.expect_status(308);
        assert_eq!(redirect.headers.get("location").expect("a header"), "docs/");
        let page = public.get("/docs/").await.expect_status(200);
        let page = String::from_utf8_lossy(&page.bytes).into_owned();
        let files = page.split('"').filter(|text| text.ends_with(".js") || text.ends_with(".css"));
        let files: Vec<&str> = files.collect();
        assert!(files.len() >= 3 && !page.contains("//"), "{page}");
        for file in files {
            public.get(&format!("/docs/{}", file.trim_start_matches("./"))).await.expect_status(200);
        }
        let settings = public.get("/docs/swagger-initializer.js").await.expect_status(200);
        let settings = String::from_utf8_lossy(&settings.bytes).into_owned();
        assert!(settings.contains(r#""url": "../openapi.json""#), "{settings}");
        assert!(settings.contains(r#""validatorUrl": "none""#), "{settings}");
        public.get("/docs/nowhere.js").await.expect_status(404);
        public.post("/openapi.json", &json!({})).await.expect_status(405);
    })
    .await;
}

#[actix_web::test]
async fn spec_4_11_the_schemas_of_payloads_can_be_asked_for() {
    on_both_databases(async |database| {
        let service = Service::start(database.url(), &[]);
        let customer = Customer::create(&service).await;
        let api = customer.api(&service);
        let all = api.get("/v1/webhooks/schema").await.expect_status(200);
        assert_eq!(all.json["data"].as_object().expect("schemas").len(), 16);
        for (name, schema) in all.json["data"].as_object().expect("schemas") {
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
            jsonschema::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        let two = api.get("/v1/webhooks/schema?radar_type=company_reviews,industry_mentions").await.expect_status(200);
        let names: Vec<&String> = two.json["data"].as_object().expect("schemas").keys().collect();
        assert_eq!(names, ["company_reviews", "industry_mentions", "radar_failure"]);
        let refused = api.get("/v1/webhooks/schema?radar_type=radar_failure").await.expect_status(400);
        assert_eq!(refused.text("/errors/0/field"), "radar_type");
        service.public().get("/v1/webhooks/schema").await.expect_status(401);
        undocumented_methods_are_refused(&api).await;
    })
    .await;
}

/// The client holds the answers against the document: 405, with the documented methods in `Allow`.
async fn undocumented_methods_are_refused(api: &Client) {
    let document = document();
    let paths = document["paths"].as_object().expect("paths").iter();
    for (path, _) in paths.filter(|(_, item)| item.get("put").is_none()) {
        let names = ["{id}", "{update_id}", "{feed_id}", "{token}"];
        let path = names.iter().fold(path.clone(), |path, name| path.replace(name, "7"));
        api.put(&path, &json!({})).await.expect_status(405);
    }
}

#[test]
fn what_is_not_as_documented_is_noticed() {
    let headers = [
        ("x-ratelimit-limit", "200"),
        ("x-ratelimit-remaining", "199"),
        ("x-ratelimit-reset", "1"),
        ("x-request-id", "one"),
        ("etag", "W/\"1\""),
    ];
    let headers: HeaderMap = headers
        .map(|(name, text)| (HeaderName::from_static(name), HeaderValue::from_static(text)))
        .into_iter()
        .collect();
    let document = document();
    let responses = &document["paths"]["/v1/radars/{id}"]["get"]["responses"];
    let body = &responses["200"]["content"]["application/json"]["examples"]["active"]["value"];
    let sound = Exchange { method: "GET", path: "/v1/radars/7", sent: None, status: 200, headers: &headers, body };
    assert_eq!(contract().deviations(&sound), [""; 0]);

    let bare = HeaderMap::new();
    let with = |pointer: &str, value: Value| {
        let mut body = body.clone();
        *body.pointer_mut(pointer).expect("a place") = value;
        body
    };
    let mut more = body.clone();
    more["data"]["colour"] = json!("red");
    for exchange in [
        Exchange { status: 202, ..sound },
        Exchange { headers: &bare, ..sound },
        Exchange { path: "/v1/radars/7?colour=red", ..sound },
        Exchange { method: "PUT", ..sound },
        Exchange { path: "/v1/radar", ..sound },
        Exchange { body: &more, ..sound },
        Exchange { body: &with("/code", json!(201)), ..sound },
        Exchange { body: &with("/data/created_at", json!("yesterday")), ..sound },
        Exchange { body: &with("/data/domain", Value::Null), ..sound },
    ] {
        assert_ne!(contract().deviations(&exchange), [""; 0], "{} {}", exchange.method, exchange.path);
    }
}
