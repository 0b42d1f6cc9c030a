//! Creates, single and bulk, with a key and without.

use serde_json::{Value, json};

use super::{Worker, text};
use crate::chaos::callers::{Reply, Request};
use crate::chaos::fleet::{BY_THE_FINDING, BY_THE_MONTH, pick};
use crate::chaos::history::{KnownRadar, Manner};

const COMPANIES: &str = "/v1/radars/companies";
const BULK: &str = "/v1/radars/bulk";
/// Targets of an account that all of its clients race for.
const SHARED_TARGETS: u64 = 12;
/// How often somebody who was refused for lack of money pays in and asks again.
const TRIES: u32 = 3;

/// Something that is asked for.
struct Wish {
    domain: String,
    radar_type: &'static str,
    body: Value,
}

impl Worker<'_> {
    /// One radar, asked for until it is there or refused.
    pub(super) async fn create_one(&mut self) {
        let wish = self.wish(0);
        let key = self.one_in(2).then(|| self.name("key"));
        let (mut doubts, mut is_created) = (0, false);
        for _ in 0..TRIES {
            let request = Request { key: key.as_deref(), ..Request::post(COMPANIES, &wish.body) };
            let reply = self.ask(&request).await;
            doubts += reply.doubts;
            is_created = self.settle(&wish, key.is_some(), doubts, reply.answer.status, &reply.answer.json);
            if is_created && key.is_some() && reply.answer.status == 201 && self.one_in(8) {
                let again = self.ask(&request).await.answer.expect_status(201);
                assert_eq!(again.bytes, reply.answer.bytes, "a key has one answer");
                self.caller.progress.count("answer given again", false);
            }
            if is_created || self.account.manner != Manner::Poor || self.one_in(2) {
                break;
            }
            self.asked += 1;
            self.top_up().await;
        }
        match (is_created, key) {
            (true, Some(_)) => self.acknowledged("create with key", doubts),
            (true, None) => self.acknowledged("create without key", doubts),
            (false, _) => {}
        }
    }

    /// Several radars at once, among them perhaps one that is there already.
    pub(super) async fn create_many(&mut self) {
        let count = if self.one_in(12) { 100 } else { 2 + self.dice.below(9) };
        let mut wishes: Vec<Wish> = (0..count).map(|place| self.wish(place)).collect();
        let mut existing = None;
        if !self.active.is_empty() && self.one_in(3) {
            let radar_id = self.active[pick(&mut self.dice, self.active.len())].clone();
            let radar = self.account.known.borrow().radars[&radar_id].clone();
            let place = pick(&mut self.dice, wishes.len());
            wishes[place].body["domain"] = json!(radar.domain);
            wishes[place].body["radar_type"] = json!(radar.radar_type);
            existing = Some((place, radar_id));
        }
        let items: Vec<&Value> = wishes.iter().map(|wish| &wish.body).collect();
        let body = json!({"radars": items});
        let key = self.one_in(2).then(|| self.name("bulk-key"));
        let request = Request { key: key.as_deref(), ..Request::post(BULK, &body) };
        let Reply { answer, doubts } = self.ask(&request).await;
        assert!([201, 207, 400].contains(&answer.status), "{}", answer.json);
        let results = answer.json["results"].as_array().unwrap_or_else(|| panic!("no results in {}", answer.json));
        assert_eq!(results.len(), wishes.len());
        for (place, (wish, result)) in wishes.iter().zip(results).enumerate() {
            match existing.as_ref().filter(|(at, _)| *at == place) {
                Some((_, radar_id)) => {
                    let refusal = (&result["code"], &result["errors"][0]["reason"]);
                    assert_eq!(refusal, (&json!(409), &json!(radar_id)), "{result}");
                }
                None => {
                    let code = u16::try_from(result["code"].as_u64().expect("a code")).expect("a code");
                    if self.settle(wish, key.is_some(), doubts, code, result) {
                        self.caller.progress.count("created by a bulk", true);
                    }
                }
            }
        }
        let kind = if key.is_some() { "bulk with key" } else { "bulk without key" };
        self.caller.progress.count(kind, false);
        self.caller.settled(doubts);
    }

    /// A radar that the other clients of the account want as well: all of them get the same one.
    pub(super) async fn race(&mut self) {
        let domain = format!("shared-{}-{}.com", self.account.number, self.dice.below(SHARED_TARGETS));
        let body = json!({"domain": domain, "radar_type": BY_THE_MONTH});
        let Reply { answer, doubts } = self.ask(&Request::post(COMPANIES, &body)).await;
        let radar_id = match answer.status {
            201 => answer.text("/data/radar_id"),
            409 => answer.text("/errors/0/reason"),
            status => {
                assert_eq!(status, 402, "{}", answer.json);
                self.account.known.borrow_mut().possible.insert(domain);
                return;
            }
        };
        let mut known = self.account.known.borrow_mut();
        let first = known.shared.entry(domain.clone()).or_insert_with(|| radar_id.to_owned()).clone();
        assert_eq!(first, radar_id, "{domain} has two radars");
        if !known.radars.contains_key(radar_id) {
            let radar_type = BY_THE_MONTH.to_owned();
            known.created(
                radar_id,
                KnownRadar { domain, radar_type, has_hook: false, is_deleted: false, is_kept: true },
            );
        }
        drop(known);
        self.acknowledged("raced create", doubts);
    }

    fn wish(&mut self, place: u64) -> Wish {
        let radar_type = if self.dice.below(5) < 2 { BY_THE_MONTH } else { BY_THE_FINDING };
        let domain = format!("{}-{place}.com", self.name("company"));
        let mut body = json!({"domain": domain, "radar_type": radar_type});
        if self.dice.below(5) > 0 {
            body["webhook_url"] = json!(self.account.hook);
        }
        Wish { domain, radar_type, body }
    }

    /// Notes what became of a wish; `false` if it was refused for lack of money.
    ///
    /// A request that nobody has heard of may still be on its way through a process that was frozen. Under a key it
    /// can do no harm once the key has an answer. Without one it may create the radar again, should that end before.
    fn settle(&mut self, wish: &Wish, has_key: bool, doubts: u32, code: u16, answer: &Value) -> bool {
        let mut known = self.account.known.borrow_mut();
        let is_in_doubt = doubts > 0;
        if code == 402 {
            self.caller.progress.count("refused for lack of money", false);
        }
        let radar_id = match code {
            201 => text(answer, "/data/radar_id"),
            409 if is_in_doubt && !has_key => {
                self.caller.progress.count("doubt settled by the 409", false);
                text(answer, "/errors/0/reason")
            }
            402 if is_in_doubt => {
                known.possible.insert(wish.domain.clone());
                return false;
            }
            402 => {
                if !known.possible.contains(&wish.domain) {
                    known.refused.insert(wish.domain.clone());
                }
                return false;
            }
            _ => panic!("{answer}"),
        };
        known.refused.remove(&wish.domain);
        let radar = KnownRadar {
            domain: wish.domain.clone(),
            radar_type: wish.radar_type.to_owned(),
            has_hook: wish.body.get("webhook_url").is_some(),
            is_deleted: false,
            is_kept: is_in_doubt && !has_key,
        };
        known.created(radar_id, radar);
        drop(known);
        self.active.push(radar_id.to_owned());
        true
    }
}
