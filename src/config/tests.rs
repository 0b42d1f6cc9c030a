//! The layers, the keys and the lines that stop a start.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::check;
use super::layers::{BUILT_IN, Layers};
use super::{ClockMode, Config, ConfigError, LogFormat};
use domain::{Duty, GracePeriod, MicroUsd, PricingModel, RadarType};

fn load(file: Option<&str>, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let mut chosen = tempfile::NamedTempFile::new().expect("a temporary file");
    chosen.write_all(file.unwrap_or_default().as_bytes()).expect("written");
    let environment = environment.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    Config::from_layers(&Layers { beside_us: None, chosen: Some(chosen.path()), environment })
}

fn rejection(file: Option<&str>, environment: &[(&str, &str)]) -> String {
    let line = load(file, environment).expect_err("must be refused").to_string();
    assert!(!line.contains('\n'), "more than one line: {line}");
    line
}

#[test]
fn the_defaults_are_those_of_the_design() {
    let config = Config::built_in().expect("built in");
    assert_eq!(config.http.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.operator.listen.to_string(), "127.0.0.1:8081");
    assert_eq!(config.operator.key, None);
    assert_eq!(config.operator.key_file(), Path::new("data/operator.key"));
    assert_eq!(config.database.url, "sqlite://data/radar.db");
    assert_eq!((config.clock.mode, config.clock.start), (ClockMode::System, None));
    let limits = &config.limits.of_account;
    assert_eq!((limits.write_per_minute, limits.read_per_minute, limits.per_second), (100, 200, 10));
    assert_eq!(limits.radars, 100_000);
    assert!(config.outbound.allow_private.is_empty() && config.outbound.rewrite.is_empty());
    assert!(config.webhooks.allow_private.is_empty() && config.secrets.key.is_none());
    assert_eq!(config.webhooks.ports, [80..=80, 443..=443, 1024..=65535]);
    assert_eq!((config.sources.dir, config.sources.poll_interval, config.sources.fetches_max), (None, None, 32));
    let hours: Vec<u64> = config.webhooks.retry_schedule.iter().map(|pause| pause.as_secs() / 3600).collect();
    assert_eq!(hours, [0, 0, 0, 2, 5, 10, 14, 20, 24]);
    assert_eq!(config.webhooks.timeout, Duration::from_secs(15));
    assert_eq!(config.retention.updates, Duration::from_secs(60 * 24 * 3600));
    assert_eq!(config.retention.radars, Duration::from_secs(365 * 24 * 3600));
    assert_eq!(config.duties[&Duty::FindLagging].as_str(), "*/30 * * * * *");
    assert_eq!(config.duties.len(), Duty::ALL.len());
    assert_eq!(config.log.format, LogFormat::Plain);
    assert_eq!(config.prices.len(), RadarType::ALL.len());
    for price in config.prices.values() {
        assert!(price.rate > MicroUsd::ZERO && price.grace_period == GracePeriod::None);
    }
}

#[test]
fn the_page_beside_us_is_the_built_in_one_with_every_key_explained() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/default.toml")).expect("the page");
    assert_eq!(page, BUILT_IN);
    // A key that is read and does not stand on the page is missing.
    Config::built_in().expect("complete");

    let (mut section, mut comment) = (String::new(), Vec::new());
    for line in page.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.trim());
        } else if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']').to_owned();
        } else if let Some((name, _)) = line.split_once(" = ") {
            let key = format!("{section}.{name}");
            let is_price = section.starts_with("billing.prices.");
            let has_default = comment.iter().any(|text| text.contains("Default: "));
            assert!(is_price || has_default, "{key} has no comment that ends with its default");
            comment.clear();
        }
    }
}

