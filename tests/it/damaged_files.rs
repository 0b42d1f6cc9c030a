//! Bits that flip and files that are cut short, at many places from a seed: told, or nothing that counts has changed.
//!
//! What is told of a database: whatever SQLite finds in its pages, rows and indexes, and whatever the hashes and sums of the
//! ledger do not allow. A bit in a text of a row that is in no index and not of the ledger is not seen. Of a log every bit of
//! a commit is told, as long as its index is beside it, and without that every bit but those of the last commit, and a cut
//! before the end of the first. Of a backup every bit (`backup.rs`).

use std::fs;
use std::path::Path;

use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, AssertSqlSafe, ConnectOptions, Connection};
use store::{self, DatabaseSettings};

use crate::backup::Stage;
use crate::support::dice::{Dice, number_from};
use crate::support::process::radar;

/// What the ledger's hashes and sums cover.
const COVERED: [&str; 3] = ["ledger_tx", "ledger_entry", "lot"];
/// Bits that are flipped in each file, and places at which it is cut.
const FLIPS: u64 = 150;
const CUTS: u64 = 15;
/// Bytes of a log before its first frame.
const LOG_HEADER: usize = 32;

/// The files of a database, as bytes; those that are missing are empty.
#[derive(Clone)]
struct Files {
    database: Vec<u8>,
    log: Vec<u8>,
    index: Vec<u8>,
}

impl Files {
    fn read(database: &Path) -> Self {
        let read = |ending: &str| fs::read(format!("{}{ending}", database.display())).unwrap_or_default();
        Self { database: read(""), log: read("-wal"), index: read("-shm") }
    }

    fn write(&self, database: &Path) {
        for (ending, bytes) in [("", &self.database), ("-wal", &self.log), ("-shm", &self.index)] {
            let path = format!("{}{ending}", database.display());
            match bytes.is_empty() {
                true => drop(fs::remove_file(path)),
                false => fs::write(path, bytes).expect("written"),
            }
        }
    }

    /// What `radar ledger verify` tells of them, in a folder of their own; `None` for nothing.
    async fn told(&self) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("radar.db");
        self.write(&database);
        let settings = DatabaseSettings { url: format!("sqlite://{}", database.display()), max_connections: 1 };
        let state = match store::examine(&settings).await {
            Ok(state) => state,
            Err(error) => return Some(error.to_string()),
        };
        if let Some(problem) = state.damage.or(state.missing_log) {
            return Some(problem);
        }
        let mut discrepancies = Vec::new();
        let audited = store::audit_all(&settings, None, |account| discrepancies.extend(account.discrepancies)).await;
        match audited {
            Err(error) => Some(error.to_string()),
            Ok(()) => discrepancies.first().map(ToString::to_string),
        }
    }

    /// Every row of some tables, or of all.
    async fn rows(&self, only: Option<&[&str]>) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("radar.db");
        self.write(&database);
        let mut connection = SqliteConnectOptions::new().filename(&database).connect().await.expect("opened");
        let tables = "select name from sqlite_schema where type = 'table' order by name";
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await.expect("tables");
        let mut all = Vec::new();
        for table in tables.iter().filter(|table| only.is_none_or(|only| only.contains(&table.as_str()))) {
            let columns =
                format!("select group_concat('quote(\"' || name || '\")', '||') from pragma_table_info('{table}')");
            let columns: String =
                sqlx::query_scalar(AssertSqlSafe(columns)).fetch_one(&mut connection).await.expect("columns");
            let rows = format!("select '{table} ' || {columns} from \"{table}\" order by 1");
            let rows = sqlx::query_scalar(AssertSqlSafe(rows)).fetch_all(&mut connection).await;
            all.extend::<Vec<String>>(rows.unwrap_or_else(|error| vec![error.to_string()]));
        }
        connection.close().await.expect("closed");
        all
    }
}

/// A service that has written for a customer.
async fn stage() -> Stage {
    let stage = Stage::start().await;
    for number in 0..12 {
        stage.customer.top_up(&stage.service, &format!("payment {number}"), "7").await;
        let domain = format!("company-{number}.com");
        stage.customer.create_reviews_radar(&stage.service, &domain, None).await.expect_status(201);
    }
    stage
}

