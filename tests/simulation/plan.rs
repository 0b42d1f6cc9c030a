//! What a seed decides before a run begins: which kinds of work there are and how often, what goes wrong, how large the
//! world is. Much is off in each run (swarm testing): what is rare together is common alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::money::MicroUsd;
use domain::money::pricing::{DefaultPrices, Price};
use domain::radar::{GracePeriod, PricingModel};
use domain::radar_type::RadarType;

use super::dice::Dice;
use super::faults::{Harm, POINTS, Rates};

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    TopUp,
    RepeatPayment,
    Create,
    CreateBulk,
    /// Under an `Idempotency-Key`.
    CreateOnce,
    Delete,
    EndUnreachable,
    Push,
    /// A radar's sources show something.
    Find,
    /// An operator releases what a radar holds beyond the bound of its day.
    Release,
    Price,
    DecideApproval,
    Set,
    ReadAccount,
    ReadUpdates,
    ReadRadars,
    ReadRadar,
}

/// How time passes between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    None,
    Seconds,
    Hours,
    Days,
    Month,
    /// To the very instant at which the next thing is due, or a microsecond before it.
    NextDue,
}

/// The plan of a run.
pub struct Plan {
    pub accounts: usize,
    /// Once in so many picks it is any account; else the first, which is hot.
    pub spread: u64,
    pub domains: u64,
    pub types: Vec<RadarType>,
    pub prices: BTreeMap<RadarType, Price>,
    pub rates: Vec<i64>,
    /// How many times a rate a payment is about.
    pub payments: &'static [i64],
    pub rounds: u64,
    /// How many pieces of work are begun at once at most.
    pub at_once: u64,
    pub kinds: Vec<(Kind, u64)>,
    pub steps: Vec<(Step, u64)>,
    pub faults: Rates,
    /// Once in so many rounds the process ends, orderly or not; 0 for never.
    pub restarts: u64,
    /// The port of this machine that deliveries are sent to; `None` where nobody sends them.
    pub receiver: Option<u16>,
    pub queue: usize,
    /// How many due renewals a transaction decides; few, so that some are often left to the next one.
    pub renewals_max: usize,
}

/// The types that the providers serve.
pub const PUSHED: [RadarType; 3] = [RadarType::CompanyReviews, RadarType::CompanyMentions, EVENTS];
/// Of these the one whose findings tell of events.
const EVENTS: RadarType = RadarType::CompanyPromotions;

/// No more than the ledger decides beside commands: the oracle need not know whether there were any.
const RENEWALS_MAX: usize = 16;

/// The type that nobody serves.
const UNSERVED: RadarType = RadarType::CompanyNewHires;

/// As much as a few radars cost; at times more, and now and then so much that nothing can be short of it.
const AT_THE_EDGE: [i64; 8] = [1_000, 20, 20, 1, 1, 1, 1, 1];
/// Enough for commands to go ahead of renewals, mostly.
const PLENTY: [i64; 4] = [1_000, 1_000, 100, 1];
/// Enough to begin many radars, and not to renew them all.
const SOME: [i64; 5] = [20, 20, 1, 1, 1];

