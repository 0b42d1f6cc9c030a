//! What every command to an account has in common.

use std::fmt::Debug;

use super::read_set::ReadSet;
use super::{Account, Decision};
use crate::domain::ids::RadarId;

/// Something that changes money, visibility or a radar's life.
///
/// A command says itself what has to be read before it can be decided, and decides it.
pub trait AccountCommand: Clone + Debug + Send + Sync + 'static {
    /// Its outcome unless it is rejected.
    type Outcome: Clone + Debug + Send + Sync + 'static;

    /// Adds what has to be read for it.
    fn read(&self, read_set: &mut ReadSet);

    /// Whether it may be decided before renewals that were due earlier.
    fn overtakes(&self, account: &Account) -> Overtakes;

    /// Decides it. What is late has happened already.
    ///
    /// # Errors
    /// A [`CommandRejection`] leaves it without any effect.
    fn decide(&self, account: &mut Account) -> Decision<Self::Outcome>;

    /// How much room it takes in a transaction: a finding, a creation or another command each, and long findings more.
    fn weight(&self) -> usize {
        1
    }

    /// How many charges it can ask for at most, what the account has due aside.
    fn charges_max(&self) -> usize {
        self.weight()
    }

    /// Whether it is decided even in a frozen account, in which nothing moves.
    fn is_for_frozen(&self) -> bool {
        false
    }

    /// Whether it has left something due that another transaction has to settle.
    fn has_more(_: &Self::Outcome) -> bool {
        false
    }
}

/// What a command does about renewals that were due before it and that its transaction does not decide (decision 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtakes {
    /// It goes ahead: it settles what is due.
    Always,
    /// It waits for them.
    Never,
    /// It goes ahead if nothing waits yet: it asks for more than there is, and they leave no more than that.
    OutOfReach,
    /// It goes ahead if the balance covers all of them. The renewal of this radar comes first.
    WhenCovered(Option<RadarId>),
}
