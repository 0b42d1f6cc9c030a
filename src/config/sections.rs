//! Every section and its keys.
//!
//! Duty: which keys there are, of which type, within which bounds. Their meaning is explained in `config/default.toml`.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use ipnet::IpNet;
use url::Url;

use super::reader::{Table, parse_duration, parse_positive_duration};
use super::{
    ClockSettings, Config, ConfigError, Database, Http, Limits, Log, Operator, Outbound, Retention, Rewrite, Secrets,
    Sources, Webhooks,
};
use crate::domain::UnknownWord;
use crate::domain::account_limits::AccountLimits;
use crate::domain::encryption::EncryptionKey;
use crate::domain::money::MicroUsd;
use crate::domain::money::pricing::{DefaultPrices, Price};
use crate::domain::radar_type::RadarType;
use crate::domain::scheduling::duty::{CronSchedule, Duty};

/// The shortest operator key that is accepted, in characters.
const OPERATOR_KEY_LENGTH_MIN: usize = 16;
/// The word in `webhooks.allow_private` that stands for the ranges in `outbound.allow_private`.
const SAME_AS_OUTBOUND: &str = "outbound";
/// Attempts after the first that a retry schedule may hold.
const RETRIES_MAX: usize = 100;
/// The largest rate limit and the longest queue.
const LARGEST_LIMIT: u32 = 1_000_000;

/// Reads the whole tree.
pub(super) fn config(root: &mut Table) -> Result<Config, ConfigError> {
    let outbound = root.section("outbound", outbound)?;
    Ok(Config {
        http: root.section("http", http)?,
        operator: root.section("operator", operator)?,
        database: root.section("database", database)?,
        clock: root.section("clock", clock)?,
        limits: root.section("limits", limits)?,
        sources: root.section("sources", sources)?,
        webhooks: root.section("webhooks", |table| webhooks(table, &outbound.allow_private))?,
        secrets: root.section("secrets", secrets)?,
        retention: root.section("retention", retention)?,
        duties: root.section("housekeeping", duties)?,
        prices: root.section("billing", |table| table.section("prices", prices))?,
        log: root.section("log", log)?,
        outbound,
    })
}

fn http(table: &mut Table) -> Result<Http, ConfigError> {
    Ok(Http {
        listen: table.take("listen")?.parse(socket_address)?,
        max_connections: count(table, "max_connections", LARGEST_LIMIT)?,
        max_connections_per_address: count(table, "max_connections_per_address", LARGEST_LIMIT)?,
        idle_timeout: table.take("idle_timeout")?.positive_duration()?,
        write_timeout: table.take("write_timeout")?.positive_duration()?,
        failures_per_minute: table.take("failures_per_minute")?.integer(1, LARGEST_LIMIT)?,
    })
}

fn operator(table: &mut Table) -> Result<Operator, ConfigError> {
    Ok(Operator {
        listen: table.take("listen")?.parse(socket_address)?,
        key: table.take("key")?.secret().parse_or_none(operator_key)?,
        data_dir: table.take("data_dir")?.parse(path)?,
    })
}

fn database(table: &mut Table) -> Result<Database, ConfigError> {
    Ok(Database {
        url: table.take("url")?.secret().parse(database_url)?,
        max_connections: table.take("max_connections")?.integer(1, 1000)?,
    })
}

fn clock(table: &mut Table) -> Result<ClockSettings, ConfigError> {
    Ok(ClockSettings {
        mode: table.take("mode")?.parse(word)?,
        start: table.take("start")?.parse_or_none(|text| {
            DateTime::parse_from_rfc3339(text)
                .map(|instant| instant.with_timezone(&Utc))
                .map_err(|_| "must be an instant such as 2026-01-01T00:00:00Z")
        })?,
    })
}

fn limits(table: &mut Table) -> Result<Limits, ConfigError> {
    Ok(Limits {
        of_account: AccountLimits {
            write_per_minute: table.take("write_per_minute")?.integer(1, LARGEST_LIMIT)?,
            read_per_minute: table.take("read_per_minute")?.integer(1, LARGEST_LIMIT)?,
            per_second: table.take("per_second")?.integer(1, LARGEST_LIMIT)?,
            radars: table.take("radars")?.integer(1, LARGEST_LIMIT)?,
        },
        queue: count(table, "queue", LARGEST_LIMIT)?,
    })
}

fn outbound(table: &mut Table) -> Result<Outbound, ConfigError> {
    Ok(Outbound {
        allow_private: table.take("allow_private")?.list(address_range)?,
        contact: table.take("contact")?.parse(header_text)?,
        rewrite: table.section("rewrite", rewrite)?,
        host_gap: table.take("host_gap")?.parse(parse_duration)?,
        timeout: table.take("timeout")?.positive_duration()?,
    })
}

fn rewrite(table: &mut Table) -> Result<Vec<Rewrite>, ConfigError> {
    let mut prefixes = Vec::new();
    for (from, entry) in table.take_rest() {
        // A bare scheme sends everything through one gateway.
        let is_bare_scheme = matches!(from.as_str(), "http://" | "https://");
        if let Err(problem) = http_prefix(&from)
            && !is_bare_scheme
        {
            return Err(entry.wrong(format_args!("its key {problem}")));
        }
        prefixes.push(Rewrite { from, to: entry.secret().parse(http_prefix)? });
    }
    prefixes.sort_by_key(|rewrite| std::cmp::Reverse(rewrite.from.len()));
    Ok(prefixes)
}

