//! Servers in processes of their own: the real program, and a bare handler to compare it with.

use std::fs::File;
use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use actix_web::{App, HttpResponse, HttpServer, web};
use bytes::Bytes;
use tempfile::TempDir;

use crate::support::ports::free_port;
use crate::{cpu, stage};

/// Threads of the bare handler: as many as serve the public API.
const WORKERS: usize = 2;
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How often a server is looked for until it counts as broken.
const LOOKS_MAX: usize = 3_000;

/// The first argument of this program when it is to be the bare handler.
pub const BARE_HANDLER: &str = "bare_handler";

/// A running server, killed when this is dropped.
pub struct Server {
    child: Child,
    folder: TempDir,
    address: SocketAddr,
    operator_address: SocketAddr,
}

impl Server {
    /// The real program on `database_url`, logging to a file as it does by default.
    pub fn service(database_url: &str, settings_file: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("settings.toml"), settings_file).expect("a settings file");
        let (port, operator_port) = (free_port(), free_port());
        let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
        command
            .args(["serve", "--config", "settings.toml"])
            .env("RADAR_HTTP__LISTEN", format!("127.0.0.1:{port}"))
            .env("RADAR_OPERATOR__LISTEN", format!("127.0.0.1:{operator_port}"))
            .env("RADAR_DATABASE__URL", database_url)
            .env("RADAR_SECRETS__KEY", stage::encryption_key().expose());
        let mut service = Self::start(folder, command, port);
        service.operator_address = local(operator_port);
        service
    }

    /// A handler that answers `body` to everything, and does nothing else.
    pub fn bare(body: &[u8]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("body"), body).expect("a body");
        let port = free_port();
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args([BARE_HANDLER, "body", &port.to_string()]);
        Self::start(folder, command, port)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it listens for the operator.
    pub fn operator_address(&self) -> SocketAddr {
        self.operator_address
    }

    /// The memory that the process has in use.
    pub fn memory_mib(&self) -> f64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process that lives");
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        kib.unwrap_or_else(|| panic!("the process has died\n{}", self.log())).parse::<f64>().expect("a number") / 1024.0
    }

    /// User and system time of the process.
    pub fn cpu_seconds(&self) -> f64 {
        cpu::used(&format!("/proc/{}/stat", self.child.id()))
    }

    fn start(folder: TempDir, mut command: Command, port: u16) -> Self {
        let log = File::create(folder.path().join("log")).expect("a log");
        let child = command
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a second handle"))
            .stderr(log)
            .spawn()
            .expect("a process");
        let server = Self { child, folder, address: local(port), operator_address: local(port) };
        for _ in 0..LOOKS_MAX {
            if TcpStream::connect(server.address).is_ok() {
                return server;
            }
            std::thread::sleep(LOOK_EVERY);
        }
        panic!("a server did not start\n{}", server.log());
    }

    fn log(&self) -> String {
        let mut log = String::new();
        let read = File::open(self.folder.path().join("log")).and_then(|mut file| file.read_to_string(&mut log));
        read.expect("a log");
        log
    }
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

impl Drop for Server {
    fn drop(&mut self) {
        // A process that has ended by itself cannot be killed, and that is as good.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Answers the bytes of the file at `body` on `port`, until killed.
pub fn bare_handler(body: &Path, port: u16) {
    let body = Bytes::from(std::fs::read(body).expect("a body"));
    let handler = move || {
        let body = body.clone();
        let answer = move || {
            let body = body.clone();
            async move { HttpResponse::Ok().content_type("application/json").body(body) }
        };
        App::new().route("/v1/radars/{id}", web::get().to(answer))
    };
    let server = HttpServer::new(handler).workers(WORKERS).bind(("127.0.0.1", port)).expect("a port").run();
    actix_rt::System::new().block_on(server).expect("a server");
}
