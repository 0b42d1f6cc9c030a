//! The database, which is the truth.
//!
//! The only room that names sea-orm and the tables. [`commit`](Store::commit) is the one place where money, visibility or
//! a radar's life changes; besides, `claims` says how due work is claimed, `outbox` holds deliveries, `feeds` what is polled and for whom, `accounts` what
//! operators set, `nodes` which processes share it, `secrets` what is encrypted, `tables` the rows that commits write, `copies` whole copies, `queries` what is read, `reminders` what is due, `audit`
//! what must add up, and `database` the connections. Functions on customer data take the account first; those that read across accounts are named
//! `all_…`, or `any_…` where they read one row. Claims, feeds, retention and keys belong to the service: their functions take
//! no account on purpose. Never here: rules, HTTP, actors.

mod accounts;
mod audit;
mod claims;
mod commit;
mod copies;
mod database;
mod error;
pub mod faults;
mod feeds;
mod figures;
mod mail;
mod nodes;
mod offline;
mod outbox;
pub mod private_files;
mod queries;
mod reminders;
mod running;
mod secrets;
mod server;
mod tables;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use entity::feed;
use sea_orm::DatabaseConnection;

pub use accounts::api_keys::{ApiKey, KeyOwner};
pub use accounts::feed_addresses::FeedAddress;
pub use accounts::operator_actions::{ActionFilter, OperatorAction};
pub use accounts::portal_links::PortalLink;
pub use accounts::prices::OwnPrice;
pub use accounts::rate_budgets::CountedRequest;
pub use accounts::{Account, AccountChange, Freeze, NewAccount};
pub use audit::AuditedAccount;
pub use claims::{Claim, DueTable, NextDue};
pub use commit::{Committed, Decisions, Submission};
pub use config::Database as DatabaseSettings;
pub use copies::{Copied, back_up, restore};
pub use error::{Result, StoreError};
pub use feeds::FeedRow;
pub use feeds::attaching::WatchedType;
pub use feeds::claims::ClaimedFeed;
pub use feeds::log::{LogItem, NewLogItem};
pub use feeds::polls::PollRecord;
pub use feeds::preview_looks::PreviewLook;
pub use feeds::profiles::StoredProfile;
pub use feeds::readers::FeedReaders;
pub use feeds::set_ups::ClaimedSetUp;
pub use feeds::source_health::SourceState;
pub use feeds::unreachable::UnreachableRadar;
pub use figures::{FileSizes, PoolCounts};
pub use mail::{AskedToConfirm, ClaimedMail, MailAddress, NewMail, UNTOLD_MAX, Untold};
pub use nodes::{Heartbeat, Hints, HostTurn, Membership, Node};
pub use offline::{FileState, accept_loss, audit_all, examine, migrate};
pub use outbox::attempts::EndedAttempt;
pub use outbox::bodies::ALERTS;
pub use outbox::claimed_delivery::ClaimedDelivery;
pub use outbox::counts::OutboxCounts;
pub use outbox::deliveries::Claimed;
pub use outbox::endpoint_alerts::{EndpointAlerts, RenderEndpointAlert};
pub use outbox::hand_over::{Dispatch, HandOver};
pub use outbox::outlook::OutboxOutlook;
pub use outbox::recoveries::RecoveryStep;
pub use queries::approvals::ApprovalFilter;
pub use queries::evidence::{Evidence, PublishedFinding};
pub use queries::ledger::{AccountSummary, LedgerPage, Usage};
pub use queries::radar_search::FoundRadars;
pub use queries::radar_timeline::{RadarEvent, RadarEvents};
pub use queries::radars::{FeedCursor, RadarAndPause, RadarDetail};
pub use queries::updates::StoredUpdate;
pub use queries::watchers::Watchers;
pub use reminders::clock_steps::DeliveryWaits;
pub use reminders::retention::PurgedUpdates;
pub use reminders::{Overdue, Wake};
pub use secrets::encryption_keys::{KeySource, KeySourceError};
pub use secrets::key_rotation::KeyRotation;
pub use secrets::webhook_secrets::{DecryptedSecrets, EncryptedSecrets, Rotation};

use database::connection::Backend;
use database::deadline::Deadline;
use database::probe::WriteProbe;
use database::writer::Writer;

