//! `GET /v1/radars` (Spec 4.6, 8.2; decisions 1.1, 2.5, 3.3).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::client::{Answer, Client};
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{push, start_standing_still};
use crate::support::shapes::{assert_refused, assert_success, instant, keys, prove};

#[actix_web::test]
async fn spec_4_6_and_decision_3_3_the_list_of_radars() {
    on_both_databases(|database| async move {
        let (service, _source, _sites) = start_standing_still(database.url());
        prove!(&service;
            spec_4_6_an_empty_account_has_an_empty_list,
            spec_4_6_limit_is_50_by_default_and_at_most_1000,
            spec_4_6_radar_status_is_active_or_inactive,
            spec_4_6_radar_type_is_a_comma_separated_list,
            spec_4_6_radar_id_is_a_list_of_at_most_50,
            spec_4_6_filters_narrow_each_other,
            decision_2_5_unknown_parameters_are_refused,
            decision_3_3_the_cursor_is_opaque_and_of_this_list,
            decision_3_3_more_than_1000_radars_are_read_whole_and_newest_first,
            decision_3_3_a_page_goes_on_where_the_last_one_ended_under_other_filters,
        );
    })
    .await;
}

async fn spec_4_6_an_empty_account_has_an_empty_list(service: &Service) {
    let customer = Customer::create(service).await;
    let answer = customer.api(service).get("/v1/radars").await;
    assert_success(&answer, &["count", "limit", "data", "has_more", "next_cursor"]);
    assert_eq!(page(&answer), (50, 0, false, None));
}

async fn spec_4_6_limit_is_50_by_default_and_at_most_1000(service: &Service) {
    let (_, api) = customer_with(service, 51).await;
    for (query, limit, count) in
        [("", 50, 50), ("?limit=50", 50, 50), ("?limit=1", 1, 1), ("?limit=51", 51, 51), ("?limit=1000", 1000, 51)]
    {
        let answer = api.get(&format!("/v1/radars{query}")).await.expect_status(200);
        let (shown_limit, shown_count, has_more, cursor) = page(&answer);
        assert_eq!((shown_limit, shown_count), (limit, count), "{query}");
        // Exactly as many as there are is the last page.
        assert_eq!((has_more, cursor.is_some()), (count < 51, count < 51), "{query}");
    }
    refused(&api, "limit", &["", "0", "1001", "-1", "+1", "1.0", "1e1", "ten", "99999999999999999999", "%205", "1,2"])
        .await;
    assert_refused("repeated", &api.get("/v1/radars?limit=5&limit=5").await, 400, &["limit"]);
}

async fn spec_4_6_radar_status_is_active_or_inactive(service: &Service) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "10").await;
    let api = customer.api(service);
    let active = create(&api, "company_reviews", "active.com").await;
    let ended = create(&api, "company_reviews", "ended.com").await;
    api.delete(&format!("/v1/radars/{ended}")).await.expect_status(200);
    let failed = create(&api, "company_job_openings", "no-jobs.com").await;
    customer.settled(service, &failed).await;
    for (query, expected) in [
        ("", [&failed, &ended, &active].as_slice()),
        ("?radar_status=active", &[&active]),
        // A failed radar shows inactive (decision 1.1).
        ("?radar_status=inactive", &[&failed, &ended]),
    ] {
        let answer = api.get(&format!("/v1/radars{query}")).await.expect_status(200);
        assert_eq!(ids(&answer), expected.iter().map(|id| id.as_str()).collect::<Vec<_>>(), "{query}");
    }
    let answer = api.get("/v1/radars?radar_status=inactive").await.expect_status(200);
    let reasons: Vec<&str> = records(&answer).iter().map(|radar| radar["status_reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["missing_prerequisites", "user_deactivated"]);
    refused(&api, "radar_status", &["", "failed", "paused", "Active", "active,inactive", "all"]).await;
    assert_refused(
        "repeated",
        &api.get("/v1/radars?radar_status=active&radar_status=inactive").await,
        400,
        &["radar_status"],
    );
}

async fn spec_4_6_radar_type_is_a_comma_separated_list(service: &Service) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "10").await;
    let api = customer.api(service);
    let reviews = create(&api, "company_reviews", "types.com").await;
    let mentions = create(&api, "company_mentions", "types.com").await;
    let posts = create(&api, "company_social_posts", "types.com").await;
    for (value, expected) in [
        ("company_reviews", [&reviews].as_slice()),
        ("company_reviews,company_social_posts", &[&posts, &reviews]),
        ("company_social_posts%2Ccompany_reviews", &[&posts, &reviews]),
        ("company_mentions,company_mentions", &[&mentions]),
        ("industry_mentions", &[]),
    ] {
        let answer = api.get(&format!("/v1/radars?radar_type={value}")).await.expect_status(200);
        assert_eq!(ids(&answer), expected.iter().map(|id| id.as_str()).collect::<Vec<_>>(), "{value}");
    }
    refused(
        &api,
        "radar_type",
        &[
            "",
            ",",
            "company_reviews,",
            ",company_reviews",
            "company_reviews,,company_mentions",
            "company_reviews,%20",
            "Company_Reviews",
            "reviews",
            "company_reviews;company_mentions",
            "company_reviews,unknown",
        ],
    )
    .await;
}

