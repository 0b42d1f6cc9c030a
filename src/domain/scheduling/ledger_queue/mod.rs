//! What waits in a partition of the ledger, and what of it goes into the next transaction.
//!
//! Commands are what a caller waits for: creations, findings, top-ups. A settlement is what an account has due by itself;
//! however often it is asked for, it is one, and it is repeated for as long as more is due. Commands go first; settlements
//! go along in some of the transactions, so that a storm of renewals neither holds up commands nor waits for ever. The
//! commands of one account stay in the order in which they came.

mod pace;

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::ids::AccountId;
use pace::Width;
pub use pace::{MaySettle, Quiet, RENEWALS_MAX};

/// How much weight of commands one transaction takes at most: what many of them change in the same page of an index is
/// written once.
const WEIGHT_MAX: usize = 2_048;
/// How many accounts a transaction settles while commands come in: so many that its commit keeps no command waiting for
/// much longer than their own commit takes. An account costs about as much as a few renewals.
const SETTLEMENTS_BESIDE: usize = 4;
/// From so many waiting commands on a partition has a transaction of its own: with fewer, the statements of a transaction
/// cost more than its rows.
const ALONE_FROM: usize = 64;

/// What waits in a partition: commands `C`, and the waiters for a settlement, `W`.
pub struct Queue<C, W> {
    commands: VecDeque<Waiting<C>>,
    /// Accounts to be settled, in order.
    settlements: VecDeque<AccountId>,
    /// The waiters for these settlements, and the commands that wait until their account is settled.
    settling: HashMap<AccountId, Settlement<C, W>>,
    blocked: usize,
    width: Width,
    has_just_settled: bool,
}

/// A command, or several that are decided in one transaction.
struct Waiting<C> {
    account_id: AccountId,
    weight: usize,
    command: C,
}

struct Settlement<C, W> {
    waiters: Vec<W>,
    /// Those who asked while the settlement was under way: it may not have seen what is due for them, so another one follows.
    next: Option<Vec<W>>,
    is_under_way: bool,
    blocked: VecDeque<Waiting<C>>,
}

/// What goes into one transaction.
pub struct Group<C> {
    /// Commands, in order.
    pub commands: Vec<C>,
    /// Accounts to be settled.
    pub settlements: Vec<AccountId>,
}

impl<C, W> Queue<C, W> {
    /// Adds a command at the end; behind those of its account that wait for the settlement.
    pub fn push(&mut self, account_id: AccountId, weight: usize, command: C) {
        let waiting = Waiting { account_id, weight, command };
        match self.settling.get_mut(&account_id).filter(|settling| !settling.blocked.is_empty()) {
            Some(settling) => {
                settling.blocked.push_back(waiting);
                self.blocked += 1;
            }
            None => self.commands.push_back(waiting),
        }
    }

    /// Adds a settlement of an account, or a waiter for the settlement that waits already.
    pub fn settle_due(&mut self, account_id: AccountId, waiter: Option<W>) {
        let settling = self.settling(account_id);
        match settling.is_under_way {
            true => settling.next.get_or_insert_default().extend(waiter),
            false => settling.waiters.extend(waiter),
        }
    }

    /// Puts commands back that cannot be decided before their account is settled, and after them all others of that
    /// account.
    pub fn put_blocked(&mut self, commands: impl IntoIterator<Item = (AccountId, usize, C)>) {
        let mut is_any = false;
        for (account_id, weight, command) in commands {
            self.settling(account_id).blocked.push_back(Waiting { account_id, weight, command });
            self.blocked += 1;
            is_any = true;
        }
        if is_any {
            let waiting = std::mem::take(&mut self.commands);
            waiting.into_iter().for_each(|next| self.push(next.account_id, next.weight, next.command));
        }
    }

    /// Takes what fits into one transaction; `None` when nothing waits that it takes.
    pub fn take(&mut self, settling: MaySettle) -> Option<Group<C>> {
        let width = self.width.next();
        let commands = self.take_commands();
        let settlements_max = match (settling, commands.is_empty()) {
            (MaySettle::Not, _) => 0,
            (_, false) if self.has_just_settled => 0,
            (MaySettle::Few, _) | (_, false) => SETTLEMENTS_BESIDE,
            (MaySettle::Many, true) => width,
        };
        let settlements: Vec<AccountId> =
            self.settlements.drain(..self.settlements.len().min(settlements_max)).collect();
        for account_id in &settlements {
            self.settling.entry(*account_id).and_modify(|settling| settling.is_under_way = true);
        }
        self.has_just_settled = !settlements.is_empty();
        (!commands.is_empty() || !settlements.is_empty()).then_some(Group { commands, settlements })
    }

