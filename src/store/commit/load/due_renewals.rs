//! The renewals that a commit decides: the oldest of each of its accounts, in a fair share.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use entity::radar;
use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, Statement};
use uuid::Uuid;

use crate::StoreError;
use crate::database::rows;
use crate::database::statement::{Sql, in_few_lengths};
use crate::database::write_transaction::WriteTransaction;
use crate::tables::radars;
use domain::account::Loaded;

/// Fills in what is due in the accounts of a commit, at most `renewals_max` in all of them together (but one in each):
/// one that has a thousand renewals due does not keep the others from theirs.
pub(crate) async fn load(
    transaction: &WriteTransaction,
    loaded: &mut BTreeMap<Uuid, Loaded>,
    now: DateTime<Utc>,
    renewals_max: usize,
) -> Result<(), StoreError> {
    let share = (renewals_max / loaded.len().max(1)).max(1);
    let ids: Vec<Uuid> = loaded.keys().copied().collect();
    let statement = oldest(transaction.get_database_backend(), &ids, now, share + 1);
    for row in radar::Entity::find().from_raw_sql(statement).all(transaction).await? {
        let Some(state) = loaded.get_mut(&row.account_id) else { continue };
        if state.due_renewals.len() < share {
            let radar = radars::radar(row)?;
            state.due_renewals.push(radar.radar_id);
            state.radars.insert(radar.radar_id, radar);
        } else {
            state.more_renewals_from = rows::instant_option("radar", row.next_charge_at)?;
        }
    }
    Ok(())
}

/// The oldest `limit` due renewals of each account, in order. The form differs by database, so that each reads no more of
/// the index than these rows.
fn oldest(backend: DbBackend, accounts: &[Uuid], now: DateTime<Utc>, limit: usize) -> Statement {
    let mut sql = Sql::new(backend, "select radar.* from account join radar on radar.radar_id ");
    let (before, after) = if backend == DbBackend::Postgres { ("= any (array(", "))") } else { ("in (", ")") };
    sql.push(before).push(
        "select due.radar_id from radar due where due.account_id = account.account_id and due.next_charge_at <= ",
    );
    sql.bind(now.timestamp_micros()).push(" order by due.next_charge_at, due.radar_id limit ");
    sql.count(limit as u64).push(after).push(" where account.account_id in ");
    sql.bind_list(in_few_lengths(accounts.iter().copied()));
    sql.push(" order by radar.next_charge_at, radar.radar_id");
    sql.finish()
}
