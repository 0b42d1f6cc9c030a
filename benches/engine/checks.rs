//! What it costs to look at a board on which nothing is new: `cargo bench -- checks`.
//!
//! The real program on SQLite; every company has a board of its own, served from loopback, that never changes. `RADARS`
//! changes how many.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::radar::clock::Clock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::load::{self, Connection};
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, stage};

/// How many radars there are, in turn.
const RADARS: [usize; 2] = [1_000, 10_000];
/// Creations of one request.
const BULK: usize = 25;
/// How long checks are counted, once every board was asked for several times.
const MEASURED: Duration = Duration::from_secs(10);
/// How often each board is asked for before that: by the set-up and by the first polls.
const ASKED_BEFORE: usize = 3;
const CPU_MS: f64 = 0.7;
const ACCOUNT: u128 = 1;

/// Measures on SQLite.
pub fn run() {
    let wanted = std::env::var("RADARS").ok().and_then(|text| text.parse().ok());
    for radars in wanted.map_or(RADARS.to_vec(), |radars| vec![radars]) {
        actix_rt::System::new().block_on(measure(radars));
    }
}

async fn measure(radars: usize) {
    let boards = Boards::start();
    let database = TestDatabase::sqlite();
    stage_account(database.url()).await;
    let settings = format!(
        "[sources]\npoll_interval = \"1s\"\n[outbound]\nallow_private = [\"127.0.0.0/8\"]\n[outbound.rewrite]\n\"https://\" = \"http://{}/\"\n",
        boards.address
    );
    let service = Server::service(database.url(), &settings);
    let began_at = Instant::now();
    create(&service, radars).await;
    while boards.asked_at_least(ASKED_BEFORE) < radars {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    println!("{radars} boards: asked {ASKED_BEFORE} times each after {:.1}s", began_at.elapsed().as_secs_f64());
    let (checks, cpu_s, from) = (boards.count(), service.cpu_seconds(), Instant::now());
    tokio::time::sleep(MEASURED).await;
    let checks = (boards.count() - checks) as f64;
    assert!(checks > 0.0, "nothing was checked");
    let cpu_ms = (service.cpu_seconds() - cpu_s) * 1e3 / checks;
    println!(
        "{radars} boards: {:.0} checks/s, {:.0} MiB resident",
        checks / from.elapsed().as_secs_f64(),
        service.memory_mib()
    );
    goal::at_most(&format!("{radars} boards: CPU ms of an unchanged check"), cpu_ms, CPU_MS);
}

async fn stage_account(url: &str) {
    let clock = Clock::system();
    let store = stage::open(url, clock.clone()).await;
    stage::account(&store, &clock, ACCOUNT).await;
    store.close().await;
}

async fn create(service: &Server, radars: usize) {
    let key = stage::key(ACCOUNT);
    let mut connection = Connection::open(service.address()).await;
    let numbers: Vec<usize> = (0..radars).collect();
    for chunk in numbers.chunks(BULK) {
        let items: Vec<String> = chunk
            .iter()
            .map(|number| format!(r#"{{"radar_type":"company_job_openings","domain":"company{number}.com"}}"#))
            .collect();
        let body = format!(r#"{{"radars":[{}]}}"#, items.join(","));
        connection.ask(&load::request("POST", "/v1/radars/bulk", key.expose(), &body)).await;
    }
}

/// A site and a board for every company, on a thread of its own.
struct Boards {
    address: SocketAddr,
    count: Arc<AtomicUsize>,
    asked: Arc<Mutex<HashMap<String, usize>>>,
}

impl Boards {
    fn start() -> Self {
        let (tell, told) = std::sync::mpsc::channel();
        let (count, asked) = (Arc::new(AtomicUsize::new(0)), Arc::<Mutex<HashMap<_, _>>>::default());
        let (counting, noting) = (count.clone(), asked.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                tell.send(listener.local_addr().expect("an address")).expect("told");
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, counting.clone(), noting.clone()));
                }
            });
        });
        Self { address: told.recv().expect("an address"), count, asked }
    }

    /// How many boards were asked for, so many times or more.
    fn asked_at_least(&self, times: usize) -> usize {
        self.asked.lock().expect("unpoisoned").values().filter(|asked| **asked >= times).count()
    }

    /// How often boards were asked for.
    fn count(&self) -> usize {
        self.count.load(SeqCst)
    }
}

async fn serve(mut stream: TcpStream, count: Arc<AtomicUsize>, asked: Arc<Mutex<HashMap<String, usize>>>) {
    let mut received = Vec::new();
    while stream.read_buf(&mut received).await.is_ok_and(|read| read > 0) {
        while let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&received[..end]).into_owned();
            received.drain(..end + 4);
            let path = head.split(' ').nth(1).unwrap_or_default();
            if path.starts_with("/boards-api.greenhouse.io/") {
                count.fetch_add(1, SeqCst);
                *asked.lock().expect("unpoisoned").entry(path.to_owned()).or_default() += 1;
            }
            if stream.write_all(answer(path).as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

fn answer(path: &str) -> String {
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let (host, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let company = host.trim_start_matches("www.").trim_end_matches(".com");
    let (kind, body) = match (host, rest) {
        ("boards-api.greenhouse.io", _) => ("application/json", BOARD.to_owned()),
        (_, "") => ("text/html", format!(r#"<a href="https://boards.greenhouse.io/{company}">Jobs</a>"#)),
        _ => return "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n".to_owned(),
    };
    format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

const BOARD: &str = r#"{"jobs":[{"id":4100200,"title":"Senior Billing Engineer","updated_at":"2026-11-18T09:15:02-05:00",
"first_published":"2026-11-17T23:30:00-05:00","location":{"name":"Bergen, Norway"},
"absolute_url":"https://job-boards.greenhouse.io/quarrelake/jobs/4100200","content":"&lt;p&gt;Build ledgers.&lt;/p&gt;",
"departments":[{"id":11,"name":"Engineering"}],"offices":[{"id":21,"name":"Bergen","location":"Bergen, Norway"}]}],
"meta":{"total":1}}"#;
