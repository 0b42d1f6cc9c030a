//! The customers' pages: who gets in by which link, what a session sees, and the known holes of such pages.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::browser::{Browser, Page};
use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::Service;
use crate::support::provider::{self, advance, push};
use crate::support::push_source::PushSource;
use crate::support::receiver::{Answer, Receiver};

/// By what the portal is reached.
const ORIGIN: &str = "https://radar.example";
const HOST: (&str, &str) = ("host", "radar.example");
/// What a browser would run if it stood in a page as it is.
const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";
const MINUTE: i64 = 60;

fn start(database_url: &str, settings: &[(&str, &str)]) -> (Service, PushSource) {
    let settings = [&[("HTTP__PORTAL", ORIGIN), ("CLOCK__MODE", "simulated")][..], settings].concat();
    provider::start(database_url, &settings, "[webhooks]\nretry_schedule = [\"1h\"]\n")
}

fn stranger(service: &Service) -> Browser {
    Browser::new(service.public_url("").trim_end_matches('/')).with_header(HOST.0, HOST.1)
}

/// The path of a new link.
async fn link(service: &Service, customer: &Customer, scopes: &[&str]) -> String {
    let path = format!("/operator/v1/accounts/{}/portal-links", customer.account_id);
    let made = service.operator().post(&path, &json!({"scopes": scopes})).await.expect_status(201);
    made.text("/data/url").strip_prefix(ORIGIN).expect("a link to the portal").to_owned()
}

/// Opens a link as a customer does.
async fn opened(service: &Service, link: &str) -> Browser {
    let mut browser = stranger(service);
    assert_eq!(browser.page(link).await.count("form[method=post]"), 1);
    let answer = browser.send(link, &[], &[("origin", ORIGIN), ("sec-fetch-site", "same-origin")]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/portal"), "{}", answer.text);
    browser.keep_cookie(&answer, &["Path=/portal", "Max-Age=43200", "Secure"]);
    browser
}

async fn signed_in(service: &Service, customer: &Customer) -> Browser {
    opened(service, &link(service, customer, &["read", "write"]).await).await
}

async fn customer(service: &Service) -> Customer {
    let customer = Customer::create(service).await;
    customer.price(service, "company_reviews", "update_based", "0.01").await;
    customer.top_up(service, "first", "5").await;
    customer
}

fn assert_signed_out(page: &Page) {
    assert_eq!((page.status, page.header("location")), (303, "/portal/signed-out"), "{}", page.text);
}

#[actix_web::test]
async fn a_link_opens_once_and_not_by_being_looked_at() {
    on_both_databases(|database| async move {
        let (mut service, _provider) = start(database.url(), &[]);
        let customer = customer(&service).await;
        let first = link(&service, &customer, &["read", "write"]).await;
        let browser = stranger(&service);
        for _ in 0..3 {
            assert_eq!(browser.page(&first).await.header("set-cookie"), "", "a program that looks ahead");
        }
        for foreign in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site"), ("origin", "null")] {
            assert_eq!(browser.send(&first, &[], &[foreign]).await.status, 403, "another site signs nobody in");
        }
        // A restart changes nothing about it, and of many who press the button at once one gets in.
        service.kill();
        service.restart();
        let beside = database.url().starts_with("postgres").then(|| start(database.url(), &[]));
        let services = [Some(&service), beside.as_ref().map(|(service, _)| service)];
        let browsers: Vec<Browser> =
            services.into_iter().flatten().flat_map(|one| [stranger(one), stranger(one)]).collect();
        let answers = join_all(browsers.iter().map(|browser| browser.send(&first, &[], &[]))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 303).count(), 1);
        for refused in answers.iter().filter(|answer| answer.status != 303) {
            assert!(
                refused.status == 200 && refused.has("This link is over") && refused.header("set-cookie").is_empty()
            );
        }
        drop(beside);

        let late = link(&service, &customer, &["read"]).await;
        advance(&service, 10 * MINUTE).await;
        for path in [late.as_str(), "/portal/open/0", &format!("/portal/open/{}", "0".repeat(64))] {
            assert!(stranger(&service).send(path, &[], &[]).await.has("This link is over"), "{path}");
        }
        let just_in_time = link(&service, &customer, &["read"]).await;
        advance(&service, 10 * MINUTE - 1).await;
        let browser = opened(&service, &just_in_time).await;
        service.kill();
        service.restart();
        browser.page("/portal").await;
        advance(&service, 12 * 60 * MINUTE - 1).await;
        browser.page("/portal").await;
        advance(&service, 1).await;
        assert_signed_out(&browser.get("/portal").await);
        let log = service.log();
        assert!(!log.contains(just_in_time.rsplit('/').next().expect("a token")), "the log tells a token");
    })
    .await;
}

