//! The program as a process: it starts, it survives a kill, it ends politely.

use std::os::unix::process::ExitStatusExt;

use serde_json::json;

use crate::support::databases::on_both_databases;
use crate::support::process::Service;

#[actix_web::test]
async fn an_account_survives_a_kill_and_a_polite_end() {
    on_both_databases(async |database| {
        let mut service = Service::start(database.url(), &[]);
        let created = service.operator().post("/operator/v1/accounts", &json!({"name": "Acme"})).await;
        let created = created.expect_status(201);
        let path = format!("/operator/v1/accounts/{}", created.text("/data/account_id"));

        service.kill();
        service.restart();
        let answer = service.operator().get(&path).await.expect_status(200);
        assert_eq!(answer.text("/data/name"), "Acme");

        let status = service.terminate();
        assert_eq!((status.code(), status.signal()), (Some(0), None), "{}", service.log());
        service.restart();
        service.operator().get(&path).await.expect_status(200);
    })
    .await;
}

#[actix_web::test]
async fn the_public_listener_asks_for_a_key() {
    on_both_databases(async |database| {
        let service = Service::start(database.url(), &[]);
        service.public().get("/v1/radars").await.expect_status(401);
    })
    .await;
}
