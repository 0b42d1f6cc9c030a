//! `GET /v1/updates` (Spec 2.4, 4.9, 6.1, 6.4; decisions 1.7, 1.8, 2.5, 3.4 to 3.7).

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, FixedOffset, SecondsFormat, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::client::{Answer, Client};
use crate::support::customer::{Customer, parse, text};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{advance, push, push_to_all, start_standing_still};
use crate::support::receiver::Receiver;
use crate::support::shapes::{assert_refused, assert_success, instant, keys, prove, uuid};

const DAY: i64 = 24 * 60 * 60;

#[actix_web::test]
async fn spec_4_9_and_decision_3_5_the_list_of_updates() {
    on_both_databases(|database| async move {
        let (service, _source, _sites) = start_standing_still(database.url());
        prove!(&service;
            spec_4_9_an_account_without_updates_has_an_empty_list,
            spec_2_4_a_finding_has_every_field_and_no_contact_identifier,
            decision_1_8_identifiers_are_named_after_what_was_found,
            decision_3_7_pushed_and_pulled_payloads_are_the_same_bytes,
            spec_4_9_failures_are_excluded_unless_requested,
            spec_4_9_limit_is_25_by_default_and_1_to_100,
            spec_4_9_radar_id_is_a_list_of_at_most_10,
            spec_4_9_radar_type_is_a_comma_separated_list,
            spec_4_9_domain_is_a_list_of_at_most_10_and_normalised,
            decision_3_5_since_is_strictly_after,
            decision_3_4_pages_follow_each_other_in_the_order_that_is_asked_for,
            decision_3_4_the_cursor_is_opaque_and_of_this_list,
            decision_3_4_a_page_goes_on_under_other_filters,
            decision_2_5_unknown_parameters_are_refused,
            spec_6_4_updates_are_shown_for_60_days,
        );
    })
    .await;
}

async fn spec_4_9_an_account_without_updates_has_an_empty_list(service: &Service) {
    let answer = Customer::create(service).await.api(service).get("/v1/updates").await;
    assert_success(&answer, &["updates", "has_more", "next_cursor"]);
    assert_eq!((&answer.json["updates"], &answer.json["has_more"]), (&json!([]), &json!(false)));
    assert_eq!(answer.json["next_cursor"], json!(null));
}

async fn spec_2_4_a_finding_has_every_field_and_no_contact_identifier(service: &Service) {
    let (_, api) = customer(service).await;
    let body = json!({
        "radar_type": "contact_job_changes", "domain": "acme.com", "email": "secret@acme.com", "full_name": "Secret Name",
        "profile_url": "https://www.linkedin.com/in/secret", "custom_fields": {"crm": "7"},
    });
    let created = api.post("/v1/radars/contacts", &body).await.expect_status(201).json["data"].clone();
    let radar_id = created["radar_id"].as_str().expect("an id");
    push(service, radar_id, "change", &json!({"change_type": "promotion", "new_role": {"title": "CTO"}})).await;
    let body = json!({"radar_type": "industry_mentions", "keyword": "green steel"});
    let mention = api.post("/v1/radars/industry", &body).await.expect_status(201).json["data"].clone();
    push(service, mention["radar_id"].as_str().expect("an id"), "mention", &json!({})).await;

    let listed = api.get("/v1/updates").await.expect_status(200);
    let [change, mentioned] = listed.json["updates"].as_array().expect("a list").as_slice() else { panic!("two") };
    for update in [change, mentioned] {
        assert_eq!(
            keys(update),
            ["content", "data", "discovered_at", "radar_type", "record_id", "update_id", "update_type"]
        );
        assert_eq!(update["update_type"], "radar_finding");
        assert_eq!(update["radar_type"], update["data"]["radar_type"], "decision 3.6: in both places");
        instant(&update["discovered_at"]);
    }
    assert_eq!(
        change["data"],
        json!({
            "radar_id": radar_id, "radar_type": "contact_job_changes", "domain": "acme.com",
            "custom_fields": {"crm": "7"}, "next_charge_at": created["next_charge_at"],
        })
    );
    assert_eq!(change["content"]["new_role"]["title"], "CTO");
    assert!(!change.to_string().to_lowercase().contains("secret"), "{change}");
    assert_eq!(keys(&mentioned["data"]), ["custom_fields", "next_charge_at", "radar_id", "radar_type"]);
    assert_eq!(mentioned["data"]["custom_fields"], json!({}));
}

