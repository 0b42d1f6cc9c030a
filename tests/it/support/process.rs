//! A running service: the real program with its own folder, ports and database.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::client::Client;
use super::ports::free_port;

/// The operator's key of every service that tests start.
pub const OPERATOR_KEY: &str = "operator-key-of-the-tests";
/// The key that their secrets are encrypted with: processes on one database share it.
pub const SECRETS_KEY: &str = "dGhlIHNlY3JldHMga2V5IG9mIGFsbCBvdXIgdGVzdHM=";
/// The settings file in the folder of the service.
pub const SETTINGS: &str = "settings.toml";
/// Names what goes wrong in a service that a test starts with faults, such as `abort set_up.attempt domain.com`.
pub const FAULT: &str = "PLANNED_FAULT";
/// How long a start or an end may take.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// The pause between two looks at a service that is starting or ending.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A command of the program on a database, without a service, to be run.
pub fn radar(database_url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
    command.args(arguments).env_clear().env("RADAR_DATABASE__URL", database_url);
    command.env("RADAR_SECRETS__KEY", SECRETS_KEY).stdin(Stdio::null());
    // Tests run side by side, and on both databases at once.
    command.env("RADAR_HTTP__LISTEN", "127.0.0.1:0").env("RADAR_OPERATOR__LISTEN", "127.0.0.1:0");
    command
}

/// The program, running; killed when this is dropped.
pub struct Service {
    child: Child,
    folder: TempDir,
    environment: BTreeMap<String, String>,
    public_port: u16,
    operator_port: u16,
    /// How many files the process may open; `None`: as many as this one.
    descriptors: Option<u32>,
}

impl Service {
    /// Starts `radar serve` on `database_url` with more settings, such as `("CLOCK__MODE", "simulated")`, and waits
    /// until it is ready.
    pub fn start(database_url: &str, settings: &[(&str, &str)]) -> Self {
        Self::start_with(database_url, settings, "")
    }

    /// The same with a settings file, for tables whose keys no variable can name.
    pub fn start_with(database_url: &str, settings: &[(&str, &str)], file: &str) -> Self {
        Self::start_bounded(database_url, settings, file, &[], None)
    }

    /// The same with more variables, named as they are.
    pub fn start_under(
        database_url: &str,
        settings: &[(&str, &str)],
        file: &str,
        variables: &[(String, String)],
    ) -> Self {
        Self::start_bounded(database_url, settings, file, variables, None)
    }

    /// The same as a process that may open only so many files.
    pub fn start_with_descriptors(database_url: &str, settings: &[(&str, &str)], descriptors: u32) -> Self {
        Self::start_bounded(database_url, settings, "", &[], Some(descriptors))
    }

