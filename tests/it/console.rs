//! The operators' pages: who gets in, what each shows, and the known holes of such pages.

use serde_json::{Value, json};

use crate::delivery_log::stage;
use crate::support::browser::Browser;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::process::{OPERATOR_KEY, Service};
use crate::support::provider::{self, push};
use crate::support::push_source;
use crate::support::receiver::{Answer as Received, Receiver};

/// What a browser would run if it stood in a page as it is.
const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>";

/// Any script but the one of the console.
const FOREIGN_SCRIPT: &str = "script:not([src='/console.js'])";

async fn signed_in(service: &Service) -> Browser {
    let mut browser = stranger(service);
    let answer = browser.send("/sign-in", &[("key", OPERATOR_KEY)], &[]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/"));
    browser.keep_cookie(&answer, &["Path=/", "Max-Age=43200"]);
    browser
}

fn stranger(service: &Service) -> Browser {
    Browser::new(&format!("http://127.0.0.1:{}", service.operator_port()))
}

#[actix_web::test]
async fn every_page_shows_what_the_operator_api_says_and_its_forms_do_what_they_say() {
    on_both_databases(|database| async move {
        let mut receiver = Receiver::start();
        receiver.answer_next([Received::status(410)]);
        let (service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        push(&service, &radar_id, "1", &json!({"review_content": HOSTILE})).await;
        let update_id =
            receiver.next().await.headers.get("webhook-id").expect("a header").to_str().expect("text").to_owned();
        let browser = signed_in(&service).await;
        let overview = eventually("the endpoint is disabled", || async {
            Some(browser.page("/").await).filter(|page| page.has("endpoints are disabled"))
        })
        .await;
        assert!(overview.has("balance_ledger") && overview.count("polyline") == 4);

        for (query, is_found) in [
            ("", true),
            ("?domain=acme.com", true),
            ("?domain=Acme", true),
            ("?domain=other.com", false),
            ("?state=inactive", false),
        ] {
            let page = browser.page(&format!("/radars{query}")).await;
            assert_eq!(page.has(&radar_id), is_found, "{query}");
        }
        let radar = browser.page(&format!("/radars/{radar_id}")).await;
        assert!(
            radar.has("acme.com")
                && radar.has("A provider handed something in last on")
                && radar.has("held endpoint_disabled")
        );
        let delivery = browser.page(&format!("/deliveries/{update_id}")).await;
        assert!(delivery.has("Its endpoint is disabled") && delivery.has("http_410"));
        let deliveries = browser.page("/deliveries?state=held").await;
        assert!(deliveries.has(&update_id));

        let enable = deliveries.first("form[action^='/endpoints/']", "action");
        let enabled = browser.submit(&deliveries, &enable, &[]).await;
        assert_eq!((enabled.status, enabled.header("location")), (303, "/deliveries"));
        receiver.next().await;
        eventually("it is delivered", || async {
            browser.page(&format!("/deliveries/{update_id}")).await.has("It was delivered.").then_some(())
        })
        .await;
        let resent = browser.submit(&delivery, &format!("/deliveries/{update_id}/resend"), &[]).await;
        assert_eq!(resent.status, 303, "{}", resent.text);
        receiver.next().await;

        // One action on all that match: counted, confirmed, and followed.
        let counted = browser.page("/deliveries/recover?since=2000-01-01T00:00:00Z&until=2000-01-02T00:00:00Z").await;
        assert!(counted.has("0 deliveries would be sent again"));
        let range = ["since", "until"].map(|name| (name, counted.first(&format!("input[name={name}]"), "value")));
        let range = range.each_ref().map(|(name, value)| (*name, value.as_str()));
        let begun = browser.submit(&counted, "/deliveries/recover", &range).await;
        assert!(begun.status == 303 && begun.header("location").starts_with("/jobs/"), "{}", begun.text);
        eventually("nothing is sent again", || async {
            browser.page(begun.header("location")).await.has("0 of 0 done: finished").then_some(())
        })
        .await;
        assert_eq!(browser.page("/radars?domain=acme*").await.count("a[href^='/radars/deactivate']"), 0);
        assert_eq!(browser.page("/radars").await.count("a[href^='/radars/deactivate']"), 0);
        let all = browser.page("/radars?domain=acme.com").await.first("a[href^='/radars/deactivate']", "href");
        let counted = browser.page(&all).await;
        assert!(counted.has("1 active radars would be deactivated"), "{}", counted.text);
        let other = browser.page("/radars/deactivate?domain=other.com").await;
        let begun = browser.submit(&other, "/radars/deactivate", &[("domain", "other.com")]).await;
        let job = browser.page(begun.header("location")).await;
        assert!(job.has("0 of 0 done") && browser.page("/jobs").await.has(begun.header("location")));

        let path = format!("/accounts/{}", customer.account_id);
        let account = browser.page(&path).await;
        assert!(browser.page("/accounts").await.has("Customer") && account.has("update_based"));
        let money = [("amount_usd", "2.50"), ("payment_ref", "console")];
        assert_eq!(browser.submit(&account, &format!("{path}/top-ups"), &money).await.status, 303);
        assert!(browser.page(&path).await.has("2.5 USD"));
        assert!(browser.page(&format!("{path}/ledger")).await.has("topup:console"));
        let spend = browser.page(&format!("{path}/spend")).await;
        assert!(spend.has("<dt>top up</dt><dd>2.5 USD</dd>") && spend.has("company_reviews"), "{}", spend.text);
        let earlier = browser.page(&format!("{path}/spend?month=2020-01")).await;
        assert!(
            earlier.has("<dt>top up</dt><dd>0 USD</dd>") && earlier.has("Nothing was charged."),
            "{}",
            earlier.text
        );
        for page in [format!("/ledger?verify=1&account_id={}", customer.account_id), "/ledger?verify=1".to_owned()] {
            let audit = browser.page(&page).await;
            assert!(audit.has("sound") && audit.has(&customer.account_id), "{}", audit.text);
        }
        assert!(!browser.page("/ledger").await.has("sound"), "nothing is checked before somebody asks");
        let refused = browser.submit(&account, &format!("{path}/top-ups"), &[("amount_usd", "x")]).await;
        assert!(refused.status == 400 && refused.has("amount_usd: must be a decimal number"), "{}", refused.text);
        browser.submit(&account, &format!("{path}/status"), &[("status", "inactive")]).await;
        assert!(browser.page(&path).await.has("Start this account"));
        assert!(browser.page("/").await.has("<strong>1</strong> accounts are stopped"));
        assert!(browser.page("/accounts?state=inactive").await.has(&customer.account_id));
        assert!(!browser.page("/accounts?name=cust&state=active").await.has(&customer.account_id));
        assert!(browser.page(&format!("/radars/{radar_id}")).await.has("Its account is stopped"));
        let price = [("radar_type", "company_reviews"), ("model", "subscription"), ("rate_usd", "0.75")];
        assert_eq!(browser.submit(&account, &format!("{path}/prices"), &price).await.status, 303);
        assert!(browser.page(&path).await.has("0.75"));
        let created = browser.submit(&account, "/accounts", &[("name", HOSTILE)]).await;
        let created = browser.follow(&created).await;
        assert!(created.has("whsec_") && created.header("set-cookie").contains("Max-Age=0"), "{}", created.text);

        let fields = [("read", "1"), ("expires_on", "2100-01-01")];
        let created = browser.submit(&account, &format!("{path}/api-keys"), &fields).await;
        let created = browser.follow(&created).await;
        assert!(created.has("API key") && !created.has("whsec_"), "{}", created.text);
        assert!(created.has("may read, since") && created.has("until 2100-01-01 00:00:00"), "{}", created.text);
        let refused = browser.submit(&account, &format!("{path}/api-keys"), &[]).await;
        assert!(refused.status == 400 && refused.has("scopes"), "{}", refused.text);
        assert!(!browser.page(&path).await.has("Shown this once"));
        let revoke = browser.page(&path).await.first("form[action$='/revoke']", "action");
        assert_eq!(browser.submit(&account, &revoke, &[]).await.header("location"), path);
        assert!(browser.page(&path).await.has(", revoked 20"));

        let refused = browser.submit(&account, &format!("{path}/portal-links"), &[("read", "1")]).await;
        assert!(refused.status == 409 && refused.has("http.portal: is not set"), "{}", refused.text);

        let source = format!("/sources/{}", push_source::ID);
        assert!(browser.page("/sources").await.has(&source) && browser.page(&source).await.has("Terms"));
        assert!(browser.page("/clock").await.has("machine"));
        let nodes = browser.page("/nodes").await;
        assert!(nodes.has("0-255") && nodes.has("(this one)"), "{}", nodes.text);
        let drain = nodes.first("form[action^='/nodes/']", "action");
        assert_eq!(browser.submit(&nodes, &drain, &[]).await.header("location"), "/nodes");
        assert!(browser.page("/nodes").await.has("draining"));
        assert!(
            browser.page("/?live=1").await.count("meta[http-equiv=refresh]") == 1
                && overview.count("[http-equiv]") == 0
        );
        for (sought, place) in [
            (&radar_id, format!("/radars/{radar_id}")),
            (&update_id, format!("/deliveries/{update_id}")),
            (&customer.account_id, path.clone()),
            (&"acme.com".to_owned(), "/radars?domain=acme.com".to_owned()),
            (&"ACME".to_owned(), "/radars?domain=ACME".to_owned()),
            (&"custo".to_owned(), "/accounts?name=custo".to_owned()),
            (&"//evil.example".to_owned(), "/radars?domain=%2F%2Fevil.example".to_owned()),
        ] {
            let found = browser.get(&format!("/find?q={}", sought.replace('/', "%2F"))).await;
            assert_eq!((found.status, found.header("location")), (303, place.as_str()));
        }
        assert_eq!(browser.get("/radars/00000000-0000-0000-0000-000000000009").await.status, 404);

        // What strangers and customers wrote stands there as a text.
        for page in [format!("/radars/{radar_id}"), "/accounts".to_owned()] {
            let page = browser.page(&page).await;
            assert!(page.has("&#60;script&#62;") || page.has("&lt;script&gt;"), "{}", page.text);
            assert_eq!((page.count(FOREIGN_SCRIPT), page.count("img"), page.count("[onerror]")), (0, 0, 0));
        }
    })
    .await;
}

#[actix_web::test]
async fn nobody_gets_in_without_the_key_and_no_other_site_leads_in() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[("CLOCK__MODE", "simulated")], "");
        let customer = Customer::create(&service).await;
        let path = format!("/accounts/{}", customer.account_id);
        let stranger = stranger(&service);
        for page in
            ["/", "/radars", "/accounts", path.as_str(), "/deliveries", "/sources", "/clock", "/find?q=acme.com"]
        {
            let refused = stranger.get(page).await;
            assert_eq!((refused.status, refused.header("location")), (303, "/sign-in"), "{page}");
            let with_forged = stranger.get_with(page, &[("cookie", "radar_console=0000; radar_console=")]).await;
            assert_eq!(with_forged.status, 303, "{page}");
        }
        for key in ["", "wrong", &customer.api_key] {
            let refused = stranger.send("/sign-in", &[("key", key), ("next", "//evil.example")], &[]).await;
            assert_eq!((refused.status, refused.header("set-cookie")), (401, ""));
        }
        let browser = signed_in(&service).await;
        let account = browser.page(&path).await;
        let status = format!("{path}/status");
        let stop = [("status", "inactive")];
        assert_eq!(browser.send(&status, &stop, &[]).await.status, 403, "a form without its token");
        assert_eq!(browser.send(&status, &[stop[0], ("token", "0")], &[]).await.status, 403);
        let token = account.first("input[name=token]", "value");
        let other = signed_in(&service).await;
        assert_eq!(
            other.send(&status, &[stop[0], ("token", &token)], &[]).await.status,
            403,
            "a token of another session"
        );
        let with_token = [stop[0], ("token", token.as_str())];
        for header in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
            assert_eq!(browser.send(&status, &with_token, &[header]).await.status, 403, "{header:?}");
        }
        assert!(browser.page(&path).await.has("Stop this account"), "nothing of that was done");

        for page in ["/", "/sign-in", "/console.css", "/radars/x"] {
            let answer = browser.get(page).await;
            let policy = answer.header("content-security-policy");
            assert!(
                policy.contains("frame-ancestors 'none'") && policy.starts_with("default-src 'none'"),
                "{page}: {policy}"
            );
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(
                (answer.header("x-frame-options"), answer.header("x-content-type-options")),
                ("DENY", "nosniff")
            );
        }
        assert_eq!(browser.page("/").await.header("cache-control"), "no-store");
        for place in ["/", "/sign-in", "/metrics", "/health/live", "/operator/v1/actors"] {
            let refused = browser.get_with(place, &[("host", "evil.example")]).await;
            assert_eq!(refused.status, 421, "{place}");
            assert_ne!(browser.get_with(place, &[("host", "localhost:1")]).await.status, 421, "{place}");
        }

        let clock = browser.page("/clock").await;
        let before = json_of(&service, "/operator/v1/clock").await["now"].clone();
        assert_eq!(browser.submit(&clock, "/clock/advance", &[("hours", "24")]).await.status, 303);
        assert_ne!(json_of(&service, "/operator/v1/clock").await["now"], before);
        assert_eq!(browser.page("/").await.status, 200, "a session goes by the machine's clock");
        let out = browser.submit(&clock, "/sign-out", &[]).await;
        assert_eq!((out.status, out.header("location")), (303, "/sign-in"));
        assert_eq!(browser.get("/").await.status, 303);
    })
    .await;
}

