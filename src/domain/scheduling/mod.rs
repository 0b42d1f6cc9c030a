//! Who gets a turn, and when: attempts, back-off, polls, rare duties, the queues of the ledger, groups that wait for more,
//! fair shares of places, rate limits, shards; and how long updates are kept.

pub mod attempts;
pub mod backoff;
pub mod duty;
pub mod fair_share;
pub mod group_delay;
pub mod host_places;
pub mod ledger_queue;
pub mod polling;
pub mod push_waves;
pub mod quota;
pub mod rate;
pub mod retention;
pub mod shards;
