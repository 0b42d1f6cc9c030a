//! Every connection to the database is taken by requests that wait for a lock which somebody else holds: all of them are
//! answered 503, the process stays alive, and everything goes on once the lock is gone (Spec 7; decision 4.13).

use futures_util::future::{join, join_all};
use sea_orm::{ConnectOptions, ConnectionTrait, Database, TransactionTrait};

use crate::support::customer::{Customer, eventually};
use crate::support::postgres::Server;
use crate::support::provider;

const REQUESTS: usize = 30;

#[actix_web::test]
async fn spec_7_requests_without_a_connection_are_503_and_pass_by_themselves() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let (service, _provider) = provider::start(&url, &[("DATABASE__MAX_CONNECTIONS", "2")], "");
    let customer = Customer::create(&service).await;
    customer.top_up(&service, "first", "100").await;
    let created = customer.create_reviews_radar(&service, "first.com", None).await.expect_status(201);
    let path = format!("/v1/radars/{}", created.text("/data/radar_id"));

    let outside = Database::connect(ConnectOptions::new(&url).max_connections(1).to_owned()).await.expect("connected");
    let lock = outside.begin().await.expect("a transaction");
    lock.execute_unprepared("lock table account, radar in access exclusive mode").await.expect("locked");
    let api = customer.api(&service);
    let creating = join_all((0..REQUESTS).map(|number| {
        let (customer, service) = (&customer, &service);
        async move { customer.create_reviews_radar(service, &format!("company-{number}.com"), None).await }
    }));
    let reading = join_all((0..REQUESTS).map(|_| api.get(&path)));
    let (creations, reads) = join(creating, reading).await;
    for answer in creations.iter().chain(&reads) {
        assert_eq!(answer.status, 503, "{}", answer.json);
    }
    service.operator().get("/health/live").await.expect_status(200);
    lock.rollback().await.expect("unlocked");
    outside.close().await.expect("closed");

    eventually("creations are taken again", || async {
        let answer = customer.create_reviews_radar(&service, "last.com", None).await;
        assert!([201, 409, 503].contains(&answer.status), "{}", answer.json);
        (answer.status != 503).then_some(())
    })
    .await;
    api.get(&path).await.expect_status(200);
    eventually("the service is ready again", || async {
        (service.operator().get("/health/ready").await.status == 200).then_some(())
    })
    .await;
    service.assert_ledger_adds_up();
    drop(service);
    server.drop_database(&url).await;
}
