//! Statements that are put together by hand, where the text must be the same again so that the database knows it.
//!
//! Duty: values in their places. Never here: text that comes from outside; that is always bound.

use std::fmt::Write;

use sea_orm::{DbBackend, Statement, Value};

/// A statement in the making.
pub(in crate::store) struct Sql {
    backend: DbBackend,
    text: String,
    values: Vec<Value>,
}

impl Sql {
    /// An empty statement in the words of `backend`.
    pub(in crate::store) fn new(backend: DbBackend) -> Self {
        Self { backend, text: String::new(), values: Vec::new() }
    }

    /// Appends words of ours.
    pub(in crate::store) fn push(&mut self, words: &str) -> &mut Self {
        self.text.push_str(words);
        self
    }

    /// Appends the place of a value. SQLite looks up places that have a number one by one, so there they have none.
    pub(in crate::store) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        match self.backend {
            // Writing to text does not fail.
            DbBackend::Postgres => drop(write!(self.text, "${}", self.values.len())),
            _ => self.text.push('?'),
        }
        self
    }

    /// Appends the places of a list, in parentheses.
    pub(in crate::store) fn bind_list(&mut self, values: impl IntoIterator<Item = impl Into<Value>>) -> &mut Self {
        for (index, value) in values.into_iter().enumerate() {
            self.push(if index == 0 { "(" } else { ", " }).bind(value);
        }
        self.push(")")
    }

    /// Appends a join, named `found`, with the rows of `table` that `conditions` find for each row before them: one look-up by
    /// index each. PostgreSQL takes a new table for a small one, and would keep a plan that reads all of it; SQLite
    /// keeps the order of a cross join.
    pub(in crate::store) fn look_up(&mut self, table: &str, conditions: &str) -> &mut Self {
        let join = match self.backend {
            DbBackend::Postgres => {
                format!(" cross join lateral (select * from {table} where {conditions} offset 0) found")
            }
            _ => format!(" cross join {table} found where {conditions}"),
        };
        self.push(&join)
    }

    /// Appends the name of the function that answers the largest of its arguments.
    pub(in crate::store) fn larger(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { "greatest" } else { "max" })
    }

    /// Appends that the rows are locked. A file has one writer at a time anyway.
    pub(in crate::store) fn lock(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { " for update" } else { "" })
    }

    /// Appends that the rows are locked, but for those that somebody else holds.
    pub(in crate::store) fn lock_skipping(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { " for update skip locked" } else { "" })
    }

    /// The statement, ready to run.
    pub(in crate::store) fn finish(self) -> Statement {
        Statement::from_sql_and_values(self.backend, self.text, self.values)
    }
}

/// Longer lists are rare, and left as they are: a statement has room for 32,766 values.
const REPEATED_MAX: usize = 4096;

/// Repeats the last of `values` until their number is a power of two: lists that are looked in come in few lengths, and
/// the statements with them.
pub(in crate::store) fn in_few_lengths<T: Clone>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    if let Some(last) = values.last().filter(|_| values.len() < REPEATED_MAX).cloned() {
        values.resize(values.len().next_power_of_two(), last);
    }
    values
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;

    use super::{Sql, in_few_lengths};

    #[test]
    fn each_database_gets_its_own_places() {
        let text = |backend| {
            let mut sql = Sql::new(backend);
            sql.push("select 1 where a = ").bind(1_i64).push(" and b in ").bind_list(["x", "y"]);
            let statement = sql.finish();
            (statement.sql, statement.values.map(|values| values.0.len()))
        };
        assert_eq!(text(DbBackend::Sqlite), ("select 1 where a = ? and b in (?, ?)".to_owned(), Some(3)));
        assert_eq!(text(DbBackend::Postgres), ("select 1 where a = $1 and b in ($2, $3)".to_owned(), Some(3)));
    }

    #[test]
    fn a_list_has_a_length_that_came_before() {
        assert_eq!(in_few_lengths([1, 2, 3, 4, 5]), [1, 2, 3, 4, 5, 5, 5, 5]);
        assert_eq!(in_few_lengths([1, 2]), [1, 2]);
        assert!(in_few_lengths::<i32>([]).is_empty());
    }
}
