//! Which set-ups are attempted, a fair share for each account (decision 1.3): each is claimed, and its radar makes the
//! attempt (`set_up`).

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;

use super::outcome::TurnError;
use super::parts::SharedParts;
use crate::runtime::{Cause, Found, Isolation, Work};
use domain::AccountId;
use domain::scheduling::fair_share::{Places, Share};
use store::{Claim, ClaimedSetUp, DueTable, Store, StoreError};
use tokio::sync::oneshot;

/// How many set-ups are under way at the same time.
const PLACES: usize = 128;
/// What one account gets of them.
const SHARE: Share = Share::one_in(2);

/// Has a radar attempt its set-up, and tells when it has ended; it is cut off when nobody waits for that.
type Attempt = dyn Fn(ClaimedSetUp) -> oneshot::Receiver<Result<(), TurnError>>;

/// The set-ups that are due.
pub(super) struct SetUps {
    parts: SharedParts,
    attempt: Box<Attempt>,
    places: RefCell<Places<AccountId>>,
}

/// A place that an account holds.
struct Place {
    set_ups: Rc<SetUps>,
    account_id: AccountId,
}

impl SetUps {
    /// The set-ups that radars `attempt`, none of them under way.
    pub(super) fn new(
        parts: &SharedParts,
        attempt: impl Fn(ClaimedSetUp) -> oneshot::Receiver<Result<(), TurnError>> + 'static,
    ) -> Rc<Self> {
        let places = RefCell::new(Places::new(PLACES, SHARE));
        Rc::new(Self { parts: parts.clone(), attempt: Box::new(attempt), places })
    }
}

impl Work for SetUps {
    type Claimed = ClaimedSetUp;
    const TABLE: DueTable = DueTable::SetUps;
    const LOOK_EVERY: Duration = Duration::from_secs(2);

    fn store(&self) -> &Store {
        &self.parts.store
    }

    fn isolation(&self) -> &Rc<Isolation> {
        &self.parts.isolation
    }

    fn claim(claimed: &ClaimedSetUp) -> Claim {
        claimed.claim
    }

    async fn claim_due(&self) -> Result<Found<ClaimedSetUp>, StoreError> {
        let waiting = self.store().all_accounts_with_set_ups().await?;
        let shares = self.places.borrow().shares(&waiting);
        let claimed = self.store().claim_set_ups(&shares).await?;
        let has_more = !claimed.is_empty();
        Ok(Found { claimed, has_more })
    }

    async fn claim_suspect(&self) -> Result<Option<ClaimedSetUp>, StoreError> {
        self.store().claim_suspect_set_up().await
    }

    fn attempt(self: Rc<Self>, claimed: ClaimedSetUp, _: Cause) -> Result<LocalBoxFuture<'static, ()>, Duration> {
        let place = Place::take(self, claimed.account_id);
        Ok(Box::pin(async move {
            let Place { set_ups, .. } = &place;
            let (claim, radar_id) = (claimed.claim, claimed.radar_id);
            // An attempt that ends without a word has ended its radar's actor: it stays counted.
            let Ok(Err(error)) = (set_ups.attempt)(claimed).await else { return };
            tracing::warn!(%radar_id, %error, "a set-up could not finish and is repeated");
            // The error says nothing about the target, and the attempt has ended if it had begun.
            let claim = if matches!(error, TurnError::NotBegun) { claim } else { claim.ended() };
            if let Err(error) = set_ups.store().give_back(Self::TABLE, claim, error.repeat_after()).await {
                tracing::warn!(%radar_id, %error, "a set-up is left to the end of its lease");
            }
        }))
    }
}

impl Place {
    fn take(set_ups: Rc<SetUps>, account_id: AccountId) -> Self {
        set_ups.places.borrow_mut().take(&[account_id], 1);
        Self { set_ups, account_id }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.set_ups.places.borrow_mut().give_back(&[self.account_id], 1);
    }
}
