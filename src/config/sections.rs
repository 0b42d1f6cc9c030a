//! Every section and its keys.
//!
//! Duty: which keys there are, of which type, within which bounds. Their meaning is explained in `config/default.toml`.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use config_files::{Map, Value};
use ipnet::IpNet;

use super::own_hosts::OwnHosts;
use super::reader::{Entry, Table, sections};
use super::rewrite::Rewrite;
use super::smtp::Smtp;
use super::telemetry::{Log, Telemetry};
use super::values::{
    address_range, any_duration, database_url, day_or_longer, header_text, host_name, instant, one_origin,
    operator_key, origin, path, port_range, positive_duration, second_or_longer, socket_address, word,
};
use super::words::ClockMode;
use super::{Config, ConfigError};
use domain::money::pricing::FINDINGS_PER_DAY_MAX;
use domain::scheduling::duty::CronSchedule;
use domain::{AccountLimits, DefaultPrices, Duty, EncryptionKey, MicroUsd, Price, RadarType, RedeliveryLimits};

/// The word in `webhooks.allow_private` that stands for the ranges in `outbound.allow_private`.
const SAME_AS_OUTBOUND: &str = "outbound";
/// Attempts after the first that a retry schedule may hold.
const RETRIES_MAX: usize = 100;
/// The largest rate limit and the longest queue.
const LARGEST_LIMIT: u32 = 1_000_000;

