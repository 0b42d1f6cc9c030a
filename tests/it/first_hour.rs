//! What somebody sees who has just installed the program: `radar init`, `radar` alone, and messages that say how to go on.

use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::ports::free_port;

/// How long the program may take for anything here.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);

fn radar(folder: &Path, arguments: &[&str], settings: &[(&str, String)]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_radar"));
    program.args(arguments).current_dir(folder).env_clear().stdin(Stdio::null());
    program.envs(settings.iter().map(|(name, text)| (*name, text.as_str())));
    program.output().expect("the program")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn init_makes_a_file_and_a_key_and_says_what_is_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = radar(folder.path(), &["init"], &[]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let said = text(&made.stdout);
    let next = ["radar serve --config radar.toml", "radar admin account create", "radar preview company_job_openings"];
    assert!(next.iter().all(|command| said.contains(command)), "{said}");
    let key = std::fs::read_to_string(folder.path().join("data/operator.key")).expect("a key");
    assert!(key.starts_with("rdo_"));
    let settings = std::fs::read_to_string(folder.path().join("radar.toml")).expect("settings");
    assert!(settings.contains("\n[http]\n") && settings.contains("\n#listen = "), "{settings}");
    let checked = radar(folder.path(), &["sources", "list", "--config", "radar.toml"], &[]);
    assert!(checked.status.success(), "{}", text(&checked.stderr));

    let again = radar(folder.path(), &["init"], &[]);
    assert!(!again.status.success());
    assert!(text(&again.stderr).starts_with("radar: radar.toml: "), "{}", text(&again.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("radar.toml")).expect("settings"), settings);
}

#[test]
fn radar_alone_says_what_it_is_and_a_taken_address_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let settings = [("RADAR_HTTP__LISTEN", address.clone()), ("RADAR_OPERATOR__LISTEN", "127.0.0.1:0".to_owned())];
    let alone = radar(folder.path(), &[], &settings);
    let (said, why) = (text(&alone.stdout), text(&alone.stderr));
    for word in ["companies, people and industries", "radar demo", "radar init", "account create", &address] {
        assert!(said.contains(word), "{word} in {said}");
    }
    assert!(
        why.contains(&format!("http.listen: cannot listen on {address}")) && why.contains("set http.listen"),
        "{why}"
    );
}

#[test]
fn a_service_that_is_not_there_is_told_with_its_address() {
    let folder = tempfile::tempdir().expect("a folder");
    let listen = format!("127.0.0.1:{}", free_port());
    let settings = [("RADAR_OPERATOR__LISTEN", listen.clone())];
    let keyless = text(&radar(folder.path(), &["admin", "account", "list"], &settings).stderr);
    assert!(keyless.contains("data/operator.key") && keyless.contains("RADAR_OPERATOR__KEY"), "{keyless}");
    let settings = [settings[0].clone(), ("RADAR_OPERATOR__KEY", "a-key-of-the-operator".to_owned())];
    let absent = text(&radar(folder.path(), &["admin", "account", "list"], &settings).stderr);
    assert!(absent.contains(&listen) && absent.contains("radar serve"), "{absent}");
}

#[test]
fn systemd_hears_when_the_service_answers_and_when_it_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("notify");
    let heard = UnixDatagram::bind(&socket).expect("a socket");
    heard.set_read_timeout(Some(PATIENCE)).expect("a bound");
    let next = || {
        let mut message = [0; 256];
        let length = heard.recv(&mut message).expect("a message");
        text(&message[..length])
    };
    let listen = format!("127.0.0.1:{}", free_port());
    let mut service = Command::new(env!("CARGO_BIN_EXE_radar"));
    service.arg("serve").current_dir(folder.path()).env_clear().stdout(Stdio::null()).stderr(Stdio::null());
    service
        .env("RADAR_HTTP__LISTEN", &listen)
        .env("RADAR_OPERATOR__LISTEN", "127.0.0.1:0")
        .env("NOTIFY_SOCKET", &socket);
    let mut service = service.spawn().expect("the program");
    assert_eq!(next(), "READY=1\n");
    assert!(std::net::TcpStream::connect(&listen).is_ok(), "it does not answer yet");
    let ended = Command::new("kill").arg(service.id().to_string()).status().expect("kill");
    assert!(ended.success());
    assert_eq!(next(), "STOPPING=1\n");
    assert!(service.wait().expect("an end").success());
}

#[test]
fn a_service_that_is_told_to_stop_while_it_starts_ends_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let silent_database = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent_database.local_addr().expect("an address");
    let mut service = Command::new(env!("CARGO_BIN_EXE_radar"));
    service.arg("serve").current_dir(folder.path()).env_clear().stdout(Stdio::null()).stderr(Stdio::null());
    service.env("RADAR_DATABASE__URL", format!("postgres://radar@{address}/radar"));
    let mut service = service.spawn().expect("the program");
    let connection = silent_database.accept().expect("a start under way");
    let ended = Command::new("kill").arg(service.id().to_string()).status().expect("kill");
    assert!(ended.success());
    assert!(service.wait().expect("an end").success(), "it was killed in the middle of its start");
    drop(connection);
}
