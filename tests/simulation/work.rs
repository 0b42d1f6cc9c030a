//! The pieces of work that customers, payers, providers and operators ask for, drawn from the seed.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use domain::account::{Command, Creation, DecideApproval, EndUnreachable, Release, TopUp};
use domain::account_status::AccountStatus;
use domain::approval::{Approval, ApprovalDecision};
use domain::idempotency_key::KeyedRequest;
use domain::ids::{AccountId, RadarId};
use domain::money::MicroUsd;
use domain::money::balance_alert::BalanceAlerts;
use domain::radar::NewRadar;
use domain::radar::filter::Filter;
use domain::radar::search::{SearchField, WatchedTarget};
use domain::radar_type::RadarType;
use domain::targets::{DomainName, Target};
use store::OwnPrice;
use uuid::Uuid;

use super::dice::Dice;
use super::plan::{Kind, PUSHED, Plan, price};
use super::record::Record;
use super::replay::update_id;
use super::state::{self, Radar};

/// A piece of work.
#[derive(Clone, Debug)]
pub enum Work {
    /// A command that goes to the ledger as it is.
    Ask(AccountId, Command),
    /// One radar, or several in one request.
    Create(AccountId, Vec<Creation>),
    /// The same under a key.
    CreateOnce(AccountId, KeyedRequest, Vec<Creation>),
    Delete(AccountId, RadarId),
    /// Findings by their numbers at the provider.
    Push(WatchedTarget, Vec<u64>),
    /// The same at its sources, together.
    Find(AccountId, RadarId, Vec<u64>),
    Price(AccountId, OwnPrice),
    /// What an operator sets about an account.
    Set(AccountId, Setting),
    ReadAccount(AccountId, String),
    /// A page of one of the readers.
    ReadUpdates(usize, usize),
    ReadRadars(AccountId, usize),
    ReadRadar(AccountId, RadarId),
}

/// What an operator sets about an account.
#[derive(Clone, Debug)]
pub enum Setting {
    Approval(Approval),
    Cap(Option<MicroUsd>),
    Alerts(Option<BalanceAlerts>),
    Status(AccountStatus),
}

/// What the parties remember.
#[derive(Default)]
pub struct Memory {
    payments: Vec<(AccountId, TopUp)>,
    keyed: Vec<(AccountId, KeyedRequest, Vec<NewRadar>)>,
    radars_made: u64,
    findings_made: u64,
}

impl Memory {
    fn creation(&mut self, dice: &mut Dice, wanted: NewRadar) -> Creation {
        self.radars_made += 1;
        Creation { radar_id: radar_id(self.radars_made, dice.bits()), wanted, needs_set_up: true }
    }
}

/// Draws work.
pub struct Drawing<'a> {
    pub plan: &'a Plan,
    pub record: &'a Record,
    pub accounts: &'a [AccountId],
    pub readers: usize,
    pub now: DateTime<Utc>,
}

