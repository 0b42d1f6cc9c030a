//! What the radars of one process work with.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::feeds::ScannerHandle;
use crate::ledger::LedgerHandle;
use crate::radar::profiles::Profiles;
use crate::runtime::{ActorMetrics, Isolation};
use store::faults::Faults;
use tokio::sync::Semaphore;

use clock::Clock;
use outbound::fetch::Web;
use sources::Catalog;
use store::Store;

/// What radars and set-ups work with. Lives on the actors' thread.
pub struct RadarParts {
    /// The time.
    pub clock: Clock,
    /// The database.
    pub store: Arc<Store>,
    /// The only writer of money.
    pub ledger: LedgerHandle,
    /// Polls feeds.
    pub scanner: ScannerHandle,
    /// Fetches from targets.
    pub web: Web,
    /// What is known of companies.
    pub profiles: Profiles,
    /// The sources.
    pub catalog: Arc<Catalog>,
    /// The figures.
    pub actor_metrics: ActorMetrics,
    /// Injected faults, for tests.
    pub faults: Faults,
    /// Permits for turns: radars that are due in the same minute share the database.
    pub turns: Semaphore,
    /// Keeps everything else away while a suspect runs.
    pub isolation: Rc<Isolation>,
}

/// How far ahead reminders are read: radars that are due within it are at work, and wait for their instants.
pub(super) const WINDOW: Duration = Duration::from_secs(600);
/// A renewal may have left others due; they are read together with those of other accounts.
pub(super) const READ_AFTER: Duration = Duration::from_secs(1);
/// How many radars are at work with the database at the same time.
pub const TURNS_MAX: usize = 64;

/// Shared on one thread.
pub type SharedParts = Rc<RadarParts>;
