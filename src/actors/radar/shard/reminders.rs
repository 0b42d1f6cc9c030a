//! The reminders of a shard that are due soon, by account. Pure: it says when a timer is needed, the shard sets it.
//!
//! A reminder is durable: it is `radar.wake_at` in the database, and any shard that starts finds it there. An account has
//! one timer, for its first reminder, however many of its radars wait.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};

use domain::ids::{AccountId, RadarId};

/// The reminders that are due soon.
#[derive(Default)]
pub(super) struct Reminders {
    accounts: HashMap<AccountId, Waiting>,
}

#[derive(Default)]
struct Waiting {
    /// The first renewal: the account decides all that are due together.
    renewal_at: Option<DateTime<Utc>>,
    /// The radars that take a turn, and when.
    turns: BTreeMap<RadarId, DateTime<Utc>>,
    /// When the timer fires.
    timer_at: Option<DateTime<Utc>>,
}

/// What a reminder is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expected {
    /// The account decides a renewal.
    Renewal,
    /// A radar takes a turn.
    Turn(RadarId),
}

/// The reminders of an account that fire together.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Fired {
    /// When the first renewal was due, if one is.
    pub(super) renewal_at: Option<DateTime<Utc>>,
    /// The radars that take a turn.
    pub(super) radars: Vec<RadarId>,
    /// When the next reminder fires, which needs a timer.
    pub(super) next_at: Option<DateTime<Utc>>,
}

impl Reminders {
    /// Expects a renewal in an account, or a turn of one of its radars; answers whether that needs a timer.
    pub(super) fn expect(&mut self, account_id: AccountId, expected: Expected, at: DateTime<Utc>) -> bool {
        let waiting = self.accounts.entry(account_id).or_default();
        match expected {
            Expected::Renewal => waiting.renewal_at = Some(waiting.renewal_at.map_or(at, |known| known.min(at))),
            Expected::Turn(radar_id) => drop(waiting.turns.insert(radar_id, at)),
        }
        let is_first = waiting.timer_at.is_none_or(|timer_at| at < timer_at);
        if is_first {
            waiting.timer_at = Some(at);
        }
        is_first
    }

    /// Whether a turn of the radar is expected.
    pub(super) fn has_turn(&self, account_id: AccountId, radar_id: RadarId) -> bool {
        self.accounts.get(&account_id).is_some_and(|waiting| waiting.turns.contains_key(&radar_id))
    }

    /// Takes what is due in an account at `now`. A timer that an earlier one has replaced finds nothing.
    pub(super) fn fire(&mut self, account_id: AccountId, now: DateTime<Utc>) -> Fired {
        let Some(waiting) = self.accounts.get_mut(&account_id) else { return Fired::default() };
        if waiting.timer_at.is_some_and(|timer_at| timer_at > now) {
            return Fired::default();
        }
        let renewal_at = waiting.renewal_at.take_if(|at| *at <= now);
        let (due, later): (BTreeMap<_, _>, _) =
            std::mem::take(&mut waiting.turns).into_iter().partition(|(_, at)| *at <= now);
        waiting.turns = later;
        waiting.timer_at = waiting.renewal_at.into_iter().chain(waiting.turns.values().copied()).min();
        let next_at = waiting.timer_at;
        if next_at.is_none() {
            self.accounts.remove(&account_id);
        }
        Fired { renewal_at, radars: due.into_keys().collect(), next_at }
    }
}

#[cfg(test)]
mod tests {
    use super::Expected::{Renewal, Turn};
    use super::{Fired, Reminders};
    use chrono::{DateTime, Utc};
    use domain::ids::{AccountId, RadarId};
    use uuid::Uuid;

    const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

    fn radar(number: u128) -> RadarId {
        RadarId(Uuid::from_u128(number))
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("an instant")
    }

    #[test]
    fn an_account_has_a_timer_for_its_first_reminder_only() {
        let mut reminders = Reminders::default();
        assert!(reminders.expect(ACCOUNT, Renewal, at(10)));
        assert!(!reminders.expect(ACCOUNT, Renewal, at(10)) && !reminders.expect(ACCOUNT, Renewal, at(11)));
        assert!(!reminders.expect(ACCOUNT, Turn(radar(1)), at(10)));
        assert!(reminders.expect(ACCOUNT, Turn(radar(2)), at(9)), "an earlier one");
        let other = AccountId(Uuid::from_u128(2));
        assert!(reminders.expect(other, Renewal, at(11)), "another account");
    }

    #[test]
    fn what_is_due_in_an_account_fires_together() {
        let mut reminders = Reminders::default();
        reminders.expect(ACCOUNT, Renewal, at(10));
        reminders.expect(ACCOUNT, Renewal, at(9));
        for (number, due) in [(3, 10), (1, 9), (2, 20)] {
            reminders.expect(ACCOUNT, Turn(radar(number)), at(due));
        }
        let fired = reminders.fire(ACCOUNT, at(10));
        let expected = Fired { renewal_at: Some(at(9)), radars: vec![radar(1), radar(3)], next_at: Some(at(20)) };
        assert_eq!(fired, expected);
        assert!(!reminders.has_turn(ACCOUNT, radar(1)) && reminders.has_turn(ACCOUNT, radar(2)));
        assert_eq!(reminders.fire(ACCOUNT, at(10)), Fired::default(), "a timer that was replaced");
        let last = Fired { renewal_at: None, radars: vec![radar(2)], next_at: None };
        assert_eq!(reminders.fire(ACCOUNT, at(20)), last);
        assert_eq!(reminders.fire(ACCOUNT, at(30)), Fired::default());
    }
}
