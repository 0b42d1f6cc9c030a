//! Pages that cost the same however much is stored.
//!
//! A page is merged from streams. A stream is one range of one index, already in the order of the page, so that no more
//! is read of each than the page holds; a filter with several values is several streams. Which indexes there are says
//! `migration`.

use chrono::{DateTime, Utc};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use uuid::Uuid;

use crate::database::Sql;
use crate::{Result, Store};
use domain::RadarId;

/// The rows of a table, in the order of a page.
pub(super) struct Paged {
    /// The table.
    pub table: &'static str,
    /// What is answered of each row, which is called `found`.
    pub columns: &'static str,
    /// The column that names a row, at least within its account.
    pub key: &'static str,
    /// The columns that the page is ordered by, the key among them.
    pub ordered_by: &'static [&'static str],
    /// `asc` or `desc`.
    pub direction: &'static str,
}

/// Columns that have one value each in all rows of a stream.
pub(super) type Stream = Vec<(&'static str, Value)>;

/// All rows of an account, in one stream.
pub(crate) fn of_account(account_id: Uuid) -> Vec<Stream> {
    vec![vec![("account_id", account_id.into())]]
}

/// Every combination of `streams` with a value of `column`. No values: any value will do.
pub(super) fn crossed(
    streams: Vec<Stream>,
    column: &'static str,
    values: impl IntoIterator<Item = impl Into<Value>>,
) -> Vec<Stream> {
    let values: Vec<Value> = values.into_iter().map(Into::into).collect();
    if values.is_empty() {
        return streams;
    }
    let with = |stream: &Stream| {
        let stream = stream.clone();
        values.iter().map(move |value| stream.iter().cloned().chain([(column, value.clone())]).collect::<Stream>())
    };
    streams.iter().flat_map(with).collect()
}

/// Appends what holds of all rows of a stream.
pub(super) fn conditions(sql: &mut Sql, stream: &Stream) {
    for (index, (column, value)) in stream.iter().enumerate() {
        sql.push(if index == 0 { " where " } else { " and " }).push(column).push(" = ").bind(value.clone());
    }
}

/// Appends that a radar was created before the last one of the page before: its creation and itself.
pub(super) fn created_before(sql: &mut Sql, before: Option<(DateTime<Utc>, RadarId)>) {
    let place = before.map(|(created_at, radar_id)| (created_at, created_at, radar_id));
    sql.add_if_some(" and created_at <= ? and (created_at < ? or radar_id < ?)", place);
}

/// The statement that reads the first `limit` rows of `streams`, merged; `also` is written behind the conditions of each
/// stream. `account_id` is whose rows they are, where the key names a row within its account alone.
pub(super) fn page(
    backend: DbBackend,
    paged: &Paged,
    account_id: Option<Uuid>,
    streams: &[Stream],
    also: impl Fn(&mut Sql),
    limit: usize,
) -> Statement {
    let Paged { table, columns, key, ordered_by, direction } = paged;
    let ordered = |prefix: &str| {
        let order: Vec<String> = ordered_by.iter().map(|column| format!("{prefix}{column} {direction}")).collect();
        order.join(", ")
    };
    let place = ordered_by.join(", ");
    let order = ordered("");
    let limit = limit as u64;
    if let [stream] = streams {
        // Nothing to merge: to look its rows up once more would ask every partition for each of them.
        let mut sql = Sql::new(backend, &format!("select {columns} from {table} found"));
        conditions(&mut sql, stream);
        also(&mut sql);
        return sql.push(&format!(" order by {order} limit ")).count(limit).finish();
    }
    let mut sql = Sql::new(backend, &format!("select {columns} from (select {place} from ("));
    for (number, stream) in streams.iter().enumerate() {
        sql.push(if number == 0 { "" } else { " union all " });
        sql.push(&format!("select * from (select {place} from {table}"));
        conditions(&mut sql, stream);
        also(&mut sql);
        sql.push(&format!(" order by {order} limit ")).count(limit).push(&format!(") stream_{number}"));
    }
    // SQLite keeps the order of a cross join: the rows are looked up one by one, however many there are.
    sql.push(&format!(") merged order by {order} limit ")).count(limit);
    sql.push(&format!(") page cross join {table} found where "));
    sql.add_if_some("found.account_id = ? and ", account_id);
    sql.push(&format!("found.{key} = page.{key} order by {}", ordered("page.")));
    sql.finish()
}

/// The first `limit` of `found`, which may have one more, and whether it has.
pub(super) fn cut<T>(mut found: Vec<T>, limit: usize) -> (Vec<T>, bool) {
    let has_more = found.len() > limit;
    found.truncate(limit);
    (found, has_more)
}

impl Store {
    /// The rows that [`page`] reads, and whether more follow. Nothing is in no streams.
    pub(super) async fn read_page(
        &self,
        paged: &Paged,
        account_id: Option<Uuid>,
        streams: &[Stream],
        also: impl Fn(&mut Sql),
        limit: usize,
    ) -> Result<(Vec<QueryResult>, bool)> {
        if streams.is_empty() {
            return Ok((Vec::new(), false));
        }
        let page = page(self.read.get_database_backend(), paged, account_id, streams, also, limit + 1);
        Ok(cut(self.deadline.io(self.read.query_all_raw(page)).await?, limit))
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;
    use uuid::Uuid;

    use super::{Paged, crossed, page};

    #[test]
    fn filters_cross_and_an_empty_one_does_not_narrow() {
        let streams = crossed(vec![vec![]], "a", [1_i64, 2]);
        let streams = crossed(streams, "b", Vec::<i64>::new());
        let streams = crossed(streams, "c", ["x", "y", "z"]);
        assert_eq!(streams.len(), 6);
        assert_eq!(streams[4], vec![("a", 2_i64.into()), ("c", "y".into())]);
    }

    #[test]
    fn each_stream_is_cut_off_before_they_are_merged() {
        let paged = Paged { table: "t", columns: "found.v", key: "k", ordered_by: &["o", "k"], direction: "desc" };
        let streams = crossed(vec![vec![]], "a", [1_i64, 2]);
        let statement = page(
            DbBackend::Sqlite,
            &paged,
            Some(Uuid::nil()),
            &streams,
            |sql| {
                sql.push(" and k > 7");
            },
            5,
        );
        assert_eq!(
            statement.sql,
            "select found.v from (select o, k from (\
             select * from (select o, k from t where a = ? and k > 7 order by o desc, k desc limit ?) stream_0 \
             union all \
             select * from (select o, k from t where a = ? and k > 7 order by o desc, k desc limit ?) stream_1\
             ) merged order by o desc, k desc limit ?) page cross join t found \
             where found.account_id = ? and found.k = page.k order by page.o desc, page.k desc"
        );
        assert_eq!(statement.values.map(|values| values.0.len()), Some(6));
        let alone = page(DbBackend::Sqlite, &paged, Some(Uuid::nil()), &streams[..1], |_| (), 5);
        assert_eq!(alone.sql, "select found.v from t found where a = ? order by o desc, k desc limit ?");
    }
}
