//! Set-ups that wait, and who makes their attempts: over restarts, between processes, among accounts (decision 1.3).

use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use serde_json::{Value, json};
use store::DueTable;

use crate::support::customer::{Customer, eventually, parse};
use crate::support::databases::on_both_databases;
use crate::support::postgres::Server;
use crate::support::process::Service;
use crate::support::silence::Silence;
use crate::support::sites::{Job, Sites};

const HOUR: i64 = 60 * 60;

#[actix_web::test]
async fn decision_1_3_a_site_that_is_away_is_asked_for_a_day_over_restarts() {
    on_both_databases(|database| async move {
        let sites = Sites::start(&["away.com", "www.away.com"]);
        for place in ["away.com/", "www.away.com/", "away.com/robots.txt", "www.away.com/robots.txt"] {
            sites.put_status(place, 503);
        }
        let settings = [("CLOCK__MODE", "simulated"), ("CLOCK__START", "2026-01-01T00:00:00Z")];
        let mut service = Service::start_with(database.url(), &settings, &sites.settings());
        let customer = Customer::create(&service).await;
        customer.price(&service, "company_job_openings", "subscription", "0.4").await;
        customer.top_up(&service, "first", "1").await;
        let created = customer.create_radar(&service, "away.com", None).await.expect_status(201);
        let path = format!("/operator/v1/radars/{}", created.text("/data/radar_id"));

        advance(&service, 12 * HOUR).await;
        let asked = sites.fetches("away.com/robots.txt");
        assert!((5..40).contains(&asked), "{asked} fetches");
        let waiting = service.operator().get(&path).await.expect_status(200).json["data"].clone();
        assert_eq!((&waiting["radar_status"], &waiting["set_up"]), (&json!("active"), &json!("pending")));
        assert!(waiting["last_error"].as_str().is_some_and(|error| error.contains("503")), "{waiting}");

        service.kill();
        service.restart();
        advance(&service, 11 * HOUR).await;
        assert!(sites.fetches("away.com/robots.txt") > asked, "it is asked on after a restart");
        assert_eq!(service.operator().get(&path).await.json["data"]["radar_status"], "active");
        assert!(customer.updates(&service).await.is_empty());

        advance(&service, 2 * HOUR).await;
        let ended = service.operator().get(&path).await.expect_status(200).json["data"].clone();
        assert_eq!(ended["status_reason"], "source_inaccessible", "{ended}");
        assert_eq!(customer.account(&service).await["balance_remaining_usd"], json!(1));
        let updates = customer.updates(&service).await;
        assert_eq!(updates.len(), 1);
        assert_eq!(parse(&updates[0])["content"]["failure_reason"], "source_inaccessible");
    })
    .await;
}

