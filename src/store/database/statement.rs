//! Statements in SQL. Their text is the same each time, so that the database knows it.
//!
//! Duty: values in their places, and rows as tuples. Never here: text that comes from outside; that is always bound.

use std::fmt::Write;
use std::mem::take;

use sea_orm::{
    ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, IdenStatic, Iterable, QueryResult, Statement, Value,
};

use super::columns::{FromRow, InColumn};
use crate::Result;

/// What stands in the place of a question mark in the words of a statement.
pub(crate) trait Parameter {
    /// Appends its place.
    fn append_to(self, sql: &mut Sql);
}

/// Parameters, in the order of their question marks.
pub(crate) trait Parameters {
    /// Appends each of them, and behind it what comes next of the words.
    fn append_to<'a>(self, sql: &mut Sql, words: impl Iterator<Item = &'a str>);
}

/// A list, in parentheses, as a parameter.
pub(crate) struct List<I>(pub(crate) I);

/// A statement in the making.
pub(crate) struct Sql {
    backend: DbBackend,
    text: String,
    values: Vec<Value>,
}

impl Sql {
    /// A statement in the words of `backend`, which begins with `words` of ours.
    pub(crate) fn new(backend: DbBackend, words: &str) -> Self {
        Self { backend, text: words.to_owned(), values: Vec::new() }
    }

    /// Appends words of ours, with `parameters` in the places of their question marks.
    pub(crate) fn add(&mut self, words: &str, parameters: impl Parameters) -> &mut Self {
        let mut words = words.split('?');
        self.push(words.next().unwrap_or_default());
        parameters.append_to(self, words);
        self
    }

    /// The same, unless there are no parameters.
    pub(crate) fn add_if_some(&mut self, words: &str, parameters: Option<impl Parameters>) -> &mut Self {
        if let Some(parameters) = parameters {
            self.add(words, parameters);
        }
        self
    }

    /// Appends words of ours.
    pub(crate) fn push(&mut self, words: &str) -> &mut Self {
        self.text.push_str(words);
        self
    }

