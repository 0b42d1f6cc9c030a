//! Work on a PostgreSQL server that is given up half-way, as when a client hangs up, leaves nothing behind on the
//! connection that it had.

use crate::commit_all::commit_all;
use std::pin::pin;
use store::Submission;

use domain::account::{Command, SettleDue};
use domain::ids::AccountId;
use futures_util::poll;
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use uuid::Uuid;

use crate::commit::{connect, create_account, now};
use crate::support::databases::TestDatabase;
use crate::support::postgres::Server;

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));
const ROUNDS: usize = 300;
/// A commit is given up after at most so many steps: before, in, and after its BEGIN.
const STEPS_MAX: usize = 12;

#[actix_web::test]
async fn spec_7_what_is_written_after_work_that_was_given_up_is_there() {
    let Some(server) = Server::shared() else { return };
    let url = server.create_database().await;
    let store = connect(&TestDatabase::at(&url)).await;
    create_account(&store, ACCOUNT).await;
    let beside = Database::connect(&url).await.expect("a connection");
    let value = Statement::from_string(DbBackend::Postgres, "select value from setting where name = 'round'");
    for round in 0..ROUNDS {
        let settle_due = [Submission::of(ACCOUNT, Command::SettleDue(SettleDue { radar_id: None }))];
        {
            let mut commit = pin!(commit_all(&store, &settle_due, now()));
            for _ in 0..round % STEPS_MAX {
                if poll!(commit.as_mut()).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        store.set_setting("round", &round.to_string()).await.expect("written");
        let row = beside.query_one_raw(value.clone()).await.expect("an answer").expect("a row");
        assert_eq!(row.try_get_by_index::<String>(0).expect("text"), round.to_string());
    }
    beside.close().await.expect("closed");
    store.close().await;
    server.drop_database(&url).await;
}