sections! {
    /// `http`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Http {
        /// Address of the public API.
        pub listen: SocketAddr = |entry| entry.parse(socket_address),
        /// Connections at most; half of the process's file descriptors, where that is less.
        pub max_connections: usize = |entry| entry.count(LARGEST_LIMIT),
        /// Connections of one address at most.
        pub max_connections_per_address: usize = |entry| entry.count(LARGEST_LIMIT),
        /// How long a connection may stay without a request.
        pub idle_timeout: Duration = |entry| entry.parse(second_or_longer),
        /// How long an answer may stay unread.
        pub write_timeout: Duration = |entry| entry.parse(second_or_longer),
        /// Wrong keys and unknown paths of one address per minute.
        pub failures_per_minute: u32 = |entry| entry.integer(LARGEST_LIMIT),
        /// The chain of certificates as a PEM file; `None`: no TLS.
        pub tls_cert: Option<PathBuf> = |entry| entry.parse_or_none(path),
        /// Its private key as a PEM file.
        pub tls_key: Option<PathBuf> = |entry| entry.parse_or_none(path),
        /// Whether HTTP/2 is spoken on TLS.
        pub http2: bool = Entry::flag,
        /// Origins of pages that may call from a browser; `*` stands for all.
        pub cors_origins: Vec<String> = |entry| entry.list(origin),
        /// Whether agents find tools at `/mcp`.
        pub mcp: bool = Entry::flag,
        /// The origin of links to the portal, by which its pages are asked for; `None`: there is none.
        pub portal: Option<String> = |entry| entry.parse_or_none(one_origin),
        /// Proxies whose `X-Forwarded-For` is believed.
        pub trusted_proxies: Vec<IpNet> = |entry| entry.list(address_range),
    }

    /// `operator`
    #[derive(Clone, PartialEq, Eq)]
    pub struct Operator {
        /// Address of the operator API, the metrics and the health checks.
        pub listen: SocketAddr = |entry| entry.parse(socket_address),
        /// The key for `x-operator-key`; `None`: generated at the first start into [`Operator::key_file`].
        pub key: Option<String> = |entry| entry.secret().parse_or_none(operator_key),
        /// A key for `x-operator-key` that only reads; `None`: there is none.
        pub read_only_key: Option<String> = |entry| entry.secret().parse_or_none(operator_key),
        /// What the operator's listener is called, beside addresses and localhost.
        pub hosts: OwnHosts = |entry| Ok(OwnHosts::new(&entry.list(host_name)?)),
        /// The data folder.
        pub data_dir: PathBuf = |entry| entry.parse(path),
    }

    /// `database`
    #[derive(Clone, PartialEq, Eq)]
    pub struct Database {
        /// `sqlite://…` or `postgres://…`; may hold a password.
        pub url: String = |entry| entry.secret().parse(database_url),
        /// Connections that this process keeps open at most.
        pub max_connections: u32 = |entry| entry.integer(1_000),
    }

    /// `clock`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ClockSettings {
        /// Which clock runs.
        pub mode: ClockMode = |entry| entry.parse(word),
        /// The first instant of a simulated clock; `None`: the instant of the first start.
        pub start: Option<DateTime<Utc>> = |entry| entry.parse_or_none(instant),
    }

    /// `outbound`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Outbound {
        /// Ranges that the address guard lets through to targets (decision 5.9).
        pub allow_private: Vec<IpNet> = |entry| entry.list(address_range),
        /// Contact for the User-Agent; may be empty.
        pub contact: String = |entry| entry.parse(header_text),
        /// Prefixes that are replaced when targets are fetched, the longest first.
        pub rewrite: Vec<Rewrite> = |entry| entry.table(Rewrite::read),
        /// The shortest pause between two requests to one host.
        pub host_gap: Duration = |entry| entry.parse(any_duration),
        /// The longest that one fetch may take.
        pub timeout: Duration = |entry| entry.parse(second_or_longer),
    }

    /// `sources`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Sources {
        /// Whether the built-in sources are there.
        pub builtin: bool = Entry::flag,
        /// A folder with more source files.
        pub dir: Option<PathBuf> = |entry| entry.parse_or_none(path),
        /// Replaces every source's own interval.
        pub poll_interval: Option<Duration> = |entry| entry.parse_or_none(positive_duration),
        /// How many feeds are polled at the same time.
        pub fetches_max: usize = |entry| entry.count(1_000),
        /// Whether networks and directories are asked about the companies that are watched.
        pub lookups: bool = Entry::flag,
    }

    /// `secrets`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Secrets {
        /// The key that secrets are encrypted with; `None`: made at the first start into the data folder.
        pub key: Option<EncryptionKey> = |entry| entry.secret().parse_or_none(EncryptionKey::parse),
        /// Keys that older secrets may still be encrypted with.
        pub previous_keys: Vec<EncryptionKey> = |entry| entry.secret().list(EncryptionKey::parse),
    }

    /// `retention`
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Retention {
        /// How long updates are kept (Spec 6.4).
        pub updates: Duration = |entry| entry.parse(day_or_longer),
        /// How long radars are kept that have ended, and never shorter than their updates.
        pub radars: Duration = |entry| entry.parse(day_or_longer),
        /// How long is kept what operators did.
        pub audit: Duration = |entry| entry.parse(day_or_longer),
    }
}

/// `limits`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Those of an account that has none of its own.
    pub of_account: AccountLimits,
    /// Messages that wait for one actor at most.
    pub queue: usize,
}

/// `webhooks`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhooks {
    /// The pause after each failed attempt; one attempt more than pauses is made (decision 5.3).
    pub retry_schedule: Vec<Duration>,
    /// The longest that one attempt may take.
    pub timeout: Duration,
    /// Attempts of this process under way at the same time.
    pub concurrency: usize,
    /// How much may be sent again (decision 5.8).
    pub redeliveries: RedeliveryLimits,
    /// Ranges that the address guard lets through to receivers (decision 5.9).
    pub allow_private: Vec<IpNet>,
    /// Ports of receivers that are called.
    pub ports: Vec<RangeInclusive<u16>>,
}

/// Reads the whole tree, in which every key is known.
pub(super) fn whole(tree: Map<String, Value>) -> Result<Config, ConfigError> {
    let mut root = Table::root(tree);
    let config = config(&mut root)?;
    root.finish().map(|()| config)
}

