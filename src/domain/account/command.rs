//! What every command to an account has in common.

use std::fmt::Debug;

use super::read_set::ReadSet;
use super::{Account, Decision};
use crate::ids::RadarId;

/// Something that changes money, visibility or a radar's life.
///
/// Each command declares what must be read before it can be decided.
pub trait AccountCommand: Clone + Debug + Send + Sync + 'static {
    /// Its outcome unless it is rejected.
    type Outcome: Clone + Debug + Send + Sync + 'static;

    /// Adds to `read_set` what must be read before it can be decided.
    fn read(&self, read_set: &mut ReadSet);

    /// Whether it may be decided before renewals that were due earlier.
    fn overtakes(&self, account: &Account) -> Overtakes;

    /// Decides it. Everything that was due before it is settled already.
    ///
    /// # Errors
    /// A rejected command has no effect.
    fn decide(&self, account: &mut Account) -> Decision<Self::Outcome>;

    /// Its share of a transaction's capacity: one for each finding, creation or other command, more for long findings.
    fn weight(&self) -> usize {
        1
    }

    /// The most charges that it can make, not counting what the account has due.
    fn charges_max(&self) -> usize {
        self.weight()
    }

    /// Whether it is decided even when the account is frozen.
    fn is_for_frozen(&self) -> bool {
        false
    }

    /// Whether something is still due that another transaction must settle.
    fn has_more(_: &Self::Outcome) -> bool {
        false
    }
}

/// Whether a command may be decided before older renewals that do not fit into its transaction (decision 4.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overtakes {
    /// Yes: it settles what is due.
    Always,
    /// No: it waits for them.
    Never,
    /// If no other command waits: it asks for more than the balance, and the renewals only reduce the balance.
    OutOfReach,
    /// If the balance covers all of them. The renewal of this radar is decided first.
    WhenCovered(Option<RadarId>),
}
