//! Whether an account may use the service (Spec 5, decision 4.12).

use super::closed;
use crate::ids::AccountId;

closed! {
    /// Whether an account may use the service. Entered and left by the operator.
    AccountStatus {
        /// Its keys are good and its radars at work.
        Active = "active",
        /// It is stopped: its keys answer 401, nothing is polled, set up, charged or delivered for it. What falls due
        /// meanwhile is recorded at 0.
        Inactive = "inactive",
    }
}

closed! {
    /// What operators look for accounts by.
    AccountStanding {
        /// Nothing keeps it from moving.
        Active = "active",
        /// An operator has stopped it.
        Inactive = "inactive",
        /// It is stopped because its rows do not add up.
        Frozen = "frozen",
    }
}

/// Which accounts operators look for. What is not given does not narrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountSearch {
    /// How their name begins, in upper or lower case.
    pub name: Option<String>,
    /// Those in this state.
    pub state: Option<AccountStanding>,
    /// From after this one.
    pub after: Option<AccountId>,
}

/// What an account may do, in a sentence for operators; `frozen` is why its rows were found not to add up.
pub fn why(status: AccountStatus, frozen: Option<&str>) -> String {
    match (status, frozen) {
        (_, Some(reason)) => format!("It is frozen: {}.", reason.trim_end_matches('.')),
        (AccountStatus::Inactive, None) => {
            "An operator has stopped it: nothing is watched, charged or delivered.".to_owned()
        }
        (AccountStatus::Active, None) => "It is active.".to_owned(),
    }
}

/// What keeps an account from moving, in a word of a sentence; `None` where nothing does.
pub const fn hindrance(status: AccountStatus, is_frozen: bool) -> Option<&'static str> {
    match (status, is_frozen) {
        (_, true) => Some("frozen"),
        (AccountStatus::Inactive, false) => Some("stopped"),
        (AccountStatus::Active, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::AccountStatus::{Active, Inactive};
    use super::{hindrance, why};

    #[test]
    fn frozen_comes_before_stopped() {
        for (status, frozen, sentence, word) in [
            (Active, None, "It is active.", None),
            (Inactive, None, "An operator has stopped it: nothing is watched, charged or delivered.", Some("stopped")),
            (Active, Some("lot 1 holds 4."), "It is frozen: lot 1 holds 4.", Some("frozen")),
            (Inactive, Some("lot 1 holds 4"), "It is frozen: lot 1 holds 4.", Some("frozen")),
        ] {
            assert_eq!((why(status, frozen), hindrance(status, frozen.is_some())), (sentence.to_owned(), word));
        }
    }
}