    fn start_bounded(
        database_url: &str,
        settings: &[(&str, &str)],
        file: &str,
        variables: &[(String, String)],
        descriptors: Option<u32>,
    ) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(SETTINGS), file).expect("a settings file");
        let (public_port, operator_port) = (free_port(), free_port());
        let mut environment = BTreeMap::from([
            ("RADAR_HTTP__LISTEN".to_owned(), format!("127.0.0.1:{public_port}")),
            ("RADAR_OPERATOR__LISTEN".to_owned(), format!("127.0.0.1:{operator_port}")),
            ("RADAR_OPERATOR__KEY".to_owned(), OPERATOR_KEY.to_owned()),
            ("RADAR_OPERATOR__DATA_DIR".to_owned(), folder.path().join("data").display().to_string()),
            ("RADAR_DATABASE__URL".to_owned(), database_url.to_owned()),
            ("RADAR_SECRETS__KEY".to_owned(), SECRETS_KEY.to_owned()),
            ("RADAR_OUTBOUND__ALLOW_PRIVATE".to_owned(), "127.0.0.0/8".to_owned()),
            ("RADAR_OUTBOUND__HOST_GAP".to_owned(), "0s".to_owned()),
            ("RADAR_OUTBOUND__CONTACT".to_owned(), "ops@radar.example".to_owned()),
            ("RADAR_SOURCES__LOOKUPS".to_owned(), "false".to_owned()),
        ]);
        // Where no sites stand for the web, nothing may ask the real one.
        if !file.contains("[outbound.rewrite]") {
            environment.insert("RADAR_SOURCES__BUILTIN".to_owned(), "false".to_owned());
        }
        environment.extend(settings.iter().map(|(name, text)| (format!("RADAR_{name}"), (*text).to_owned())));
        environment.extend(variables.iter().cloned());
        let child = spawn(&folder, &environment, descriptors);
        let mut service = Self { child, folder, environment, public_port, operator_port, descriptors };
        service.wait_until_ready();
        service
    }

    /// The same settings from the next start on, with a fault (see [`FAULT`]) or without one.
    pub fn plan(&mut self, fault: Option<&str>) {
        match fault {
            Some(fault) => drop(self.environment.insert(FAULT.to_owned(), fault.to_owned())),
            None => drop(self.environment.remove(FAULT)),
        }
    }

    /// Starts a process that has ended again; `false` if it ends before it is ready.
    pub fn try_restart(&mut self) -> bool {
        self.child = spawn(&self.folder, &self.environment, self.descriptors);
        let began_at = Instant::now();
        while began_at.elapsed() < WAIT_MAX {
            if self.has_ended() {
                return false;
            }
            if is_ready(self.operator_port) {
                return true;
            }
            thread::sleep(LOOK_EVERY);
        }
        panic!("the service did not get ready\n{}", self.log());
    }

    /// Whether the process is frozen.
    pub fn is_stopped(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    }

    /// Whether the process is gone.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a status").is_some()
    }

    /// The address of a path of the public API.
    pub fn public_url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.public_port)
    }

    /// The port of the public API.
    pub fn public_port(&self) -> u16 {
        self.public_port
    }

    /// The port of the operator API.
    pub fn operator_port(&self) -> u16 {
        self.operator_port
    }

    /// The bytes of a request of the operator, with the key.
    pub fn operator_request(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nx-operator-key: {OPERATOR_KEY}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        )
        .into_bytes()
    }

    /// The memory that the process has in use, in MiB.
    pub fn memory_mib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a status");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a figure");
        let kib: u64 = resident.trim().trim_end_matches(" kB").parse().expect("a number");
        kib / 1024
    }

    /// The public API without a key.
    pub fn public(&self) -> Client {
        Client::new(&format!("http://127.0.0.1:{}", self.public_port))
    }

    /// The operator API with its key.
    pub fn operator(&self) -> Client {
        let url = format!("http://127.0.0.1:{}", self.operator_port);
        Client::new(&url).with_header("x-operator-key", OPERATOR_KEY)
    }

    /// Kills the process where it stands.
    pub fn kill(&mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Sends the process a signal, such as `STOP` or `CONT`.
    pub fn signal(&self, name: &str) {
        let process_id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &process_id]).status().expect("kill");
        assert!(sent.success(), "the service was gone already");
    }

    /// Asks the process to end (SIGTERM) and waits for it.
    pub fn terminate(&mut self) -> ExitStatus {
        self.signal("TERM");
        let began_at = Instant::now();
        while began_at.elapsed() < WAIT_MAX {
            if let Some(status) = self.child.try_wait().expect("a status") {
                return status;
            }
            thread::sleep(LOOK_EVERY);
        }
        panic!("the service did not end\n{}", self.log());
    }

    /// Starts a process that has ended again, with the same settings on the same ports.
    pub fn restart(&mut self) {
        self.child = spawn(&self.folder, &self.environment, self.descriptors);
        self.wait_until_ready();
    }

    /// A command of the program beside the service, with the same settings, to be run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
        command.args(["--config", "settings.toml"]).args(arguments);
        command.current_dir(self.folder.path()).env_clear().envs(&self.environment).stdin(Stdio::null());
        command
    }

    /// Insists that the rows of every account add up, whatever is going on.
    pub fn assert_ledger_adds_up(&self) {
        let output = self.command(&["ledger", "verify"]).output().expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    /// The settings, as variables.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// The working folder, with the data folder `data` in it.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What the service has logged so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn wait_until_ready(&mut self) {
        let began_at = Instant::now();
        while began_at.elapsed() < WAIT_MAX {
            if let Some(status) = self.child.try_wait().expect("a status") {
                panic!("the service ended with {status}\n{}", self.log());
            }
            if is_ready(self.operator_port) {
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
        panic!("the service did not get ready\n{}", self.log());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // A process that has ended by itself cannot be killed, and that is as good.
        drop(self.child.kill());
        drop(self.child.wait());
        if thread::panicking() {
            eprintln!("log of the service:\n{}", self.log());
        }
    }
}

fn spawn(folder: &TempDir, environment: &BTreeMap<String, String>, descriptors: Option<u32>) -> Child {
    let log = File::options().create(true).append(true).open(folder.path().join("log")).expect("a log");
    let mut program = match descriptors {
        None => program(folder, environment),
        Some(most) => {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", &format!("ulimit -n {most} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_radar")]);
            shell.current_dir(folder.path()).env_clear().envs(environment).stdin(Stdio::null());
            shell
        }
    };
    // A fault is planned in the code: this binary runs the service then.
    let arguments = match environment.contains_key(FAULT) {
        true => ["crashes::service_with_a_fault", "--exact", "--nocapture"],
        false => ["serve", "--config", SETTINGS],
    };
    program.args(arguments).stdout(log.try_clone().expect("a second handle")).stderr(log).spawn().expect("the program")
}

fn program(folder: &TempDir, environment: &BTreeMap<String, String>) -> Command {
    let this = std::env::current_exe().expect("this binary");
    let is_faulty = environment.contains_key(FAULT);
    let mut program = Command::new(if is_faulty { this } else { env!("CARGO_BIN_EXE_radar").into() });
    program.current_dir(folder.path()).env_clear().envs(environment).stdin(Stdio::null());
    program
}

fn is_ready(port: u16) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(WAIT_MAX))?;
        stream.write_all(b"GET /health/ready HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok::<_, std::io::Error>(answer)
    };
    ask().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}