async fn json_of(service: &Service, path: &str) -> Value {
    service.operator().get(path).await.expect_status(200).json["data"].clone()
}

#[actix_web::test]
async fn findings_that_wait_are_approved_or_rejected_by_hand() {
    on_both_databases(|database| async move {
        let (service, _provider) = provider::start(database.url(), &[], "");
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_reviews", "update_based", "0").await;
        let account = format!("/operator/v1/accounts/{}", customer.account_id);
        service.operator().patch(&account, &json!({"approval": "manual"})).await.expect_status(200);
        let radar = customer.create_reviews_radar(&service, "acme.com", None).await.expect_status(201);
        for native_id in ["1", "2"] {
            push(&service, radar.text("/data/radar_id"), native_id, &json!({"review_content": HOSTILE})).await;
        }
        let browser = signed_in(&service).await;
        assert!(browser.page("/").await.has("<strong>2</strong> findings wait for approval"));
        for (decision, left) in [("approve", 1), ("reject", 0)] {
            let page = browser.page("/findings").await;
            assert_eq!(page.count(FOREIGN_SCRIPT), 0);
            let action = page.first(&format!("form[action$='{decision}']"), "action");
            assert_eq!(browser.submit(&page, &action, &[]).await.header("location"), "/findings");
            assert_eq!(browser.page("/findings").await.count(".timeline > li"), left);
        }
        assert_eq!(customer.updates(&service).await.len(), 1);
    })
    .await;
}

