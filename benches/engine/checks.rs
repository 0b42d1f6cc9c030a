//! What it costs to look at a board on which nothing is new: `cargo bench -- checks`.
//!
//! The real program on SQLite; every company has a board of its own, served from loopback, that never changes. `RADARS`
//! changes how many.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clock::Clock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::load::{self, Connection};
use crate::server::Server;
use crate::support::test_database::TestDatabase;
use crate::{goal, stage};

/// How many radars there are, in turn.
const RADARS: [usize; 3] = [1_000, 10_000, 100_000];
/// Creations of one request.
const BULK: usize = 25;
/// How long checks are counted, once every board was asked for several times.
const MEASURED: Duration = Duration::from_secs(10);
/// How often each board is asked for by a set-up.
const ASKED_BY_SET_UP: usize = 2;
/// And before checks are counted.
const ASKED_BEFORE: usize = 3;
const CPU_MS: f64 = 0.5;
const CHECKS_PER_SECOND: f64 = 1_500.0;
/// How much more a check may cost among the most radars than among the fewest.
const FLAT: f64 = 1.3;
/// The number of radars for which memory and time of the set-ups have goals.
const MIDDLE: usize = 10_000;
const MEMORY_MIB: f64 = 100.0;
const SET_UP_S: f64 = 15.0;
const ACCOUNT: u128 = 1;

/// Measures on SQLite.
pub fn run() {
    let wanted = std::env::var("RADARS").ok().and_then(|text| text.parse().ok());
    let measured = wanted.map_or(RADARS.to_vec(), |radars| vec![radars]);
    let measured: Vec<f64> =
        measured.into_iter().map(|radars| actix_rt::System::new().block_on(measure(radars))).collect();
    if let [fewest, .., most] = measured.as_slice() {
        goal::at_most("CPU of a check among the most radars to that among the fewest", most / fewest, FLAT);
    }
}

/// The CPU time of a check in milliseconds.
async fn measure(radars: usize) -> f64 {
    if radars == MIDDLE {
        let set_up_s = Watched::start(radars, "15m").await.set_up_s;
        goal::at_most(&format!("{radars} boards: seconds until all are set up"), set_up_s, SET_UP_S);
    }
    // Here the boards that are set up are looked at meanwhile, as often as can be.
    let Watched { boards, service, set_up_s, _database } = Watched::start(radars, "1s").await;
    println!("{radars} boards: set up after {set_up_s:.1}s beside as many checks as can be");
    boards.all_asked(ASKED_BEFORE, radars).await;
    let (checks, cpu_s, from) = (boards.count(), service.cpu_seconds(), Instant::now());
    tokio::time::sleep(MEASURED).await;
    let checks = (boards.count() - checks) as f64;
    assert!(checks > 0.0, "nothing was checked");
    let cpu_ms = (service.cpu_seconds() - cpu_s) * 1e3 / checks;
    goal::at_most(&format!("{radars} boards: CPU ms of an unchanged check"), cpu_ms, CPU_MS);
    // Few boards are not due more often than once a second.
    if radars >= MIDDLE {
        let per_second = checks / from.elapsed().as_secs_f64();
        goal::at_least(&format!("{radars} boards: checks per second"), per_second, CHECKS_PER_SECOND);
    }
    let memory_mib = service.memory_mib();
    match radars == MIDDLE {
        true => goal::at_most(&format!("{radars} boards: MiB resident"), memory_mib, MEMORY_MIB),
        false => println!("{radars} boards: {memory_mib:.0} MiB resident"),
    }
    cpu_ms
}

/// A service whose radars are set up.
struct Watched {
    boards: Boards,
    service: Server,
    /// How long that took, in seconds.
    set_up_s: f64,
    _database: TestDatabase,
}

impl Watched {
    async fn start(radars: usize, poll_interval: &str) -> Self {
        let (boards, database) = (Boards::start(), TestDatabase::sqlite());
        stage_account(database.url()).await;
        let settings = format!(
            "[sources]\npoll_interval = \"{poll_interval}\"\n[outbound]\nallow_private = [\"127.0.0.0/8\"]\n[outbound.rewrite]\n\"https://\" = \"http://{}/\"\n",
            boards.address
        );
        let service = Server::service(database.url(), &settings);
        let began_at = Instant::now();
        create(&service, radars).await;
        boards.all_asked(ASKED_BY_SET_UP, radars).await;
        let (set_up_s, cpu_s) = (began_at.elapsed().as_secs_f64(), service.cpu_seconds());
        println!("{radars} boards, looked at every {poll_interval}: set up with {cpu_s:.1}s of CPU");
        Self { boards, service, set_up_s, _database: database }
    }
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
        let (send_address, address) = std::sync::mpsc::channel();
        let (count, asked) = (Arc::new(AtomicUsize::new(0)), Arc::<Mutex<HashMap<_, _>>>::default());
        let (counting, noting) = (count.clone(), asked.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
                send_address.send(listener.local_addr().expect("an address")).expect("a receiver");
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, counting.clone(), noting.clone()));
                }
            });
        });
        Self { address: address.recv().expect("an address"), count, asked }
    }

    /// Waits until so many boards were asked for, so many times or more each.
    async fn all_asked(&self, times: usize, boards: usize) {
        let asked = || self.asked.lock().expect("unpoisoned").values().filter(|asked| **asked >= times).count();
        while asked() < boards {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
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
