//! Tables that are partitioned by time on PostgreSQL, so that what is over goes with its partition and not row by row.
//!
//! The rows of an update lie in partitions of the same time: each table has a column with the instant of its publication.
//! The keys of a partition are its own and do not hold that instant, so they guard within a partition what those of a plain
//! table guard in all of it. What no partition was made for lies in the default one.

use sea_orm::prelude::{Date, DateTimeUtc};
use sea_orm::{ConnectionTrait, DbErr, Statement};

/// The tables, in the order in which they are locked, and the instant by which each is partitioned.
pub const TABLES: [(&str, &str); 3] =
    [("radar_update", "discovered_at"), ("delivery", "published_at"), ("attempt", "published_at")];

/// How long the time of a partition is: half of what updates are kept for by default. Three of them hold rows then, which
/// costs little to plan, and nothing stays for longer than half of its time once that is over.
pub const WIDTH_MICROS: i64 = 30 * 24 * 60 * 60 * 1_000_000;

/// The beginning of the partition that an instant falls into.
pub const fn start_of(micros: i64) -> i64 {
    micros.div_euclid(WIDTH_MICROS) * WIDTH_MICROS
}

/// The partition of a table that begins at `start`, by its day; `None` where no calendar has that.
pub fn name(table: &str, start: i64) -> Option<String> {
    Some(format!("{table}_{}", DateTimeUtc::from_timestamp_micros(start)?.format("%Y%m%d")))
}

/// When the partition of that name begins; `None` for another table.
pub fn start_in(name: &str) -> Option<i64> {
    let (_, day) = name.rsplit_once('_')?;
    Some(Date::parse_from_str(day, "%Y%m%d").ok()?.and_time(Default::default()).and_utc().timestamp_micros())
}

/// Makes the partitions that begin at `start`. What reads and writes others does not wait for it, but what reads the default
/// ones does at the end. It fails where those hold rows of that time.
pub async fn create(connection: &impl ConnectionTrait, start: i64) -> Result<(), DbErr> {
    let beyond = || DbErr::Custom(format!("no partition begins at {start}"));
    for (table, _) in TABLES {
        let name = name(table, start).ok_or_else(beyond)?;
        connection.execute_unprepared(&format!("create table {name} (like {table}_default including all)")).await?;
    }
    for (table, _) in TABLES {
        let (name, end) = (name(table, start).ok_or_else(beyond)?, start + WIDTH_MICROS);
        let attach = format!("alter table {table} attach partition {name} for values from ({start}) to ({end})");
        connection.execute_unprepared(&attach).await?;
    }
    Ok(())
}

/// Partitions the tables, with what they hold.
pub(crate) async fn convert(connection: &impl ConnectionTrait) -> Result<(), DbErr> {
    connection.execute_unprepared("set local statement_timeout = 0").await?;
    for (table, instant) in TABLES {
        for statement in [
            format!("alter table {table} rename to {table}_whole"),
            format!("create table {table} (like {table}_whole) partition by range ({instant})"),
            format!("create table {table}_default (like {table}_whole including all)"),
            format!("alter table {table} attach partition {table}_default default"),
        ] {
            connection.execute_unprepared(&statement).await?;
        }
    }
    // Processes of the version before go on writing meanwhile, and do not say of when.
    for table in ["delivery", "attempt"] {
        let now = "alter column published_at set default extract(epoch from now()) * 1000000";
        connection.execute_unprepared(&format!("alter table {table} {now}")).await?;
    }
    for start in starts(connection).await? {
        create(connection, start).await?;
    }
    for (table, _) in TABLES {
        connection.execute_unprepared(&format!("insert into {table} select * from {table}_whole")).await?;
        connection.execute_unprepared(&format!("drop table {table}_whole")).await?;
    }
    Ok(())
}

/// The beginnings of all partitions that the rows of the plain tables need.
async fn starts(connection: &impl ConnectionTrait) -> Result<Vec<i64>, DbErr> {
    let starts = TABLES.map(|(table, instant)| {
        format!("select div({instant}, {WIDTH_MICROS})::bigint * {WIDTH_MICROS} as start from {table}_whole")
    });
    let all = Statement::from_string(connection.get_database_backend(), starts.join(" union "));
    connection.query_all_raw(all).await?.iter().map(|row| row.try_get("", "start")).collect()
}
