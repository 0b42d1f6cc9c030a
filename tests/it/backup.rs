//! Copies of a database and the way back: `radar backup` and `radar restore`, copies that SQLite itself makes, and the
//! dumps of PostgreSQL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, AssertSqlSafe, ConnectOptions, Connection};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::customer::{Customer, eventually};
use crate::support::databases::on_both_databases;
use crate::support::dice::Dice;
use crate::support::failing_disk::{FailingDisk, Failure};
use crate::support::postgres::{Server, programs};
use crate::support::process::{Service, radar};
use crate::support::push_source::PushSource;

const REVIEWS: &str = "company_reviews";
/// What stands before the hash in the last line of a backup.
const SEAL: &str = "\nwhole copy made by radar backup, sha256 ";
/// The longest that the log of a service may be that has little to do.
const LOG_AT_REST_MAX: u64 = 16 << 20;

/// A service on an SQLite file, with a customer who can pay.
pub struct Stage {
    folder: tempfile::TempDir,
    pub service: Service,
    pub customer: Customer,
    _source: PushSource,
}

impl Stage {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let source = PushSource::of(&[REVIEWS]);
        let dir = source.dir();
        let service = Service::start(&url(&folder.path().join("radar.db")), &[("SOURCES__DIR", &dir)]);
        let customer = paying_customer(&service).await;
        Self { folder, service, customer, _source: source }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn database(&self) -> PathBuf {
        self.path("radar.db")
    }

    async fn bulk(&self, round: usize) -> Vec<String> {
        let radar = |number| json!({"domain": format!("bulk-{round}-{number}.com"), "radar_type": REVIEWS});
        let items = json!({"radars": (0..100).map(radar).collect::<Vec<_>>()});
        let answer = self.customer.api(&self.service).post("/v1/radars/bulk", &items).await.expect_status(201);
        let results = answer.json["results"].as_array().expect("results").clone();
        results.iter().map(|result| result["data"]["radar_id"].as_str().expect("an id").to_owned()).collect()
    }

    /// A backup beside the running service.
    fn back_up(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let output = self.service.command(&["backup", shown(&path)]).output().expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        path
    }
}

async fn paying_customer(service: &Service) -> Customer {
    let customer = Customer::create(service).await;
    customer.price(service, REVIEWS, "subscription", "0.01").await;
    customer.top_up(service, "first", "1000").await;
    customer
}

fn url(database: &Path) -> String {
    format!("sqlite://{}", database.display())
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The exit code and what was said, on either stream.
fn run(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("the program");
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[track_caller]
fn assert_sound(database: &Path) {
    let (code, said) = run(&mut radar(&url(database), &["ledger", "verify"]));
    assert!(code == Some(0) && said.contains("all sound"), "{}: {said}", database.display());
}

/// Insists that the command does nothing but say why not.
#[track_caller]
fn assert_refused(command: &mut Command, why: &str) {
    let (code, said) = run(command);
    assert!(code == Some(1) && said.contains(why), "{code:?} {said}");
}

/// What is in a folder, file by file.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> =
        files.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read(path).expect("read"))).collect();
    all.sort();
    all
}

async fn open(database: &Path) -> sqlx::SqliteConnection {
    SqliteConnectOptions::new().filename(database).connect().await.expect("opened")
}

/// Runs statements in a database, as another program would.
async fn change(database: &Path, statements: &[&str]) {
    let mut connection = open(database).await;
    for statement in statements {
        sqlx::raw_sql(AssertSqlSafe(*statement)).execute(&mut connection).await.expect(statement);
    }
    connection.close().await.expect("closed");
}

/// Takes the seal from a backup, lets it be changed, and seals it as if nothing had happened.
async fn forge(backup: &Path, statements: &[&str]) {
    let mut bytes = fs::read(backup).expect("read");
    let length = bytes.windows(SEAL.len()).rposition(|window| window == SEAL.as_bytes()).expect("a seal");
    bytes.truncate(length);
    fs::write(backup, &bytes).expect("written");
    change(backup, statements).await;
    let bytes = fs::read(backup).expect("read");
    let seal = format!("{SEAL}{}\n", hex::encode(Sha256::digest(&bytes)));
    fs::write(backup, [bytes, seal.into_bytes()].concat()).expect("written");
}