async fn spec_4_6_radar_id_is_a_list_of_at_most_50(service: &Service) {
    let (ids_of_mine, api) = customer_with(service, 51).await;
    let (ids_of_other, _) = customer_with(service, 1).await;
    let unknown = Uuid::now_v7().to_string();
    let newest_first: Vec<&str> = ids_of_mine.iter().rev().map(String::as_str).collect();
    let [oldest, newest] = [newest_first[50], newest_first[0]];
    let fifty = ids_of_mine[..50].join(",");
    let upper_case = oldest.to_uppercase();
    for (value, expected) in [
        (oldest.to_owned(), vec![oldest]),
        (upper_case, vec![oldest]),
        (format!("{oldest},{newest}"), vec![newest, oldest]),
        (format!("{oldest},{oldest}"), vec![oldest]),
        (fifty.clone(), newest_first[1..].to_vec()),
        // Those of others, and those of nobody, yield nothing and no hint.
        (ids_of_other[0].clone(), vec![]),
        (unknown.clone(), vec![]),
        (format!("{unknown},{},{newest}", ids_of_other[0]), vec![newest]),
    ] {
        let answer = api.get(&format!("/v1/radars?radar_id={value}")).await.expect_status(200);
        assert_eq!(ids(&answer), expected, "{value}");
    }
    let malformed = oldest.replace('-', "");
    let braced = format!("%7B{oldest}%7D");
    let fifty_one = format!("{fifty},{newest}");
    let fifty_one_alike = vec![oldest; 51].join(",");
    refused(
        &api,
        "radar_id",
        &[
            "",
            "7",
            &malformed,
            &braced,
            &format!("{oldest},"),
            &format!("{oldest},,{newest}"),
            &fifty_one,
            &fifty_one_alike,
        ],
    )
    .await;
}

async fn spec_4_6_filters_narrow_each_other(service: &Service) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "10").await;
    let api = customer.api(service);
    let first = create(&api, "company_reviews", "one.com").await;
    let second = create(&api, "company_reviews", "two.com").await;
    let third = create(&api, "company_mentions", "two.com").await;
    api.delete(&format!("/v1/radars/{first}")).await.expect_status(200);
    let query = format!("?radar_type=company_reviews&radar_id={first},{second},{third}&radar_status=");
    assert_eq!(ids(&api.get(&format!("/v1/radars{query}active")).await.expect_status(200)), [second.as_str()]);
    assert_eq!(ids(&api.get(&format!("/v1/radars{query}inactive")).await.expect_status(200)), [first.as_str()]);
    // A type that is paused shows so in the list as well (decision 1.2).
    customer.price(service, "company_social_posts", "update_based", "100").await;
    let paused = create(&api, "company_social_posts", "two.com").await;
    push(service, &paused, "too dear", &json!({})).await;
    let listed = api.get("/v1/radars?radar_status=active").await.expect_status(200);
    let is_paused: Vec<bool> = records(&listed).iter().map(|radar| radar.get("paused_since").is_some()).collect();
    assert_eq!(is_paused, [true, false, false]);
}