impl Drawing<'_> {
    /// The next piece of work.
    pub fn work(&self, dice: &mut Dice, memory: &mut Memory) -> Work {
        let account_id = self.account(dice);
        match dice.weighted(&self.plan.kinds) {
            Kind::TopUp => {
                let top_up = self.top_up(dice, memory, account_id);
                memory.payments.push((account_id, top_up.clone()));
                Work::Ask(account_id, top_up.into())
            }
            Kind::RepeatPayment => match dice.pick(&memory.payments).cloned() {
                Some((account_id, mut top_up)) => {
                    if dice.one_in(4) {
                        top_up.amount = MicroUsd::from_micros(top_up.amount.micros() + 1);
                    }
                    Work::Ask(account_id, top_up.into())
                }
                None => Work::Create(account_id, self.creations(dice, memory, 1)),
            },
            Kind::Create => Work::Create(account_id, self.creations(dice, memory, 1)),
            Kind::CreateBulk => {
                let count = dice.between(2, 7);
                Work::Create(account_id, self.creations(dice, memory, count))
            }
            Kind::CreateOnce => self.create_once(dice, memory, account_id),
            Kind::Delete => match self.radar(dice, account_id) {
                Some((radar_id, _)) => Work::Delete(account_id, radar_id),
                None => Work::Delete(account_id, RadarId(Uuid::from_u128(dice.bits()))),
            },
            Kind::EndUnreachable => {
                let radar_id = self.radar(dice, account_id).map_or(RadarId(Uuid::nil()), |(radar_id, _)| radar_id);
                Work::Ask(account_id, EndUnreachable { radar_id, period_no: dice.between(0, 2) }.into())
            }
            Kind::Push => self.push(dice, memory, account_id),
            Kind::Find => {
                let radar = self.radar(dice, account_id).filter(|(_, radar)| PUSHED.contains(&radar.radar_type));
                let radar_id = radar.map_or(RadarId(Uuid::nil()), |(radar_id, _)| radar_id);
                let count = dice.between(1, 7);
                Work::Find(account_id, radar_id, self.numbers(dice, memory, count))
            }
            Kind::Release => {
                Work::Ask(account_id, Release { radar_id: self.radar_that_holds(dice, account_id) }.into())
            }
            Kind::Price => self.price(dice, account_id),
            Kind::DecideApproval => self.decide_approval(dice, account_id),
            Kind::Set => Work::Set(account_id, setting(self.plan, dice)),
            Kind::ReadAccount => {
                let months_ago = dice.between(0, 2);
                let month = (self.now - Duration::days(30 * months_ago)).format("%Y-%m").to_string();
                Work::ReadAccount(account_id, month)
            }
            Kind::ReadUpdates => {
                Work::ReadUpdates(dice.below(self.readers as u64) as usize, dice.between(1, 8) as usize)
            }
            Kind::ReadRadar => {
                let known = self.radar(dice, account_id).map(|(radar_id, _)| radar_id);
                Work::ReadRadar(account_id, known.unwrap_or_else(|| RadarId(Uuid::from_u128(dice.bits()))))
            }
            Kind::ReadRadars => Work::ReadRadars(account_id, dice.between(1, 10) as usize),
        }
    }

    fn account(&self, dice: &mut Dice) -> AccountId {
        let any = dice.pick(self.accounts).copied();
        let hot = self.accounts.first().copied();
        let chosen = if dice.one_in(self.plan.spread) { any } else { hot };
        chosen.expect("there is an account")
    }

    fn radars(&self, account_id: AccountId) -> &BTreeMap<Uuid, Radar> {
        &self.record.accounts[&account_id.0].model.radars
    }

    fn radar(&self, dice: &mut Dice, account_id: AccountId) -> Option<(RadarId, &Radar)> {
        let radars: Vec<_> = self.radars(account_id).iter().collect();
        dice.pick(&radars).map(|(radar_id, radar)| (RadarId(**radar_id), *radar))
    }

    /// Of those that were ended and have paid time left, now and then.
    fn radar_in_grace(&self, dice: &mut Dice, account_id: AccountId) -> Option<(RadarId, &Radar)> {
        let now = self.now.timestamp_micros();
        let is_one = |radar: &Radar| radar.grace_ends_at().is_some_and(|at| now < at);
        let radars: Vec<_> = self.radars(account_id).iter().filter(|(_, radar)| is_one(radar)).collect();
        let radars = if dice.one_in(2) { radars } else { Vec::new() };
        dice.pick(&radars).map(|(radar_id, radar)| (RadarId(**radar_id), *radar))
    }

    /// Often a multiple of the rate, so that it is enough to the last micro-dollar.
    fn top_up(&self, dice: &mut Dice, memory: &Memory, account_id: AccountId) -> TopUp {
        let rate = dice.pick(&self.plan.rates).copied().unwrap_or_default().max(1);
        let factor = dice.pick(self.plan.payments).copied().unwrap_or(1);
        let amount = rate * factor * dice.between(1, 9) + i64::from(dice.one_in(3));
        let due_at: Vec<i64> = self.radars(account_id).values().filter_map(|radar| radar.next_charge_at).collect();
        let at_renewal = dice.pick(&due_at).copied().and_then(DateTime::from_timestamp_micros);
        let expires_at = match dice.below(10) {
            0 => at_renewal,
            1 => at_renewal.map(|at| at + Duration::microseconds(1)),
            2 => Some(self.now + Duration::seconds(dice.between(1, 60))),
            3 => Some(self.now + Duration::seconds(dice.between(1, 100_000))),
            4 => Some(self.now + Duration::days(dice.between(1, 45))),
            // So soon that a set-up that is cut off and taken up again finds the money expired that paid for it.
            5..8 => Some(self.now + Duration::seconds(dice.between(1, 20))),
            _ => None,
        };
        let payment_ref = format!("payment {}", memory.payments.len());
        TopUp { payment_ref, amount: MicroUsd::from_micros(amount), expires_at }
    }

    fn creations(&self, dice: &mut Dice, memory: &mut Memory, count: i64) -> Vec<Creation> {
        let creation = |_| {
            let wanted = self.wanted(dice);
            memory.creation(dice, wanted)
        };
        (0..count).map(creation).collect()
    }

    fn wanted(&self, dice: &mut Dice) -> NewRadar {
        let domain = DomainName::from_stored(domain(dice.below(self.plan.domains)));
        let webhook_url = (self.plan.receiver.is_some() || dice.one_in(2)).then(|| self.plan.receiver(dice.below(3)));
        NewRadar {
            radar_type: self.radar_type(dice),
            target: Target::Company { domain },
            filter: Filter::Everything,
            webhook_url,
            webhook_format: None,
            custom_fields: BTreeMap::new(),
        }
    }

    /// A new request, or one that was sent before, at times with another body under the same key.
    fn create_once(&self, dice: &mut Dice, memory: &mut Memory, account_id: AccountId) -> Work {
        let sent = if dice.one_in(2) { dice.pick(&memory.keyed).cloned() } else { None };
        let (account_id, mut request, wanted) = sent.unwrap_or_else(|| {
            let key_hash = format!("key {}", memory.keyed.len());
            let wanted: Vec<_> = (0..dice.between(1, 3)).map(|_| self.wanted(dice)).collect();
            let sent = (account_id, KeyedRequest { key_hash, request_hash: "first".to_owned() }, wanted);
            memory.keyed.push(sent.clone());
            sent
        });
        if dice.one_in(6) {
            request.request_hash = "second".to_owned();
        }
        // A repeated request is read again, and its radars get new numbers.
        let creations = wanted.into_iter().map(|wanted| memory.creation(dice, wanted)).collect();
        Work::CreateOnce(account_id, request, creations)
    }

    /// Findings for one radar or for all that watch a target.
    fn push(&self, dice: &mut Dice, memory: &mut Memory, account_id: AccountId) -> Work {
        let watched = self.radar_in_grace(dice, account_id).or_else(|| self.radar(dice, account_id));
        let target = match watched {
            Some((radar_id, radar)) if PUSHED.contains(&radar.radar_type) && !dice.one_in(4) => match dice.one_in(2) {
                true => WatchedTarget::Radar(radar_id),
                false => of_domain(radar.radar_type, radar.target.trim_start_matches("domain ").to_owned()),
            },
            _ => {
                let radar_type = dice.pick(&PUSHED).copied().expect("there are types");
                of_domain(radar_type, domain(dice.below(self.plan.domains)))
            }
        };
        let count = dice.between(1, 4);
        Work::Push(target, self.numbers(dice, memory, count))
    }

    /// One that holds findings beyond the bound of its day, or any.
    fn radar_that_holds(&self, dice: &mut Dice, account_id: AccountId) -> RadarId {
        let model = &self.record.accounts[&account_id.0].model;
        let holding: Vec<Uuid> = model.radars.keys().copied().filter(|id| model.held_beyond(*id) > 0).collect();
        let any = self.radar(dice, account_id).map_or(RadarId(Uuid::nil()), |(radar_id, _)| radar_id);
        dice.pick(&holding).map_or(any, |id| RadarId(*id))
    }

    /// New findings and old ones, by their numbers, in any order.
    fn numbers(&self, dice: &mut Dice, memory: &mut Memory, count: i64) -> Vec<u64> {
        let mut numbers = Vec::new();
        for _ in 0..count {
            if memory.findings_made == 0 || !dice.one_in(3) {
                memory.findings_made += 1;
                numbers.push(memory.findings_made);
            } else {
                numbers.push(memory.findings_made - dice.below(memory.findings_made.min(6)));
            }
        }
        let shift = dice.below(numbers.len() as u64) as usize;
        numbers.rotate_left(shift);
        numbers
    }

    fn price(&self, dice: &mut Dice, account_id: AccountId) -> Work {
        let from = match dice.below(4) {
            0 => Duration::days(dice.between(1, 40)),
            1 => -Duration::days(dice.between(1, 40)),
            _ => Duration::zero(),
        };
        let model = &self.record.accounts[&account_id.0].model;
        let paused: Vec<RadarType> = model.pauses.keys().copied().collect();
        // A price that falls while findings wait at the old one is the most telling.
        let (radar_type, effective_from, rates) = match dice.pick(&paused) {
            Some(radar_type) => (*radar_type, self.now, &self.plan.rates[..3]),
            None => (self.radar_type(dice), self.now + from, &self.plan.rates[..]),
        };
        let price = price(dice, rates);
        let own_bound = Some(price.findings_per_day);
        Work::Price(account_id, OwnPrice { radar_type, effective_from, price, own_bound })
    }

    /// Mostly about what waits, at times again or of nothing that is known.
    fn decide_approval(&self, dice: &mut Dice, account_id: AccountId) -> Work {
        let model = &self.record.accounts[&account_id.0].model;
        let is_wanted = |approval: &state::Approval| approval.decision.is_none();
        let again = dice.one_in(6);
        let keys: Vec<_> =
            model.approvals.iter().filter(|(_, approval)| again || is_wanted(approval)).map(|(key, _)| *key).collect();
        let (radar, record) = dice.pick(&keys).copied().unwrap_or_else(|| (Uuid::nil(), Uuid::from_u128(dice.bits())));
        let decision = if dice.one_in(3) { ApprovalDecision::Reject } else { ApprovalDecision::Approve };
        let update_id = update_id(radar, Some(record));
        Work::Ask(account_id, DecideApproval { update_id, decision }.into())
    }

    fn radar_type(&self, dice: &mut Dice) -> RadarType {
        dice.pick(&self.plan.types).copied().expect("there are types")
    }
}