async fn decision_1_8_identifiers_are_named_after_what_was_found(service: &Service) {
    let (_, api) = customer(service).await;
    let (reviews, other) =
        (company(&api, "company_reviews", "one.com").await, company(&api, "company_reviews", "two.com").await);
    for (radar_id, native_id) in [(&reviews, "a"), (&reviews, "b"), (&other, "a"), (&reviews, "a")] {
        push(service, radar_id, native_id, &json!({})).await;
    }
    let listed = api.get("/v1/updates").await.expect_status(200);
    let updates = listed.json["updates"].as_array().expect("a list");
    assert_eq!(updates.len(), 3, "the same again is no update");
    let update_ids: BTreeSet<Uuid> = updates.iter().map(|update| uuid(&update["update_id"])).collect();
    assert_eq!(update_ids.len(), 3);
    let records: Vec<Uuid> = updates.iter().map(|update| uuid(&update["record_id"])).collect();
    assert!(records[0] == records[2] && records[0] != records[1], "{records:?}");
    assert!(update_ids.iter().chain(&records).all(|id| id.get_version_num() == 5));
}

async fn decision_3_7_pushed_and_pulled_payloads_are_the_same_bytes(service: &Service) {
    let (customer, api) = customer(service).await;
    let mut receiver = Receiver::start();
    let body = json!({
        "domain": "acme.com", "radar_type": "company_reviews", "webhook_url": receiver.url("/hook"),
        "custom_fields": {"\u{fc}ber \"crm\"": "\u{1f600}\\"},
    });
    let created = api.post("/v1/radars/companies", &body).await.expect_status(201);
    let content = json!({"review_content": "caf\u{e9} \u{2028} \"<&>\"", "review_rating": 4.5});
    push(service, created.text("/data/radar_id"), "review", &content).await;
    let pushed = receiver.next().await;
    assert_eq!(customer.updates(service).await, [text(&pushed.body)]);
    assert_eq!(parse(text(&pushed.body))["data"]["next_charge_at"], created.json["data"]["next_charge_at"]);
}

async fn spec_4_9_failures_are_excluded_unless_requested(service: &Service) {
    let (customer, api) = customer(service).await;
    let reviews = company(&api, "company_reviews", "acme.com").await;
    push(service, &reviews, "one", &json!({})).await;
    let failed = company(&api, "company_job_openings", "no-jobs.com").await;
    customer.settled(service, &failed).await;
    push(service, &reviews, "two", &json!({})).await;
    for (query, kinds) in [
        ("", ["radar_finding", "radar_finding"].as_slice()),
        ("?update_type=radar_finding", &["radar_finding", "radar_finding"]),
        ("?update_type=radar_failure", &["radar_failure"]),
        ("?update_type=radar_finding,radar_failure", &["radar_finding", "radar_failure", "radar_finding"]),
        ("?update_type=radar_failure%2Cradar_finding", &["radar_finding", "radar_failure", "radar_finding"]),
        ("?update_type=radar_failure,radar_failure", &["radar_failure"]),
        ("?radar_type=company_job_openings", &[]),
        ("?radar_type=company_job_openings&update_type=radar_failure", &["radar_failure"]),
    ] {
        let listed = api.get(&format!("/v1/updates{query}")).await.expect_status(200);
        let found: Vec<&str> =
            updates(&listed).iter().map(|update| update["update_type"].as_str().expect("a kind")).collect();
        assert_eq!(found, kinds, "{query}");
    }
    let failures = api.get("/v1/updates?update_type=radar_failure").await.expect_status(200);
    let failure = &updates(&failures)[0];
    assert_eq!(failure["record_id"], json!(null), "null, not absent");
    assert_eq!(failure["data"]["radar_id"], json!(failed));
    assert_eq!(failure["data"]["next_charge_at"], json!(null));
    assert_eq!(failure["content"]["failure_reason"], "missing_prerequisites");
    assert!(failure["content"]["refund_amount"].is_number() && failure["content"]["message"].is_string());
    refused(&api, "update_type", &["", ",", "radar_finding,", "radar_findings", "RADAR_FINDING", "all", "failure"])
        .await;
}