fn flip(bytes: &mut [u8], dice: &mut Dice) -> usize {
    let at = dice.below(bytes.len() as u64) as usize;
    bytes[at] ^= 1 << dice.below(8);
    at
}

#[actix_web::test]
async fn damage_to_a_database_is_told_or_the_ledger_is_intact() {
    let mut stage = stage().await;
    assert!(stage.service.terminate().success());
    let whole = Files::read(&stage.database());
    assert_eq!(whole.told().await, None);
    let rows = whole.rows(Some(&COVERED)).await;
    let seed = number_from("DAMAGE_SEED", 1);
    let mut dice = Dice::new(seed);
    let mut told = 0;
    for number in 0..FLIPS {
        let mut damaged = whole.clone();
        let at = flip(&mut damaged.database, &mut dice);
        match damaged.told().await {
            Some(_) => told += 1,
            None => assert_eq!(damaged.rows(Some(&COVERED)).await, rows, "seed {seed}, flip {number}, byte {at}"),
        }
    }
    println!("{told} of {FLIPS} flipped bits told");
    for _ in 0..CUTS {
        let mut cut = whole.clone();
        cut.database.truncate(dice.below(whole.database.len() as u64) as usize);
        let bytes = cut.database.len();
        assert!(cut.told().await.is_some(), "seed {seed}: cut to {bytes} bytes");
    }

    // The service does not start on what SQLite finds damaged.
    let mut cut = whole.clone();
    cut.database.truncate(whole.database.len() / 2);
    cut.write(&stage.database());
    let output = stage.service.command(&["serve"]).output().expect("the program");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("database.url"), "{error}");
}

#[actix_web::test]
async fn damage_to_a_log_is_told_or_no_commit_is_lost() {
    let mut stage = stage().await;
    stage.service.kill();
    let whole = Files::read(&stage.database());
    assert_eq!(whole.told().await, None);
    let rows = whole.rows(None).await;
    let seed = number_from("DAMAGE_SEED", 1);
    let mut dice = Dice::new(seed);
    for number in 0..FLIPS {
        let mut damaged = whole.clone();
        let at = flip(&mut damaged.log, &mut dice);
        if damaged.told().await.is_none() {
            assert_eq!(damaged.rows(None).await, rows, "seed {seed}, flip {number}, byte {at}");
        }
        // Without its index only the last commit may be taken for a write that was cut off.
        let mut damaged = Files { index: Vec::new(), ..whole.clone() };
        let half = whole.log.len() / 2;
        let at = flip(&mut damaged.log[..half], &mut dice);
        if damaged.told().await.is_none() {
            assert_eq!(damaged.rows(None).await, rows, "seed {seed}, flip {number}, byte {at}, without an index");
        }
    }
    for _ in 0..CUTS {
        let mut cut = whole.clone();
        cut.log.truncate(dice.below(whole.log.len() as u64) as usize);
        if cut.told().await.is_none() {
            assert_eq!(cut.rows(None).await, rows, "seed {seed}: cut to {} bytes", cut.log.len());
        }
    }
    // Without its index a log is missed in which no commit is left.
    for bytes in [1, 31, LOG_HEADER, LOG_HEADER + 1, 4_000] {
        let mut cut = Files { index: Vec::new(), ..whole.clone() };
        cut.log.truncate(bytes);
        let told = cut.told().await.unwrap_or_else(|| panic!("cut to {bytes} bytes"));
        assert!(told.contains("radar.db-wal"), "{told}");
    }

    let mut damaged = whole.clone();
    damaged.log[100] ^= 1;
    damaged.write(&stage.database());
    let url = format!("sqlite://{}", stage.database().display());
    let output = radar(&url, &["ledger", "verify"]).output().expect("the program");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let output = stage.service.command(&["serve"]).output().expect("the program");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("radar.db-wal is damaged") && error.contains("--accept-loss"), "{error}");
    whole.write(&stage.database());
    stage.service.restart();
}