#[actix_web::test]
async fn a_session_is_of_one_account_and_ends_when_it_is_told_to() {
    on_both_databases(|database| async move {
        let (service, _provider) = start(database.url(), &[]);
        let (one, other) = (customer(&service).await, customer(&service).await);
        let radar = other.create_reviews_radar(&service, "secret.com", None).await.expect_status(201);
        let radar_id = radar.text("/data/radar_id").to_owned();
        push(&service, &radar_id, "1", &json!({"review_content": "not for others"})).await;
        let seen = other.api(&service).get("/v1/updates").await.expect_status(200);
        let update_id = seen.text("/updates/0/update_id").to_owned();
        let (browser, theirs) = (signed_in(&service, &one).await, signed_in(&service, &other).await);
        theirs.page(&format!("/portal/findings/{update_id}")).await;
        for place in ["radars", "findings", "deliveries"] {
            assert!(!browser.page(&format!("/portal/{place}")).await.has("secret.com"), "{place}");
        }
        for path in [format!("/portal/radars/{radar_id}"), format!("/portal/findings/{update_id}")] {
            let refused = browser.get(&path).await;
            assert!(refused.status == 404 && refused.has("Not found") && refused.count("h1") == 1, "{}", refused.text);
        }
        let keys = theirs.page("/portal/keys").await;
        let revoke = keys.first("form[action$='/revoke']", "action");
        assert_eq!(browser.submit(&browser.page("/portal/keys").await, &revoke, &[]).await.status, 404);

        // A session ends by being signed out, by being revoked, and with its account; nothing of it is left then.
        let out = theirs.submit(&keys, "/portal/sign-out", &[]).await;
        assert_signed_out(&out);
        assert!(out.header("set-cookie").contains("Max-Age=0"));
        assert_signed_out(&theirs.get("/portal").await);
        let path = format!("/operator/v1/accounts/{}", one.account_id);
        let listed = service.operator().get(&format!("{path}/api-keys")).await.expect_status(200);
        assert_eq!(listed.json["data"][0]["kind"], "portal_session", "{}", listed.json);
        let session = format!("{path}/api-keys/{}", listed.text("/data/0/key_id"));
        service.operator().delete(&session).await.expect_status(200);
        assert_signed_out(&browser.get("/portal").await);
        let again = signed_in(&service, &one).await;
        let listed = one.api(&service).get("/v1/api-keys").await.expect_status(200);
        assert_eq!(listed.json["data"].as_array().map(Vec::len), Some(2), "{}", listed.json);
        service.operator().patch(&path, &json!({"status": "inactive"})).await.expect_status(200);
        assert_signed_out(&again.get("/portal/radars").await);
        let refused = service.operator().post(&format!("{path}/portal-links"), &json!({})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "status");
        assert_signed_out(&stranger(&service).get("/portal/keys").await);
        let forged = stranger(&service).get_with("/portal", &[("cookie", "radar_portal=rdr_0; radar_portal=")]).await;
        assert_signed_out(&forged);
    })
    .await;
}

