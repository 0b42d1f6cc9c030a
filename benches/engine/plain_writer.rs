//! What straight code writes that knows the rows in advance: no rules, no reading, statements that never change.

use std::collections::HashMap;

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DatabaseTransaction, DbBackend, EntityName,
    EntityTrait, IdenStatic, Iterable, ModelTrait, SqliteTransactionMode, Statement, TransactionOptions,
    TransactionTrait,
};

use crate::support::postgres::Server;
use crate::support::test_database::TestDatabase;

/// An empty database without a schema, of the same kind as another.
pub struct EmptyDatabase {
    database: TestDatabase,
    /// The server that is to remove it; `None` for a file.
    server: Option<&'static Server>,
}

/// Makes an empty database.
pub async fn empty_like(database: &TestDatabase) -> EmptyDatabase {
    if database.url().starts_with("sqlite") {
        return EmptyDatabase { database: TestDatabase::sqlite(), server: None };
    }
    let server = Server::shared().expect("a server");
    EmptyDatabase { database: TestDatabase::at(&server.create_database().await), server: Some(server) }
}

impl EmptyDatabase {
    /// Its address.
    pub fn url(&self) -> &str {
        self.database.url()
    }

    /// Removes it.
    pub async fn remove(self) {
        if let Some(server) = self.server {
            server.drop_database(self.database.url()).await;
        }
    }
}

/// One connection, with settings as durable as those of the service.
pub struct PlainWriter {
    connection: DatabaseConnection,
    texts: Texts,
}

impl PlainWriter {
    /// Opens a database whose schema is there.
    pub async fn open(url: &str) -> Self {
        let mut options = ConnectOptions::new(url.to_owned());
        options.max_connections(1).sqlx_logging(false);
        let connection = Database::connect(options).await.expect("a database");
        if connection.get_database_backend() == DbBackend::Sqlite {
            connection.execute_unprepared("pragma synchronous = full").await.expect("a setting");
        }
        Self { texts: Texts::new(connection.get_database_backend()), connection }
    }

    /// The connection, for reading.
    pub fn connection(&self) -> &DatabaseConnection {
        &self.connection
    }

    /// Begins a transaction.
    pub async fn begin(&self) -> DatabaseTransaction {
        let is_sqlite = self.connection.get_database_backend() == DbBackend::Sqlite;
        let options = TransactionOptions {
            sqlite_transaction_mode: is_sqlite.then_some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        self.connection.begin_with_options(options).await.expect("a transaction")
    }

    /// Inserts rows in one statement; `on_conflict` follows it.
    pub async fn insert<M: ModelTrait>(&mut self, transaction: &DatabaseTransaction, rows: &[M], on_conflict: &str) {
        if let Some(statement) = self.texts.insert(rows, on_conflict) {
            transaction.execute_raw(statement).await.expect("inserted");
        }
    }
}

/// Statements whose texts do not change with the rows.
pub struct Texts {
    backend: DbBackend,
    texts: HashMap<(&'static str, usize), String>,
}

impl Texts {
    /// In the words of one kind of database.
    pub fn new(backend: DbBackend) -> Self {
        Self { backend, texts: HashMap::new() }
    }

    /// Inserts rows, if there are any; `on_conflict` follows it.
    pub fn insert<M: ModelTrait>(&mut self, rows: &[M], on_conflict: &str) -> Option<Statement> {
        if rows.is_empty() {
            return None;
        }
        let backend = self.backend;
        let columns: Vec<_> = <M::Entity as EntityTrait>::Column::iter().collect();
        let table = M::Entity::default().table_name();
        let text = self.texts.entry((table, rows.len())).or_insert_with(|| {
            let names: Vec<&str> = columns.iter().map(IdenStatic::as_str).collect();
            let place = |number: usize| if backend == DbBackend::Sqlite { "?".into() } else { format!("${number}") };
            let row = |row: usize| {
                let places: Vec<String> = (1..=names.len()).map(|column| place(row * names.len() + column)).collect();
                format!("({})", places.join(", "))
            };
            let places: Vec<String> = (0..rows.len()).map(row).collect();
            format!("insert into {table} ({}) values {} {on_conflict}", names.join(", "), places.join(", "))
        });
        let values = rows.iter().flat_map(|row| columns.iter().map(|column| row.get(*column)));
        Some(Statement::from_sql_and_values(backend, text.clone(), values))
    }
}