async fn spec_4_9_limit_is_25_by_default_and_1_to_100(service: &Service) {
    let (_, api) = customer(service).await;
    findings(service, &api, 101).await;
    for (query, count) in [("", 25), ("?limit=25", 25), ("?limit=1", 1), ("?limit=99", 99), ("?limit=100", 100)] {
        let (found, has_more, _) = page(&api.get(&format!("/v1/updates{query}")).await.expect_status(200));
        assert_eq!((found, has_more), (count, true), "{query}");
    }
    refused(&api, "limit", &["", "0", "101", "1000", "-1", "+1", "2.5", "ten", "99999999999999999999"]).await;
    // Exactly as many as are left is the last page.
    let (_, _, cursor) = page(&api.get("/v1/updates?limit=76").await.expect_status(200));
    let cursor = cursor.expect("a cursor");
    for (limit, count, has_more) in [(24, 24, true), (25, 25, false), (26, 25, false)] {
        let answer = api.get(&format!("/v1/updates?cursor={cursor}&limit={limit}")).await.expect_status(200);
        let (found, more, next) = page(&answer);
        assert_eq!((found, more, next.is_some()), (count, has_more, has_more), "{limit}");
    }
}

async fn spec_4_9_radar_id_is_a_list_of_at_most_10(service: &Service) {
    let (_, api) = customer(service).await;
    let (_, other_api) = customer(service).await;
    let mut mine = Vec::new();
    for number in 0..11 {
        let radar_id = company(&api, "company_reviews", &format!("mine-{number}.com")).await;
        push(service, &radar_id, "one", &json!({})).await;
        mine.push(radar_id);
    }
    let foreign = company(&other_api, "company_reviews", "mine-0.com").await;
    push(service, &foreign, "one", &json!({})).await;
    let unknown = Uuid::now_v7().to_string();
    let ten = mine[1..].join(",");
    for (value, expected) in [
        (mine[3].clone(), vec![&mine[3]]),
        (mine[3].to_uppercase(), vec![&mine[3]]),
        (format!("{},{}", mine[5], mine[3]), vec![&mine[3], &mine[5]]),
        (format!("{0},{0}", mine[3]), vec![&mine[3]]),
        (ten.clone(), mine[1..].iter().collect()),
        (foreign.clone(), vec![]),
        (unknown.clone(), vec![]),
        (format!("{foreign},{unknown},{}", mine[3]), vec![&mine[3]]),
    ] {
        let listed = api.get(&format!("/v1/updates?radar_id={value}")).await.expect_status(200);
        let found: Vec<&str> =
            updates(&listed).iter().map(|update| update["data"]["radar_id"].as_str().expect("an id")).collect();
        assert_eq!(found, expected.iter().map(|id| id.as_str()).collect::<Vec<_>>(), "{value}");
    }
    let eleven = mine.join(",");
    refused(
        &api,
        "radar_id",
        &["", "7", &mine[0].replace('-', ""), &format!("{},", mine[0]), &eleven, &[mine[0].as_str(); 11].join(",")],
    )
    .await;
}