    /// Notes the result of a settlement: an account with more due is settled again, after the others. Answers the waiters
    /// for an account that is settled; the commands that waited for it are next.
    pub fn settle(&mut self, account_id: AccountId, has_more: bool) -> Vec<W> {
        // A stop may have forgotten it.
        let Some(settling) = self.settling.get_mut(&account_id) else { return Vec::new() };
        self.width.note(has_more);
        if has_more {
            settling.is_under_way = false;
            self.settlements.push_back(account_id);
            return Vec::new();
        }
        let Some(settling) = self.settling.remove(&account_id) else { return Vec::new() };
        self.blocked -= settling.blocked.len();
        for waiting in settling.blocked.into_iter().rev() {
            self.commands.push_front(waiting);
        }
        if let Some(next) = settling.next {
            self.settling(account_id).waiters = next;
        }
        settling.waiters
    }

    /// Takes out all commands and all waiters; nothing is left.
    pub fn clear(&mut self) -> (Vec<C>, Vec<W>) {
        self.settlements.clear();
        self.blocked = 0;
        let (mut commands, mut waiters): (Vec<C>, Vec<W>) = (Vec::new(), Vec::new());
        commands.extend(self.commands.drain(..).map(|waiting| waiting.command));
        for (_, settling) in self.settling.drain() {
            commands.extend(settling.blocked.into_iter().map(|waiting| waiting.command));
            waiters.extend(settling.waiters.into_iter().chain(settling.next.into_iter().flatten()));
        }
        (commands, waiters)
    }

    /// Forgets the settlements that no command waits for, with their waiters.
    pub fn forget_settlements(&mut self) {
        self.settling.retain(|_, settling| !settling.blocked.is_empty());
        self.settlements.retain(|account_id| self.settling.contains_key(account_id));
    }

    /// How many commands wait, and how many accounts are to be settled.
    pub fn len(&self) -> (usize, usize) {
        (self.commands.len() + self.blocked, self.settlements.len())
    }

    /// Whether what waits here is worth a transaction of its own, beside those of other partitions.
    pub fn wants_own_transaction(&self) -> bool {
        self.commands.len() >= ALONE_FROM || !self.settlements.is_empty()
    }

    fn settling(&mut self, account_id: AccountId) -> &mut Settlement<C, W> {
        self.settling.entry(account_id).or_insert_with(|| {
            self.settlements.push_back(account_id);
            Settlement { waiters: Vec::new(), next: None, is_under_way: false, blocked: VecDeque::new() }
        })
    }

    /// Takes commands in order; while several accounts wait, none fills more than half of the room.
    fn take_commands(&mut self) -> Vec<C> {
        let first = self.commands.front().map(|waiting| waiting.account_id);
        let is_shared = self.commands.iter().any(|waiting| Some(waiting.account_id) != first);
        let account_max = if is_shared { WEIGHT_MAX / 2 } else { WEIGHT_MAX };
        let mut taken = Vec::new();
        let mut left = VecDeque::new();
        let mut total = 0;
        let mut accounts: BTreeMap<AccountId, (usize, bool)> = BTreeMap::new();
        for next in self.commands.drain(..) {
            let (taken_weight, is_cut_off) = accounts.entry(next.account_id).or_default();
            let has_room =
                total + next.weight <= WEIGHT_MAX && (*taken_weight == 0 || *taken_weight + next.weight <= account_max);
            if (total == 0 || has_room) && !*is_cut_off {
                total += next.weight;
                *taken_weight += next.weight;
                taken.push(next.command);
            } else {
                *is_cut_off = true;
                left.push_back(next);
            }
        }
        self.commands = left;
        taken
    }
}

impl<C, W> Default for Queue<C, W> {
    fn default() -> Self {
        Self {
            commands: VecDeque::new(),
            settlements: VecDeque::new(),
            settling: HashMap::new(),
            blocked: 0,
            width: Width::new(),
            has_just_settled: false,
        }
    }
}

#[cfg(test)]
mod tests;
