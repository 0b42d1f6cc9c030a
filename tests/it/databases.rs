//! The databases that the tests run on.

use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};

use crate::support::databases::on_both_databases;
use crate::support::postgres::Server;

#[actix_web::test]
async fn every_test_has_an_empty_database_of_its_own() {
    on_both_databases(async |database| {
        let url = match database.url() {
            url if url.starts_with("sqlite") => format!("{url}?mode=rwc"),
            url => url.to_owned(),
        };
        let connection = Database::connect(url).await.expect("connected");
        connection.execute_unprepared("CREATE TABLE mark (one integer)").await.expect("no such table yet");
        let select = Statement::from_string(connection.get_database_backend(), "SELECT count(*) AS rows FROM mark");
        let row = connection.query_one_raw(select).await.expect("an answer").expect("a row");
        assert_eq!(row.try_get::<i64>("", "rows").expect("a number"), 0);
        connection.close().await.expect("closed");
    })
    .await;
}

#[actix_web::test]
async fn the_postgres_cluster_answers_and_writes_through_to_the_disk() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let connection = Database::connect(&url).await.expect("connected");
    let one = Statement::from_string(DbBackend::Postgres, "SELECT 1 AS one, current_setting('fsync') AS fsync");
    let row = connection.query_one_raw(one).await.expect("an answer").expect("a row");
    assert_eq!(row.try_get::<i32>("", "one").expect("a number"), 1);
    assert_eq!(row.try_get::<String>("", "fsync").expect("text"), "on");
    connection.close().await.expect("closed");
    server.drop_database(&url).await;
}
