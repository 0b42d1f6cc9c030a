//! Many rows and many statements at once.

use futures_util::future::join;
use sea_orm::{ConnectionTrait, DbBackend, EntityName, EntityTrait, IdenStatic, Iterable, ModelTrait, Statement};

use super::if_present::IfPresent;
use super::statement::Sql;
use super::write_transaction::WriteTransaction;
use crate::Result;

/// How many rows one statement inserts at most: a power of two.
const ROWS_MAX: usize = 512;
/// Of so many rows a server gets as many lots of this size at once as there are; fewer are made up to one of few sizes.
const LOT: usize = 64;

/// Executes statements in their order.
pub(crate) async fn execute_all(
    transaction: &WriteTransaction,
    mut statements: impl Iterator<Item = Statement>,
) -> Result<()> {
    let mut next = statements.next();
    while let Some(statement) = next {
        // The database executes one while the next is put together.
        let (executed, following) = join(transaction.execute_raw(statement), async { statements.next() }).await;
        executed?;
        next = following;
    }
    Ok(())
}

/// Inserts rows at once, or does with those that are there what `if_present` says.
pub(crate) async fn insert<M: ModelTrait>(
    transaction: &WriteTransaction,
    rows: Vec<M>,
    if_present: IfPresent<M::Entity>,
) -> Result<()> {
    execute_all(transaction, insertions(transaction.get_database_backend(), rows, if_present)).await
}

/// Inserts one row, or does with one that is there what `if_present` says; how many rows that wrote.
pub(crate) async fn insert_one<M: ModelTrait>(
    connection: &impl ConnectionTrait,
    row: M,
    if_present: IfPresent<M::Entity>,
) -> Result<u64> {
    let statement = insertion(connection.get_database_backend(), &[row], &if_present);
    Ok(connection.execute_raw(statement).await?.rows_affected())
}

/// The statements that insert rows, or do with those that are there what `if_present` says.
///
/// The statements are the same again, so that the database has them prepared: a file takes the rows in lots of few sizes; a
/// server, to which each statement is a way there and back, takes them at once, where they are few with some repeated that it
/// leaves out.
pub(crate) fn insertions<M: ModelTrait>(
    backend: DbBackend,
    rows: Vec<M>,
    if_present: IfPresent<M::Entity>,
) -> impl Iterator<Item = Statement> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = &rows[from..];
        let last_power = rest.len().checked_ilog2()?;
        let count = match backend {
            DbBackend::Postgres if rest.len() < LOT => rest.len(),
            DbBackend::Postgres => (rest.len() / LOT * LOT).min(ROWS_MAX),
            _ => ROWS_MAX.min(1 << last_power),
        };
        from += count;
        Some(insertion(backend, &rest[..count], &if_present))
    })
}

fn insertion<M: ModelTrait>(backend: DbBackend, rows: &[M], if_present: &IfPresent<M::Entity>) -> Statement {
    let columns: Vec<_> = <M::Entity as EntityTrait>::Column::iter().collect();
    let names: Vec<&str> = columns.iter().map(IdenStatic::as_str).collect();
    // A failure undoes the whole transaction. By default SQLite copies every page that a statement changes, to be able
    // to undo that statement alone.
    let insert = if backend == DbBackend::Sqlite { "insert or fail into " } else { "insert into " };
    let mut sql = Sql::new(backend, insert);
    sql.push(M::Entity::default().table_name()).push(" (").push(&names.join(", ")).push(") ");
    let values_of = |row: &M| columns.iter().map(|column| row.get(*column)).collect::<Vec<_>>();
    if backend == DbBackend::Postgres && (2..LOT).contains(&rows.len()) {
        let repeated = rows.iter().chain(rows.last().into_iter().cycle()).take(room_for(rows.len()));
        sql.push("select * from (values ").bind_rows(repeated.map(values_of)).push(") as new_row limit ");
        sql.count(rows.len() as u64);
    } else {
        sql.push("values ").bind_rows(rows.iter().map(values_of));
    }
    sql.push(if_present.clause()).finish()
}

/// The next of few sizes that has room for `count` rows, a power of two or the middle between two: less than half of it is
/// more than is asked for.
fn room_for(count: usize) -> usize {
    let power = count.next_power_of_two();
    let middle = power / 4 * 3;
    if middle >= count { middle } else { power }
}

/// Longer lists are rare, and left as they are: a statement has room for 32,766 values.
const REPEATED_MAX: usize = 4096;

/// Repeats the last of `values` until their number is a power of two: lists that are looked in come in few lengths, and
/// the statements with them.
pub(crate) fn in_few_lengths<T: Clone>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    if let Some(last) = values.last().filter(|_| values.len() < REPEATED_MAX).cloned() {
        values.resize(values.len().next_power_of_two(), last);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{in_few_lengths, room_for};

    #[test]
    fn rows_have_room_in_one_of_few_sizes() {
        let rooms: Vec<usize> = (1..=17).map(room_for).collect();
        assert_eq!(rooms, [1, 2, 3, 4, 6, 6, 8, 8, 12, 12, 12, 12, 16, 16, 16, 16, 24]);
        assert_eq!([room_for(40), room_for(50), room_for(63)], [48, 64, 64]);
    }

    #[test]
    fn a_list_has_a_length_that_came_before() {
        assert_eq!(in_few_lengths([1, 2, 3, 4, 5]), [1, 2, 3, 4, 5, 5, 5, 5]);
        assert_eq!(in_few_lengths([1, 2]), [1, 2]);
        assert!(in_few_lengths::<i32>([]).is_empty());
    }
}