use crate::faults::Faults;
use accounts::rate_budgets::Counted;
use claims::GivenBack;
use clock::Clock;
use database::coalescer::Coalescer;
use database::leases::Leases;
use domain::account::{Alert, Render, Settings};
use domain::{DefaultPrices, FeedId, Radar, RadarId, RedeliveryLimits, WatchedTarget};
use feeds::polls::EndedPoll;
use queries::radar_cache::RadarCache;
use secrets::encryption_keys::Vault;

/// An open database. Cheap to share behind an `Arc`; all of its work keeps a simulated clock from moving.
pub struct Store {
    write: Writer,
    read: DatabaseConnection,
    probe: WriteProbe,
    deadline: Deadline,
    leases: Leases,
    membership: Membership,
    rules: StoreRules,
    vault: Vault,
    radars_by_id: Coalescer<RadarId, Option<RadarAndPause>>,
    watched_targets: Coalescer<WatchedTarget, BTreeMap<RadarId, Radar>>,
    ended_polls: Coalescer<EndedPoll, Option<i64>>,
    given_back: Coalescer<GivenBack, ()>,
    hints: Coalescer<DueTable, ()>,
    first_wakes: Coalescer<i64, Option<DateTime<Utc>>>,
    new_feeds: Coalescer<feed::Model, ()>,
    claims_for_set_ups: Coalescer<FeedId, Option<ClaimedFeed>>,
    counted_requests: Coalescer<CountedRequest, Counted>,
    /// On SQLite, where nobody else writes: what was read is kept until it changes.
    radar_cache: Option<RadarCache>,
    faults: Faults,
    /// Holds the lock of an SQLite file for as long as the store is open: a second process is refused.
    backend: Backend,
}

/// Turns an alert into its payload, once; the bytes are frozen from then on.
pub type RenderAlert = fn(&Alert) -> String;

/// What the store needs to know besides where the database is.
pub struct StoreRules {
    /// The operator's default prices.
    pub default_prices: DefaultPrices,
    /// How payloads are written.
    pub render: Render,
    /// How the payloads of alerts about accounts and radars are written.
    pub render_alert: RenderAlert,
    /// What the operator sets about money.
    pub money: Settings,
    /// How much may be sent again.
    pub redeliveries: RedeliveryLimits,
    /// Where the keys come from that secrets are encrypted with.
    pub secret_keys: Arc<dyn KeySource>,
}

impl Store {
    /// Opens the database, refuses to share an SQLite file, brings the schema up to date, and makes sure that the keys
    /// of its secrets are known.
    ///
    /// # Errors
    /// [`StoreError::Open`] with one sentence on what is wrong.
    pub async fn open(settings: &DatabaseSettings, rules: StoreRules, clock: Clock) -> Result<Self> {
        let opened = database::connection::open(settings).await?;
        let database::connection::Opened { write, read, backend } = opened;
        let is_server = matches!(backend, Backend::Postgres(_));
        let vault = secrets::encryption_keys::unlock(write.pool(), rules.secret_keys.clone()).await?;
        Ok(Self {
            write,
            read,
            probe: WriteProbe::default(),
            leases: Leases::new(clock.clone(), is_server),
            membership: Membership::new(clock.clone()),
            deadline: Deadline::new(clock, is_server),
            rules,
            vault,
            radars_by_id: Coalescer::new(),
            watched_targets: Coalescer::new(),
            ended_polls: Coalescer::new(),
            given_back: Coalescer::new(),
            hints: Coalescer::new(),
            first_wakes: Coalescer::new(),
            new_feeds: Coalescer::new(),
            claims_for_set_ups: Coalescer::new(),
            counted_requests: Coalescer::new(),
            radar_cache: (!is_server).then(RadarCache::default),
            faults: Faults::default(),
            backend,
        })
    }

    /// The same store with faults at named points, for tests.
    #[must_use]
    pub fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    /// Closes every connection; what is under way is finished first. An SQLite file is complete by itself afterwards.
    pub async fn close(&self) {
        self.write.close().await;
        if let Err(error) = self.read.close_by_ref().await {
            tracing::warn!(%error, "the database did not close cleanly");
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        Ok(self.deadline.io(self.read.ping()).await?)
    }
}

#[cfg(test)]
extern crate self as store;

#[cfg(test)]
#[path = "../../tests/support/commit_all.rs"]
mod commit_all;
#[cfg(test)]
#[path = "../../tests/support/no_dispatch.rs"]
mod no_dispatch;
#[cfg(test)]
#[path = "../../tests/support/sample_radar.rs"]
mod sample_radar;