#[actix_web::test]
async fn a_backup_is_consistent_beside_a_service_that_writes_and_comes_back() {
    let mut stage = Stage::start().await;
    let mut kept = stage.bulk(0).await;
    // Another bulk is on its way while each of these copies is made.
    for round in 1..4 {
        let backup = stage.path("backup");
        let mut copying = stage.service.command(&["backup", shown(&backup)]).spawn().expect("the program");
        let meanwhile = stage.bulk(round).await;
        assert!(copying.wait().expect("ended").success());
        assert_sound(&backup);
        kept.extend(meanwhile);
    }
    let backup = stage.back_up("backup");
    assert_sound(&backup);
    let later = stage.bulk(9).await;

    let database = url(&stage.database());
    let restore = |replace: &[&str]| {
        let mut command = radar(&database, &["restore", shown(&backup)]);
        command.args(replace);
        command
    };
    assert_refused(&mut restore(&["--replace"]), "another process is using");
    stage.service.kill();
    let before = contents(stage.folder.path());
    assert_refused(&mut restore(&[]), "--replace");
    assert_eq!(contents(stage.folder.path()), before);
    let (code, said) = run(&mut restore(&["--replace", "--json"]));
    let answer: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{code:?} {said}"));
    let aside = PathBuf::from(answer["kept_aside"].as_str().expect("a path"));
    assert_eq!((code, &answer["unknown_secret_keys"]), (Some(0), &json!([])));
    assert_sound(&stage.database());
    assert_sound(&aside);

    stage.service.restart();
    let api = stage.customer.api(&stage.service);
    for radar_id in [&kept[0], &kept[kept.len() - 1]] {
        api.get(&format!("/v1/radars/{radar_id}")).await.expect_status(200);
    }
    api.get(&format!("/v1/radars/{}", later[0])).await.expect_status(404);
    stage.bulk(10).await;
    stage.service.assert_ledger_adds_up();
    let first = fs::read_dir(stage.folder.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let left: Vec<_> = first.filter(|name| name.to_string_lossy().ends_with(".partial")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[actix_web::test]
async fn the_key_of_secrets_is_copied_only_on_demand_and_what_is_no_backup_is_left_alone() {
    let stage = Stage::start().await;
    let (backup, key) = (stage.path("backup"), stage.path("backup.key"));
    let command = |arguments: &[&str]| stage.service.command(&[&["backup", shown(&backup)], arguments].concat());
    let (code, said) = run(&mut command(&[]));
    assert!(code == Some(0) && said.contains("secrets.key") && !key.exists(), "{said}");
    let (code, said) = run(&mut command(&["--with-key", "--json"]));
    let answer: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((code, answer["key_file"].as_str()), (Some(0), Some(shown(&key))));
    let mode =
        |path: &Path| std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).expect("metadata").permissions());
    assert_eq!((mode(&backup) & 0o777, mode(&key) & 0o777), (0o600, 0o600));

    let text = stage.path("letter.txt");
    fs::write(&text, "Dear Sir or Madam").expect("written");
    for (other, why) in [(&text, "is not a backup and is left alone"), (&stage.database(), "is the database itself")] {
        let before = fs::metadata(other).expect("metadata").len();
        assert_refused(&mut stage.service.command(&["backup", shown(other)]), why);
        assert_eq!(fs::metadata(other).expect("metadata").len(), before);
    }
}

#[actix_web::test]
async fn copies_that_sqlite_itself_makes_are_whole() {
    let mut stage = Stage::start().await;
    stage.bulk(0).await;
    let mut copies = Vec::new();
    let mut copy = |name: &str, is_made: bool| {
        if is_made {
            copies.push(stage.path(name));
        } else {
            eprintln!("\n*** {name} is not installed: ITS COPY IS NOT TESTED. ***\n");
        }
    };
    let into = format!("vacuum into '{}'", stage.path("vacuumed").display());
    change(&stage.database(), &[&into]).await;
    copy("vacuumed", true);
    let is_made = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let database = stage.database();
    let dot_backup = format!(".backup '{}'", stage.path("sqlite3").display());
    copy("sqlite3", is_made(Command::new("sqlite3").arg(&database).arg(&dot_backup)));
    let script = "import sqlite3, sys\nsqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))";
    copy("python3", is_made(Command::new("python3").args(["-c", script]).arg(&database).arg(stage.path("python3"))));
    for copy in &copies {
        assert_sound(copy);
        // A copy of a copy, too, and one that was served and killed.
        let mut service = Service::start(&url(copy), &[]);
        Customer::create(&service).await;
        service.kill();
        service.restart();
    }
    stage.service.kill();
}

/// The shell of SQLite does so when somebody looks into the database of a service that was killed.
#[actix_web::test]
async fn a_log_that_another_program_moved_into_the_database_is_not_missed_and_one_that_was_removed_is() {
    let mut stage = Stage::start().await;
    stage.bulk(0).await;
    for round in 1..3 {
        stage.service.kill();
        change(&stage.database(), &["select count(*) from radar"]).await;
        assert!(!stage.path("radar.db-wal").exists(), "the log was moved");
        assert_sound(&stage.database());
        stage.service.restart();
        stage.bulk(round).await;
    }
    stage.service.kill();
    fs::remove_file(stage.path("radar.db-wal")).expect("removed");
    let database = url(&stage.database());
    let (code, said) = run(&mut radar(&database, &["ledger", "verify", "--json"]));
    assert!(code == Some(3) && said.contains("\"sound\":false"), "{code:?} {said}");
    assert_refused(&mut stage.service.command(&["serve"]), "--accept-loss");
    assert_refused(
        &mut stage.service.command(&["backup", shown(&stage.path("backup"))]),
        "radar.db-wal is not beside it",
    );

    let mut accepting = stage.service.command(&["serve", "--accept-loss"]).spawn().expect("the program");
    let operator = stage.service.operator();
    eventually("it serves", || async { operator.try_get("/health/ready").await.filter(|answer| answer.status == 200) })
        .await;
    accepting.kill().expect("killed");
    accepting.wait().expect("ended");
    stage.service.restart();
    stage.service.assert_ledger_adds_up();
}

#[actix_web::test]
async fn a_log_without_a_commit_is_missed_and_one_without_its_database_is_kept_aside() {
    let mut stage = Stage::start().await;
    stage.bulk(0).await;
    stage.service.kill();
    let [database, log, index] = ["radar.db", "radar.db-wal", "radar.db-shm"].map(|name| stage.path(name));
    let whole = fs::read(&log).expect("read");
    fs::write(&log, &whole[..32]).expect("cut");
    fs::remove_file(&index).expect("removed");
    let (code, said) = run(&mut radar(&url(&database), &["ledger", "verify", "--json"]));
    assert!(code == Some(3) && said.contains("\"sound\":false"), "{code:?} {said}");
    let backup = stage.path("backup");
    for arguments in [&["serve"][..], &["backup", shown(&backup)]] {
        assert_refused(&mut stage.service.command(arguments), "radar.db-wal is not beside it");
    }

    fs::write(&log, &whole).expect("written");
    fs::remove_file(&database).expect("removed");
    assert_refused(&mut stage.service.command(&["serve"]), "--accept-loss");
    let mut accepting = stage.service.command(&["serve", "--accept-loss"]).spawn().expect("the program");
    let operator = stage.service.operator();
    eventually("it serves", || async { operator.try_get("/health/ready").await.filter(|answer| answer.status == 200) })
        .await;
    accepting.kill().expect("killed");
    accepting.wait().expect("ended");
    assert_eq!(fs::read(stage.path("radar.db.replaced-1-wal")).expect("kept aside"), whole);
    assert_sound(&database);
}

#[actix_web::test]
async fn the_log_is_moved_into_the_database_while_the_service_runs() {
    let mut stage = Stage::start().await;
    let length = |name: &str| fs::metadata(stage.path(name)).map_or(0, |file| file.len());
    let mut round = 0;
    while length("radar.db-wal") + length("radar.db") < 2 * LOG_AT_REST_MAX {
        stage.bulk(round).await;
        round += 1;
    }
    eventually("the log is short", || async { (length("radar.db-wal") <= LOG_AT_REST_MAX).then_some(()) }).await;
    // Also while somebody has read an old state meanwhile.
    let mut reader = open(&stage.database()).await;
    let mut reading = reader.begin().await.expect("begun");
    sqlx::raw_sql("select count(*) from radar").execute(&mut *reading).await.expect("read");
    let before = length("radar.db");
    while length("radar.db-wal") < 2 * LOG_AT_REST_MAX {
        stage.bulk(round).await;
        round += 1;
    }
    reading.rollback().await.expect("ended");
    eventually("the log is short", || async { (length("radar.db-wal") <= LOG_AT_REST_MAX).then_some(()) }).await;
    assert!(length("radar.db") > before);
    reader.close().await.expect("closed");
    let alone = stage.path("alone.db");
    fs::copy(stage.database(), &alone).expect("copied");
    assert_eq!(run(&mut radar(&url(&alone), &["ledger", "verify"])).0, Some(3), "the main file is not whole");
    stage.service.kill();
    assert_sound(&stage.database());
    stage.service.restart();
    let account = stage.customer.account(&stage.service).await;
    assert_eq!(account["account"]["active_radars"], json!(round * 100));
}

#[actix_web::test]
async fn a_backup_that_is_cut_off_leaves_the_earlier_one() {
    let stage = Stage::start().await;
    for round in 0..10 {
        stage.bulk(round).await;
    }
    let (backup, earlier) = (stage.path("backup"), stage.path("earlier"));
    stage.back_up("earlier");
    for delay_ms in [0, 5, 10, 15, 20, 30, 40, 60, 80] {
        if delay_ms % 20 == 0 {
            fs::copy(&earlier, &backup).expect("copied");
        } else if backup.exists() {
            fs::remove_file(&backup).expect("removed");
        }
        let mut copying = stage.service.command(&["backup", shown(&backup)]).spawn().expect("the program");
        tokio::time::sleep(Duration::from_millis(delay_ms)).await;
        copying.kill().expect("killed");
        copying.wait().expect("ended");
        if backup.exists() {
            let (code, said) =
                run(&mut radar(&url(&stage.path("restored.db")), &["restore", "--replace", shown(&backup)]));
            assert_eq!(code, Some(0), "{said}");
        }
    }
    assert_sound(&stage.back_up("backup"));
    assert!(!stage.path("backup.partial").exists());
}

#[actix_web::test]
async fn a_restore_that_is_cut_off_leaves_the_old_database_or_the_new_one() {
    let mut stage = Stage::start().await;
    for round in 0..10 {
        stage.bulk(round).await;
    }
    let backup = stage.back_up("backup");
    stage.bulk(10).await;
    stage.service.kill();
    let database = url(&stage.database());
    for delay_ms in (0..160).step_by(8) {
        let restore = ["restore", "--replace", shown(&backup)];
        let mut restoring = radar(&database, &restore).spawn().expect("the program");
        tokio::time::sleep(Duration::from_millis(delay_ms)).await;
        restoring.kill().expect("killed");
        restoring.wait().expect("ended");
        // The old one without its log, for a moment between two names: it is not taken for whole.
        let (code, said) = run(&mut radar(&database, &["ledger", "verify"]));
        assert!(code == Some(3) || code == Some(0) && said.contains("all sound"), "{code:?} {said}");
        if code == Some(3) {
            assert_eq!(run(&mut radar(&database, &restore)).0, Some(0));
        }
        assert!(fs::metadata(stage.database()).is_ok_and(|file| file.len() > 0), "an empty one would be served");
    }
    // On a slow machine all of them may have ended before they put the old one aside.
    let (code, said) = run(&mut radar(&database, &["restore", "--replace", shown(&backup)]));
    assert_eq!(code, Some(0), "{said}");
    assert_sound(&stage.path("radar.db.replaced-1"));
    stage.service.restart();
    stage.bulk(11).await;
}

#[actix_web::test]
async fn a_disk_that_fails_leaves_the_earlier_backup_and_the_database() {
    let Some(disk) = FailingDisk::new() else { return };
    let mut stage = Stage::start().await;
    stage.bulk(0).await;
    let first = stage.back_up("backup");
    stage.bulk(1).await;
    let [backup, database] = ["backup", "radar.db"].map(|name| disk.path().join(name));
    fs::copy(&first, &backup).expect("copied");
    let (code, said) = run(&mut radar(&url(&database), &["restore", shown(&first)]));
    assert_eq!(code, Some(0), "{said}");
    let before = contents(&disk.path());
    for failure in Failure::ALL {
        disk.fail(failure);
        for arguments in [["backup", shown(&backup), "--json"], ["restore", shown(&first), "--replace"]] {
            let mut command = match arguments[0] {
                "backup" => stage.service.command(&arguments),
                _ => radar(&url(&database), &arguments),
            };
            let (code, said) = run(command.envs(disk.environment(&disk.path())));
            assert_eq!((code, said.lines().count()), (Some(1), 1), "{failure:?} {arguments:?}: {said}");
        }
        disk.heal();
        let after: Vec<_> =
            contents(&disk.path()).into_iter().filter(|(path, _)| !shown(path).contains(".replaced-")).collect();
        assert_eq!(
            after.len(),
            before.len(),
            "{failure:?}: {:?}",
            after.iter().map(|(path, _)| path).collect::<Vec<_>>()
        );
        for ((path, now), (_, then)) in
            after.iter().zip(&before).filter(|((path, _), _)| !shown(path).ends_with(".lock"))
        {
            assert_eq!(now, then, "{failure:?}: {}", path.display());
        }
    }
    assert_sound(&database);
    stage.service.kill();
}

#[actix_web::test]
async fn a_backup_that_was_damaged_cut_or_crafted_is_refused_and_the_database_stays() {
    let mut stage = Stage::start().await;
    stage.bulk(0).await;
    let backup = stage.back_up("backup");
    stage.service.kill();
    let crafted = stage.path("crafted");
    let whole = fs::read(&backup).expect("read");
    let before = contents(stage.folder.path());
    let assert_refused = |why: &str| {
        assert_refused(&mut radar(&url(&stage.database()), &["restore", "--replace", shown(&crafted)]), why);
        fs::remove_file(&crafted).expect("removed");
        let after = contents(stage.folder.path());
        assert_eq!(
            after.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            before.iter().map(|(path, _)| path).collect::<Vec<_>>()
        );
        assert!(after == before, "{why}: a file has changed");
    };
    let mut dice = Dice::new(7);
    for _ in 0..24 {
        let mut flipped = whole.clone();
        let at = dice.below(flipped.len() as u64) as usize;
        flipped[at] ^= 1 << dice.below(8);
        fs::write(&crafted, flipped).expect("written");
        assert_refused("radar:");
        fs::write(&crafted, &whole[..dice.below(whole.len() as u64) as usize]).expect("written");
        assert_refused("its end is missing");
    }
    for (statement, why) in [
        ("create trigger t after insert on setting begin delete from account; end", "trigger t"),
        ("create view v as select * from account", "view v"),
        ("create virtual table f using fts5(words)", "table f"),
        ("create table other (one integer)", "table other"),
        ("drop trigger ledger_tx_no_update", "trigger ledger_tx_no_update"),
        (
            "pragma writable_schema = on; update sqlite_schema set sql = replace(sql, 'append-only', 'mine')",
            "its schema",
        ),
        ("pragma application_id = 7", "another program"),
        (
            "update setting set value = 'in use: the file of the same name ending in -wal belongs beside this one' where name = 'database_log'",
            "not whole",
        ),
        ("pragma journal_mode = wal", "not a whole SQLite file"),
        (
            "insert into seaql_migrations (version, applied_at) values ('m29990101_000001_later', 0)",
            "database is newer than this binary: m29990101_000001_later > m",
        ),
        (
            "update seaql_migrations set version = replace(version, 'm20261126', 'm20261121')",
            "made by an earlier development version and cannot be upgraded",
        ),
        (
            "pragma writable_schema = on; delete from sqlite_schema where name = (select name from sqlite_schema where type = 'index' and sql is not null limit 1)",
            "its schema",
        ),
    ] {
        fs::copy(&backup, &crafted).expect("copied");
        forge(&crafted, &[statement]).await;
        for ending in ["-wal", "-shm"] {
            drop(fs::remove_file(format!("{}{ending}", crafted.display())));
        }
        assert_refused(why);
    }
    let text = stage.database();
    fs::write(&crafted, "Dear Sir or Madam").expect("written");
    assert_refused("is not a backup");
    // What another program copied is not a backup of ours; it is put in place by hand.
    fs::copy(&text, &crafted).expect("copied");
    assert_refused("is not a backup");
    assert_sound(&stage.database());
}

#[actix_web::test]
async fn a_database_of_another_version_is_refused_in_plain_words() {
    on_both_databases(|database| async move {
        let made = run(&mut radar(database.url(), &["migrate"]));
        assert_eq!(made.0, Some(0), "{}", made.1);
        let later = "m29990101_000001_later";
        assert_version_refused(database.url(), later, &format!("database is newer than this binary: {later} > m2026"))
            .await;
        let earlier = "the database was made by an earlier development version and cannot be upgraded";
        assert_version_refused(database.url(), "m20261121_000001_settings", earlier).await;
    })
    .await;
}

/// That nothing works on a database that has had a migration more, and why.
async fn assert_version_refused(url: &str, migration: &str, why: &str) {
    let connection = sea_orm::Database::connect(url).await.expect("connected");
    let had = format!("insert into seaql_migrations (version, applied_at) values ('{migration}', 0)");
    sea_orm::ConnectionTrait::execute_unprepared(&connection, &had).await.expect("written");
    connection.close().await.expect("closed");
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, code) in [(&["serve"][..], 1), (&["migrate"], 1), (&["ledger", "verify"], 2)] {
        let (ended, said) = run(radar(url, arguments).current_dir(folder.path()));
        assert_eq!(ended, Some(code), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

#[actix_web::test]
async fn postgresql_is_backed_up_by_its_own_programs() {
    let Some(server) = Server::shared() else { return };
    let (from, to) = (server.create_database().await, server.create_database().await);
    let source = PushSource::of(&[REVIEWS]);
    let dir = source.dir();
    let settings = [("SOURCES__DIR", dir.as_str())];
    let service = Service::start(&from, &settings);
    let customer = paying_customer(&service).await;
    let created = customer.create_reviews_radar(&service, "a.com", None).await.expect_status(201);
    for command in ["backup", "restore"] {
        assert_refused(&mut radar(&from, &[command, "file"]), "pg_dump");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let dump = folder.path().join("radar.dump");
    let beside_the_server = programs().unwrap_or_default();
    let tool = |name: &str| match beside_the_server.join(name) {
        program if program.is_file() => Command::new(program),
        _ => Command::new(name),
    };
    // Both commands are those of docs/operations.md.
    let (code, said) = run(tool("pg_dump").args(["--format=custom", "--file", shown(&dump), "--dbname", &from]));
    assert_eq!(code, Some(0), "{said}");
    customer.create_reviews_radar(&service, "b.com", None).await.expect_status(201);
    let restore = ["--exit-on-error", "--single-transaction", "--no-owner", "--dbname", &to, shown(&dump)];
    let (code, said) = run(tool("pg_restore").args(restore));
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run(&mut radar(&to, &["ledger", "verify"]));
    assert!(code == Some(0) && said.contains("all sound"), "{said}");

    let restored = Service::start(&to, &settings);
    let path = format!("/v1/radars/{}", created.text("/data/radar_id"));
    customer.api(&restored).get(&path).await.expect_status(200);
    customer.create_reviews_radar(&restored, "c.com", None).await.expect_status(201);
    restored.assert_ledger_adds_up();
    drop((service, restored));
    server.drop_database(&from).await;
    server.drop_database(&to).await;
}