fn sources(table: &mut Table) -> Result<Sources, ConfigError> {
    table.skip_retired("setup_retries");
    Ok(Sources {
        builtin: table.take("builtin")?.flag()?,
        dir: table.take("dir")?.parse_or_none(path)?,
        poll_interval: table.take("poll_interval")?.parse_or_none(parse_positive_duration)?,
        fetches_max: count(table, "fetches_max", 1_000)?,
        lookups: table.take("lookups")?.flag()?,
    })
}

fn webhooks(table: &mut Table, allowed_outbound: &[IpNet]) -> Result<Webhooks, ConfigError> {
    let schedule = table.take("retry_schedule")?;
    let too_long = schedule.wrong(format_args!("must hold at most {RETRIES_MAX} durations"));
    let retry_schedule = schedule.list(parse_duration)?;
    if retry_schedule.len() > RETRIES_MAX {
        return Err(too_long);
    }
    let allowed = table.take("allow_private")?.list(|text| match text {
        SAME_AS_OUTBOUND => Ok(allowed_outbound.to_vec()),
        range => address_range(range).map(|range| vec![range]),
    })?;
    Ok(Webhooks {
        allow_private: allowed.concat(),
        ports: table.take("ports")?.list(port_range)?,
        retry_schedule,
        timeout: table.take("timeout")?.positive_duration()?,
        concurrency: count(table, "concurrency", 10_000)?,
    })
}

fn secrets(table: &mut Table) -> Result<Secrets, ConfigError> {
    Ok(Secrets {
        key: table.take("key")?.secret().parse_or_none(EncryptionKey::parse)?,
        previous_keys: table.take("previous_keys")?.secret().list(EncryptionKey::parse)?,
    })
}

fn retention(table: &mut Table) -> Result<Retention, ConfigError> {
    Ok(Retention {
        updates: table.take("updates")?.positive_duration()?,
        radars: table.take("radars")?.positive_duration()?,
    })
}

fn duties(table: &mut Table) -> Result<BTreeMap<Duty, CronSchedule>, ConfigError> {
    Duty::ALL.iter().map(|duty| Ok((*duty, table.take(duty.as_str())?.parse(CronSchedule::parse)?))).collect()
}

fn prices(table: &mut Table) -> Result<DefaultPrices, ConfigError> {
    let types = RadarType::ALL.iter();
    let prices = types.map(|radar_type| Ok((*radar_type, table.section(radar_type.as_str(), price)?)));
    Ok(Arc::new(prices.collect::<Result<_, _>>()?))
}

fn price(table: &mut Table) -> Result<Price, ConfigError> {
    Ok(Price {
        model: table.take("model")?.parse(word)?,
        rate: table.take("rate_usd")?.parse(MicroUsd::parse_usd)?,
        grace_period: table.take("grace_period")?.parse(word)?,
    })
}

fn log(table: &mut Table) -> Result<Log, ConfigError> {
    Ok(Log { filter: table.take("filter")?.parse(log_filter)?, format: table.take("format")?.parse(word)? })
}

fn count(table: &mut Table, name: &str, most: u32) -> Result<usize, ConfigError> {
    let count = table.take(name)?.integer(1, most)?;
    Ok(usize::try_from(count).unwrap_or(usize::MAX))
}

/// One word of a closed list.
fn word<T: FromStr<Err = UnknownWord>>(text: &str) -> Result<T, String> {
    let quoted = |words: &[&str]| words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
    text.parse().map_err(|UnknownWord(words)| format!("must be {}", quoted(words)))
}

fn socket_address(text: &str) -> Result<std::net::SocketAddr, &'static str> {
    text.parse().map_err(|_| r#"must be an address with a port such as "127.0.0.1:8080""#)
}

fn operator_key(text: &str) -> Result<String, String> {
    let is_printable = text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_printable && text.len() >= OPERATOR_KEY_LENGTH_MIN {
        Ok(text.to_owned())
    } else {
        Err(format!("must be {OPERATOR_KEY_LENGTH_MIN} or more printable characters without spaces"))
    }
}

fn path(text: &str) -> Result<PathBuf, &'static str> {
    if text.is_empty() { Err("must be a path") } else { Ok(PathBuf::from(text)) }
}

fn database_url(text: &str) -> Result<String, &'static str> {
    let is_known = ["sqlite://", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    if is_known { Ok(text.to_owned()) } else { Err("must begin with sqlite:// or postgres://") }
}

fn address_range(text: &str) -> Result<IpNet, &'static str> {
    text.parse().map_err(|_| r#"must be a list of address ranges such as "10.0.0.0/8""#)
}

fn port_range(text: &str) -> Result<RangeInclusive<u16>, &'static str> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok(first..=last),
        _ => Err(r#"must be a list of ports such as "443" or "1024-65535""#),
    }
}

fn header_text(text: &str) -> Result<String, &'static str> {
    let is_fit = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if is_fit { Ok(text.to_owned()) } else { Err("must be plain printable characters") }
}

fn http_prefix(text: &str) -> Result<String, &'static str> {
    let is_http = Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if is_http { Ok(text.to_owned()) } else { Err("must be the beginning of an http or https address") }
}

fn log_filter(text: &str) -> Result<String, &'static str> {
    let is_fit = tracing_subscriber::EnvFilter::builder().parse(text).is_ok();
    if is_fit { Ok(text.to_owned()) } else { Err(r#"must be log directives such as "info,radar::webhooks=debug""#) }
}
