//! Looks for what radars would find that nobody has created yet.
//!
//! The looking happens on the actors' thread as that of a set-up does, and what strangers wrote is read on threads of its
//! own. One look: `look`. Never here: anything that is charged, or stored of what was seen.

mod look;

pub use look::{FeedLook, Look, Seen};

use crate::radar::SharedParts;
use domain::NewRadar;
use outbound::fair_work::FairWork;

/// Looks under way at most: so many that one account gets one of them at a time.
const PLACES: usize = 16;

/// The way to previews, each of which takes no longer than [`look::LOOK_MAX`].
pub type Previews = FairWork<NewRadar, Seen>;

/// Looks on this thread.
pub fn start(parts: &SharedParts) -> Previews {
    let (clock, parts) = (parts.clock.clone(), parts.clone());
    FairWork::start(PLACES, &clock, move |account_id, wanted| {
        let parts = parts.clone();
        async move { look::run(&parts, account_id, &wanted).await }
    })
}