    /// Appends the place of a value. SQLite looks up places that have a number one by one, so there they have none.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        match self.backend {
            // Writing to text does not fail.
            DbBackend::Postgres => drop(write!(self.text, "${}", self.values.len())),
            _ => self.text.push('?'),
        }
        self
    }

    /// Appends the place of a number of rows.
    pub(crate) fn count(&mut self, count: u64) -> &mut Self {
        self.bind(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// Appends the places of a list, in parentheses. Nothing is in an empty one.
    pub(crate) fn bind_list(&mut self, values: impl IntoIterator<Item = impl Into<Value>>) -> &mut Self {
        let mut before = "(";
        for value in values {
            self.push(before).bind(value);
            before = ", ";
        }
        self.push(if before == "(" { "(null)" } else { ")" })
    }

    /// Appends the places of rows, each as a list.
    pub(crate) fn bind_rows<V: Into<Value>>(
        &mut self,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = V>>,
    ) -> &mut Self {
        for (index, row) in rows.into_iter().enumerate() {
            self.push(if index == 0 { "" } else { ", " }).bind_list(row);
        }
        self
    }

    /// Whether it is in the words of a server.
    pub(crate) fn is_of_server(&self) -> bool {
        self.backend == DbBackend::Postgres
    }

    /// Appends a join, named `found`, with the rows of `table` that `conditions` find for each row before them: one look-up by
    /// index each. PostgreSQL takes a new table for a small one, and would keep a plan that reads all of it; SQLite
    /// keeps the order of a cross join.
    pub(crate) fn look_up(&mut self, table: &str, conditions: &str) -> &mut Self {
        let join = match self.backend {
            DbBackend::Postgres => {
                format!(" cross join lateral (select * from {table} where {conditions} offset 0) found")
            }
            _ => format!(" cross join {table} found where {conditions}"),
        };
        self.push(&join)
    }

    /// Appends that a column, which is compared byte by byte, stands before all that begins with `text` has ended.
    pub(crate) fn before_end_of(&mut self, column: &str, text: &str) -> &mut Self {
        self.push(" and ").push(column).push(" < ").bind(format!("{text}{}", char::MAX))
    }

    /// Appends the name of the function that answers the largest of its arguments.
    pub(crate) fn larger(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { "greatest" } else { "max" })
    }

    /// Appends that the rows are locked, but for those that somebody else holds. A file has one writer at a time anyway.
    pub(crate) fn lock_skipping(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { " for update skip locked" } else { "" })
    }

    /// Appends that the rows are not changed until the transaction ends.
    pub(crate) fn lock_shared(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { " for share" } else { "" })
    }

    /// Appends that the rows are locked, but for those who only hold their keys.
    pub(crate) fn lock_no_key(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { " for no key update" } else { "" })
    }

    /// Appends that the rows cannot be removed until the transaction ends; they can be changed meanwhile, but for their keys.
    pub(crate) fn hold_key(&mut self) -> &mut Self {
        self.push(if self.backend == DbBackend::Postgres { " for key share" } else { "" })
    }

    /// The words of a statement without values.
    pub(crate) fn bare(&self) -> Option<&str> {
        self.values.is_empty().then_some(&self.text)
    }

    /// The same of the rows of one table among several.
    pub(crate) fn hold_key_of(&mut self, table: &str) -> &mut Self {
        if self.backend == DbBackend::Postgres { self.push(&format!(" for key share of {table}")) } else { self }
    }

    /// The statement, ready to run.
    pub(crate) fn finish(&mut self) -> Statement {
        Statement::from_sql_and_values(self.backend, take(&mut self.text), take(&mut self.values))
    }

    /// Runs the statement; the rows that it answers, each as the values of its columns in their order.
    pub(crate) async fn all<T: FromRow>(&mut self, connection: &impl ConnectionTrait) -> Result<Vec<T>> {
        self.rows(connection).await?.iter().map(|row| T::from_row(row, &mut 0)).collect()
    }

    /// Runs the statement; the first row that it answers, if there is one.
    pub(crate) async fn first<T: FromRow>(&mut self, connection: &impl ConnectionTrait) -> Result<Option<T>> {
        Ok(self.all(connection).await?.into_iter().next())
    }

    /// Runs the statement; the rows that it answers.
    pub(crate) async fn rows(&mut self, connection: &impl ConnectionTrait) -> Result<Vec<QueryResult>> {
        Ok(connection.query_all_raw(self.finish()).await?)
    }

    /// Runs the statement; the rows that it answers, each as a whole, by the names of their columns.
    pub(crate) async fn models<M: FromQueryResult>(&mut self, connection: &impl ConnectionTrait) -> Result<Vec<M>> {
        Ok(M::find_by_statement(self.finish()).all(connection).await?)
    }

    /// Runs the statement; how many rows it has changed.
    pub(crate) async fn run(&mut self, connection: &impl ConnectionTrait) -> Result<u64> {
        Ok(connection.execute_raw(self.finish()).await?.rows_affected())
    }
}

/// Where statements are run.
pub(crate) trait Statements {
    /// A statement that begins with `words`.
    fn sql(&self, words: &str) -> Sql;

    /// A statement that begins with `words`, and with `parameters` in the places of their question marks.
    fn sql_with(&self, words: &str, parameters: impl Parameters) -> Sql {
        let mut sql = self.sql("");
        sql.add(words, parameters);
        sql
    }

    /// A statement that reads rows of a table as a whole; followed by what must hold of them. Their columns are named, so
    /// that it stays what it is when a later version adds one.
    fn rows_of<E: EntityTrait>(&self) -> Sql {
        let columns: Vec<E::Column> = E::Column::iter().collect();
        let names: Vec<&str> = columns.iter().map(IdenStatic::as_str).collect();
        self.sql(&format!("select {} from {} where ", names.join(", "), E::default().table_name()))
    }
}

/// Runs statements that are said in one go.
pub(crate) trait Run: ConnectionTrait + Sized {
    /// The rows that a statement answers.
    async fn all<T: FromRow>(&self, words: &str, parameters: impl Parameters) -> Result<Vec<T>> {
        self.sql_with(words, parameters).all(self).await
    }

