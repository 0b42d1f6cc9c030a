//! Disks that are full, fail or are gone (decision 4.13): 503 that can be repeated, no readiness, and then work goes on by
//! itself. What was acknowledged is there after `kill -9`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::{Customer, eventually};
use crate::support::failing_disk::{FailingDisk, Failure};
use crate::support::private_postgres::PrivateServer;
use crate::support::process::{Service, radar};
use crate::support::push_source::PushSource;

const REVIEWS: &str = "company_reviews";
/// Radars that are created in each state of the disk.
const CREATED_EACH: usize = 10;
/// Creations that must be refused, and how many are tried before a disk has to be full.
const REFUSED_EACH: usize = 5;
const TRIED_MAX: usize = 2_000;
/// Radars of one bulk.
const BULK: usize = 100;

/// A service, a customer, and what was acknowledged to them.
struct Stage {
    service: Service,
    customer: Customer,
    _source: PushSource,
    radars: Vec<String>,
    keys: Vec<String>,
    asked: usize,
}

impl Stage {
    async fn start(database_url: &str, variables: &[(String, String)]) -> Self {
        let source = PushSource::of(&[REVIEWS]);
        let settings = [("SOURCES__DIR", source.dir()), ("LOG__FILTER", "warn".to_owned())];
        let settings: Vec<(&str, &str)> = settings.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let service = Service::start_under(database_url, &settings, "", variables);
        let customer = Customer::create(&service).await;
        customer.price(&service, REVIEWS, "subscription", "0.01").await;
        customer.top_up(&service, "first", "1000").await;
        Self { service, customer, _source: source, radars: Vec::new(), keys: Vec::new(), asked: 0 }
    }

    /// On a file of a disk that fails on demand.
    async fn on_a_failing_disk(disk: &FailingDisk) -> Self {
        let url = format!("sqlite://{}", disk.path().join("radar.db").display());
        Self::start(&url, &disk.environment(&disk.path())).await
    }

    /// Asks for one radar more; notes it if it was acknowledged, and insists on a proper rejection if not.
    async fn create(&mut self) -> u16 {
        self.asked += 1;
        let domain = format!("company-{}.com", self.asked);
        let answer = self.customer.create_reviews_radar(&self.service, &domain, None).await;
        if answer.status == 201 {
            self.radars.push(answer.text("/data/radar_id").to_owned());
        } else {
            assert_refused(&answer);
        }
        answer.status
    }

    async fn create_some(&mut self) {
        for _ in 0..CREATED_EACH {
            assert_eq!(self.create().await, 201);
        }
        let key = self.post("api-keys", &json!({})).await.expect_status(201);
        self.keys.push(key.text("/data/api_key").to_owned());
    }

    /// Creates until the disk takes no more, and insists that it stays so, for everything that is written.
    async fn create_until_refused(&mut self) {
        let mut tried = 0;
        while self.create().await == 201 {
            tried += 1;
            assert!(tried < TRIED_MAX, "the disk takes everything");
        }
        self.everything_is_refused().await;
    }

    /// Nothing is answered 2xx that is not kept; what is small may still find room on a full disk.
    async fn everything_is_refused(&mut self) {
        self.is_not_ready().await;
        for _ in 0..REFUSED_EACH {
            self.create().await;
        }
        let key = self.post("api-keys", &json!({})).await;
        match key.status {
            201 => self.keys.push(key.text("/data/api_key").to_owned()),
            _ => assert_refused(&key),
        }
        let top_up = json!({"amount_usd": "1", "payment_ref": format!("payment-{}", self.asked)});
        assert_refused_or(201, &self.post("top-ups", &top_up).await);
        let change = json!({"limits": {"per_second": 1_000_000}});
        assert_refused_or(200, &self.service.operator().patch(&self.path(""), &change).await);
        let account = json!({"name": "Another"});
        assert_refused_or(201, &self.service.operator().post("/operator/v1/accounts", &account).await);
        let finding = PushSource::finding(&self.radars[0], &format!("finding-{}", self.asked), &json!({}));
        assert_refused_or(202, &self.service.operator().post("/operator/v1/findings", &finding).await);
        self.is_not_ready().await;
        self.service.operator().get("/health/live").await.expect_status(200);
    }

    async fn is_not_ready(&self) {
        eventually("no readiness", || async {
            let answer = self.service.operator().get("/health/ready").await;
            (answer.status != 200).then(|| assert_refused(&answer))
        })
        .await;
    }

    async fn is_ready_again(&self) {
        eventually("readiness", || async {
            (self.service.operator().get("/health/ready").await.status == 200).then_some(())
        })
        .await;
    }