#[actix_web::test]
async fn every_page_shows_what_the_api_says_and_its_forms_do_what_they_say() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Answer::status(410)]);
        let (service, _provider) = start(database.url(), &[]);
        let customer = customer(&service).await;
        let url = receiver.url("/hook");
        let radar = customer.create_reviews_radar(&service, "acme.com", Some(&url)).await.expect_status(201);
        let radar_id = radar.text("/data/radar_id").to_owned();
        customer.settled(&service, &radar_id).await;
        let browser = signed_in(&service, &customer).await;
        let waits = browser.page(&format!("/portal/radars/{radar_id}")).await;
        assert!(waits.has("It waits for what a provider hands in."), "{}", waits.text);
        let content = json!({"review_content": HOSTILE, "review_url": "https://reviews.example/1?a=1&b=2"});
        push(&service, &radar_id, "1", &content).await;
        receiver.next().await;
        let overview = eventually("the endpoint is disabled", || async {
            Some(browser.page("/portal").await).filter(|page| page.has("Needs attention"))
        })
        .await;
        assert!(overview.has("4.99 USD") && overview.has("1 active"), "{}", overview.text);
        for (query, is_found) in [("", true), ("?radar_status=active", true), ("?radar_status=inactive", false)] {
            assert_eq!(browser.page(&format!("/portal/radars{query}")).await.has(&radar_id), is_found, "{query}");
        }
        let findings = browser.page("/portal/findings?domain=acme.com").await;
        assert_eq!(findings.first("dd a", "href"), "https://reviews.example/1?a=1&b=2");
        let finding = findings.first(".timeline a", "href");
        let evidence = browser.page(&finding).await;
        assert!(evidence.has("held") && evidence.has("provider"), "{}", evidence.text);
        let wrong = [("useful", "no"), ("reason", "Another Acme")];
        let marked = browser.submit(&evidence, &format!("{finding}/feedback"), &wrong).await;
        assert!(browser.page(marked.header("location")).await.has("Your word is noted"));
        let source = format!("/operator/v1/sources/{}", crate::support::push_source::ID);
        let shares = service.operator().get(&source).await.expect_status(200);
        assert_eq!(shares.json["data"]["feedback"]["company_reviews"]["useless"], 1, "{}", shares.json);

        let deliveries = browser.page("/portal/deliveries?state=held").await;
        let enable = deliveries.first("form[action^='/portal/endpoints/']", "action");
        assert_eq!(browser.submit(&deliveries, &enable, &[]).await.header("location"), "/portal/deliveries");
        receiver.next().await;
        let delivery = deliveries.first("tbody a", "href");
        let delivery = eventually("it is delivered", || async {
            Some(browser.page(&delivery).await).filter(|page| page.has("delivered") && page.count("tbody tr") == 2)
        })
        .await;
        let resend = delivery.first("form[action$='/resend']", "action");
        assert_eq!(browser.submit(&delivery, &resend, &[]).await.status, 303);
        receiver.next().await;

        let spending = browser.page("/portal/spending").await;
        assert!(
            spending.has("0.01") && spending.has(&radar_id) && spending.has("company reviews"),
            "{}",
            spending.text
        );
        assert!(browser.page("/portal/spending?month=2020-01").await.has("Nothing was spent"));
        assert!(browser.get("/portal/spending?month=x").await.has("must be a month"));
        for page in [overview, findings, browser.page(&format!("/portal/radars/{radar_id}")).await] {
            assert!(page.has("&#60;script&#62;"), "{}", page.text);
            assert_eq!((page.count("script"), page.count("img"), page.count("[onerror]")), (0, 0, 0));
        }
        keys(&service, &browser).await;
        customer.api(&service).delete(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
        assert!(browser.page(&format!("/portal/radars/{radar_id}")).await.has("You ended it."));
        assert_eq!(browser.get("/portal/nothing").await.status, 404);
    })
    .await;
}

/// A key that is made in a session outlives it.
async fn keys(service: &Service, browser: &Browser) {
    let page = browser.page("/portal/keys").await;
    let answer = browser.submit(&page, "/portal/keys", &[("read", "1"), ("expires_on", "2100-01-01")]).await;
    let handed = answer.header("set-cookie");
    assert!(handed.contains("Path=/portal/keys; Max-Age=60; HttpOnly; SameSite=Strict; Secure"), "{handed}");
    let made = browser.follow(&answer).await;
    assert!(made.header("set-cookie").starts_with("radar_made=; Path=/portal/keys; Max-Age=0"));
    let key = made.text.split("<code>").nth(1).and_then(|rest| rest.split('<').next()).expect("a key").to_owned();
    assert!(made.has("2100-01-01 00:00:00") && key.starts_with("rdr_"), "{}", made.text);
    let api = service.public().with_header("x-api-key", &key);
    api.get("/v1/account").await.expect_status(200);
    api.post("/v1/feeds", &json!({})).await.expect_status(403);
    assert!(!browser.page("/portal/keys").await.has(&key), "it is shown once");
    assert!(!service.log().contains(&key) && !answer.header("location").contains(&key));
    let without_end = browser.submit(&page, "/portal/keys", &[("write", "1")]).await;
    assert!(browser.follow(&without_end).await.has("<td>never</td>"));
    let refused = browser.submit(&page, "/portal/keys", &[("read", "1"), ("expires_on", "2001-01-01")]).await;
    assert!(refused.status == 400 && refused.has("expires_at: must be in the future"), "{}", refused.text);
    let hint = format!("button[aria-label='Revoke {}']", &key[..12]);
    let listed = browser.page("/portal/keys").await;
    assert_eq!(listed.count(&hint), 1);
    let key_id = {
        let all = service.public().with_header("x-api-key", &key).get("/v1/api-keys").await.expect_status(200);
        let all = all.json["data"].as_array().expect("a list").clone();
        let own = all.iter().find(|one| one["key_hint"] == key[..12]).expect("the key");
        own["key_id"].as_str().expect("an id").to_owned()
    };
    let revoked = browser.submit(&listed, &format!("/portal/keys/{key_id}/revoke"), &[]).await;
    assert_eq!(revoked.header("location"), "/portal/keys");
    api.get("/v1/account").await.expect_status(401);
}

