//! Targets that end the process: they are found out and failed, and nobody else with them. What is cut off is not held
//! against its target.

use std::path::Path;
use std::process::{self, Command};
use std::time::Duration;

use config::Config;
use radar::app::{self, App, StopSignals};
use serde_json::json;
use store::faults::Faults;

use crate::support::client::Answer;
use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::postgres::Server;
use crate::support::process::{FAULT, SETTINGS, Service};
use crate::support::silence::Silence;
use crate::support::sites::{Job, Sites};

/// The pause between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Not a test: the service of those below, in a process of its own, with the fault that its environment names: a harm, and
/// a place, which is a point and its subject, or `*` for any.
#[test]
fn service_with_a_fault() {
    let Ok(fault) = std::env::var(FAULT) else { return };
    let (harm, place) = fault.split_once(' ').expect("a harm and a place");
    let (harm, place) = (harm.to_owned(), place.to_owned());
    let faults = Faults::new(move |point, subject| {
        let is_place = match place.strip_suffix(" *") {
            Some(any) => any == point,
            None => format!("{point} {subject}") == place,
        };
        if !is_place {
            return;
        }
        match harm.as_str() {
            "abort" => process::abort(),
            _ => drop(Command::new("kill").args(["-s", "STOP", &process::id().to_string()]).status()),
        }
    });
    let config = Config::load(Some(Path::new(SETTINGS))).expect("settings");
    app::run(&config.clone(), |clock| async move {
        let app = App::start_with(config, clock, faults).await.expect("a start");
        app.run_until_signalled(StopSignals::catch().expect("signals"), || {}).await;
    })
    .expect("a runtime");
}

/// Starts the service again whenever it has died, until `is_over`; answers how often it has.
async fn restarted_until<F: Future<Output = bool>>(service: &mut Service, is_over: impl Fn(&Service) -> F) -> u32 {
    let mut deaths = 0;
    loop {
        while service.has_ended() {
            deaths += 1;
            assert!(deaths <= 3, "it goes on for ever");
            service.try_restart();
        }
        if is_over(service).await {
            return deaths;
        }
        actix_web::rt::time::sleep(LOOK_EVERY).await;
    }
}

#[actix_web::test]
async fn a_target_that_ends_the_process_three_times_is_failed_and_the_others_live() {
    on_both_databases(|database| async move {
        let hosts = ["killer.com", "north.com", "south.com", "boards-api.greenhouse.io", "boards.greenhouse.io"];
        let sites = Sites::start(&hosts);
        for (domain, token) in [("killer.com", "killer"), ("north.com", "north"), ("south.com", "south")] {
            sites.put_greenhouse_company(domain, token, &[Job::new(1, "Old Job")]);
        }
        let mut service = Service::start_with(database.url(), &[], &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "subscription", "0.4").await;
        customer.top_up(&service, "first", "2").await;
        service.terminate();
        service.plan(Some("abort set_up.attempt killer.com"));
        assert!(service.try_restart(), "nothing waits");
        let domains = ["north.com", "killer.com", "south.com"];
        let radars = domains.map(|domain| json!({"domain": domain, "radar_type": "company_job_openings"}));
        let made = customer.api(&service).try_post("/v1/radars/bulk", &json!({"radars": radars})).await;

        drop(made);

        let failed = |account: Answer| account.json["data"]["account"]["failed_radars"] == json!(1);
        let deaths = restarted_until(&mut service, |service| {
            let api = customer.api(service);
            async move { api.try_get("/v1/account").await.is_some_and(failed) }
        })
        .await;
        assert_eq!(deaths, 3);
        let listed = customer.api(&service).get("/v1/radars").await.expect_status(200);
        for radar in listed.json["data"].as_array().expect("radars") {
            customer.settled(&service, radar["radar_id"].as_str().expect("an id")).await;
        }
        let account = customer.account(&service).await;
        assert_eq!(
            (&account["account"]["active_radars"], &account["account"]["failed_radars"]),
            (&json!(2), &json!(1))
        );
        assert_eq!(account["balance_remaining_usd"], json!(1.2), "what failed is given back");
        let updates = customer.updates(&service).await;
        assert_eq!(updates.len(), 1);
        assert_eq!(parse(&updates[0])["content"]["failure_reason"], "source_inaccessible");
        assert_eq!(parse(&updates[0])["data"]["domain"], "killer.com");
        service.plan(None);
        service.assert_ledger_adds_up();
    })
    .await;
}

