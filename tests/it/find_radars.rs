//! Radars of all accounts, as operators look for them; what happened to each, and why it is as it is.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{self, advance};
use crate::support::sites::{Job, Sites};
use crate::support::stage::fields;

async fn get(service: &Service, path: &str) -> Value {
    service.operator().get(path).await.expect_status(200).json
}

async fn found(service: &Service, query: &str) -> Vec<String> {
    let page = get(service, &format!("/operator/v1/radars?{query}")).await;
    let ids = page["data"].as_array().expect("radars").iter();
    let ids: Vec<String> = ids.map(|radar| radar["radar_id"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(page["count"], json!(ids.len()), "{query}");
    ids
}

#[actix_web::test]
async fn radars_of_all_accounts_are_found_by_what_is_known_of_them() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let (one, other) = (Customer::create(&service).await, Customer::create(&service).await);
        let mut ids = Vec::new();
        for (customer, path, body) in [
            (&one, "companies", json!({"domain": "acme.com", "radar_type": "company_reviews"})),
            (&other, "companies", json!({"domain": "acme.com", "radar_type": "company_mentions"})),
            (&other, "companies", json!({"domain": "other.com", "radar_type": "company_reviews"})),
            (
                &one,
                "contacts",
                json!({"domain": "acme.com", "full_name": "Ada Lovelace", "email": "ada@acme.com",
                       "profile_url": "https://www.linkedin.com/in/ada", "radar_type": "contact_job_changes"}),
            ),
            (&one, "industry", json!({"keyword": "green steel", "radar_type": "industry_mentions"})),
        ] {
            customer.top_up(&service, path, "10").await;
            let created = customer.api(&service).post(&format!("/v1/radars/{path}"), &body).await.expect_status(201);
            ids.push(created.text("/data/radar_id").to_owned());
        }
        one.api(&service).delete(&format!("/v1/radars/{}", ids[0])).await.expect_status(200);
        let [reviews, mentions, other_reviews, contact, theme] = &ids[..] else { panic!("five radars") };
        for (query, expected) in [
            (String::new(), vec![theme, contact, other_reviews, mentions, reviews]),
            ("domain=https://www.Acme.com/".to_owned(), vec![contact, mentions, reviews]),
            ("domain=acme.com&state=active".to_owned(), vec![contact, mentions]),
            (format!("domain=acme.com&account={}", other.account_id), vec![mentions]),
            ("domain=acme.com&radar_type=company_reviews".to_owned(), vec![reviews]),
            ("domain=acme.com&name=Ada%20Lovelace".to_owned(), vec![contact]),
            ("name=Ada%20Lovelace".to_owned(), vec![contact]),
            ("name=ADA%20lovelace".to_owned(), vec![contact]),
            ("name=ada*".to_owned(), vec![contact]),
            ("name=ada*&domain=acme.com".to_owned(), vec![contact]),
            ("name=lovelace*".to_owned(), vec![]),
            ("domain=AC*".to_owned(), vec![contact, mentions, reviews]),
            ("domain=o*&radar_type=company_mentions".to_owned(), vec![]),
            ("keyword=GREEN*".to_owned(), vec![theme]),
            ("keyword=Green%20Steel".to_owned(), vec![theme]),
            ("email=ada@ACME.com".to_owned(), vec![contact]),
            ("profile=https://www.linkedin.com/in/ada".to_owned(), vec![contact]),
            ("keyword=green%20steel".to_owned(), vec![theme]),
            (format!("id={contact}"), vec![contact]),
            (format!("account={}", other.account_id), vec![other_reviews, mentions]),
            (format!("account={}&state=inactive", one.account_id), vec![reviews]),
            ("radar_type=company_reviews".to_owned(), vec![other_reviews, reviews]),
            ("state=inactive".to_owned(), vec![reviews]),
            ("domain=nobody.com".to_owned(), vec![]),
        ] {
            assert_eq!(found(&service, &query).await.iter().collect::<Vec<_>>(), expected, "{query}");
        }
        let (mut seen, mut query) = (Vec::new(), "limit=2".to_owned());
        loop {
            let page = get(&service, &format!("/operator/v1/radars?{query}")).await;
            assert_eq!((&page["count"], &page["count_is_exact"]), (&json!(5), &json!(true)));
            seen.extend(page["data"].as_array().expect("radars").iter().map(|radar| radar["radar_id"].to_string()));
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            query = format!("limit=2&cursor={cursor}");
        }
        assert_eq!((seen.len(), seen.iter().collect::<BTreeSet<_>>().len()), (5, 5));
        let refused = service.operator().get("/operator/v1/radars?domain=x&state=held&who=1").await.expect_status(400);
        assert_eq!(fields(&refused), ["who", "domain", "state"]);
        service.public().get("/operator/v1/radars").await.expect_status(404);
    })
    .await;
}