#[actix_web::test]
async fn no_other_site_leads_in_and_a_session_that_reads_changes_nothing() {
    on_both_databases(|database| async move {
        let (service, _provider) = start(database.url(), &[]);
        let customer = customer(&service).await;
        let (browser, other) = (signed_in(&service, &customer).await, signed_in(&service, &customer).await);
        let (page, theirs) = (browser.page("/portal/keys").await, other.page("/portal/keys").await);
        let token = page.first("input[name=token]", "value");
        let foreign = theirs.first("input[name=token]", "value");
        assert_ne!(token, foreign);
        for wrong in ["", "0", foreign.as_str()] {
            let refused = browser.send("/portal/keys", &[("read", "1"), ("token", wrong)], &[]).await;
            assert!(refused.status == 403 && refused.has("out of date"), "{}", refused.text);
        }
        let form = [("read", "1"), ("token", token.as_str())];
        for header in
            [("origin", "https://evil.example"), ("origin", "http://radar.example"), ("sec-fetch-site", "same-site")]
        {
            assert_eq!(browser.send("/portal/keys", &form, &[header]).await.status, 403, "{header:?}");
        }
        assert_eq!(browser.send("/portal/keys", &form, &[("origin", ORIGIN)]).await.status, 303);
        for place in ["/portal", "/portal/open/0", "/portal/style.css", "/portal/x"] {
            for host in ["evil.example", "127.0.0.1", "radar.example.evil.example"] {
                assert_eq!(browser.get_with(place, &[("host", host)]).await.status, 421, "{place} {host}");
            }
            let answer = browser.get(place).await;
            let policy = answer.header("content-security-policy");
            assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
            assert!(!policy.contains("unsafe") && !policy.contains("script"), "{policy}");
            assert_eq!(
                (answer.header("x-frame-options"), answer.header("x-content-type-options")),
                ("DENY", "nosniff")
            );
        }
        assert_eq!(browser.page("/portal").await.header("cache-control"), "no-store");
        // The API is called whatever it is called, and what the pages ask it for is not there for others.
        service.public().get("/v1/account").await.expect_status(401);
        let routes = service.public_url("/v1/portal-sessions");
        assert_eq!(awc::Client::new().delete(routes).send().await.expect("an answer").status().as_u16(), 404);

        let reader = opened(&service, &link(&service, &customer, &["read"]).await).await;
        let keys = reader.page("/portal/keys").await;
        let refused = reader.submit(&keys, "/portal/keys", &[("read", "1")]).await;
        assert!(refused.status == 403 && refused.has("change nothing"), "{}", refused.text);
        assert_signed_out(&reader.submit(&keys, "/portal/sign-out", &[]).await);
        assert_signed_out(&reader.get("/portal").await);
    })
    .await;
}

#[actix_web::test]
async fn there_is_no_portal_unless_the_settings_say_so() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &[]);
        let customer = Customer::create(&service).await;
        let path = format!("/operator/v1/accounts/{}/portal-links", customer.account_id);
        let refused = service.operator().post(&path, &json!({})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "http.portal");
        for path in ["/portal", "/portal/open/0", "/portal/style.css"] {
            assert_eq!(stranger(&service).get(path).await.status, 404, "{path}");
        }
    })
    .await;
}

#[actix_web::test]
async fn links_are_made_on_the_command_line_and_bounded() {
    on_both_databases(|database| async move {
        let (service, _provider) = start(database.url(), &[]);
        let customer = Customer::create(&service).await;
        let made = service.command(&["admin", "--json", "portal-link", "Customer"]).output().expect("the program");
        let made: serde_json::Value = serde_json::from_slice(&made.stdout).expect("JSON");
        let url = made["data"]["url"].as_str().expect("a link");
        opened(&service, url.strip_prefix(ORIGIN).expect("a link to the portal")).await;
        let path = format!("/operator/v1/accounts/{}/portal-links", customer.account_id);
        for body in [json!({"scopes": ["write"]}), json!({"scopes": ["all"]}), json!({"name": "x"})] {
            service.operator().post(&path, &body).await.expect_status(400);
        }
        for _ in 1..100 {
            service.operator().post(&path, &json!({})).await.expect_status(201);
        }
        let refused = service.operator().post(&path, &json!({})).await.expect_status(409);
        assert_eq!(refused.text("/errors/0/field"), "portal_links");
        advance(&service, 10 * MINUTE).await;
        service.operator().post(&path, &json!({})).await.expect_status(201);
    })
    .await;
}