async fn spec_4_9_radar_type_is_a_comma_separated_list(service: &Service) {
    let (_, api) = customer(service).await;
    for radar_type in ["company_reviews", "company_mentions", "company_social_posts"] {
        let radar_id = company(&api, radar_type, "acme.com").await;
        push(service, &radar_id, "one", &json!({})).await;
    }
    for (value, expected) in [
        ("company_mentions", ["company_mentions"].as_slice()),
        ("company_social_posts,company_reviews", &["company_reviews", "company_social_posts"]),
        ("company_reviews,company_reviews", &["company_reviews"]),
        ("industry_mentions,contact_job_changes", &[]),
    ] {
        let listed = api.get(&format!("/v1/updates?radar_type={value}")).await.expect_status(200);
        let found: Vec<&str> =
            updates(&listed).iter().map(|update| update["radar_type"].as_str().expect("a type")).collect();
        assert_eq!(found, expected, "{value}");
    }
    refused(&api, "radar_type", &["", ",company_reviews", "company_reviews,", "Company_reviews", "reviews"]).await;
}

async fn spec_4_9_domain_is_a_list_of_at_most_10_and_normalised(service: &Service) {
    let (_, api) = customer(service).await;
    for (radar_type, domain) in
        [("company_reviews", "acme.com"), ("company_mentions", "acme.com"), ("company_reviews", "b\u{fc}cher.de")]
    {
        let radar_id = company(&api, radar_type, domain).await;
        push(service, &radar_id, "one", &json!({})).await;
    }
    let body = json!({"radar_type": "contact_job_changes", "domain": "acme.com", "full_name": "Ada"});
    let contact = api.post("/v1/radars/contacts", &body).await.expect_status(201);
    push(service, contact.text("/data/radar_id"), "one", &json!({})).await;
    let keyword = json!({"radar_type": "industry_mentions", "keyword": "acme.com"});
    let industry = api.post("/v1/radars/industry", &keyword).await.expect_status(201);
    push(service, industry.text("/data/radar_id"), "one", &json!({})).await;

    let acme = ["acme.com", "acme.com", "acme.com"].as_slice();
    for (value, expected) in [
        ("acme.com", acme),
        ("ACME.com", acme),
        ("www.acme.com", acme),
        ("https%3A%2F%2Fwww.acme.com%3A8443%2Fjobs%3Fx%23y", acme),
        ("http://user@acme.com/", acme),
        ("acme.com.", acme),
        ("acme.com,https://acme.com", acme),
        ("jobs.acme.com", &[]),
        ("example.org", &[]),
        ("b%C3%BCcher.de", &["xn--bcher-kva.de"]),
        ("xn--bcher-kva.de", &["xn--bcher-kva.de"]),
        ("xn--bcher-kva.de,acme.com", &["acme.com", "acme.com", "xn--bcher-kva.de", "acme.com"]),
    ] {
        let listed = api.get(&format!("/v1/updates?domain={value}")).await.expect_status(200);
        let found: Vec<&str> =
            updates(&listed).iter().map(|update| update["data"]["domain"].as_str().expect("a domain")).collect();
        assert_eq!(found, expected, "{value}");
    }
    let many = |count: usize| (0..count).map(|number| format!("d{number}.com")).collect::<Vec<_>>().join(",");
    api.get(&format!("/v1/updates?domain={}", many(10))).await.expect_status(200);
    let too_long = format!("{}.com", "a".repeat(254));
    refused(
        &api,
        "domain",
        &["", ",", "acme.com,", "localhost", "10.0.0.1", "acme", "a%20b.com", &many(11), &too_long],
    )
    .await;
}