#[actix_web::test]
async fn previews_that_end_the_process_rest_and_those_of_others_go_on() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme.com"]);
        sites.put("acme.com/", "text/html", "<html><body>We sell sand.</body></html>");
        let mut service = Service::start_with(database.url(), &[], &sites.settings());
        let (customer, other) = (Customer::create(&service).await, Customer::create(&service).await);
        service.terminate();
        service.plan(Some(&format!("abort preview.look {}", customer.account_id)));
        service.try_restart();
        let body = json!({"domain": "acme.com", "radar_type": "company_job_openings"});
        for _ in 0..3 {
            assert!(customer.api(&service).try_post("/v1/radars/preview", &body).await.is_none());
            while !service.has_ended() {
                actix_web::rt::time::sleep(LOOK_EVERY).await;
            }
            assert!(service.try_restart());
        }
        let refused = customer.api(&service).post("/v1/radars/preview", &body).await.expect_status(200);
        assert_eq!(refused.json["data"]["note"], "Your last previews ended the service; there are none for an hour.");
        assert_eq!(refused.json["data"]["complete"], false);
        let seen = other.api(&service).post("/v1/radars/preview", &body).await.expect_status(200);
        assert_eq!(seen.json["data"]["complete"], true);
        assert!(!service.has_ended());
    })
    .await;
}

#[actix_web::test]
async fn a_feed_whose_polls_end_the_process_rests_and_says_so() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["acme.com", "boards-api.greenhouse.io", "boards.greenhouse.io"]);
        sites.put_greenhouse_company("acme.com", "acme", &[Job::new(1, "Old Job")]);
        let settings = [("SOURCES__POLL_INTERVAL", "100ms")];
        let mut service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "1").await;
        let created = customer.create_radar(&service, "acme.com", None).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        customer.settled(&service, &radar_id).await;
        service.terminate();
        service.plan(Some("abort feed.poll acme"));

        let path = format!("/operator/v1/radars/{radar_id}");
        let rests = |detail: Answer| detail.json.to_string().contains("polls ended the service");
        service.try_restart();
        let deaths = restarted_until(&mut service, |service| {
            let (operator, path) = (service.operator(), path.clone());
            async move { operator.try_get(&path).await.is_some_and(rests) }
        })
        .await;
        assert_eq!(deaths, 3);
        service.kill();
        service.plan(None);
        service.restart();
        let detail = service.operator().get(&path).await.expect_status(200);
        assert_eq!(detail.text("/data/radar_status"), "active", "the radar itself goes on");
    })
    .await;
}

#[actix_web::test]
async fn a_set_up_that_polite_ends_cut_off_is_not_held_against_its_target() {
    on_both_databases(|database| async move {
        let silence = Silence::start().await;
        let mut service = Service::start_with(database.url(), &[], &silence.settings(["slow.com"]));
        let customer = Customer::create(&service).await;
        customer.top_up(&service, "first", "1").await;
        let created = customer.create_radar(&service, "slow.com", None).await.expect_status(201);
        let radar_id = created.text("/data/radar_id").to_owned();
        for _ in 0..4 {
            let before = silence.asked();
            eventually("the set-up goes on", || async { (silence.asked() > before).then_some(()) }).await;
            assert!(service.terminate().success());
            service.restart();
        }
        silence.answer(404);
        let detail = customer.settled(&service, &radar_id).await;
        assert_eq!(detail["data"]["status_reason"], "missing_prerequisites", "{detail}");
    })
    .await;
}

#[actix_web::test]
async fn a_process_that_freezes_with_an_account_in_its_hands_stops_nobody_else() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let service = Service::start(&url, &[]);
    let mut frozen = Service::start(&url, &[]);
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "1").await;
    frozen.terminate();
    frozen.plan(Some("freeze store.locked 1"));
    assert!(frozen.try_restart());
    let body = json!({"domain": "a.com", "radar_type": "company_job_openings"});
    let asking = customer.api(&frozen);
    let asked = actix_web::rt::spawn(async move { asking.post("/v1/radars/companies", &body).await });
    eventually("it is frozen", || async { frozen.is_stopped().then_some(()) }).await;

    // Waiting for a lock ends after five seconds: this is answered only if the lock is released before.
    let created = customer.create_radar(&service, "b.com", None).await;
    created.expect_status(201);
    frozen.signal("CONT");
    // Its transaction was undone under it; from now on it stops at every commit, so it is thawed as long as it needs.
    let refused = async {
        loop {
            if frozen.is_stopped() {
                frozen.signal("CONT");
            }
            actix_web::rt::time::sleep(LOOK_EVERY).await;
        }
    };
    let answer = tokio::select! {
        answer = asked => answer.expect("an answer"),
        () = refused => unreachable!("an endless loop"),
    };
    assert_eq!(answer.status, 503, "{}", answer.json);
    let account = customer.account(&service).await;
    assert_eq!(account["account"]["total_radars"], json!(1), "nothing half done");
    service.assert_ledger_adds_up();
    drop((service, frozen));
    server.drop_database(&url).await;
}
