//! Memory of radars that are stored, and of radars that are all at work at once; how long a restart takes with them.
//!
//! A radar's actor lives only while it works, so all are woken at once, and what the process holds is looked at while their
//! actors live. `cargo bench -- resident_radars`. `RADARS` changes the number.

use std::process::Command;
use std::time::{Duration, Instant};

use actors::runtime::metrics::Kind;
use chrono::TimeDelta;
use clock::Clock;
use config::{ClockMode, Config};
use domain::ids::{AccountId, RadarId};
use domain::radar_type::RadarType;
use radar::app::{self, App};
use uuid::Uuid;

use crate::{goal, stage};

/// Accounts that the radars are spread over.
const ACCOUNTS: u128 = 256;
/// Before this, the reminders of no radar are read.
const SHORTLY_BEFORE_RENEWAL: TimeDelta = TimeDelta::minutes(30 * 24 * 60 - 5);
/// How long the radars may be at work, in real time.
const WORK_MAX: Duration = Duration::from_secs(120);
/// Of so many radars that are woken, one at least is at work at the same time as the others.
const AT_WORK_PART: i64 = 10;

/// The first argument of this program when it is to store the radars.
pub const FILL: &str = "fill_radars";

/// Measures on SQLite.
pub fn run() {
    let count: u128 = std::env::var("RADARS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000);
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = Config::built_in().expect("settings");
    config.http.listen.set_port(0);
    config.operator.listen.set_port(0);
    config.operator.key = Some("bench".into());
    config.database.url = format!("sqlite://{}", folder.path().join("radar.db").display());
    config.secrets.key = Some(stage::encryption_key());
    config.limits.queue = config.limits.queue.max(usize::try_from(count).expect("a count"));
    config.clock.mode = ClockMode::Simulated;
    let begun_at = Clock::system().now();
    config.clock.start = Some(begun_at);
    let empty = app::run(&config, |clock| start_only(config.clone(), clock)).expect("a runtime");
    // In a process of its own, so that this one holds nothing of it.
    let mut filling = Command::new(std::env::current_exe().expect("this program"));
    let filled = filling.args([FILL, &config.database.url, &count.to_string()]).status().expect("a process");
    assert!(filled.success(), "the radars are stored");
    config.clock.start = Some(begun_at + SHORTLY_BEFORE_RENEWAL);
    app::run(&config, |clock| weigh(config.clone(), clock, count, empty)).expect("a runtime");
}

/// What the process holds without a radar.
async fn start_only(config: Config, clock: Clock) -> i64 {
    let app = App::start(config, clock).await.expect("a start");
    let held = resident_bytes();
    app.stop().await;
    held
}

/// Restarts with all radars stored and their reminders near, then wakes all of them at once.
async fn weigh(config: Config, clock: Clock, count: u128, empty: i64) {
    let stored = i64::try_from(count).expect("a count");
    let started_at = Instant::now();
    let app = App::start(config, clock.clone()).await.expect("a restart");
    let ready = started_at.elapsed();
    let rest = resident_bytes();
    println!("{stored} radars stored: a restart takes {ready:?}, the process holds {} MiB", rest / (1 << 20));
    println!("{} bytes for each stored radar", (rest - empty).max(0) / stored.max(1));
    let figures = || app.actor_metrics().figures(Kind::RadarActor);
    for number in 1..=count {
        app.shards().wake(account_of(number), RadarId(Uuid::from_u128(number)));
    }
    let (woken_at, mut most, mut held) = (Instant::now(), 0, rest);
    while woken_at.elapsed() < WORK_MAX && (most == 0 || figures().resident > 0) {
        clock.real_timeout(Duration::from_millis(1), std::future::pending::<()>()).await;
        if figures().resident > most {
            (most, held) = (figures().resident, resident_bytes());
        }
    }
    println!("{most} of {stored} woken radars at work at once, done after {:?}", woken_at.elapsed());
    println!("{} bytes for each radar at work", (held - rest).max(0) / most.max(1));
    goal::at_least("radars at work at once", most as f64, (stored / AT_WORK_PART).max(1) as f64);
    app.stop().await;
}

/// Stores radars that are set up, of many accounts.
pub fn fill(database_url: &str, count: u128) {
    actix_rt::System::new().block_on(async {
        let clock = Clock::system();
        let store = stage::open(database_url, clock.clone()).await;
        for number in 1..=ACCOUNTS {
            let account_id = stage::account(&store, &clock, number).await;
            let of_account = (1..=count).filter(|radar| account_of(*radar) == account_id);
            let commands: Vec<_> = of_account
                .flat_map(|no| stage::radar_commands(RadarId(Uuid::from_u128(no)), RadarType::CompanyMentions, no))
                .collect();
            for chunk in commands.chunks(512) {
                stage::commit(&store, &clock, account_id, chunk.to_vec()).await;
            }
        }
        store.close().await;
    });
}

fn account_of(radar: u128) -> AccountId {
    AccountId(Uuid::from_u128(1 + radar % ACCOUNTS))
}

/// What the process holds, from the kernel's accounts.
fn resident_bytes() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<i64>().ok()).expect("a number") * 1024
}