async fn decision_3_5_since_is_strictly_after(service: &Service) {
    let (_, api) = customer(service).await;
    let radar_id = company(&api, "company_reviews", "acme.com").await;
    for native_id in ["one", "two", "three", "four"] {
        push(service, &radar_id, native_id, &json!({})).await;
    }
    let listed = api.get("/v1/updates").await.expect_status(200);
    let at: Vec<DateTime<Utc>> = updates(&listed).iter().map(|update| instant(&update["discovered_at"])).collect();
    assert!(at.is_sorted_by(|one, other| one < other), "never twice the same, though the clock stands still: {at:?}");
    let micros = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
    let offset =
        |hours: i32| at[1].with_timezone(&FixedOffset::east_opt(hours * 3600).expect("an offset")).to_rfc3339();
    for (value, first) in [
        // As it was given out: what was seen is not seen again, and nothing is left out.
        (micros(at[0]), 1),
        (micros(at[1]), 2),
        (micros(at[3]), 4),
        (micros(at[0] - Duration::microseconds(1)), 0),
        (micros(at[3] + Duration::microseconds(1)), 4),
        // Any offset, with its plus sign encoded or not, and its colon as well.
        (offset(2), 2),
        (offset(2).replace('+', "%2B"), 2),
        (offset(2).replace(':', "%3A"), 2),
        (offset(-11), 2),
        (offset(0), 2),
        (micros(at[1]).replace('T', "t").replace('Z', "z"), 2),
        // Any number of digits; those below the microsecond move nothing.
        (micros(at[1]).replace('Z', "000Z"), 2),
        (micros(at[1]).replace('Z', "999999Z"), 2),
        (at[0].format("%Y-%m-%dT%H:%M:%SZ").to_string(), 0),
        (at[0].format("%Y-%m-%dT%H:%M:%S.000Z").to_string(), 0),
        ("1970-01-01T00:00:00Z".to_owned(), 0),
        ("0000-01-01T00:00:00Z".to_owned(), 0),
        ("9999-12-31T23:59:59.999999Z".to_owned(), 4),
        ("9999-12-31T23:59:59-23:59".to_owned(), 4),
    ] {
        let found = api.get(&format!("/v1/updates?since={value}")).await.expect_status(200);
        assert_eq!(*updates(&found), updates(&listed)[first..], "{value}");
    }
    for value in [
        "", "2026-03-01", "2026-03-01T00:00:00", "2026-02-30T00:00:00Z", "2026-03-01T25:00:00Z", "2026-03-01T00:00Z",
        "1772323200", "yesterday", "2026-03-01T00:00:00ZZ", "12026-03-01T00:00:00Z",
    ] {
        assert_refused(value, &api.get(&format!("/v1/updates?since={value}")).await, 400, &["since"]);
    }
    let twice = format!("since={0}&since={0}", micros(at[0]));
    assert_refused("repeated", &api.get(&format!("/v1/updates?{twice}")).await, 400, &["since"]);
}

async fn decision_3_4_pages_follow_each_other_in_the_order_that_is_asked_for(service: &Service) {
    let (customer, api) = customer(service).await;
    findings(service, &api, 61).await;
    let all = customer.updates(service).await;
    assert_eq!(all.len(), 61);
    let at: Vec<DateTime<Utc>> = all.iter().map(|update| instant(&parse(update)["discovered_at"])).collect();
    assert!(at.is_sorted_by(|one, other| one < other));
    let all: Vec<Value> = all.iter().map(|update| parse(update)).collect();
    let since = format!("&since={}", all[40]["discovered_at"].as_str().expect("text"));
    let ways = [("", 0, false), (&since, 41, false), ("&order=newest_first", 0, true)];
    let newest_since = format!("{since}&order=newest_first");
    for limit in [1, 13, 60, 61, 62] {
        for (query, first, is_newest_first) in ways.into_iter().chain([(newest_since.as_str(), 41, true)]) {
            let (mut read, mut pages, mut from) = (Vec::new(), 0, String::new());
            loop {
                let answer = api.get(&format!("/v1/updates?limit={limit}{query}{from}")).await.expect_status(200);
                let (count, has_more, next) = page(&answer);
                assert!(count == limit || !has_more, "a page that is not the last is full");
                read.extend(updates(&answer).iter().cloned());
                pages += 1;
                match next {
                    Some(cursor) => from = format!("&cursor={cursor}"),
                    None => break,
                }
            }
            if is_newest_first {
                read.reverse();
            }
            assert_eq!(read, all[first..], "{limit}{query}");
            assert_eq!(pages, (61 - first).div_ceil(limit), "{limit}{query}");
        }
    }
}

