//! Clients that change things: each waits for an answer, repeats what was not answered, and notes the answers.

mod creating;
mod findings;

use serde_json::{Value, json};

use super::callers::{Caller, Reply, Request};
use super::fleet::pick;
use super::history::{Account, Manner};
use crate::support::dice::Dice;
use actix_web::http::Method;

/// A client of an account that is pushed findings.
pub struct Worker<'a> {
    caller: Caller<'a>,
    account: &'a Account,
    dice: Dice,
    number: u64,
    /// What it has asked for so far, for names that nobody else uses.
    asked: u64,
    /// Its radars that are active, and those that it has ended.
    active: Vec<String>,
    ended: Vec<String>,
    /// Findings that were acknowledged: radar and native identifier.
    handed_in: Vec<(String, String)>,
}

impl<'a> Worker<'a> {
    pub fn new(caller: Caller<'a>, account: &'a Account, number: u64, dice: Dice) -> Self {
        let (active, ended, handed_in) = (Vec::new(), Vec::new(), Vec::new());
        Self { caller, account, dice, number, asked: 0, active, ended, handed_in }
    }

    /// Works until the run is over.
    pub async fn work(&mut self) {
        while !self.caller.progress.is_over.get() {
            self.asked += 1;
            let is_poor = self.account.manner == Manner::Poor;
            match self.dice.below(100) {
                0..6 => self.top_up().await,
                6..12 if is_poor => self.top_up().await,
                12..24 => self.create_one().await,
                24..28 => self.create_many().await,
                28..31 => self.race().await,
                31..39 => self.delete().await,
                39..41 => self.report_to_an_ended_radar().await,
                41..82 => self.report(1).await,
                82..86 => self.report_many().await,
                86..88 => self.add_key().await,
                88..90 => self.open_account().await,
                _ => self.look().await,
            }
        }
    }

    async fn top_up(&mut self) {
        let is_poor = self.account.manner == Manner::Poor;
        let cents = if is_poor { 5 + self.dice.below(20) } else { 50 + self.dice.below(100) };
        let reference = self.name("payment");
        let amount = format!("{}.{:02}", cents / 100, cents % 100);
        let body = json!({"amount_usd": amount, "payment_ref": reference});
        let path = self.account.path("top-ups");
        let Reply { answer, doubts } = self.operate(&Request::post(&path, &body)).await;
        answer.expect_status(201);
        let micros = i64::try_from(cents).expect("little") * 10_000;
        self.account.known.borrow_mut().top_ups.insert(reference, micros);
        self.acknowledged("top-up", doubts);
    }

    /// One more key for the account. One whose answer got lost is good as well, and nobody has it.
    async fn add_key(&mut self) {
        let path = self.account.path("api-keys");
        let Reply { answer, doubts } = self.operate(&Request::post(&path, &json!({}))).await;
        let answer = answer.expect_status(201);
        self.account.known.borrow_mut().keys.push(answer.text("/data/api_key").to_owned());
        self.acknowledged("key", doubts);
    }

    /// Another account, with limits that are changed once.
    async fn open_account(&mut self) {
        let body = json!({"name": self.name("account")});
        let Reply { answer, doubts } = self.operate(&Request::post("/operator/v1/accounts", &body)).await;
        let answer = answer.expect_status(201);
        self.account.known.borrow_mut().keys.push(answer.text("/data/api_key").to_owned());
        self.acknowledged("account", doubts);
        let account_id = answer.text("/data/account_id").to_owned();
        let per_second = 10 + self.dice.below(100);
        let (path, change) =
            (format!("/operator/v1/accounts/{account_id}"), json!({"limits": {"per_second": per_second}}));
        let request = Request { method: Method::PATCH, ..Request::post(&path, &change) };
        let Reply { answer, doubts } = self.operate(&request).await;
        answer.expect_status(200);
        self.account.known.borrow_mut().limits.insert(account_id, per_second);
        self.acknowledged("limit", doubts);
    }

    async fn delete(&mut self) {
        let may_go: Vec<usize> = {
            let known = self.account.known.borrow();
            (0..self.active.len()).filter(|&at| !known.radars[&self.active[at]].is_kept).collect()
        };
        if may_go.is_empty() {
            return;
        }
        let radar_id = self.active.swap_remove(may_go[pick(&mut self.dice, may_go.len())]);
        let path = format!("/v1/radars/{radar_id}");
        let request = Request { method: Method::DELETE, ..Request::get(&path) };
        let Reply { answer, doubts } = self.ask(&request).await;
        let answer = answer.expect_status(200);
        assert_eq!(answer.text("/data/radar_status"), "inactive");
        self.account.known.borrow_mut().radars.get_mut(&radar_id).expect("known").is_deleted = true;
        self.ended.push(radar_id);
        self.acknowledged("delete", doubts);
    }

    /// Reads something that this client knows; what was acknowledged is seen by every process at once.
    async fn look(&mut self) {
        let (list, is_active) = if self.dice.below(2) == 0 { (&self.active, true) } else { (&self.ended, false) };
        if list.is_empty() {
            return;
        }
        let radar_id = list[pick(&mut self.dice, list.len())].clone();
        let is_alone = self.dice.below(2) == 0;
        let path = match is_alone {
            true => format!("/v1/radars/{radar_id}"),
            false => format!("/v1/radars?radar_id={radar_id}"),
        };
        let answer = self.ask(&Request::get(&path)).await.answer.expect_status(200);
        let record = if is_alone { &answer.json["data"] } else { &answer.json["data"][0] };
        assert_eq!(record["radar_id"], json!(radar_id), "{}", answer.json);
        assert_eq!(record["radar_status"], json!(if is_active { "active" } else { "inactive" }), "{record}");
        assert_eq!(record["deactivated_at"].is_null(), is_active, "{record}");
        self.caller.progress.count("read", false);
    }

    /// A name that no other client and no other request of this one uses.
    fn name(&self, of: &str) -> String {
        format!("{of}-{}-{}-{}", self.account.number, self.number, self.asked)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.dice.below(chances) == 0
    }

    async fn ask(&mut self, request: &Request<'_>) -> Reply {
        self.caller.ask(&mut self.dice, request).await
    }

    async fn operate(&mut self, request: &Request<'_>) -> Reply {
        self.caller.operate(&mut self.dice, request).await
    }

    /// Notes an acknowledged change, and that doubts about it are settled by repeating it.
    fn acknowledged(&self, kind: &'static str, doubts: u32) {
        self.caller.progress.count(kind, true);
        self.caller.settled(doubts);
    }
}

/// The text at a JSON pointer.
#[track_caller]
fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no text at {pointer} in {value}"))
}
