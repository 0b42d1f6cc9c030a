//! What this process knows of its own place: under which identifier it is known, which shards it owns, and how long it may
//! trust in that.

use std::collections::BTreeSet;
use std::time::Duration;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use uuid::Uuid;

use clock::Clock;
use domain::scheduling::shards::{DUTIES_SHARD, SHARDS};

/// How long a process trusts that it is taken to live, from when it began to say so: shorter than its lease, since its
/// clock and the database's may run differently.
const TRUSTED_FOR: Duration = Duration::from_secs(8);

/// The place of this process among those that share the database. Before it has joined them it is alone, and everything is
/// its own.
pub struct Membership {
    clock: Clock,
    place: Mutex<Place>,
}

#[derive(Default)]
struct Place {
    node_id: Option<Uuid>,
    /// By the steady clock, which goes on while the process stands still; `None` where nobody can take its place.
    trusted_until: Option<DateTime<Utc>>,
    /// `None` for all of them.
    shards: Option<BTreeSet<i64>>,
    /// Whether other nodes may live, be it without a shard.
    has_peers: bool,
}

impl Membership {
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, place: Mutex::default() }
    }

    /// The clock of this process.
    pub(super) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Now, for what is remembered in memory.
    pub(super) fn steady_now(&self) -> DateTime<Utc> {
        self.clock.steady_now()
    }

    /// The identifier of the start of this process, which its commits and claims bear; `None` before it has joined.
    pub fn node_id(&self) -> Option<Uuid> {
        self.place.lock().node_id
    }

    /// Whether nobody else can have taken over by now what this process works at under that identifier.
    pub fn is_trusted(&self, node_id: Option<Uuid>) -> bool {
        let place = self.place.lock();
        place.node_id == node_id && place.trusted_until.is_none_or(|until| self.clock.steady_now() < until)
    }

    /// Whether a shard is this process's own.
    pub fn owns(&self, shard: i64) -> bool {
        self.place.lock().shards.as_ref().is_none_or(|shards| shards.contains(&shard))
    }

    /// Whether this process does what one of them has to do for all.
    pub fn has_duties(&self) -> bool {
        self.owns(DUTIES_SHARD)
    }

    /// How many shards are its own.
    pub fn shards_owned(&self) -> usize {
        self.place.lock().shards.as_ref().map_or(SHARDS as usize, BTreeSet::len)
    }

    /// How old the last heartbeat is that the database has taken; zero where none is needed.
    pub fn lease_age(&self) -> Duration {
        let until = self.place.lock().trusted_until;
        let left = until.map_or(TRUSTED_FOR, |until| (until - self.clock.steady_now()).to_std().unwrap_or_default());
        TRUSTED_FOR.saturating_sub(left)
    }

    /// Whether other processes may be at work, be it that they have no shard yet or no more.
    pub fn has_peers(&self) -> bool {
        self.place.lock().has_peers
    }

    /// The shards that statements are narrowed to; `None` where all are its own.
    pub(crate) fn narrowed(&self) -> Option<Vec<i64>> {
        let place = self.place.lock();
        let some = place.shards.as_ref().filter(|shards| (shards.len() as i64) < SHARDS);
        some.map(|shards| shards.iter().copied().collect())
    }

    /// Joins under a new identifier, alone, or beside others with no shard yet.
    pub(super) fn begin(&self, node_id: Uuid, is_alone: bool, began_at: DateTime<Utc>) {
        let mut place = self.place.lock();
        place.node_id = Some(node_id);
        place.trusted_until = (!is_alone).then(|| began_at + TRUSTED_FOR);
        place.shards = (!is_alone).then(BTreeSet::new);
        place.has_peers = !is_alone;
    }

    /// Notes a heartbeat that was begun at an instant of the steady clock; the shards that came or went.
    pub(super) fn go_on(&self, began_at: DateTime<Utc>, shards: BTreeSet<i64>, has_peers: bool) -> Vec<i64> {
        let mut place = self.place.lock();
        place.has_peers = has_peers;
        place.trusted_until = Some(began_at + TRUSTED_FOR);
        let before = place.shards.replace(shards).unwrap_or_default();
        place.shards.iter().flat_map(|shards| before.symmetric_difference(shards)).copied().collect()
    }

    /// Notes that others have taken over; the shards that are gone.
    pub(super) fn lose(&self) -> Vec<i64> {
        self.place.lock().trusted_until = Some(DateTime::<Utc>::MIN_UTC);
        self.disown()
    }

    /// No shard is its own any more; those that were.
    pub(super) fn disown(&self) -> Vec<i64> {
        let before = self.place.lock().shards.replace(BTreeSet::new());
        before.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use chrono::DateTime;
    use uuid::Uuid;

    use super::Membership;
    use clock::Clock;

    #[test]
    fn alone_everything_is_its_own_and_trusted() {
        let alone = Membership::new(Clock::system());
        assert!(alone.is_trusted(None) && alone.owns(0) && alone.owns(255) && alone.narrowed().is_none());
        alone.begin(Uuid::from_u128(1), true, DateTime::UNIX_EPOCH);
        assert!(alone.is_trusted(Some(Uuid::from_u128(1))) && !alone.is_trusted(None));
        assert_eq!((alone.shards_owned(), alone.lease_age()), (256, Duration::ZERO));
    }

    #[test]
    fn what_was_begun_under_another_name_or_too_long_ago_is_not_trusted() {
        let clock = Clock::system();
        let (one, other) = (Some(Uuid::from_u128(1)), Some(Uuid::from_u128(2)));
        let node = Membership::new(clock.clone());
        node.begin(Uuid::from_u128(1), false, clock.steady_now());
        assert!(node.is_trusted(one) && !node.is_trusted(other) && !node.owns(0));
        assert_eq!(node.go_on(clock.steady_now(), BTreeSet::from([0, 7]), true), [0, 7]);
        assert!(node.owns(7) && node.has_duties() && node.narrowed() == Some(vec![0, 7]));
        assert_eq!(node.go_on(clock.steady_now() - chrono::Duration::seconds(8), BTreeSet::from([7, 9]), true), [0, 9]);
        assert!(!node.is_trusted(one), "eight seconds have passed since it was begun");
        assert!(node.lease_age() >= Duration::from_secs(8));
        assert_eq!(node.go_on(clock.steady_now(), BTreeSet::from([9]), true), [7]);
        assert!(node.is_trusted(one) && node.lose() == [9] && !node.is_trusted(one));
        node.begin(Uuid::from_u128(2), false, clock.steady_now());
        assert!(node.is_trusted(other) && !node.is_trusted(one));
    }
}