    /// Kills the service; what was acknowledged is found by the next one, and nothing that was refused.
    async fn everything_survives(&mut self) {
        self.service.kill();
        self.service.assert_ledger_adds_up();
        self.service.restart();
        self.everything_is_there().await;
    }

    async fn everything_is_there(&self) {
        for radar_id in &self.radars {
            self.customer.api(&self.service).get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
        }
        for key in &self.keys {
            self.service.public().with_header("x-api-key", key).get("/v1/account").await.expect_status(200);
        }
        let charges = self.customer.ledger(&self.service).await;
        let charges = charges.iter().filter(|entry| entry["kind"] == "subscription").count();
        let active = self.customer.account(&self.service).await["account"]["active_radars"].as_u64().expect("a number");
        assert_eq!(active, charges as u64, "each radar is charged once");
        assert!(charges >= self.radars.len(), "{charges} charges for {} radars", self.radars.len());
        self.service.assert_ledger_adds_up();
    }

    async fn post(&self, what: &str, body: &Value) -> Answer {
        self.service.operator().post(&self.path(what), body).await
    }

    fn path(&self, what: &str) -> String {
        let path = format!("/operator/v1/accounts/{}/{what}", self.customer.account_id);
        path.trim_end_matches('/').to_owned()
    }
}

#[track_caller]
fn assert_refused_or(status: u16, answer: &Answer) {
    if answer.status != status {
        assert_refused(answer);
    }
}

/// Spec 7: nothing was done, and it can be asked again.
#[track_caller]
fn assert_refused(answer: &Answer) {
    assert_eq!(answer.status, 503, "{}", answer.json);
    assert_eq!(answer.json["message"], "Database unavailable", "{}", answer.json);
    assert!(answer.headers.contains_key("retry-after"), "{:?}", answer.headers);
}

#[actix_web::test]
async fn decision_4_13_a_disk_that_fails_loses_nothing_that_was_acknowledged() {
    for failure in Failure::ALL {
        println!("{failure:?}");
        let Some(disk) = FailingDisk::new() else { return };
        let mut stage = Stage::on_a_failing_disk(&disk).await;
        stage.create_some().await;
        for _ in 0..2 {
            disk.fail(failure);
            stage.create_until_refused().await;
            disk.heal();
            stage.is_ready_again().await;
            stage.create_some().await;
        }
        stage.everything_survives().await;
        disk.fail(failure);
        stage.create_until_refused().await;
        stage.service.kill();
        disk.heal();
        stage.service.restart();
        stage.everything_is_there().await;
    }
}

/// Standard error may be a file on the same disk.
#[actix_web::test]
async fn decision_4_13_a_full_disk_takes_no_log_and_the_service_goes_on() {
    let Some(disk) = FailingDisk::new() else { return };
    let url = format!("sqlite://{}", disk.path().join("radar.db").display());
    // Everything is on this disk, the folder of the service with its log as well.
    let mut stage = Stage::start(&url, &disk.environment(&std::env::temp_dir().canonicalize().expect("a path"))).await;
    stage.create_some().await;
    disk.fail(Failure::Frozen);
    stage.create_until_refused().await;
    disk.heal();
    stage.is_ready_again().await;
    stage.create_some().await;
    assert!(!stage.service.log().contains("panicked"), "{}", stage.service.log());
    stage.everything_survives().await;
}

/// A file system of a few megabytes that is really full, where this process may make one.
#[actix_web::test]
async fn decision_4_13_a_small_disk_that_is_full_loses_nothing_that_was_acknowledged() {
    let Some(disk) = SmallDisk::mount() else { return };
    let mut stage = Stage::start(&format!("sqlite://{}", disk.path("radar.db").display()), &[]).await;
    stage.create_some().await;
    for _ in 0..2 {
        disk.fill();
        stage.create_until_refused().await;
        disk.make_room();
        stage.is_ready_again().await;
        stage.create_some().await;
    }
    stage.everything_survives().await;
    stage.service.kill();
}

#[actix_web::test]
async fn decision_4_13_a_database_that_was_taken_away_is_missed_until_it_is_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    let mut stage = Stage::start(&format!("sqlite://{}", data.join("radar.db").display()), &[]).await;
    stage.create_some().await;
    for (from, to) in [(data.clone(), aside.clone()), (data.join("radar.db"), data.join("moved.db"))] {
        fs::rename(&from, &to).expect("taken away");
        stage.everything_is_refused().await;
        fs::rename(&to, &from).expect("brought back");
        stage.is_ready_again().await;
        stage.create_some().await;
    }
    stage.everything_survives().await;
}

#[actix_web::test]
async fn decision_4_13_a_log_that_was_removed_takes_nothing_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("radar.db");
    let mut stage = Stage::start(&format!("sqlite://{}", database.display()), &[]).await;
    stage.create_some().await;
    for _ in 0..3 {
        fs::remove_file(log_of(&database)).expect("removed");
        stage.is_ready_again().await;
        stage.create_some().await;
        stage.everything_is_there().await;
    }
    stage.everything_survives().await;
}

