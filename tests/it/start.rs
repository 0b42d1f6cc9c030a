//! What keeps the service from starting is said in one line that names the key, and the exit code is not 0.

use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use crate::support::databases::TestDatabase;
use crate::support::process::Service;

fn start(settings: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}", folder.path().join("radar.db").display());
    let key = folder.path().join("data").display().to_string();
    Command::new(env!("CARGO_BIN_EXE_radar"))
        .arg("serve")
        .current_dir(folder.path())
        .env_clear()
        .envs([
            ("RADAR_HTTP__LISTEN", "127.0.0.1:0"),
            ("RADAR_OPERATOR__LISTEN", "127.0.0.1:0"),
            ("RADAR_DATABASE__URL", &url),
            ("RADAR_OPERATOR__DATA_DIR", &key),
            ("RADAR_LOG__FILTER", "off"),
        ])
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the program")
}

#[track_caller]
fn refuses(settings: &[(&str, &str)], key: &str) {
    let output = start(settings);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!output.status.success(), "started with {settings:?}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(said.contains(key), "{said} does not name {key}");
}

#[test]
fn wrong_settings_are_named() {
    refuses(&[("RADAR_WEBHOOKS__TIMEOUT", "soon")], "webhooks.timeout");
    refuses(&[("RADAR_HTTP__LISTEN", "everywhere")], "http.listen");
    refuses(&[("RADAR_HTTP__LISTN", "127.0.0.1:0")], "RADAR_HTTP__LISTN");
    refuses(&[("RADAR_BILLING__PRICES__COMPANY_REVIEWS__RATE_USD", "-1")], "billing.prices.company_reviews.rate_usd");
}

#[test]
fn a_check_of_the_settings_tells_all_that_is_wrong() {
    let check = |settings: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
        command.args(["config", "check"]).env_clear().envs(settings.iter().copied()).stdin(Stdio::null());
        let output = command.current_dir(std::env::temp_dir()).output().expect("the program");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    assert_eq!(check(&[]), (Some(0), "the settings are well\n".to_owned()));
    let (code, said) = check(&[("RADAR_WEBHOOKS__TIMEOUT", "1ms"), ("RADAR_HTTP__LISTEN", "everywhere")]);
    assert_eq!((code, said.lines().count()), (Some(1), 2), "{said}");
    assert!(said.contains("webhooks.timeout") && said.contains("http.listen"), "{said}");
}

#[test]
fn a_database_that_cannot_be_used_is_named() {
    refuses(&[("RADAR_DATABASE__URL", "mysql://localhost/radar")], "database.url");
    refuses(&[("RADAR_DATABASE__URL", "postgres://nobody@127.0.0.1:1/radar")], "database.url");
    refuses(&[("RADAR_DATABASE__URL", "sqlite:///proc/radar/radar.db")], "database.url");
}

#[test]
fn a_server_that_refuses_connections_is_named_with_its_port() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let url = format!("postgres://nobody:hunter2@{free}/radar");
    let said = String::from_utf8(start(&[("RADAR_DATABASE__URL", &url)]).stderr).expect("UTF-8");
    assert_eq!(said.trim_end(), format!("radar: database.url: connection refused by {free}"));
}

#[actix_web::test]
async fn a_start_says_what_runs() {
    let database = TestDatabase::sqlite();
    let service = Service::start(database.url(), &[]);
    let log = service.log();
    let address = format!("database=\"{}\"", database.url());
    for said in [
        concat!("starting version=\"", env!("CARGO_PKG_VERSION"), "\""),
        &address,
        "schema=\"m20261126_",
        "sources are on",
        "sources are off",
        &format!("api=127.0.0.1:{} operator=127.0.0.1:{}", service.public_port(), service.operator_port()),
    ] {
        assert_eq!(log.lines().filter(|line| line.contains(said)).count(), 1, "{said} in {log}");
    }
}

#[test]
fn no_value_of_a_key_or_a_database_address_is_repeated() {
    for (name, text, key) in [
        ("RADAR_DATABASE__URL", "postgres://radar:hunter2@[::1/radar", "database.url"),
        ("RADAR_DATABASE__URL", "postgres://radar:hunter2@localhost:port/radar", "database.url"),
        ("RADAR_DATABASE__URL", "postgres://radar:hunter2@127.0.0.1:1/radar?sslmode=hunter2", "database.url"),
        ("RADAR_OPERATOR__KEY", "hunter2", "operator.key"),
        ("RADAR_SECRETS__KEY", "hunter2", "secrets.key"),
    ] {
        let said = String::from_utf8(start(&[(name, text)]).stderr).expect("UTF-8");
        assert!(said.contains(key) && !said.contains("hunter2"), "{said}");
    }
}

#[test]
fn a_port_in_use_and_a_folder_that_cannot_be_written_are_named() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    refuses(&[("RADAR_HTTP__LISTEN", &address)], "http.listen");
    refuses(&[("RADAR_OPERATOR__LISTEN", &address)], "operator.listen");
    refuses(&[("RADAR_OPERATOR__DATA_DIR", "/proc/radar")], "operator.data_dir");
}

#[actix_web::test]
async fn a_second_process_on_the_same_file_is_refused() {
    let database = TestDatabase::sqlite();
    let _first = Service::start_with(database.url(), &[], "");
    refuses(&[("RADAR_DATABASE__URL", database.url())], "another process");
}

#[actix_web::test]
async fn a_service_that_is_told_to_end_ends_well() {
    let database = TestDatabase::sqlite();
    let mut service = Service::start_with(database.url(), &[], "");
    assert!(service.terminate().success(), "{}", service.log());
}