/// Something that an operator sets.
pub fn setting(plan: &Plan, dice: &mut Dice) -> Setting {
    let rate = dice.pick(&plan.rates).copied().unwrap_or_default();
    match dice.below(4) {
        3 => Setting::Status(if dice.one_in(3) { AccountStatus::Inactive } else { AccountStatus::Active }),
        0 => Setting::Approval(if dice.one_in(2) { Approval::Manual } else { Approval::Auto }),
        1 => Setting::Cap((!dice.one_in(3)).then(|| MicroUsd::from_micros(rate * dice.between(0, 6)))),
        _ => {
            let mut thresholds: Vec<_> = plan.rates[1..].iter().map(|rate| rate * dice.between(1, 3)).collect();
            thresholds.sort_unstable();
            thresholds.dedup();
            Setting::Alerts((!dice.one_in(4)).then(|| BalanceAlerts {
                webhook_url: plan.receiver(dice.below(3)),
                thresholds: thresholds.into_iter().map(MicroUsd::from_micros).collect(),
            }))
        }
    }
}

/// Increasing, as the service makes them.
fn radar_id(number: u64, bits: u128) -> RadarId {
    RadarId(Uuid::from_u128((u128::from(number) << 96) | (bits >> 32)))
}

fn domain(number: u64) -> String {
    format!("company{number}.com")
}

fn of_domain(radar_type: RadarType, text: String) -> WatchedTarget {
    WatchedTarget::Value { radar_type, field: SearchField::Domain, text }
}