#[actix_web::test]
async fn what_a_killed_process_left_is_taken_over_by_another() {
    let Some((server, url)) = postgres().await else { return };
    let (silence, sites) = (Silence::start().await, good_site());
    let mut first = Service::start_with(&url, &[], &silence.settings(["acme.com"]));
    let customer = Customer::create(&first).await;
    customer.top_up(&first, "first", "1").await;
    let created = customer.create_radar(&first, "acme.com", None).await.expect_status(201);
    eventually("its set-up is under way", || async { (silence.asked() > 0).then_some(()) }).await;
    let second = Service::start_with(&url, &[], &sites.settings());
    first.kill();
    let detail = customer.settled(&second, created.text("/data/radar_id")).await;
    assert_eq!(detail["data"]["set_up"], "ready", "{detail}");
    drop((first, second));
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn a_process_that_was_frozen_cannot_settle_what_another_has_taken_over() {
    let Some((server, url)) = postgres().await else { return };
    let (silence, sites) = (Silence::start().await, good_site());
    let first = Service::start_with(&url, &[], &silence.settings(["acme.com"]));
    let customer = Customer::create(&first).await;
    customer.top_up(&first, "first", "1").await;
    let created = customer.create_radar(&first, "acme.com", None).await.expect_status(201);
    let radar_id = created.text("/data/radar_id").to_owned();
    eventually("its set-up is under way", || async { (silence.asked() > 0).then_some(()) }).await;
    first.signal("STOP");
    let second = Service::start_with(&url, &[], &sites.settings());
    let detail = customer.settled(&second, &radar_id).await;
    assert_eq!(detail["data"]["set_up"], "ready", "{detail}");
    silence.answer(403);
    first.signal("CONT");
    eventually("it has got its answers", || async {
        let made = customer.create_radar(&first, "other.com", None).await;
        (made.status == 201 || made.status == 409).then_some(())
    })
    .await;
    let detail = customer.settled(&second, &radar_id).await;
    assert_eq!((&detail["data"]["set_up"], &detail["data"]["radar_status"]), (&json!("ready"), &json!("active")));
    second.assert_ledger_adds_up();
    drop((first, second));
    server.drop_database(&url).await;
}

#[actix_web::test]
async fn two_hundred_silent_sites_of_one_customer_keep_no_other_waiting() {
    on_both_databases(|database| async move {
        let (silence, sites) = (Silence::start().await, good_site());
        let silent: Vec<String> = (0..200).map(|number| format!("silent-{number}.com")).collect();
        let settings = silence.settings(silent.iter().map(String::as_str));
        let settings = settings + sites.settings().trim_start_matches("[outbound.rewrite]");
        let service = Service::start_with(database.url(), &[("OUTBOUND__TIMEOUT", "10m")], &settings);
        let greedy = Customer::create(&service).await;
        greedy.top_up(&service, "first", "100").await;
        for domains in silent.chunks(100) {
            let wanted = |domain: &String| json!({"domain": domain, "radar_type": "company_job_openings"});
            let radars: Vec<Value> = domains.iter().map(wanted).collect();
            let made = greedy.api(&service).post("/v1/radars/bulk", &json!({"radars": radars})).await;
            assert!(made.status < 300, "{}", made.json);
        }
        eventually("they take what they can", || async { (silence.asked() >= 64).then_some(()) }).await;
        let other = Customer::create(&service).await;
        other.top_up(&service, "first", "1").await;
        let created = other.create_radar(&service, "acme.com", None).await.expect_status(201);
        let detail = other.settled(&service, created.text("/data/radar_id")).await;
        assert_eq!(detail["data"]["set_up"], "ready", "{detail}");
        let account = greedy.account(&service).await;
        assert_eq!(account["account"]["active_radars"], json!(200), "all of them still wait: {account}");
    })
    .await;
}

#[actix_web::test]
async fn the_next_due_feed_is_found_by_an_index() {
    on_both_databases(|database| async move {
        drop(crate::commit::connect(&database).await);
        let connection = Database::connect(database.url()).await.expect("a second connection");
        let backend = connection.get_database_backend();
        let (id, series) = match backend {
            DbBackend::Postgres => ("gen_random_uuid()", "select generate_series(1, 5000)"),
            _ => ("randomblob(16)", "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i from n"),
        };
        let insert = format!(
            "insert into feed (feed_id, source_id, token, shard, created_at, head_seq, fanned_seq, next_poll_at, failures,
                lease_no, open_attempts, silent_micros) select {id}, 'greenhouse', 'token ' || i, 0, 0, 0, 0, 1900000000000000 + i, 0, 0, 0, 0 from ({series}) as numbers(i)"
        );
        let insert = if backend == DbBackend::Postgres { insert } else { insert.replace(" as numbers(i)", "") };
        connection.execute_unprepared(&insert).await.expect("feeds");
        connection.execute_unprepared("analyze").await.expect("statistics");
        let explain = if backend == DbBackend::Postgres { "explain" } else { "explain query plan" };
        let question = Statement::from_string(backend, format!("{explain} {} 0 as now_at", DueTable::Feeds.next_due("")));
        let column = if backend == DbBackend::Postgres { "QUERY PLAN" } else { "detail" };
        let plan = connection.query_all_raw(question).await.expect("a plan");
        let plan: Vec<String> = plan.iter().map(|row| row.try_get("", column).expect("a line")).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("feed_due") && plan.contains("feed_suspect"), "{plan}");
        assert!(!plan.contains("Seq Scan") && !plan.contains("SCAN feed\n"), "{plan}");
        connection.close().await.expect("closed");
    })
    .await;
}

fn good_site() -> Sites {
    let sites = Sites::start(&["acme.com", "boards-api.greenhouse.io", "boards.greenhouse.io"]);
    sites.put_greenhouse_company("acme.com", "acme", &[Job::new(1, "Old Job")]);
    sites
}

async fn postgres() -> Option<(&'static Server, String)> {
    let server = Server::shared()?;
    Some((server, server.create_database().await))
}

async fn advance(service: &Service, seconds: i64) {
    service.operator().post("/operator/v1/clock/advance", &json!({"seconds": seconds})).await.expect_status(200);
}