async fn decision_3_4_the_cursor_is_opaque_and_of_this_list(service: &Service) {
    let (_, api) = customer(service).await;
    findings(service, &api, 3).await;
    company(&api, "company_reviews", "acme.com").await;
    let (_, _, cursor) = page(&api.get("/v1/updates?limit=1").await.expect_status(200));
    let cursor = cursor.expect("a cursor");
    let of_radars = api.get("/v1/radars?limit=1").await.expect_status(200).text("/next_cursor").to_owned();
    let (cut, padded) = (&cursor[..cursor.len() - 1], format!("{cursor}%3D"));
    refused(&api, "cursor", &["", "null", "1", "x", &of_radars, cut, &padded, "%00", "%FF", "-1"]).await;
    let twice = format!("/v1/updates?cursor={cursor}&cursor={cursor}");
    assert_refused("repeated", &api.get(&twice).await, 400, &["cursor"]);
    for place in 0..cursor.len() {
        let other = if cursor.as_bytes()[place] == b'A' { "B" } else { "A" };
        let changed = format!("{}{other}{}", &cursor[..place], &cursor[place + 1..]);
        let answer = api.get(&format!("/v1/updates?cursor={changed}")).await;
        match answer.status {
            200 => assert!(page(&answer).0 <= 3, "{changed}"),
            _ => assert_refused(&changed, &answer, 400, &["cursor"]),
        }
    }
    // In another account it is a position as good as any: it shows nothing of mine.
    let (_, other_api) = self::customer(service).await;
    let (count, ..) = page(&other_api.get(&format!("/v1/updates?cursor={cursor}")).await.expect_status(200));
    assert_eq!(count, 0);
}

async fn decision_3_4_a_page_goes_on_under_other_filters(service: &Service) {
    let (_, api) = customer(service).await;
    let reviews = company(&api, "company_reviews", "acme.com").await;
    let mentions = company(&api, "company_mentions", "other.com").await;
    for number in 0..6 {
        let radar_id = [&reviews, &mentions][number % 2];
        push(service, radar_id, &format!("finding {number}"), &json!({})).await;
    }
    let all = api.get("/v1/updates").await.expect_status(200);
    let all = updates(&all);
    let (_, _, cursor) = page(&api.get("/v1/updates?limit=2").await.expect_status(200));
    let cursor = cursor.expect("a cursor");
    let since = all[3]["discovered_at"].as_str().expect("text");
    let early = all[0]["discovered_at"].as_str().expect("text");
    for (filters, expected) in [
        (String::new(), [2, 3, 4, 5].as_slice()),
        ("&radar_type=company_mentions".to_owned(), &[3, 5]),
        (format!("&radar_id={reviews}"), &[2, 4]),
        ("&domain=other.com&limit=1".to_owned(), &[3]),
        ("&update_type=radar_failure".to_owned(), &[]),
        (format!("&since={since}"), &[4, 5]),
        (format!("&since={early}"), &[2, 3, 4, 5]),
        (format!("&since={since}&radar_id={reviews},{mentions}&radar_type=company_mentions&domain=other.com"), &[5]),
    ] {
        let found = api.get(&format!("/v1/updates?cursor={cursor}{filters}")).await.expect_status(200);
        assert_eq!(
            *updates(&found),
            expected.iter().map(|&index: &usize| all[index].clone()).collect::<Vec<_>>(),
            "{filters}"
        );
    }
}

async fn decision_2_5_unknown_parameters_are_refused(service: &Service) {
    let (_, api) = customer(service).await;
    for (query, fields) in [
        ("domains=acme.com", &["domains"][..]),
        ("Since=2026-03-01T00:00:00Z", &["Since"]),
        ("until=2026-03-01T00:00:00Z", &["until"]),
        ("radar_status=active", &["radar_status"]),
        ("limit=5&page=2", &["page"]),
        (
            "type=x&update_type=x&radar_id=x&radar_type=x&domain=x&since=x&cursor=x&limit=x",
            &["type", "update_type", "radar_id", "radar_type", "domain", "since", "cursor", "limit"],
        ),
    ] {
        assert_refused(query, &api.get(&format!("/v1/updates?{query}")).await, 400, fields);
    }
}