#[actix_web::test]
async fn a_copy_of_the_main_file_alone_is_called_incomplete_unless_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("radar.db");
    let mut stage = Stage::start(&format!("sqlite://{}", database.display()), &[]).await;
    stage.create_some().await;
    let copy = |name: &str| {
        let copy = folder.path().join(name);
        fs::create_dir(&copy).expect("a folder");
        fs::copy(&database, copy.join("radar.db")).expect("copied");
        copy.join("radar.db")
    };
    assert_incomplete(&copy("of a running service"));
    stage.service.assert_ledger_adds_up();
    stage.service.kill();
    let incomplete = copy("of a killed service");
    assert_incomplete(&incomplete);
    assert_incomplete(&incomplete);
    let both = copy("of a killed service with its log");
    fs::copy(log_of(&database), log_of(&both)).expect("copied");
    assert_sound(&both);
    assert_sound(&database);

    stage.service.restart();
    assert!(stage.service.terminate().success());
    assert!(!stage.service.log().contains("incomplete"), "{}", stage.service.log());
    assert_sound(&copy("of a service that was stopped"));

    let url = format!("sqlite://{}", incomplete.display());
    for command in ["serve", "migrate"] {
        let output = radar(&url, &[command]).current_dir(folder.path()).output().expect("the program");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains("radar.db-wal is not beside it"), "{command}: {error}");
    }
    assert_incomplete(&incomplete);
}

#[actix_web::test]
async fn decision_4_13_a_disk_that_fails_under_postgresql_loses_nothing_that_was_acknowledged() {
    for failure in Failure::ALL {
        println!("{failure:?}");
        let Some(disk) = FailingDisk::new() else { return };
        let Some(mut server) = PrivateServer::start_on(Some(&disk)) else { return };
        let url = server.create_database().await;
        let mut stage = Stage::start(&url, &[]).await;
        stage.create_some().await;
        disk.fail(failure);
        // A table grows by pages, and the log of a server by whole files: many radars fill what is there already.
        let items = |round: usize| -> Value {
            let radar = |number| json!({"domain": format!("bulk-{round}-{number}.com"), "radar_type": REVIEWS});
            json!({"radars": (0..BULK).map(radar).collect::<Vec<_>>()})
        };
        let mut round = 0;
        loop {
            round += 1;
            let answer = stage.customer.api(&stage.service).post("/v1/radars/bulk", &items(round)).await;
            if answer.status == 503 {
                break;
            }
            assert!(round < TRIED_MAX, "the disk takes everything");
            let results = answer.expect_status(201).json["results"].clone();
            let created = results.as_array().expect("results").iter();
            stage.radars.extend(created.map(|result| result["data"]["radar_id"].as_str().expect("an id").to_owned()));
        }
        stage.is_not_ready().await;
        disk.heal();
        // The server ends itself when its log cannot be written, and cannot start again while that is so.
        let revived = tokio::task::spawn_blocking(move || {
            server.revive();
            server
        });
        server = revived.await.expect("done");
        stage.is_ready_again().await;
        stage.create_some().await;
        stage.everything_survives().await;
        stage.service.kill();
        drop(server);
    }
}

/// A file system in memory.
struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    /// `None`, which is said loudly, where this process may not mount.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=6m", "radar-test"]).arg(folder.path());
        if mount.output().is_ok_and(|output| output.status.success()) {
            return Some(Self { folder });
        }
        eprintln!("\n*** Not allowed to mount: THE TEST OF A SMALL DISK DOES NOT RUN. ***\n");
        None
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn fill(&self) {
        fs::write(self.path("ballast"), vec![1_u8; 16 << 20]).expect_err("it is smaller");
    }

    fn make_room(&self) {
        fs::remove_file(self.path("ballast")).expect("there is room");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: the service of a test that failed may still be running.
        drop(Command::new("umount").arg("-l").arg(self.folder.path()).status());
    }
}

fn log_of(database: &Path) -> PathBuf {
    database.with_extension("db-wal")
}

fn verify(database: &Path) -> Output {
    radar(&format!("sqlite://{}", database.display()), &["ledger", "verify"]).output().expect("the program")
}

#[track_caller]
fn assert_incomplete(database: &Path) {
    let output = verify(database);
    let (printed, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(3), "{printed}{error}");
    assert!(error.contains("is incomplete") && error.contains("radar.db-wal"), "{error}");
    assert!(!printed.contains("all sound"), "{printed}");
}

#[track_caller]
fn assert_sound(database: &Path) {
    let output = verify(database);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("all sound"));
}