    /// The first row that a statement answers, if there is one.
    async fn first<T: FromRow>(&self, words: &str, parameters: impl Parameters) -> Result<Option<T>> {
        self.sql_with(words, parameters).first(self).await
    }

    /// The rows of a table of which `condition` holds, in the order that it asks for.
    async fn rows_where<E: EntityTrait>(&self, condition: &str, parameters: impl Parameters) -> Result<Vec<E::Model>> {
        self.rows_of::<E>().add(condition, parameters).models(self).await
    }

    /// How many rows a statement has changed.
    async fn run(&self, words: &str, parameters: impl Parameters) -> Result<u64> {
        self.sql_with(words, parameters).run(self).await
    }
}

impl<C: ConnectionTrait> Run for C {}

impl<C: ConnectionTrait> Statements for C {
    fn sql(&self, words: &str) -> Sql {
        Sql::new(self.get_database_backend(), words)
    }
}

impl<T: InColumn<Column: Into<Value>>> Parameter for T {
    fn append_to(self, sql: &mut Sql) {
        sql.bind(self.write());
    }
}

impl Parameter for &str {
    fn append_to(self, sql: &mut Sql) {
        sql.bind(self);
    }
}

impl Parameter for Option<&str> {
    fn append_to(self, sql: &mut Sql) {
        sql.bind(self);
    }
}

impl<I: IntoIterator<Item: Into<Value>>> Parameter for List<I> {
    fn append_to(self, sql: &mut Sql) {
        sql.bind_list(self.0);
    }
}

impl<T: Parameter> Parameters for T {
    fn append_to<'a>(self, sql: &mut Sql, mut words: impl Iterator<Item = &'a str>) {
        Parameter::append_to(self, sql);
        sql.push(words.next().unwrap_or_default());
    }
}

impl Parameters for () {
    fn append_to<'a>(self, _: &mut Sql, _: impl Iterator<Item = &'a str>) {}
}

macro_rules! tuples {
    ($(($($kind:ident $parameter:ident),*))+) => { $(
        impl<$($kind: Parameter),*> Parameters for ($($kind,)*) {
            fn append_to<'a>(self, sql: &mut Sql, mut words: impl Iterator<Item = &'a str>) {
                let ($($parameter,)*) = self;
                $(Parameters::append_to($parameter, sql, &mut words);)*
            }
        }
    )+ };
}

tuples! {
    (A a, B b) (A a, B b, C c) (A a, B b, C c, D d) (A a, B b, C c, D d, E e) (A a, B b, C c, D d, E e, F f)
    (A a, B b, C c, D d, E e, F f, G g) (A a, B b, C c, D d, E e, F f, G g, H h)
    (A a, B b, C c, D d, E e, F f, G g, H h, I i) (A a, B b, C c, D d, E e, F f, G g, H h, I i, J j)
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;

    use super::{List, Sql};

    #[test]
    fn each_database_gets_its_own_places() {
        let text = |backend| {
            let mut sql = Sql::new(backend, "select 1 where a = ");
            sql.bind(1_i64).push(" and b in ").bind_list(["x", "y"]);
            let statement = sql.finish();
            (statement.sql, statement.values.map(|values| values.0.len()))
        };
        assert_eq!(text(DbBackend::Sqlite), ("select 1 where a = ? and b in (?, ?)".to_owned(), Some(3)));
        assert_eq!(text(DbBackend::Postgres), ("select 1 where a = $1 and b in ($2, $3)".to_owned(), Some(3)));
        let mut sql = Sql::new(DbBackend::Postgres, "select 1 where ");
        let said = sql.add("a = ? and b in ? and c = ?", (1_i64, List(["x", "y"]), "z")).finish();
        assert_eq!(said.sql, "select 1 where a = $1 and b in ($2, $3) and c = $4");
        let none = Sql::new(DbBackend::Sqlite, "select 1 where a in ").bind_list([0_i64; 0]).finish();
        assert_eq!(none.sql, "select 1 where a in (null)");
    }
}