async fn spec_6_4_updates_are_shown_for_60_days(service: &Service) {
    let (customer, api) = customer(service).await;
    customer.price(service, "company_mentions", "update_based", "0.01").await;
    let radar_id = company(&api, "company_mentions", "acme.com").await;
    push(service, &radar_id, "old", &json!({})).await;
    advance(service, 10 * DAY).await;
    push(service, &radar_id, "young", &json!({})).await;
    let (first, _, cursor) = page(&api.get("/v1/updates?limit=1").await.expect_status(200));
    let followed = format!("/v1/updates?cursor={}", cursor.expect("a cursor"));
    assert_eq!(first, 1);
    for (seconds, left) in [(50 * DAY, 2), (1, 1), (10 * DAY - 1, 1), (1, 0)] {
        advance(service, seconds).await;
        for since in ["", "?since=2020-01-01T00:00:00Z"] {
            let listed = api.get(&format!("/v1/updates{since}")).await.expect_status(200);
            assert_eq!(page(&listed).0, left, "{since} {seconds}");
        }
        assert_eq!(page(&api.get(&followed).await.expect_status(200)).0, left.min(1));
    }
    assert_eq!(
        customer.account(service).await["account"]["total_updates_found"],
        json!(2),
        "what was found stays counted"
    );
}

/// A customer with money.
async fn customer(service: &Service) -> (Customer, Client) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "1000").await;
    let api = customer.api(service);
    (customer, api)
}

async fn company(api: &Client, radar_type: &str, domain: &str) -> String {
    let body = json!({"domain": domain, "radar_type": radar_type});
    api.post("/v1/radars/companies", &body).await.expect_status(201).text("/data/radar_id").to_owned()
}

/// Publishes `count` findings: each is for all of a few people of one company.
async fn findings(service: &Service, api: &Client, count: usize) {
    const PEOPLE: usize = 20;
    let domain = format!("people-{}.com", Uuid::now_v7().simple());
    let items: Vec<Value> = (0..PEOPLE)
        .map(|number| json!({"radar_type": "contact_job_changes", "domain": domain, "full_name": format!("Ada {number}")}))
        .collect();
    let made = api.post("/v1/radars/bulk", &json!({"radars": items})).await.expect_status(201);
    let last = made.json["results"][PEOPLE - 1]["data"]["radar_id"].as_str().expect("an id");
    for round in 0..count / PEOPLE {
        push_to_all(service, "contact_job_changes", &json!({"domain": domain}), &format!("round {round}")).await;
    }
    for rest in 0..count % PEOPLE {
        push(service, last, &format!("rest {rest}"), &json!({})).await;
    }
}

/// Each of the values of one parameter is a 400 that names it.
async fn refused(api: &Client, parameter: &str, values: &[&str]) {
    for value in values {
        let answer = api.get(&format!("/v1/updates?{parameter}={value}")).await;
        assert_refused(&format!("{parameter}={value}"), &answer, 400, &[parameter]);
    }
}

/// How many updates there are, `has_more`, and `next_cursor`, which is null on the last page.
#[track_caller]
fn page(answer: &Answer) -> (usize, bool, Option<String>) {
    let has_more = answer.json["has_more"].as_bool().expect("true or false");
    let next_cursor = answer.json["next_cursor"].as_str().map(str::to_owned);
    assert_eq!(has_more, next_cursor.is_some());
    assert!(keys(&answer.json).contains(&"next_cursor"), "null, not absent");
    (updates(answer).len(), has_more, next_cursor)
}

#[track_caller]
fn updates(answer: &Answer) -> &Vec<Value> {
    answer.json["updates"].as_array().expect("a list")
}
