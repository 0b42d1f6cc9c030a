//! Looks for what radars would find that nobody has created yet.
//!
//! The caller may be on any thread; the looking happens on the actors' thread as that of a set-up does, and what strangers
//! wrote is read on threads of its own. Duty: how many look at the same time, in all and for each account. One look: `look`.
//! Never here: anything that is charged, or stored of what was seen.

mod look;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

pub use look::{FeedLook, Look, Seen};

use crate::actors::radar::SharedEngine;
use crate::clock::{Busy, Clock};
use crate::domain::ids::AccountId;
use crate::domain::radar::NewRadar;
use crate::domain::scheduling::fair_share;

/// Looks under way at most: so many that one account gets one of them at a time.
const PLACES: usize = 16;

/// The way to previews, from any thread. Clones share the bound.
#[derive(Clone)]
pub struct Previews {
    places: Arc<Places>,
    accepted: mpsc::Sender<Accepted>,
    clock: Clock,
}

/// As many looks are under way as may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too many previews are under way")]
pub struct TooMany;

#[derive(Default)]
struct Places(Mutex<HashMap<AccountId, usize>>);

/// A place that an account holds.
struct Place {
    places: Arc<Places>,
    account_id: AccountId,
}

struct Accepted {
    account_id: AccountId,
    wanted: NewRadar,
    place: Place,
    answer: oneshot::Sender<Seen>,
    /// Keeps a simulated clock from moving until the look is over.
    busy: Option<Busy>,
}

impl Previews {
    /// Looks on this thread, as long as a clone of the returned value lives.
    pub fn start(engine: &SharedEngine) -> Self {
        let (accepted, waiting) = mpsc::channel(PLACES);
        actix_rt::spawn(look_at_all(engine.clone(), waiting));
        Self { places: Arc::default(), accepted, clock: engine.clock.clone() }
    }

    /// What is there for a radar; within [`look::LOOK_MAX`].
    ///
    /// # Errors
    /// [`TooMany`]; nothing was looked at.
    pub async fn look(&self, account_id: AccountId, wanted: NewRadar) -> Result<Seen, TooMany> {
        let place = Places::take(&self.places, account_id).ok_or(TooMany)?;
        let (answer, seen) = oneshot::channel();
        let accepted = Accepted { account_id, wanted, place, answer, busy: self.clock.busy() };
        self.accepted.try_send(accepted).map_err(|_| TooMany)?;
        seen.await.map_err(|_| TooMany)
    }
}

impl Places {
    fn take(places: &Arc<Self>, account_id: AccountId) -> Option<Place> {
        let mut held = places.0.lock().unwrap_or_else(PoisonError::into_inner);
        let free = PLACES.saturating_sub(held.values().sum());
        let of_account = held.entry(account_id).or_default();
        if !fair_share::may_take(*of_account, free) {
            return None;
        }
        *of_account += 1;
        Some(Place { places: places.clone(), account_id })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = held.get_mut(&self.account_id) {
            *count = count.saturating_sub(1);
        }
        held.retain(|_, count| *count > 0);
    }
}

async fn look_at_all(engine: SharedEngine, mut waiting: mpsc::Receiver<Accepted>) {
    while let Some(Accepted { account_id, wanted, place, answer, busy }) = waiting.recv().await {
        let engine = engine.clone();
        actix_rt::spawn(async move {
            let seen = look::run(&engine, account_id, &wanted).await;
            drop(place);
            // The caller may have given up.
            answer.send(seen).ok();
            drop(busy);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use uuid::Uuid;

    use super::{PLACES, Places};
    use crate::domain::ids::AccountId;

    #[test]
    fn an_account_looks_at_one_target_at_a_time_and_places_come_free() {
        let places = Arc::new(Places::default());
        let account = |number: usize| AccountId(Uuid::from_u128(number as u128));
        let first = Places::take(&places, account(0));
        assert!(first.is_some() && Places::take(&places, account(0)).is_none());
        let others: Vec<_> = (1..PLACES).map(|number| Places::take(&places, account(number))).collect();
        assert!(others.iter().all(Option::is_some) && Places::take(&places, account(PLACES)).is_none());
        drop(first);
        assert!(Places::take(&places, account(PLACES)).is_some());
        drop(others);
        assert!(places.0.lock().is_ok_and(|held| held.is_empty()));
    }
}
