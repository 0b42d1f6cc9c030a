//! What a watched stranger shows is not what a customer pays for (decision 4.14): old dates, the posts of others, more than
//! was asked for, ids that never repeat. And what an honest one shows is still found.

use serde_json::{Value, json};

use crate::support::customer::{Customer, parse};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::process::Service;
use crate::support::sites::Sites;

const DAY: i64 = 24 * 60 * 60;
const CLOCK: [(&str, &str); 2] = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-11-20T00:00:00Z")];
const STATUSES: &str = "mas.example.com/api/v1/accounts/7/statuses?limit=40";
/// Many more than the source asks for.
const FLOOD: usize = 5_000;
const OLD: &str = "2019-05-01T08:00:00.000Z";

/// A boost by `acct`.
fn boost(id: &str, acct: &str, created_at: &str) -> Value {
    json!({"id": id, "uri": format!("https://mas.example.com/users/acme/statuses/{id}/activity"), "url": null,
           "created_at": created_at, "content": "", "in_reply_to_id": null, "mentions": [],
           "reblog": {"id": format!("b{id}"), "url": format!("https://other.example/@ada/{id}"), "created_at": OLD},
           "account": {"acct": acct, "display_name": "Acme", "url": "https://mas.example.com/@acme"}})
}

/// A company whose Mastodon account is on its own server, and a radar of what it does there; its first boost is there.
struct Watched {
    sites: Sites,
    service: Service,
    customer: Customer,
    radar_id: String,
}

impl Watched {
    async fn start(database: &TestDatabase) -> Self {
        let sites = Sites::start(&["acme-robotics.com", "mas.example.com"]);
        let home = r#"<title>Acme Robotics</title><a rel="me" href="https://mas.example.com/@acme">Mastodon</a>"#;
        sites.put("acme-robotics.com/", "text/html", home);
        for (place, answer) in [
            ("mas.example.com/.well-known/webfinger?*", json!({"subject": "acct:acme@mas.example.com"})),
            ("mas.example.com/api/v1/accounts/lookup?acct=acme", json!({"id": "7"})),
            (STATUSES, json!([boost("1", "acme", "2026-11-19T08:00:00.000Z")])),
        ] {
            sites.put(place, "application/json", &answer.to_string());
        }
        let service = Service::start_with(database.url(), &CLOCK, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_social_engagements", "update_based", "0.01").await;
        customer.top_up(&service, "first", "100").await;
        let body = json!({"domain": "acme-robotics.com", "radar_type": "company_social_engagements"});
        let created = customer.api(&service).post("/v1/radars/companies", &body).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        let settled = customer.settled_in_time(&service, &radar_id).await;
        assert_eq!(settled["data"]["set_up"], "ready", "{settled}");
        Self { sites, service, customer, radar_id }
    }

    /// Lets the server show `statuses` for a day.
    async fn show(&self, statuses: impl IntoIterator<Item = Value>) {
        let statuses: Value = statuses.into_iter().collect();
        self.sites.put(STATUSES, "application/json", &statuses.to_string());
        let advance = json!({"seconds": DAY});
        self.service.operator().post("/operator/v1/clock/advance", &advance).await.expect_status(200);
    }

    async fn balance(&self) -> Value {
        self.customer.account(&self.service).await["balance_remaining_usd"].clone()
    }

    async fn health(&self) -> Value {
        let path = format!("/v1/radars/{}/health", self.radar_id);
        self.customer.api(&self.service).get(&path).await.expect_status(200).json["data"].clone()
    }

    async fn posts(&self) -> Vec<String> {
        let updates = self.customer.updates(&self.service).await;
        updates.iter().map(|update| parse(update)["content"]["post_url"].as_str().expect("a post").to_owned()).collect()
    }
}

/// So many boosts whose ids are `id` of their numbers.
fn flood(id: impl Fn(usize) -> String, acct: &str, created_at: &str) -> Vec<Value> {
    (0..FLOOD).map(|number| boost(&id(number), acct, created_at)).collect()
}

#[actix_web::test]
async fn decision_4_14_a_server_that_shows_the_old_posts_of_others_under_new_ids_costs_nothing() {
    on_both_databases(|database| async move {
        let watched = Watched::start(&database).await;
        watched.show(flood(|number| format!("{{look}}-{number}"), "mallory@evil.example", OLD)).await;
        assert_eq!((watched.balance().await, watched.posts().await.len()), (json!(100), 0));
        watched.service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn decision_4_14_old_dates_foreign_authors_and_long_ids_are_no_findings() {
    on_both_databases(|database| async move {
        let watched = Watched::start(&database).await;
        let first = boost("1", "acme", "2026-11-19T08:00:00.000Z");
        let before = [first.clone(), boost("2", "acme", "2026-11-19T23:59:59.999Z")];
        let old = flood(|number| format!("old-{number}"), "acme", OLD);
        watched.show(before.into_iter().chain(old)).await;
        assert_eq!(watched.balance().await, json!(100), "dated before the radar");
        let health = watched.health().await;
        assert_eq!(health["filtered_items"], json!(39), "of the 40 that were asked for all but the one that is known");
        assert_eq!(health["older_items"], json!(39), "no filter kept any of them out");

        let others = flood(|number| format!("other-{number}"), "mallory@evil.example", "2026-11-21T08:00:00.000Z");
        watched.show([first.clone()].into_iter().chain(others)).await;
        assert_eq!(watched.balance().await, json!(100), "somebody else's");

        // PostgreSQL keeps no such id in an index: it must not stop the poll either.
        let long: String = (0..700_u32).map(|number| format!("{:x}", number.wrapping_mul(2_654_435_761))).collect();
        let honest = boost("3", "acme@mas.example.com", "2026-11-22T08:00:00.000Z");
        watched.show([first, boost(&long[..2_900], "acme", "2026-11-22T08:00:00.000Z"), honest]).await;
        assert_eq!(watched.posts().await, ["https://other.example/@ada/3"]);
        assert_eq!(watched.balance().await, json!(99.99));
    })
    .await;
}

#[actix_web::test]
async fn decision_4_14_no_more_is_taken_of_an_answer_than_was_asked_for() {
    on_both_databases(|database| async move {
        let watched = Watched::start(&database).await;
        watched.show(flood(|number| format!("new-{number}"), "acme", "2026-11-20T08:00:00.000Z")).await;
        assert_eq!((watched.posts().await.len(), watched.balance().await), (40, json!(99.6)));
    })
    .await;
}

#[actix_web::test]
async fn decision_4_14_ids_that_never_repeat_are_a_changed_shape_and_a_busy_feed_is_none() {
    on_both_databases(|database| async move {
        let watched = Watched::start(&database).await;
        watched.show(flood(|number| format!("{{look}}-{number}"), "acme", "2026-11-20T08:00:00.000Z")).await;
        assert_eq!((watched.balance().await, watched.posts().await.len()), (json!(100), 0));
        let health = watched.health().await;
        assert_eq!(health["state"], "failing", "{health}");
        assert!(health["last_error"].as_str().is_some_and(|error| error.contains("in common")), "{health}");
        let sources = watched.service.operator().get("/operator/v1/sources/mastodon_engagements").await;
        assert!(sources.json.to_string().contains("changed_shape"), "{}", sources.json);

        // All that was known has left the time line since.
        watched.show((2..42).map(|id| boost(&id.to_string(), "acme", "2026-11-21T08:00:00.000Z"))).await;
        assert_eq!((watched.posts().await.len(), watched.balance().await), (40, json!(99.6)));
        assert_eq!(watched.health().await["last_error"], Value::Null);
    })
    .await;
}
