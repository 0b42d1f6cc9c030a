//! Work that many accounts ask for and one thread does: bounded in all, and fairly shared among them.
//!
//! The caller may be on any thread; the work runs on the thread that called [`FairWork::start`]. A place is taken before a
//! piece of work is accepted and freed when it is done. The rule: `domain::scheduling::fair_share`.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};

use clock::{Busy, Clock};
use domain::AccountId;
use domain::scheduling::fair_share::{Places, Share};

/// The way to the work. Clones share the bound.
pub struct FairWork<W, T> {
    places: Arc<Permits>,
    accepted: mpsc::Sender<Accepted<W, T>>,
    clock: Clock,
}

/// As much is under way as may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too much is under way")]
pub struct TooMany;

/// What one account gets of the places: so little that a few accounts cannot take all of them.
const SHARE: Share = Share::one_in(16);

struct Permits {
    free: Arc<Semaphore>,
    held: Mutex<Places<AccountId>>,
}

/// A place that an account holds.
struct Permit {
    places: Arc<Permits>,
    account_id: AccountId,
    _permit: OwnedSemaphorePermit,
}

struct Accepted<W, T> {
    account_id: AccountId,
    wanted: W,
    place: Permit,
    answer: oneshot::Sender<T>,
    /// Keeps a simulated clock from moving until the work is done.
    busy: Option<Busy>,
}

impl<W: 'static, T: 'static> FairWork<W, T> {
    /// Does `work` on this thread, for `places` callers at the same time, as long as a clone of the returned value lives.
    pub fn start<F>(places: usize, clock: &Clock, work: impl Fn(AccountId, W) -> F + 'static) -> Self
    where
        F: Future<Output = T> + 'static,
    {
        let (accepted, mut waiting) = mpsc::channel(places);
        actix_rt::spawn(async move {
            while let Some(Accepted { account_id, wanted, place, answer, busy }) = waiting.recv().await {
                let work = work(account_id, wanted);
                actix_rt::spawn(async move {
                    let done = work.await;
                    drop(place);
                    // The caller may have given up.
                    answer.send(done).ok();
                    drop(busy);
                });
            }
        });
        Self { places: Arc::new(Permits::new(places)), accepted, clock: clock.clone() }
    }

    /// Has a piece of work done for an account.
    ///
    /// # Errors
    /// [`TooMany`] when there is no place for the account, or when the service stops.
    pub async fn ask(&self, account_id: AccountId, wanted: W) -> Result<T, TooMany> {
        let place = Permits::take(&self.places, account_id).ok_or(TooMany)?;
        let (answer, done) = oneshot::channel();
        let accepted = Accepted { account_id, wanted, place, answer, busy: self.clock.busy() };
        self.accepted.try_send(accepted).map_err(|_| TooMany)?;
        done.await.map_err(|_| TooMany)
    }

    /// Accepts nothing more, and waits until nothing is under way.
    pub async fn drain(&self) {
        let all = u32::try_from(self.accepted.max_capacity()).unwrap_or(u32::MAX);
        if let Ok(places) = self.places.free.acquire_many(all).await {
            places.forget();
        }
    }
}

impl<W, T> Clone for FairWork<W, T> {
    fn clone(&self) -> Self {
        Self { places: self.places.clone(), accepted: self.accepted.clone(), clock: self.clock.clone() }
    }
}

impl Permits {
    fn new(count: usize) -> Self {
        Self { free: Arc::new(Semaphore::new(count)), held: Mutex::new(Places::new(count, SHARE)) }
    }

    fn take(places: &Arc<Self>, account_id: AccountId) -> Option<Permit> {
        let mut held = places.held.lock();
        if held.room(&[account_id]) == 0 {
            return None;
        }
        let permit = places.free.clone().try_acquire_owned().ok()?;
        held.take(&[account_id], 1);
        Some(Permit { places: places.clone(), account_id, _permit: permit })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.places.held.lock().give_back(&[self.account_id], 1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt;
    use tokio::sync::Semaphore;
    use uuid::Uuid;

    use super::{FairWork, Permits, TooMany};
    use clock::Clock;
    use domain::AccountId;

    const ALICE: AccountId = AccountId(Uuid::from_u128(1));
    const BOB: AccountId = AccountId(Uuid::from_u128(2));

    #[actix_rt::test]
    async fn work_under_way_is_bounded_and_places_come_free() {
        let gate = Arc::new(Semaphore::new(0));
        let waiting = gate.clone();
        let work = FairWork::start(32, &Clock::system(), move |_, number: u32| {
            let gate = waiting.clone();
            async move {
                gate.acquire().await.unwrap().forget();
                number
            }
        });
        // Of 32 places one account gets two.
        let pieces = [(ALICE, 1), (ALICE, 2), (BOB, 3)].map(|(account_id, number)| work.ask(account_id, number));
        let mut pieces = pieces.map(Box::pin);
        for piece in &mut pieces {
            assert_eq!(piece.now_or_never(), None);
        }
        assert_eq!(work.ask(ALICE, 4).await, Err(TooMany));
        gate.add_permits(3);
        let [first, second, third] = pieces;
        assert_eq!((first.await, second.await, third.await), (Ok(1), Ok(2), Ok(3)));
        work.drain().await;
        assert_eq!(work.places.held.lock().taken(), 0);
        assert_eq!(work.ask(ALICE, 5).await, Err(TooMany), "nothing is accepted after a drain");
    }

    #[test]
    fn an_account_gets_one_of_few_places_at_a_time() {
        let places = Arc::new(Permits::new(16));
        let account = |number: u128| AccountId(Uuid::from_u128(number));
        let first = Permits::take(&places, account(0));
        assert!(first.is_some() && Permits::take(&places, account(0)).is_none());
        let others: Vec<_> = (1..16).map(|number| Permits::take(&places, account(number))).collect();
        assert!(others.iter().all(Option::is_some) && Permits::take(&places, account(16)).is_none());
        drop(first);
        assert!(Permits::take(&places, account(16)).is_some());
        drop(others);
        assert_eq!(places.held.lock().taken(), 0);
    }
}
