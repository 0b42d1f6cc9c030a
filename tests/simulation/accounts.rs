//! What the database holds about one account, read beside the service, by a thread and a connection of its own.
//!
//! Reading happens inside the commit's own moment: the service's thread waits meanwhile, so that nothing is committed
//! between a commit and the look at it.

use std::sync::mpsc::{Sender, channel};
use std::thread;

use entity::{
    account, approval, balance_alert, bound_alert, delivery, endpoint, finding_seen, held_finding, ledger_entry,
    ledger_tx, lot, radar, radar_update, type_pause, usage_month,
};
use sea_orm::{
    ColumnTrait, ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbErr, EntityTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait,
};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// The rows of one account. Append-only tables may be left out up to a number.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    pub account: Option<account::Model>,
    pub lots: Vec<lot::Model>,
    pub radars: Vec<radar::Model>,
    pub held: Vec<held_finding::Model>,
    pub pauses: Vec<type_pause::Model>,
    pub usage: Vec<usage_month::Model>,
    pub endpoints: Vec<endpoint::Model>,
    pub approvals: Vec<approval::Model>,
    pub ledger_txs: Vec<ledger_tx::Model>,
    pub entries: Vec<ledger_entry::Model>,
    pub updates: Vec<radar_update::Model>,
    /// From the last known update on: alerts are numbered with the update that came before them.
    pub deliveries: Vec<delivery::Model>,
    pub alerts: Vec<balance_alert::Model>,
    pub bound_alerts: Vec<bound_alert::Model>,
    pub seen: Vec<finding_seen::Model>,
}

/// Which rows are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub account_id: Uuid,
    /// Ledger transactions after this number.
    pub after_tx: i64,
    /// Updates after this number.
    pub after_update: i64,
}

/// A question to the database, and the sending of its answer.
type Question = Box<dyn FnOnce(&Runtime, &DatabaseConnection) + Send>;

/// The reader.
pub struct Reader {
    questions: Sender<Question>,
}

impl Reader {
    /// A reader of the database at `url`.
    pub fn open(url: &str) -> Self {
        let (questions, asked) = channel::<Question>();
        let url = url.to_owned();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            let mut options = ConnectOptions::new(url);
            options.max_connections(1).sqlx_logging(false);
            let database = runtime.block_on(Database::connect(options)).expect("a second connection");
            asked.into_iter().for_each(|question| question(&runtime, &database));
            runtime.block_on(database.close()).expect("a clean end");
        });
        Self { questions }
    }

    /// The rows as they are now; the calling thread waits.
    pub fn read(&self, wanted: Wanted) -> Result<Accounts, String> {
        self.ask(async move |database| read(database, wanted).await)
    }

    /// Whether a process is among those that share the database; the calling thread waits.
    pub fn is_node(&self, node_id: Uuid) -> Result<bool, String> {
        let select = format!("select 1 from node where node_id = '{node_id}'");
        self.ask(async move |database| {
            let statement = sea_orm::Statement::from_string(database.get_database_backend(), select);
            Ok(database.query_one_raw(statement).await?.is_some())
        })
    }

    fn ask<T: Send + 'static>(
        &self,
        question: impl AsyncFnOnce(&DatabaseConnection) -> Result<T, DbErr> + Send + 'static,
    ) -> Result<T, String> {
        let (answering, answer) = channel();
        let question: Question = Box::new(move |runtime, database| {
            // Who asked waits for it.
            answering.send(runtime.block_on(question(database))).ok();
        });
        self.questions.send(question).map_err(|error| error.to_string())?;
        answer.recv().map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }
}

async fn read(database: &DatabaseConnection, wanted: Wanted) -> Result<Accounts, DbErr> {
    let Wanted { account_id: id, after_tx, after_update } = wanted;
    let own_radars = radar::Entity::find()
        .select_only()
        .column(radar::Column::RadarId)
        .filter(radar::Column::AccountId.eq(id))
        .into_query();
    Ok(Accounts {
        account: account::Entity::find_by_id(id).one(database).await?,
        lots: lot::Entity::find()
            .filter(lot::Column::AccountId.eq(id))
            .order_by_asc(lot::Column::LotNo)
            .all(database)
            .await?,
        radars: radar::Entity::find().filter(radar::Column::AccountId.eq(id)).all(database).await?,
        held: held_finding::Entity::find()
            .filter(held_finding::Column::AccountId.eq(id))
            .order_by_asc(held_finding::Column::HoldSeq)
            .all(database)
            .await?,
        pauses: type_pause::Entity::find().filter(type_pause::Column::AccountId.eq(id)).all(database).await?,
        usage: usage_month::Entity::find().filter(usage_month::Column::AccountId.eq(id)).all(database).await?,
        endpoints: endpoint::Entity::find().filter(endpoint::Column::AccountId.eq(id)).all(database).await?,
        ledger_txs: ledger_tx::Entity::find()
            .filter(ledger_tx::Column::AccountId.eq(id))
            .filter(ledger_tx::Column::TxSeq.gt(after_tx))
            .order_by_asc(ledger_tx::Column::TxSeq)
            .all(database)
            .await?,
        entries: ledger_entry::Entity::find()
            .filter(ledger_entry::Column::AccountId.eq(id))
            .filter(ledger_entry::Column::TxSeq.gt(after_tx))
            .order_by_asc(ledger_entry::Column::TxSeq)
            .order_by_asc(ledger_entry::Column::EntryNo)
            .all(database)
            .await?,
        updates: radar_update::Entity::find()
            .filter(radar_update::Column::AccountId.eq(id))
            .filter(radar_update::Column::UpdateSeq.gt(after_update))
            .order_by_asc(radar_update::Column::UpdateSeq)
            .all(database)
            .await?,
        deliveries: delivery::Entity::find()
            .filter(delivery::Column::AccountId.eq(id))
            .filter(delivery::Column::UpdateSeq.gte(after_update))
            .all(database)
            .await?,
        approvals: approval::Entity::find().filter(approval::Column::AccountId.eq(id)).all(database).await?,
        alerts: balance_alert::Entity::find()
            .filter(balance_alert::Column::AccountId.eq(id))
            .filter(balance_alert::Column::TxSeq.gt(after_tx))
            .all(database)
            .await?,
        bound_alerts: bound_alert::Entity::find().filter(bound_alert::Column::AccountId.eq(id)).all(database).await?,
        seen: finding_seen::Entity::find()
            .filter(finding_seen::Column::RadarId.in_subquery(own_radars))
            .all(database)
            .await?,
    })
}
