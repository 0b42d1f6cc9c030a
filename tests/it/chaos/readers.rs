//! Those who only read: followers of an account's updates, and overseers of its summary (Spec 4.1, 4.9; decisions 3.4, 3.5).

use std::time::Duration;

use serde_json::Value;

use super::callers::{Caller, Request};
use super::fleet::{BY_THE_FINDING, BY_THE_MONTH};
use super::history::{Account, POSTINGS};
use crate::support::dice::Dice;

/// The pause of somebody who has read everything.
const PAUSE: Duration = Duration::from_secs(1);

/// Follows an account's updates, of one type or of all.
pub struct Reader<'a> {
    caller: Caller<'a>,
    account: &'a Account,
    dice: Dice,
    radar_type: Option<&'static str>,
    /// Whether it goes on with `since` and what it saw last, or with the last cursor that it was given.
    goes_by_time: bool,
    since: Option<String>,
    cursor: Option<String>,
    /// How many of the updates that were seen lie before that place.
    before: usize,
    /// Identifier and `discovered_at`.
    seen: Vec<(String, String)>,
}

impl<'a> Reader<'a> {
    pub fn new(caller: Caller<'a>, account: &'a Account, number: usize, mut dice: Dice) -> Self {
        let types = [None, None, Some(BY_THE_MONTH), Some(BY_THE_FINDING), Some(POSTINGS)];
        let radar_type = types[usize::try_from(dice.below(types.len() as u64)).expect("small")];
        let goes_by_time = number.is_multiple_of(2);
        let (since, cursor, before, seen) = (None, None, 0, Vec::new());
        Self { caller, account, dice, radar_type, goes_by_time, since, cursor, before, seen }
    }

    /// Reads until the run is over.
    pub async fn read(&mut self) {
        while !self.caller.progress.is_over.get() {
            if !self.read_page().await {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Reads what is left, and compares: of `all` updates of the account it has seen what it asked for, once and in order.
    pub async fn check(&mut self, all: &[Value]) -> usize {
        while self.read_page().await {}
        let is_wanted = |update: &&Value| self.radar_type.is_none_or(|wanted| update["radar_type"] == wanted);
        let wanted: Vec<&str> = all.iter().filter(is_wanted).map(|update| text(&update["update_id"])).collect();
        let seen: Vec<&str> = self.seen.iter().map(|(update_id, _)| update_id.as_str()).collect();
        let first = wanted.iter().zip(&seen).position(|(wanted, seen)| wanted != seen);
        let who = format!("a reader of account {} by time: {}", self.account.number, self.goes_by_time);
        assert_eq!((first, seen.len()), (None, wanted.len()), "{who}");
        seen.len()
    }

    /// Reads a page; whether there is more.
    async fn read_page(&mut self) -> bool {
        let mut path = format!("/v1/updates?limit={}", 1 + self.dice.below(100));
        let parts =
            [("radar_type", self.radar_type), ("since", self.since.as_deref()), ("cursor", self.cursor.as_deref())];
        for (name, value) in parts {
            if let Some(value) = value {
                path += &format!("&{name}={value}");
            }
        }
        let page = self.caller.ask(&mut self.dice, &Request::get(&path)).await.answer.expect_status(200).json;
        self.caller.progress.count("page of updates", false);
        let updates = page["updates"].as_array().expect("updates");
        for (place, update) in (self.before..).zip(updates) {
            let update = (text(&update["update_id"]).to_owned(), text(&update["discovered_at"]).to_owned());
            match self.seen.get(place) {
                Some(seen) => assert_eq!(*seen, update, "what was read once changes no more: {path}"),
                None => self.seen.push(update),
            }
        }
        let has_more = page["has_more"] == true;
        if has_more {
            self.cursor = Some(text(&page["next_cursor"]).to_owned());
            self.before += updates.len();
        } else {
            assert_eq!(self.before + updates.len(), self.seen.len(), "what was read once does not go away: {path}");
            if self.goes_by_time {
                self.since = self.seen.last().map(|(_, discovered_at)| discovered_at.clone());
                self.cursor = None;
                self.before = self.seen.len();
            }
        }
        has_more
    }
}

/// Watches an account's summary: no balance below nothing, no figure that goes back.
pub struct Overseer<'a> {
    caller: Caller<'a>,
    dice: Dice,
}

impl<'a> Overseer<'a> {
    pub fn new(caller: Caller<'a>, dice: Dice) -> Self {
        Self { caller, dice }
    }

    pub async fn watch(&mut self) {
        let mut last = (0, 0);
        while !self.caller.progress.is_over.get() {
            let answer = self.caller.ask(&mut self.dice, &Request::get("/v1/account")).await.answer.expect_status(200);
            let data = &answer.json["data"];
            assert!(data["balance_remaining_usd"].as_f64().is_some_and(|balance| balance >= 0.0), "{data}");
            let figure = |name: &str| data["account"][name].as_u64().expect("a number");
            let now = (figure("total_radars"), figure("total_updates_found"));
            assert!(now.0 >= last.0 && now.1 >= last.1, "{last:?} was followed by {now:?}");
            last = now;
            self.caller.progress.count("summary", false);
            tokio::time::sleep(PAUSE).await;
        }
    }
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}
