//! What processes have sent, or begun to: each delivery once, and again only where it was in flight when a process crashed
//! or froze, which nobody can tell from one that was not sent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

/// What all processes of a run have sent. Clones share it.
#[derive(Clone, Default)]
pub struct Sends(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// By the text of the update's identifier: which start of a process began it, and when.
    begun: BTreeMap<String, Vec<(usize, DateTime<Utc>)>>,
    /// How many times one may be sent beside the first.
    in_flight: BTreeMap<String, usize>,
}

impl Sends {
    /// A process begins to send an update.
    pub fn begin(&self, process: usize, update_id: &str, at: DateTime<Utc>) {
        self.state().begun.entry(update_id.to_owned()).or_default().push((process, at));
    }

    /// A process crashes or freezes. Time stands still from the beginning of an attempt until its end is recorded.
    pub fn cut_off(&self, process: usize, at: DateTime<Utc>) {
        let State { begun, in_flight } = &mut *self.state();
        for (update_id, _) in begun.iter().filter(|(_, begun)| begun.contains(&(process, at))) {
            *in_flight.entry(update_id.clone()).or_default() += 1;
        }
    }

    /// How many were in flight at a crash or a freeze.
    pub fn in_flight(&self) -> usize {
        self.state().in_flight.len()
    }

    /// Whether nothing was doubled but what was in flight (N2), and nothing that was to be delivered is missing (N3).
    pub fn check(&self, delivered: &BTreeSet<String>) -> Result<(), String> {
        let State { begun, in_flight } = &*self.state();
        for (update_id, begun) in begun {
            let may = 1 + in_flight.get(update_id).copied().unwrap_or_default();
            if begun.len() > may {
                return Err(format!("N2 delivery {update_id} was sent by {begun:?}, and {may} times are explained"));
            }
        }
        let missing = delivered.iter().find(|update_id| !begun.contains_key(*update_id));
        missing.map_or(Ok(()), |update_id| Err(format!("N3 nobody sent delivery {update_id}")))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
