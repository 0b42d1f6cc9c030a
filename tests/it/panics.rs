//! A radar's actor that panics is started again and loses nothing; one that keeps panicking is marked and reported.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use config::{ClockMode, Config};
use domain::ids::{AccountId, RadarId};
use radar::app::{self, App};
use serde_json::json;
use store::faults::Faults;

use crate::support::client::Client;

/// Runs `body` on a service in this process whose radars panic in their first `panics` turns, by radar.
fn with_faulty_radars<F: Future<Output = ()>>(panics: u32, body: impl FnOnce(App, clock::Clock) -> F + Send + 'static) {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "format_version = 1\nid = \"reviews_inc\"\nkind = \"push\"\nradar_types = [\"company_reviews\"]\n";
    std::fs::write(folder.path().join("reviews_inc.toml"), source).expect("a source file");
    let mut config = Config::built_in().expect("settings");
    config.http.listen.set_port(0);
    config.operator.listen.set_port(0);
    config.operator.key = Some("key".into());
    config.database.url = format!("sqlite://{}", folder.path().join("radar.db").display());
    config.clock.mode = ClockMode::Simulated;
    config.sources.dir = Some(folder.path().to_owned());
    let counts: Arc<Mutex<BTreeMap<String, u32>>> = Arc::default();
    let faults = Faults::new(move |point, subject| {
        if point == "radar.turn" {
            let mut counts = counts.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let turns = counts.entry(subject.to_owned()).or_default();
            *turns += 1;
            let is_faulty = *turns <= panics;
            drop(counts);
            assert!(!is_faulty, "a planted panic");
        }
    });
    let run = move || {
        app::run(&config.clone(), |clock| async move {
            let app = App::start_with(config, clock.clone(), faults).await.expect("a start");
            body(app, clock).await;
        })
        .expect("a runtime");
    };
    thread::spawn(run).join().expect("no panic but the planted ones");
    drop(folder);
}

struct Parties {
    account_id: AccountId,
    api: Client,
    operator: Client,
}

impl Parties {
    async fn meet(app: &App) -> Self {
        let operator = Client::new(&format!("http://{}", app.operator_address())).with_header("x-operator-key", "key");
        let account = operator.post("/operator/v1/accounts", &json!({"name": "A"})).await.expect_status(201);
        let path = format!("/operator/v1/accounts/{}/top-ups", account.text("/data/account_id"));
        operator.post(&path, &json!({"amount_usd": "10", "payment_ref": "a"})).await.expect_status(201);
        let api = Client::new(&format!("http://{}", app.api_address()))
            .with_header("x-api-key", account.text("/data/api_key"));
        let account_id = AccountId(account.text("/data/account_id").parse().expect("an identifier"));
        Self { account_id, api, operator }
    }

    async fn create(&self) -> String {
        let body = json!({"domain": "shaky.com", "radar_type": "company_reviews"});
        let made = self.api.post("/v1/radars/companies", &body).await.expect_status(201);
        made.text("/data/radar_id").to_owned()
    }

    /// Gives the radar's actor a turn.
    fn wake(&self, app: &App, radar_id: &str) {
        let radar_id = RadarId(radar_id.parse().expect("an identifier"));
        app.shards().wake(self.account_id, radar_id);
    }

    async fn figure(&self, name: &str) -> i64 {
        let actors = self.operator.get("/operator/v1/actors").await.expect_status(200);
        let radars = actors.json["data"].as_array().expect("kinds").iter().find(|kind| kind["kind"] == "radar_actor");
        radars.expect("radars")[name].as_i64().expect("a number")
    }
}

#[test]
fn a_radar_that_panics_twice_goes_on_all_the_same() {
    with_faulty_radars(2, |app, clock| async move {
        let parties = Parties::meet(&app).await;
        let radar_id = parties.create().await;
        parties.wake(&app, &radar_id);
        clock.advance(chrono::Duration::seconds(30)).await;
        assert_eq!(parties.figure("restarts").await, 2);
        assert_eq!(parties.figure("poisoned").await, 0);
        // The next renewal finds it well.
        clock.advance(chrono::Duration::days(31)).await;
        let radar = parties.api.get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
        assert_eq!(radar.text("/data/radar_status"), "active");
        app.stop().await;
    });
}

#[test]
fn a_radar_that_keeps_panicking_is_marked_and_reported() {
    with_faulty_radars(6, |app, clock| async move {
        let parties = Parties::meet(&app).await;
        let radar_id = parties.create().await;
        parties.wake(&app, &radar_id);
        clock.advance(chrono::Duration::seconds(20)).await;
        let path = format!("/operator/v1/radars/{radar_id}");
        let detail = parties.operator.get(&path).await.expect_status(200);
        assert!(detail.json.to_string().contains("keeps crashing"), "{}", detail.json);
        assert_eq!(parties.figure("poisoned").await, 1);
        clock.advance(chrono::Duration::hours(1)).await;
        let detail = parties.operator.get(&path).await.expect_status(200);
        assert!(!detail.json.to_string().contains("keeps crashing"), "it is well again: {}", detail.json);
        assert_eq!(parties.figure("poisoned").await, 0);
        app.stop().await;
    });
}
