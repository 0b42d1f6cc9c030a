//! Whether an account's ledger adds up (design, invariants 1 and 4 for money).
//!
//! Duty: what must be true of the rows of one account, told in sentences where it is not. It repairs nothing.

use std::collections::BTreeMap;

/// The most that is told of one account; the rest would say the same.
const FAULTS_MAX: usize = 20;

/// What the account's own rows claim, in micro-USD.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The balance on the account row.
    pub balance_micros: i64,
    /// The number of the last movement on the account row.
    pub tx_seq: i64,
    /// What is left of each lot, by its number.
    pub lots: BTreeMap<i64, i64>,
}

/// One movement as it was written, in micro-USD.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its number.
    pub tx_seq: i64,
    /// What it did to the balance.
    pub amount_micros: i64,
    /// The balance that was noted after it.
    pub balance_after_micros: i64,
    /// Its legs: the lot, for the customer's credit, and the amount.
    pub legs: Vec<(Option<i64>, i64)>,
}

/// Goes through the movements of one account in their order.
#[derive(Debug)]
pub struct Audit {
    claims: Claims,
    last_seq: i64,
    balance: i128,
    lots: BTreeMap<i64, i128>,
    faults: Vec<String>,
}

impl Audit {
    /// An audit of what an account claims.
    pub fn new(claims: Claims) -> Self {
        Self { claims, last_seq: 0, balance: 0, lots: BTreeMap::new(), faults: Vec::new() }
    }

    /// Takes the next movement.
    pub fn take(&mut self, written: &Written) {
        let seq = written.tx_seq;
        if seq != self.last_seq + 1 {
            self.fault(format!("movement {seq} follows movement {}", self.last_seq));
        }
        self.last_seq = seq;
        self.balance += i128::from(written.amount_micros);
        if self.balance != i128::from(written.balance_after_micros) {
            self.fault(format!(
                "movement {seq} notes a balance of {}, not {}",
                written.balance_after_micros, self.balance
            ));
        }
        if self.balance < 0 {
            self.fault(format!("movement {seq} leaves a negative balance of {}", self.balance));
        }
        let sum: i128 = written.legs.iter().map(|(_, amount)| i128::from(*amount)).sum();
        if sum != 0 {
            self.fault(format!("the legs of movement {seq} sum to {sum}"));
        }
        let credit: i128 =
            written.legs.iter().filter(|(lot, _)| lot.is_some()).map(|(_, amount)| i128::from(*amount)).sum();
        if credit != i128::from(written.amount_micros) {
            self.fault(format!("movement {seq} is of {}, its lots moved by {credit}", written.amount_micros));
        }
        for (lot, amount) in &written.legs {
            if let Some(lot) = lot {
                *self.lots.entry(*lot).or_default() += i128::from(*amount);
            }
        }
    }

    /// Everything that does not add up, in micro-USD; empty for sound books.
    #[must_use]
    pub fn finish(mut self) -> Vec<String> {
        if self.last_seq != self.claims.tx_seq {
            self.fault(format!(
                "the account counts {} movements, the last one is {}",
                self.claims.tx_seq, self.last_seq
            ));
        }
        if self.balance != i128::from(self.claims.balance_micros) {
            self.fault(format!("the balance is {}, its movements sum to {}", self.claims.balance_micros, self.balance));
        }
        let left: i128 = self.claims.lots.values().map(|left| i128::from(*left)).sum();
        if left != i128::from(self.claims.balance_micros) {
            self.fault(format!("the balance is {}, its lots hold {left}", self.claims.balance_micros));
        }
        let lots = std::mem::take(&mut self.lots);
        for lot in self.claims.lots.keys().chain(lots.keys()).copied().collect::<std::collections::BTreeSet<_>>() {
            let left = self.claims.lots.get(&lot).copied().map_or(0, i128::from);
            let moved = lots.get(&lot).copied().unwrap_or_default();
            if left != moved {
                self.fault(format!("lot {lot} holds {left}, its movements sum to {moved}"));
            }
        }
        self.faults
    }

    fn fault(&mut self, sentence: String) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(sentence);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Audit, Claims, Written};
    use std::collections::BTreeMap;

    fn sound() -> (Claims, Vec<Written>) {
        let written = |tx_seq, amount_micros, balance_after_micros, legs| Written {
            tx_seq,
            amount_micros,
            balance_after_micros,
            legs,
        };
        let movements = vec![
            written(1, 100, 100, vec![(Some(1), 100), (None, -100)]),
            written(2, 50, 150, vec![(Some(2), 50), (None, -50)]),
            written(3, -120, 30, vec![(Some(1), -100), (Some(2), -20), (None, 120)]),
        ];
        (Claims { balance_micros: 30, tx_seq: 3, lots: BTreeMap::from([(1, 0), (2, 30)]) }, movements)
    }

    fn faults(claims: Claims, movements: &[Written]) -> Vec<String> {
        let mut audit = Audit::new(claims);
        movements.iter().for_each(|written| audit.take(written));
        audit.finish()
    }

    #[test]
    fn sound_books_have_no_fault() {
        let (claims, movements) = sound();
        assert!(faults(claims, &movements).is_empty());
        assert!(faults(Claims::default(), &[]).is_empty());
    }

    #[test]
    fn each_kind_of_damage_is_told() {
        type Damage = fn(&mut Claims, &mut Vec<Written>);
        let damages: [(Damage, &str); 8] = [
            (|_, movements| drop(movements.remove(1)), "movement 3 follows movement 1"),
            (|_, movements| drop(movements.pop()), "the account counts 3 movements, the last one is 2"),
            (|_, movements| movements[1].balance_after_micros = 151, "movement 2 notes a balance of 151, not 150"),
            (|_, movements| movements[1].legs[1].1 = -49, "the legs of movement 2 sum to 1"),
            (|_, movements| movements[2].legs[1].0 = None, "movement 3 is of -120, its lots moved by -100"),
            (|claims, _| claims.balance_micros = 31, "the balance is 31, its movements sum to 30"),
            (|claims, _| claims.lots.extend([(2, 29)]), "lot 2 holds 29, its movements sum to 30"),
            (
                |_, movements| {
                    movements[2].amount_micros = -160;
                    movements[2].legs[1].1 = -60;
                },
                "movement 3 leaves a negative balance of -10",
            ),
        ];
        for (damage, sentence) in damages {
            let (mut claims, mut movements) = sound();
            damage(&mut claims, &mut movements);
            let faults = faults(claims, &movements);
            assert!(faults.iter().any(|fault| fault == sentence), "{sentence}: {faults:?}");
        }
    }
}