async fn decision_2_5_unknown_parameters_are_refused(service: &Service) {
    let (_, api) = customer_with(service, 1).await;
    for (query, fields) in [
        ("status=active", &["status"][..]),
        ("Limit=5", &["Limit"]),
        ("page=2", &["page"]),
        ("domain=many-0.com", &["domain"]),
        ("limit=5&offset=5", &["offset"]),
        ("=5", &[""]),
        (
            "radar_ids=x&limit=0&radar_status=x&radar_type=x&radar_id=x&cursor=x",
            &["radar_ids", "limit", "radar_status", "radar_type", "radar_id", "cursor"],
        ),
    ] {
        assert_refused(query, &api.get(&format!("/v1/radars?{query}")).await, 400, fields);
    }
    assert_eq!(page(&api.get("/v1/radars?&").await.expect_status(200)).1, 1);
}

async fn decision_3_3_the_cursor_is_opaque_and_of_this_list(service: &Service) {
    let (_, api) = customer_with(service, 3).await;
    let (_, other_api) = customer_with(service, 3).await;
    let cursor = page(&api.get("/v1/radars?limit=1").await.expect_status(200)).3.expect("a cursor");
    let followed = api.get(&format!("/v1/radars?cursor={cursor}")).await.expect_status(200);
    assert_eq!(page(&followed), (50, 2, false, None));
    // In another account it is a position as good as any: nothing of mine is seen.
    let mine: BTreeSet<&str> = ids(&followed).into_iter().collect();
    let others = other_api.get(&format!("/v1/radars?cursor={cursor}")).await.expect_status(200);
    assert!(ids(&others).iter().all(|id| !mine.contains(id)));
    let of_updates = "AXUAAAAAAAAAAQ";
    api.get(&format!("/v1/updates?cursor={of_updates}")).await.expect_status(200);
    let cut = &cursor[..cursor.len() - 1];
    let padded = format!("{cursor}%3D");
    refused(&api, "cursor", &["", "null", "0", "x", of_updates, cut, &padded, "%00", "%FF"]).await;
    assert_refused(
        "repeated",
        &api.get(&format!("/v1/radars?cursor={cursor}&cursor={cursor}")).await,
        400,
        &["cursor"],
    );
    // Whatever character is changed, it is refused or is some other position.
    for place in 0..cursor.len() {
        let other = if cursor.as_bytes()[place] == b'A' { "B" } else { "A" };
        let changed = format!("{}{other}{}", &cursor[..place], &cursor[place + 1..]);
        let answer = api.get(&format!("/v1/radars?cursor={changed}")).await;
        match answer.status {
            200 => assert!(page(&answer).1 <= 3, "{changed}"),
            _ => assert_refused(&changed, &answer, 400, &["cursor"]),
        }
    }
}

async fn decision_3_3_more_than_1000_radars_are_read_whole_and_newest_first(service: &Service) {
    const RADARS: usize = 1005;
    let (created, api) = customer_with(service, RADARS).await;
    let newest_first: Vec<&str> = created.iter().rev().map(String::as_str).collect();
    for limit in [1000, 999, 335, 201, 67] {
        let (mut read, mut pages, mut cursor) = (Vec::new(), 0, None::<String>);
        loop {
            let from = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let answer = api.get(&format!("/v1/radars?limit={limit}{from}")).await.expect_status(200);
            let (_, count, has_more, next) = page(&answer);
            assert_eq!(count == limit, has_more || (pages + 1) * limit == RADARS, "{limit}");
            read.extend(records(&answer).iter().map(|radar| radar["radar_id"].as_str().expect("an id").to_owned()));
            (pages, cursor) = (pages + 1, next);
            if !has_more {
                break;
            }
        }
        assert_eq!(pages, RADARS.div_ceil(limit), "{limit}");
        assert_eq!(read, newest_first, "{limit}");
    }
    let all = api.get("/v1/radars?limit=1000").await.expect_status(200);
    let created_at: BTreeSet<_> = records(&all).iter().map(|radar| instant(&radar["created_at"])).collect();
    assert_eq!(created_at.len(), 1, "all are of one instant: the cursor decides between them");
}