impl Plan {
    /// Draws a plan.
    pub fn draw(dice: &mut Dice) -> Self {
        let scale = [1, 100, 333_333][dice.below(3) as usize];
        let rates: Vec<i64> = [0, 1, 2, 3, 5, 8].iter().map(|rate| rate * scale).collect();
        // Many renewals at once, of which a transaction decides few.
        let is_storm = dice.one_in(3);
        let types = [&PUSHED[..], if is_storm { &PUSHED[..] } else { &[] }, &[UNSERVED]].concat();
        let mut prices: BTreeMap<_, _> = types.iter().map(|radar_type| (*radar_type, price(dice, &rates))).collect();
        // What was charged for it is refunded.
        if let Some(unserved) = prices.get_mut(&UNSERVED).filter(|_| dice.one_in(2)) {
            unserved.model = PricingModel::Subscription;
        }
        if is_storm {
            // All but one at times, whose findings are held when renewals have taken the money.
            let other = if dice.one_in(2) { dice.pick(&PUSHED).copied() } else { None };
            for (radar_type, price) in &mut prices {
                let is_other = other == Some(*radar_type);
                price.model = if is_other { PricingModel::UpdateBased } else { PricingModel::Subscription };
            }
        }
        let kinds = [
            (Kind::TopUp, 6),
            (Kind::RepeatPayment, 2),
            (Kind::Create, 8),
            (Kind::CreateBulk, if is_storm { 6 } else { 2 }),
            (Kind::CreateOnce, 4),
            (Kind::Delete, 4),
            (Kind::EndUnreachable, 1),
            (Kind::Push, 12),
            (Kind::Find, 12),
            (Kind::Release, 2),
            (Kind::Price, 4),
            (Kind::DecideApproval, 6),
            (Kind::Set, 2),
            (Kind::ReadAccount, 3),
            (Kind::ReadUpdates, 5),
            (Kind::ReadRadars, 1),
            (Kind::ReadRadar, 4),
        ];
        let steps = [
            (Step::None, 4),
            (Step::Seconds, 4),
            (Step::Hours, 3),
            (Step::Days, 3),
            (Step::Month, if is_storm { 6 } else { 1 }),
            (Step::NextDue, 6),
        ];
        Self {
            accounts: dice.between(1, 3) as usize,
            spread: dice.between(1, 4) as u64,
            domains: if is_storm { dice.between(4, 12) } else { dice.between(2, 8) } as u64,
            types,
            prices,
            rates,
            payments: if is_storm { [&PLENTY[..], &SOME][dice.below(2) as usize] } else { &AT_THE_EDGE },
            rounds: dice.between(16, 48) as u64,
            at_once: dice.between(1, 9) as u64,
            kinds: swarm(dice, &kinds, &[Kind::TopUp, Kind::Create, Kind::Push]),
            steps: swarm(dice, &steps, &[Step::None]),
            faults: faults(dice),
            restarts: [0, 6, 15][dice.below(3) as usize],
            receiver: None,
            queue: if dice.one_in(5) { dice.between(1, 4) as usize } else { 10_000 },
            renewals_max: if is_storm { dice.between(1, 3) as usize } else { RENEWALS_MAX },
        }
    }

    /// Changes it for processes that share a database: a run is short, so that much happens at once, there is money for it,
    /// much is found, and that is sent to a port of this machine.
    pub fn share(&mut self, dice: &mut Dice, receiver: u16) {
        self.rounds = dice.between(12, 28) as u64;
        self.at_once = dice.between(4, 12) as u64;
        self.payments = &PLENTY;
        self.kinds.push((Kind::Find, 30));
        self.receiver = Some(receiver);
    }

    /// The address of a receiver.
    pub fn receiver(&self, number: u64) -> String {
        match self.receiver {
            Some(port) => format!("http://127.0.0.1:{port}/{number}"),
            None => format!("https://receiver{number}.example/"),
        }
    }

    pub fn default_prices(&self) -> DefaultPrices {
        Arc::new(self.prices.clone())
    }
}

/// A price of either model.
pub fn price(dice: &mut Dice, rates: &[i64]) -> Price {
    let model = if dice.one_in(2) { PricingModel::Subscription } else { PricingModel::UpdateBased };
    let rate = dice.pick(rates).copied().unwrap_or_default();
    let grace_period = if dice.one_in(2) { GracePeriod::PaidPeriod } else { GracePeriod::None };
    let findings_per_day = [1, 2, 3, 5, 200][dice.below(5) as usize];
    Price { model, rate: MicroUsd::from_micros(rate), grace_period, findings_per_day }
}

/// Turns some of them off, others up.
fn swarm<T: Copy + PartialEq>(dice: &mut Dice, all: &[(T, u64)], always: &[T]) -> Vec<(T, u64)> {
    let mut drawn = Vec::new();
    for &(value, weight) in all {
        let factor = if always.contains(&value) { 2 } else { [0, 1, 2, 6][dice.below(4) as usize] };
        drawn.push((value, weight * factor));
    }
    drawn
}

fn faults(dice: &mut Dice) -> Rates {
    let mut rates = Rates::new();
    if dice.one_in(4) {
        return rates;
    }
    for (point, can_fail) in POINTS {
        for harm in [Harm::Error, Harm::Panic, Harm::Crash] {
            if dice.one_in(3) && (can_fail || harm != Harm::Error) {
                let often = if harm == Harm::Crash { 60 } else { 12 };
                rates.insert((point, harm), dice.between(often, often * 6) as u64);
            }
        }
    }
    rates
}
