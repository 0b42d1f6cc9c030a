//! The integration tests: one binary, so that all of them share one PostgreSQL cluster.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests run in real time and fail by a panic"
)]

#[path = "../support/commit_all.rs"]
mod commit_all;
#[path = "../support/no_dispatch.rs"]
mod no_dispatch;
#[path = "../support/retry_schedule.rs"]
mod retry_schedule;
mod support;
#[path = "../support/worst_headlines.rs"]
mod worst_headlines;

mod abandoned_work;
mod account;
mod admin_names;
mod amounts;
mod api_keys;
mod approval;
mod authentication;
mod backup;
mod balance_limits;
mod bounded_rows;
mod bulk;
mod chaos;
mod clock_steps;
mod commit;
mod company_radar;
mod company_sites;
mod concurrent_commits;
mod connections;
mod console;
mod contract;
mod costly_feeds;
mod countries;
mod crashes;
mod create_company;
mod create_contact;
mod create_industry;
mod daily_bound;
mod damaged_files;
mod database_outage;
mod databases;
mod delete_radar;
mod deleted_when_due;
mod delivery_crashes;
mod delivery_leases;
mod delivery_log;
mod demo;
mod disk_faults;
mod documented_commands;
mod email;
mod endpoint_alerts;
mod errors;
mod events;
mod evidence;
mod exhausted_pool;
mod failed_set_up;
mod feed_addresses;
mod find_radars;
mod finding_events;
mod first_hour;
mod following_readers;
mod full_queue;
mod get_radar;
mod grace_period;
mod guarded_addresses;
mod hints;
mod host_turns;
mod http_manners;
mod idempotency;
mod jobs;
mod lasting_answers;
mod ledger;
mod ledger_discrepancies;
mod list_radars;
mod list_updates;
mod listen;
mod mcp;
mod metrics;
mod n8n_workflow;
mod new_feeds;
mod nodes;
mod operator_actions;
mod operator_figures;
mod panics;
mod pause;
mod portal;
mod preview;
mod preview_looks;
mod private_data;
mod process;
mod push_batch;
mod racing_creates;
mod radar_health;
mod radar_states;
mod radar_types;
mod rate_limits;
mod receiver;
mod recorded;
mod recorded_answers;
mod recorded_web;
mod redeliveries;
mod renewal_storm;
mod request_ids;
mod retention;
mod rotated_while_sending;
mod secrets;
mod set_ups;
mod shared_transactions;
mod simulated_year;
mod slow_host;
mod source_health;
mod start;
mod stop;
mod stopped_account;
mod trace_parents;
mod update_export;
mod update_record;
mod update_stream;
mod watched_registers;
mod watched_strangers;
mod watched_types;
mod webhook_formats;
mod webhook_kills;
mod webhook_log;
mod webhooks_test;
mod year_of_top_ups;