/// The events of `/live/{page}` until one says that the page has changed; `None` when the stream ends before.
async fn changed(browser: &Browser, page: &str, mut change: impl AsyncFnMut(usize)) -> Option<()> {
    let mut answer = browser.open(&format!("/live/{page}")).await;
    // Nothing of it may be compressed, which would hold it back.
    let encoding = answer.headers().get("content-encoding").map(|encoding| encoding.as_bytes());
    assert_eq!((answer.status().as_u16(), encoding), (200, Some(&b"identity"[..])));
    for number in 0.. {
        let event = futures_util::StreamExt::next(&mut answer).await?.ok()?;
        if event.starts_with(b"event: changed") {
            return Some(());
        }
        change(number).await;
    }
    None
}

#[actix_web::test]
async fn a_page_is_told_when_it_shows_something_else() {
    on_both_databases(|database| async move {
        let receiver = Receiver::start();
        let (mut service, _provider, customer, radar_id) = stage(database.url(), &receiver).await;
        let browser = signed_in(&service).await;
        assert_eq!(stranger(&service).get("/live/overview").await.status, 303);
        let overview = browser.page("/").await;
        assert_eq!(
            (overview.count("main[data-live='/live/overview']"), overview.count("script[src='/console.js']")),
            (1, 1)
        );
        assert!(browser.get("/console.js").await.text.contains("EventSource"));
        assert!(!overview.text.contains(r#"points="""#), "there are curves from the start");
        for page in ["overview".to_owned(), format!("radar?id={radar_id}"), "deliveries".to_owned()] {
            let find =
                async |number: usize| drop(push(&service, &radar_id, &format!("{page} {number}"), &json!({})).await);
            assert!(changed(&browser, &page, find).await.is_some(), "{page}");
        }
        // A stream lasts no longer than its session, and a stop waits for none.
        let token = overview.first("input[name=token]", "value");
        let sign_out = async |_: usize| drop(browser.send("/sign-out", &[("token", &token)], &[]).await);
        assert!(changed(&browser, "findings", sign_out).await.is_none());
        let other = signed_in(&service).await;
        let _open = other.open("/live/overview").await;
        assert!(service.terminate().success());
        drop(customer);
    })
    .await;
}
