//! Bytes of memory per resident radar, and how long 100,000 radars take to be brought up after a restart.
//!
//! `cargo bench -- resident_radars`. `RADARS` changes the number.

use std::time::Instant;

use chrono::Duration;
use radar::actors::runtime::metrics::Kind;
use radar::app::{self, App};
use radar::clock::Clock;
use radar::config::{ClockMode, Config};
use radar::domain::ids::RadarId;
use radar::domain::radar_type::RadarType;
use uuid::Uuid;

use crate::stage;

/// Accounts that the radars are spread over.
const ACCOUNTS: u128 = 256;
/// From the creation of the radars.
const SHORTLY_BEFORE_RENEWAL: Duration = Duration::minutes(30 * 24 * 60 - 5);

/// Measures on SQLite.
pub fn run() {
    let radars: u128 = std::env::var("RADARS").ok().and_then(|text| text.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = Config::built_in().expect("settings");
    config.http.listen.set_port(0);
    config.operator.listen.set_port(0);
    config.operator.key = Some("bench".into());
    config.database.url = format!("sqlite://{}", folder.path().join("radar.db").display());
    config.secrets.key = Some(stage::encryption_key());
    config.clock.mode = ClockMode::Simulated;
    let begun_at = Clock::system().now();
    config.clock.start = Some(begun_at);
    app::run(&config, |clock| fill(config.clone(), clock, radars)).expect("a runtime");
    app::run(&config, |clock| weigh(config.clone(), clock)).expect("a runtime");
    config.clock.start = Some(begun_at + SHORTLY_BEFORE_RENEWAL);
    app::run(&config, |clock| restart(config.clone(), clock, radars)).expect("a runtime");
}

/// Moves to shortly before all radars renew, so that all of them are brought up.
async fn weigh(config: Config, clock: Clock) {
    let app = App::start(config, clock.clone()).await.expect("a start");
    let before = resident_bytes();
    clock.advance(SHORTLY_BEFORE_RENEWAL).await;
    let up = app.actor_metrics().figures(Kind::RadarActor).resident;
    let each = resident_bytes().saturating_sub(before) / up.max(1);
    println!("{up} radars resident, {each} bytes each");
    app.stop().await;
}

async fn restart(config: Config, clock: Clock, radars: u128) {
    let started_at = Instant::now();
    let app = App::start(config, clock.clone()).await.expect("a restart");
    let ready = started_at.elapsed();
    while u128::try_from(app.actor_metrics().figures(Kind::RadarActor).resident).expect("a count") < radars {
        clock.real_timeout(std::time::Duration::from_millis(5), std::future::pending::<()>()).await;
    }
    println!("{radars} radars up {:?} after a restart, which took {ready:?}", started_at.elapsed());
    app.stop().await;
}

/// Radars that are set up, of many accounts.
async fn fill(config: Config, clock: Clock, radars: u128) {
    let app = App::start(config, clock.clone()).await.expect("a start");
    for number in 1..=ACCOUNTS {
        let account_id = stage::account(app.store(), &clock, number).await;
        let commands: Vec<_> = (number..=radars)
            .step_by(usize::try_from(ACCOUNTS).expect("small"))
            .flat_map(|no| stage::radar_commands(RadarId(Uuid::now_v7()), RadarType::CompanyJobOpenings, no))
            .collect();
        for chunk in commands.chunks(512) {
            stage::commit(app.store(), &clock, account_id, chunk.to_vec()).await;
        }
    }
    app.stop().await;
}

/// What the process holds, from the kernel's accounts.
fn resident_bytes() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<i64>().ok()).expect("a number") * 1024
}
