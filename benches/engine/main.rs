//! What the engine costs, as ratios and bytes measured in one run: `cargo bench`, or `cargo bench -- NAME` for one.
//!
//! A ratio that has a goal is compared with it; when a goal is missed, this program ends with 1.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "benchmarks run in real time and fail by a panic"
)]

mod bad_receiver;
mod checks;
#[path = "../../tests/support/commit_all.rs"]
mod commit_all;
mod cpu;
mod create;
mod get_radar;
mod goal;
mod group_commit;
mod hostile;
mod hostile_pages;
mod ingest;
mod isolation;
mod load;
#[path = "../../tests/support/no_dispatch.rs"]
mod no_dispatch;
mod pages;
mod pgbench;
#[path = "../../tests/support/pieces.rs"]
mod pieces;
mod plain_receiver;
mod plain_writer;
mod pushed_webhooks;
mod renewal_storm;
mod resident_radars;
#[path = "../../tests/support/retry_schedule.rs"]
mod retry_schedule;
mod server;
mod stage;
mod webhooks;
mod wire_day;

use std::path::Path;
use std::process::ExitCode;

/// The databases of the integration tests.
#[path = "../../tests/it/support"]
mod support {
    pub mod ports;
    pub mod postgres;
    pub mod test_database;
}

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [role, body, port] = arguments.as_slice()
        && role == server::BARE_HANDLER
    {
        server::bare_handler(Path::new(body), port.parse().expect("a port"));
        return ExitCode::SUCCESS;
    }
    if let [role, database, count] = arguments.as_slice()
        && role == resident_radars::FILL
    {
        resident_radars::fill(database, count.parse().expect("a count"));
        return ExitCode::SUCCESS;
    }
    let benchmarks: [(&str, fn()); 14] = [
        ("group_commit", group_commit::run),
        ("resident_radars", resident_radars::run),
        ("get_radar", get_radar::run),
        ("create", create::run),
        ("pages", pages::run),
        ("renewal_storm", renewal_storm::run),
        ("webhooks", webhooks::run),
        ("pushed_webhooks", pushed_webhooks::run),
        ("ingest", ingest::run),
        ("isolation", isolation::run),
        ("checks", checks::run),
        ("hostile", hostile::run),
        ("hostile_pages", hostile_pages::run),
        ("wire_day", wire_day::run),
    ];
    for (name, run) in benchmarks {
        if arguments.is_empty() || arguments.iter().any(|wanted| name.contains(wanted)) {
            goal::expect_figures(name, run);
        }
    }
    if goal::was_missed() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