fn config(root: &mut Table) -> Result<Config, ConfigError> {
    let outbound = root.section("outbound", Outbound::read)?;
    Ok(Config {
        http: root.section("http", http)?,
        operator: root.section("operator", Operator::read)?,
        database: root.section("database", Database::read)?,
        clock: root.section("clock", ClockSettings::read)?,
        limits: root.section("limits", limits)?,
        sources: root.section("sources", Sources::read)?,
        webhooks: root.section("webhooks", |table| webhooks(table, &outbound.allow_private))?,
        secrets: root.section("secrets", Secrets::read)?,
        smtp: root.section("smtp", Smtp::read)?,
        retention: root.section("retention", Retention::read)?,
        duties: root.section("housekeeping", duties)?,
        prices: root.section("billing", |table| table.section("prices", prices))?,
        telemetry: root.section("telemetry", Telemetry::read)?,
        log: root.section("log", Log::read)?,
        outbound,
    })
}

fn http(table: &mut Table) -> Result<Http, ConfigError> {
    let http = Http::read(table)?;
    match (&http.tls_cert, &http.tls_key) {
        (Some(_), None) => Err(ConfigError::Missing { key: "http.tls_key".to_owned() }),
        (None, Some(_)) => Err(ConfigError::Missing { key: "http.tls_cert".to_owned() }),
        (None, None) if http.http2 => Err(ConfigError::Missing { key: "http.tls_cert".to_owned() }),
        _ => Ok(http),
    }
}

fn limits(table: &mut Table) -> Result<Limits, ConfigError> {
    let mut limit = |name| table.take(name)?.integer(LARGEST_LIMIT);
    Ok(Limits {
        of_account: AccountLimits {
            write_per_minute: limit("write_per_minute")?,
            read_per_minute: limit("read_per_minute")?,
            per_second: limit("per_second")?,
            radars: limit("radars")?,
        },
        queue: table.take("queue")?.count(LARGEST_LIMIT)?,
    })
}

fn webhooks(table: &mut Table, allowed_outbound: &[IpNet]) -> Result<Webhooks, ConfigError> {
    let schedule = table.take("retry_schedule")?;
    let wrong_length = schedule.wrong(format_args!("must hold 1 to {RETRIES_MAX} durations"));
    let retry_schedule = schedule.list(any_duration)?;
    if !(1..=RETRIES_MAX).contains(&retry_schedule.len()) {
        return Err(wrong_length);
    }
    let allowed = table.take("allow_private")?.list(|text| match text {
        SAME_AS_OUTBOUND => Ok(allowed_outbound.to_vec()),
        range => address_range(range).map(|range| vec![range]),
    })?;
    Ok(Webhooks {
        allow_private: allowed.concat(),
        ports: table.take("ports")?.list(port_range)?,
        retry_schedule,
        timeout: table.take("timeout")?.parse(second_or_longer)?,
        concurrency: table.take("concurrency")?.count(10_000)?,
        redeliveries: RedeliveryLimits {
            per_day: table.take("redeliveries_per_day")?.integer(LARGEST_LIMIT)?,
            per_second: table.take("redeliveries_per_second")?.integer(LARGEST_LIMIT)?,
            ..RedeliveryLimits::default()
        },
    })
}

fn duties(table: &mut Table) -> Result<BTreeMap<Duty, CronSchedule>, ConfigError> {
    Duty::ALL.iter().map(|duty| Ok((*duty, table.take(duty.as_str())?.parse(CronSchedule::parse)?))).collect()
}

fn prices(table: &mut Table) -> Result<DefaultPrices, ConfigError> {
    let prices = RadarType::ALL.iter().map(|radar_type| Ok((*radar_type, table.section(radar_type.as_str(), price)?)));
    Ok(Arc::new(prices.collect::<Result<_, _>>()?))
}

fn price(table: &mut Table) -> Result<Price, ConfigError> {
    Ok(Price {
        model: table.take("model")?.parse(word)?,
        rate: table.take("rate_usd")?.parse(MicroUsd::parse_usd)?,
        grace_period: table.take("grace_period")?.parse(word)?,
        findings_per_day: table.take("findings_per_day")?.integer(FINDINGS_PER_DAY_MAX)?,
    })
}