#[test]
fn later_layers_win_key_by_key() {
    let file = r#"
        [http]
        listen = "0.0.0.0:1"
        [webhooks]
        retry_schedule = ["1s"]
        [outbound.rewrite]
        "https://Example.com/A" = "http://127.0.0.1:1/"
        "http://" = "http://127.0.0.1:3/"
        [billing.prices.company_reviews]
        rate_usd = "2"
    "#;
    let config = load(
        Some(file),
        &[
            ("RADAR_WEBHOOKS__RETRY_SCHEDULE", "2s, 3m"),
            ("RADAR_BILLING__PRICES__COMPANY_JOB_OPENINGS__RATE_USD", "0.25"),
            ("RADAR_OUTBOUND__ALLOW_PRIVATE", r#"["127.0.0.0/8", "::1/128"]"#),
            ("RADAR_OUTBOUND__REWRITE", r#"{ "https://example.com/longer/prefix" = "http://127.0.0.1:2/" }"#),
            ("RADAR_CLOCK__MODE", "simulated"),
            ("RADAR_CLOCK__START", "2026-01-01T01:00:00+01:00"),
            ("RADAR_LIMITS__PER_SECOND", "7"),
            ("RADAR_OPERATOR__KEY", ""),
            ("RADAR_SERVICE_HOST", "10.0.0.1"),
            ("PATH", "/bin"),
        ],
    )
    .expect("loaded");
    assert_eq!(config.http.listen.to_string(), "0.0.0.0:1");
    assert_eq!(config.operator.listen.to_string(), "127.0.0.1:8081");
    assert_eq!(config.webhooks.retry_schedule, [Duration::from_secs(2), Duration::from_secs(180)]);
    let price = |radar_type| config.prices[&radar_type];
    assert_eq!(price(RadarType::CompanyReviews).rate, MicroUsd::from_micros(2_000_000));
    assert_eq!(price(RadarType::CompanyReviews).model, PricingModel::Subscription);
    assert_eq!(price(RadarType::CompanyJobOpenings).rate, MicroUsd::from_micros(250_000));
    assert_eq!(config.outbound.allow_private.len(), 2);
    let from: Vec<&str> = config.outbound.rewrite.iter().map(|rewrite| rewrite.from.as_str()).collect();
    assert_eq!(from, ["https://example.com/longer/prefix", "https://Example.com/A", "http://"]);
    assert_eq!(config.clock.mode, ClockMode::Simulated);
    assert_eq!(config.clock.start.expect("set").to_rfc3339(), "2026-01-01T00:00:00+00:00");
    assert_eq!(config.limits.of_account.per_second, 7);
    assert_eq!(config.operator.key, None);
}

#[test]
fn a_wrong_value_is_told_with_its_key_and_its_layer() {
    for (name, text, line) in [
        (
            "RADAR_WEBHOOKS__TIMEOUT",
            "soon",
            r#"config: webhooks.timeout: must be a duration such as "15s", got "soon" (from RADAR_WEBHOOKS__TIMEOUT)"#,
        ),
        (
            "RADAR_LIMITS__PER_SECOND",
            "0",
            r#"config: limits.per_second: must be a whole number from 1 to 1000000, got "0" (from RADAR_LIMITS__PER_SECOND)"#,
        ),
        (
            "RADAR_BILLING__PRICES__COMPANY_REVIEWS__RATE_USD",
            "0.0000001",
            r#"config: billing.prices.company_reviews.rate_usd: must have at most 6 decimals, got "0.0000001" (from RADAR_BILLING__PRICES__COMPANY_REVIEWS__RATE_USD)"#,
        ),
        (
            "RADAR_BILLING__PRICES__COMPANY_REVIEWS__MODEL",
            "free",
            r#"config: billing.prices.company_reviews.model: must be "subscription" or "update_based", got "free" (from RADAR_BILLING__PRICES__COMPANY_REVIEWS__MODEL)"#,
        ),
        (
            "RADAR_HOUSEKEEPING__RETENTION",
            "daily",
            r#"config: housekeeping.retention: must be a cron expression of six fields such as "0 30 3 * * *", got "daily" (from RADAR_HOUSEKEEPING__RETENTION)"#,
        ),
        ("RADAR_HTTP__PORT", "80", "config: http.port: is not a setting (from RADAR_HTTP__PORT)"),
        (
            "RADAR_HTTP_LISTEN",
            "127.0.0.1:1",
            "config: RADAR_HTTP_LISTEN: is not a setting; did you mean RADAR_HTTP__LISTEN?",
        ),
        ("RADAR_WEATHER__TODAY", "fine", "config: weather: is not a setting (from RADAR_WEATHER__TODAY)"),
        (
            "RADAR_OUTBOUND__ALLOW_PRIVATE",
            "[1",
            r#"config: outbound.allow_private: must be a TOML array or inline table when it begins with a bracket (from RADAR_OUTBOUND__ALLOW_PRIVATE)"#,
        ),
    ] {
        assert_eq!(rejection(None, &[(name, text)]), line);
    }
}

#[test]
fn a_wrong_file_is_told_in_one_line() {
    assert!(
        rejection(Some("[http]\nlisten = 8080\n"), &[])
            .starts_with("config: http.listen: must be text in quotes, got 8080 (from /")
    );
    for (text, position, expected) in [
        ("[http]\nlisten = \n", "line 2, column 10", "string values must be quoted, expected literal string"),
        ("[operator]\nkey = \"hunter2\n", "line 2, column 15", "invalid basic string, expected `\"`"),
        ("[operator]\nkey = hunter2\n", "line 2, column 7", "string values must be quoted, expected literal string"),
        ("[operator]\nkey = \"a\"\nkey = \"hunter2\"\n", "line 3, column 1", "duplicate key"),
        (
            "[database]\nurl = \"é\" \"postgres://a:hunter2@b/c\"\n",
            "line 2, column 11",
            "unexpected key or value, expected newline, `#`",
        ),
    ] {
        let line = rejection(Some(text), &[]);
        let end = format!(": {position}: is not TOML: {expected}");
        assert!(line.starts_with("config: /") && line.ends_with(&end), "{line}");
        assert!(!line.contains("hunter2"), "{line}");
    }
    assert!(
        rejection(Some("[outbound.rewrite]\n\"acme\" = \"http://x/\"\n"), &[])
            .contains("outbound.rewrite.acme: its key must be")
    );
    assert!(rejection(Some("http = 1\n"), &[]).starts_with("config: http: must be a table (from /"));
    let missing = Config::load(Some(Path::new("/nonexistent/radar.toml"))).expect_err("no such file").to_string();
    assert!(missing.starts_with("config: /nonexistent/radar.toml: ") && !missing.contains('\n'), "{missing}");
}

#[test]
fn secrets_are_never_repeated() {
    let line = rejection(None, &[("RADAR_OPERATOR__KEY", "hunter2")]);
    assert_eq!(
        line,
        "config: operator.key: must be 16 or more printable characters without spaces (from RADAR_OPERATOR__KEY)"
    );
    let line = rejection(None, &[("RADAR_DATABASE__URL", "mysql://root:hunter2@db/radar")]);
    assert!(!line.contains("hunter2"), "{line}");
    for (file, environment) in [
        ("database = \"postgres://a:hunter2@b/c\"", vec![]),
        ("[outbound.rewrite]\n\"https://\" = \"ftp://a:hunter2@b/\"", vec![]),
        ("[outbound.rewrite]\n\"ftp://a:hunter2@b/\" = \"https://b/\"", vec![]),
        ("", vec![("RADAR_SECRETS__KEY", "hunter2")]),
        ("", vec![("RADAR_SECRETS__PREVIOUS_KEYS", "hunter2,hunter2")]),
        ("", vec![("RADAR_SECRETS__PREVIOUS_KEYS", "[\"hunter2\"")]),
        ("", vec![("RADAR_HTTP__LISTEN", "http://a:hunter2@b/")]),
        ("", vec![("RADAR_OPERATOR__KEY__X", "hunter2")]),
    ] {
        let line = rejection(Some(file), &environment);
        assert!(!line.contains("hunter2"), "{line}");
    }
    let config = load(
        None,
        &[("RADAR_OPERATOR__KEY", "hunter2-hunter2-x"), ("RADAR_DATABASE__URL", "postgres://a:hunter2@b/c")],
    );
    assert!(!format!("{:?}", config.expect("loaded")).contains("hunter2"));
}

#[test]
fn receivers_have_the_ranges_of_targets_unless_they_have_their_own() {
    for (own, expected) in [
        (None, vec!["10.0.0.0/8"]),
        (Some(""), vec![]),
        (Some("127.0.0.0/8"), vec!["127.0.0.0/8"]),
        (Some("outbound, ::1/128"), vec!["10.0.0.0/8", "::1/128"]),
    ] {
        let mut environment = vec![("RADAR_OUTBOUND__ALLOW_PRIVATE", "10.0.0.0/8")];
        environment.extend(own.map(|own| ("RADAR_WEBHOOKS__ALLOW_PRIVATE", own)));
        let config = load(None, &environment).expect("loaded");
        let ranges: Vec<String> = config.webhooks.allow_private.iter().map(ToString::to_string).collect();
        assert_eq!(ranges, expected, "{own:?}");
    }
    for ports in ["0", "1-0", "70000", "https", "1-2-3", ","] {
        assert!(
            rejection(None, &[("RADAR_WEBHOOKS__PORTS", ports)]).contains("webhooks.ports: must be a list of ports")
        );
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (name, text, problem) in [
        ("RADAR_RETENTION__UPDATES", "1s", "retention.updates: must be 1d or longer"),
        ("RADAR_RETENTION__RADARS", "23h", "retention.radars: must be 1d or longer"),
        ("RADAR_WEBHOOKS__RETRY_SCHEDULE", "[]", "webhooks.retry_schedule: must hold 1 to 100 durations"),
        ("RADAR_WEBHOOKS__TIMEOUT", "1ms", "webhooks.timeout: must be 1s or longer"),
        ("RADAR_OUTBOUND__TIMEOUT", "999ms", "outbound.timeout: must be 1s or longer"),
        ("RADAR_LOG__FILTER", "verbose", "log.filter: must be log directives"),
        ("RADAR_LOG__FILTER", "info,webhooks", "log.filter: must be log directives"),
        ("RADAR_HTTP__PORTAL", "https://radar.example.com/", "http.portal: must be an origin"),
        ("RADAR_HTTP__PORTAL", "*", "http.portal: must be an origin"),
        ("RADAR_HTTP__HTTP2", "true", "http.tls_cert"),
        ("RADAR_HTTP__CORS_ORIGINS", "https://app.example.com/", "http.cors_origins: must be a list of origins"),
        ("RADAR_HTTP__TRUSTED_PROXIES", "proxy", "http.trusted_proxies: must be a list of address ranges"),
    ] {
        assert!(rejection(None, &[(name, text)]).contains(problem), "{text}: {}", rejection(None, &[(name, text)]));
    }
    let config = load(None, &[("RADAR_LOG__FILTER", "WARN,webhooks=debug,off")]).expect("loaded");
    assert_eq!(config.log.filter, "WARN,webhooks=debug,off");
}

#[test]
fn a_check_names_everything_at_once() {
    let file = r#"
        [http]
        listen = 1
        port = 80
        [billing.prices.company_reviews]
        model = "free"
    "#;
    let mut chosen = tempfile::NamedTempFile::new().expect("a temporary file");
    chosen.write_all(file.as_bytes()).expect("written");
    let environment = [
        ("RADAR_OUTBOUND__REWRITE", "{broken"),
        ("RADAR_HTTP_LISTEN", "127.0.0.1:1"),
        ("RADAR_WEBHOOKS__TIMEOUT", "1ms"),
        ("RADAR_WEATHER__TODAY", "fine"),
    ];
    let environment = environment.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let layers = Layers { beside_us: None, chosen: Some(chosen.path()), environment };
    let found: Vec<String> = check::of_layers(layers).iter().map(ToString::to_string).collect();
    let keys = [
        "outbound.rewrite",
        "RADAR_HTTP_LISTEN",
        "http.listen",
        "http.port",
        "webhooks.timeout",
        "billing.prices.company_reviews.model",
        "weather",
    ];
    for (line, key) in found.iter().zip(keys) {
        assert!(line.starts_with(&format!("config: {key}: ")), "{line} is not about {key}");
    }
    assert_eq!(found.len(), keys.len(), "{found:?}");
    let gone = Path::new("/nonexistent/radar.toml");
    let environment = [("RADAR_LIMITS__QUEUE".to_owned(), "0".to_owned())].into();
    let found = check::of_layers(Layers { beside_us: None, chosen: Some(gone), environment });
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(check::of_layers(Layers::built_in()), []);
}

#[test]
fn what_is_in_force_is_shown_with_its_origin_and_without_secrets() {
    let secrets = [
        ("RADAR_OPERATOR__KEY", "hunter2-hunter2-hunter2"),
        ("RADAR_SECRETS__KEY", "hunter2"),
        ("RADAR_SECRETS__PREVIOUS_KEYS", "hunter2"),
        ("RADAR_DATABASE__URL", "postgres://radar:hunter2?@db:5433/radar?password=hunter2"),
        ("RADAR_OUTBOUND__REWRITE", r#"{ "https://a.com/" = "https://me:hunter2@b.com/" }"#),
        ("RADAR_HTTP__TRUSTED_PROXIES", "10.0.0.0/8"),
    ];
    let environment = secrets.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let shown = check::shown(&Layers { beside_us: None, chosen: None, environment }).expect("shown");
    assert!(!format!("{shown:?}").contains("hunter2"), "{shown:?}");
    let of = |key: &str| {
        let setting = shown.iter().find(|setting| setting.key == key).expect(key);
        (setting.value.as_str(), setting.origin.as_str())
    };
    assert_eq!(of("operator.key"), ("(hidden)", "from RADAR_OPERATOR__KEY"));
    assert_eq!(of("database.url"), ("\"postgres://db:5433/radar\"", "from RADAR_DATABASE__URL"));
    assert_eq!(of("http.trusted_proxies"), ("\"10.0.0.0/8\"", "from RADAR_HTTP__TRUSTED_PROXIES"));
    assert_eq!(of("webhooks.timeout"), ("\"15s\"", "built-in"));
    assert_eq!(of("limits.queue"), ("1024", "built-in"));
}

#[test]
fn the_file_that_init_makes_changes_nothing_and_explains_everything() {
    let made = super::commented();
    assert_eq!(load(Some(&made), &[]).expect("settings").prices, Config::built_in().expect("built in").prices);
    assert_eq!(made.lines().count(), BUILT_IN.lines().count());
    let uncommented = made.replacen("#contact = \"\"", "contact = \"me@example.org\"", 1);
    assert_eq!(load(Some(&uncommented), &[]).expect("settings").outbound.contact, "me@example.org");
}