async fn decision_3_3_a_page_goes_on_where_the_last_one_ended_under_other_filters(service: &Service) {
    let customer = Customer::create(service).await;
    customer.top_up(service, "first", "10").await;
    let api = customer.api(service);
    let mut created = Vec::new();
    for number in 0..6 {
        let radar_type = ["company_reviews", "company_mentions"][number % 2];
        created.push(create(&api, radar_type, &format!("filters-{number}.com")).await);
    }
    let first = api.get("/v1/radars?limit=2").await.expect_status(200);
    assert_eq!(ids(&first), [created[5].as_str(), &created[4]]);
    let cursor = page(&first).3.expect("a cursor");
    for (query, expected) in [
        ("radar_type=company_mentions", [3, 1].as_slice()),
        ("radar_type=company_reviews&limit=1", &[2]),
        ("radar_status=inactive", &[]),
    ] {
        let answer = api.get(&format!("/v1/radars?cursor={cursor}&{query}")).await.expect_status(200);
        assert_eq!(
            ids(&answer),
            expected.iter().map(|&number| created[number].as_str()).collect::<Vec<_>>(),
            "{query}"
        );
    }
    // What is created meanwhile stands before the cursor and moves nothing behind it.
    create(&api, "company_reviews", "filters-late.com").await;
    let rest = api.get(&format!("/v1/radars?cursor={cursor}")).await.expect_status(200);
    assert_eq!(ids(&rest), created[..4].iter().rev().map(String::as_str).collect::<Vec<_>>());
}

/// A customer with `count` radars, in the order of their creation.
async fn customer_with(service: &Service, count: usize) -> (Vec<String>, Client) {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "update_based", "0.01").await;
    let api = customer.api(service);
    let items: Vec<Value> = (0..count)
        .map(|number| json!({"domain": format!("many-{number}.com"), "radar_type": "company_reviews"}))
        .collect();
    let mut created = Vec::new();
    for items in items.chunks(100) {
        let made = api.post("/v1/radars/bulk", &json!({"radars": items})).await.expect_status(201);
        let results = made.json["results"].as_array().expect("results");
        created.extend(results.iter().map(|result| result["data"]["radar_id"].as_str().expect("an id").to_owned()));
    }
    (created, api)
}

async fn create(api: &Client, radar_type: &str, domain: &str) -> String {
    let body = json!({"domain": domain, "radar_type": radar_type});
    api.post("/v1/radars/companies", &body).await.expect_status(201).text("/data/radar_id").to_owned()
}

/// Each of the values of one parameter is a 400 that names it.
async fn refused(api: &Client, parameter: &str, values: &[&str]) {
    for value in values {
        let answer = api.get(&format!("/v1/radars?{parameter}={value}")).await;
        assert_refused(&format!("{parameter}={value}"), &answer, 400, &[parameter]);
    }
}

/// `limit`, `count` (which is that of the records), `has_more` and `next_cursor` (which go together).
#[track_caller]
fn page(answer: &Answer) -> (usize, usize, bool, Option<String>) {
    let number = |name: &str| usize::try_from(answer.json[name].as_u64().expect("a number")).expect("small");
    let has_more = answer.json["has_more"].as_bool().expect("true or false");
    let next_cursor = answer.json["next_cursor"].as_str().map(str::to_owned);
    assert_eq!(number("count"), records(answer).len());
    assert_eq!(has_more, next_cursor.is_some());
    assert!(keys(&answer.json).contains(&"next_cursor"), "null, not absent");
    (number("limit"), number("count"), has_more, next_cursor)
}

#[track_caller]
fn records(answer: &Answer) -> &Vec<Value> {
    answer.json["data"].as_array().expect("a list")
}

#[track_caller]
fn ids(answer: &Answer) -> Vec<&str> {
    records(answer).iter().map(|radar| radar["radar_id"].as_str().expect("an id")).collect()
}