#[actix_web::test]
async fn a_radar_says_what_happened_to_it_and_why_it_is_as_it_is() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme.com", "www.acme.com", "boards-api.greenhouse.io", "no-jobs.com"]);
        sites.put_greenhouse_company("acme.com", "acme", &[Job::new(1, "Engineer")]);
        sites.put("no-jobs.com/", "text/html", "<html><body>We sell sand.</body></html>");
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-03-01T00:00:00Z")];
        let service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "subscription", "0.4").await;
        customer.top_up(&service, "first", "5").await;
        let body = json!({"domain": "acme.com", "radar_type": "company_job_openings", "departments": ["Sales"],
                          "webhook_url": "http://127.0.0.1:1/"});
        let body = Value::Object(body.as_object().expect("an object").clone());
        let created = customer.api(&service).post("/v1/radars/companies", &body).await;
        let radar_id = created.expect_status(201).text("/data/radar_id").to_owned();
        let failing = customer.create_radar(&service, "no-jobs.com", None).await.expect_status(201);
        let failing = failing.text("/data/radar_id").to_owned();
        let why = async |id: &str| get(&service, &format!("/operator/v1/why/{id}")).await["data"].clone();
        advance(&service, 1).await;
        customer.settled(&service, &radar_id).await;
        customer.settled(&service, &failing).await;
        let sentence = why(&radar_id).await["why"].clone();
        assert_eq!(sentence, "Its 1 source showed nothing new since it was created.");
        let ended = why(&failing).await["why"].to_string();
        assert!(ended.contains("Its set-up found no source on 2026-03-01"), "{ended}");
        assert!(ended.contains("not there: https://no-jobs.com/careers"), "{ended}");

        sites.put_board("acme", &[Job::new(1, "Engineer"), Job::new(2, "Cook")]);
        advance(&service, 24 * 60 * 60).await;
        let path = format!("/operator/v1/radars/{radar_id}/timeline");
        let timeline = eventually("one is kept out", || async {
            Some(get(&service, &path).await["data"].clone()).filter(|timeline| timeline["kept_out"][0].is_object())
        })
        .await;
        assert_eq!(
            timeline["why"],
            "Its 1 source showed 1 since it was created, and its filter kept out the one new item."
        );
        let kept_out = &timeline["kept_out"][0];
        assert_eq!(kept_out["kept_out_by"], json!(["departments"]));
        assert_eq!((&kept_out["source_id"], &kept_out["content"]["job_title"]), (&json!("greenhouse"), &json!("Cook")));
        assert_eq!(timeline["charges"][0]["amount_usd"], json!(-0.4));

        sites.put_board("acme", &[Job::new(1, "Engineer"), Job::new(3, "Account Executive")]);
        advance(&service, 24 * 60 * 60).await;
        let update = eventually("one is found", || async {
            Some(get(&service, &path).await["data"]["updates"][0].clone()).filter(Value::is_object)
        })
        .await;
        assert_eq!(update["payload"]["content"]["job_title"], "Account Executive");
        assert_eq!((&update["charge"], &update["delivery"]["state"]), (&Value::Null, &json!("pending")), "{update}");
        let update_id = update["update_id"].as_str().expect("an id");
        let of_update = why(update_id).await;
        assert_eq!((&of_update["kind"], of_update["why"].is_string()), (&json!("update"), true));
        assert!(why(&radar_id).await["why"].as_str().is_some_and(|why| why.contains("found something last on")));

        let account = format!("/operator/v1/accounts/{}", customer.account_id);
        service.operator().patch(&account, &json!({"status": "inactive"})).await.expect_status(200);
        assert_eq!(why(&radar_id).await["why"], "Its account is stopped, so nothing is watched for it.");
        assert_eq!(why(&customer.account_id).await["kind"], "account");
        let printed = service.command(&["why", &radar_id]).output().expect("the program");
        assert_eq!(
            String::from_utf8_lossy(&printed.stdout).trim(),
            "Its account is stopped, so nothing is watched for it."
        );
        service.operator().get(&format!("/operator/v1/why/{}", Uuid::now_v7())).await.expect_status(404);
    })
    .await;
}

#[actix_web::test]
async fn no_more_than_a_few_values_with_one_beginning_are_looked_at() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[("LIMITS__PER_SECOND", "1000")], "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        for number in 0..31 {
            customer.create_reviews_radar(&service, &format!("acme{number}.com"), None).await.expect_status(201);
        }
        let page = get(&service, "/operator/v1/radars?domain=acme*").await;
        assert_eq!((&page["count"], &page["count_is_exact"]), (&json!(30), &json!(false)));
        let page = get(&service, "/operator/v1/radars?domain=acme1*").await;
        assert_eq!((&page["count"], &page["count_is_exact"]), (&json!(11), &json!(true)));
    })
    .await;
}
