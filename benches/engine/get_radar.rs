//! `GET /v1/radars/{id}` of the real program against a bare handler that answers the same bytes.
//!
//! `cargo bench -- get_radar`. Both are processes of their own with two workers, asked in turns by the same connections;
//! the program authenticates, meters, reads the database and logs to a file, all as it does by default.

use std::cell::Cell;
use std::time::Duration;

use clock::Clock;
use domain::ids::RadarId;
use domain::radar_type::RadarType;
use uuid::Uuid;

use crate::load::{self, Connection};
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, stage};

const ACCOUNTS: u128 = 16;
const RADARS_PER_ACCOUNT: u128 = 64;
/// Keep-alive connections, each with one request under way.
const CONNECTIONS: usize = 64;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_secs(2);
const GOAL: f64 = 0.5;

/// Measures on SQLite, and on PostgreSQL where there is a server.
pub fn run() {
    actix_rt::System::new().block_on(stage::on_each_database(|database| async move { measure(&database).await }));
}

async fn measure(database: &TestDatabase) {
    let requests = fill(database.url()).await;
    let service = Server::service(database.url(), "");
    let body = Connection::open(service.address()).await.ask(&requests[0]).await.to_vec();
    let bare = Server::bare(&body);
    let next = Cell::new(0);
    let request = |_| {
        next.set((next.get() + 1) % requests.len());
        requests[next.get()].clone()
    };
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let bare = load::run_for(bare.address(), CONNECTIONS, ROUND, request).await;
        let service = load::run_for(service.address(), CONNECTIONS, ROUND, request).await;
        println!(
            "{}: get_radar {:.0}/s ({:?} at the median), bare handler {:.0}/s ({:?})",
            stage::database_name(database),
            service.requests_per_second,
            service.median(),
            bare.requests_per_second,
            bare.median()
        );
        ratios.push(service.requests_per_second / bare.requests_per_second);
    }
    ratios.sort_unstable_by(f64::total_cmp);
    goal::at_least(&format!("{}: get_radar to bare handler", stage::database_name(database)), ratios[ROUNDS / 2], GOAL);
}

/// Radars of which half pay per finding, and a request for each.
async fn fill(url: &str) -> Vec<Vec<u8>> {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    let mut requests = Vec::new();
    for account in 1..=ACCOUNTS {
        let account_id = stage::account(&store, &clock, account).await;
        let mut commands = Vec::new();
        for number in 0..RADARS_PER_ACCOUNT {
            let radar_id = RadarId(Uuid::now_v7());
            let radar_type = if number % 2 == 0 { RadarType::CompanyReviews } else { RadarType::CompanyMentions };
            commands.extend(stage::radar_commands(radar_id, radar_type, number));
            let path = format!("/v1/radars/{}", radar_id.0);
            requests.push(load::request("GET", &path, stage::key(account).expose(), ""));
        }
        stage::commit(&store, &clock, account_id, commands).await;
    }
    store.close().await;
    requests
}
