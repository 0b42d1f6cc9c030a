//! What waits in a partition of the ledger, and what of it goes into the next transaction. Pure: no clock, no database.
//!
//! Commands are what somebody waits for: creations, findings, top-ups. A settlement is what an account has due by itself;
//! however often it is asked for, it is one, and it is repeated for as long as more is due. Commands go first and
//! settlements get a share, so that a storm of renewals keeps nobody waiting and is not kept waiting for ever either. Of
//! one account, commands stay in the order in which they came.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::domain::account::RENEWALS_MAX;
use crate::domain::ids::AccountId;

/// How much weight of commands one transaction takes at most: what many of them change in the same page of an index is
/// written once.
const WEIGHT_MAX: usize = 2_048;
/// How many accounts a transaction settles: at least while several wait, at most when each has little due.
const SETTLEMENTS_MIN: usize = 4;
const SETTLEMENTS_MAX: usize = 256;
/// How many accounts a transaction settles while commands come in, and how many renewals it decides: so many that its commit
/// keeps none of them waiting for much longer than their own takes. An account costs about as much as a few renewals.
const SETTLEMENTS_BESIDE: usize = 4;
const RENEWALS_BESIDE: usize = 16;
/// After so many transactions without commands, renewals are decided by the hundred again.
const QUIET_AFTER: u32 = 32;

/// For how many transactions no command has come, in whichever partition: the partitions share the machine.
pub(super) struct Quiet {
    transactions: u32,
}

impl Quiet {
    pub(super) fn new() -> Self {
        Self { transactions: QUIET_AFTER }
    }

    /// Takes note of a transaction; answers how many due renewals it decides at most.
    pub(super) fn note(&mut self, has_commands: bool) -> usize {
        self.transactions = if has_commands { 0 } else { self.transactions.saturating_add(1) };
        if self.is_quiet() { RENEWALS_MAX } else { RENEWALS_BESIDE }
    }

    /// Whether nobody is kept waiting by renewals.
    pub(super) fn is_quiet(&self) -> bool {
        self.transactions > QUIET_AFTER
    }
}

/// How many accounts the next transaction may settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MaySettle {
    /// None: another partition does.
    Not,
    /// Few: a command may come at any moment.
    Few,
    /// As many as it has enough to do with.
    Many,
}

/// What waits in a partition: commands `C`, and whoever waits for a settlement, `W`.
pub(super) struct Queue<C, W> {
    commands: VecDeque<Waiting<C>>,
    /// Accounts to be settled, in order.
    settlements: VecDeque<AccountId>,
    /// Whoever waits for these settlements, and the commands that wait until their account is settled.
    settling: HashMap<AccountId, Settlement<C, W>>,
    blocked: usize,
    /// How many accounts a transaction settles, and how the last settlements ended.
    settlements_max: usize,
    settled: usize,
    unsettled: usize,
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
    /// Whoever asked while the settlement was under way: it may not have seen what they speak of, so another one follows.
    next: Option<Vec<W>>,
    is_under_way: bool,
    blocked: VecDeque<Waiting<C>>,
}

/// What goes into a transaction.
pub(super) struct Batch<C> {
    /// Commands, in order.
    pub(super) commands: Vec<C>,
    /// Accounts to be settled.
    pub(super) settlements: Vec<AccountId>,
}

impl<C, W> Queue<C, W> {
    pub(super) fn new() -> Self {
        Self {
            commands: VecDeque::new(),
            settlements: VecDeque::new(),
            settling: HashMap::new(),
            blocked: 0,
            settlements_max: SETTLEMENTS_MIN,
            settled: 0,
            unsettled: 0,
            has_just_settled: false,
        }
    }

    /// Adds a command at the end; behind those of its account that wait for the settlement.
    pub(super) fn push(&mut self, account_id: AccountId, weight: usize, command: C) {
        let waiting = Waiting { account_id, weight, command };
        match self.settling.get_mut(&account_id).filter(|settling| !settling.blocked.is_empty()) {
            Some(settling) => {
                settling.blocked.push_back(waiting);
                self.blocked += 1;
            }
            None => self.commands.push_back(waiting),
        }
    }

    /// Adds a settlement of an account, or one who waits for the settlement that waits already.
    pub(super) fn settle_due(&mut self, account_id: AccountId, waiter: Option<W>) {
        let settling = self.settling(account_id);
        match settling.is_under_way {
            true => settling.next.get_or_insert_default().extend(waiter),
            false => settling.waiters.extend(waiter),
        }
    }

    /// Puts commands back that cannot be decided before their account is settled, and after them all others of that
    /// account.
    pub(super) fn put_blocked(&mut self, commands: impl IntoIterator<Item = (AccountId, usize, C)>) {
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
    pub(super) fn take(&mut self, settling: MaySettle) -> Option<Batch<C>> {
        self.adapt();
        let commands = self.take_commands();
        let settlements_max = match (settling, commands.is_empty()) {
            (MaySettle::Not, _) => 0,
            (_, false) if self.has_just_settled => 0,
            (MaySettle::Few, _) | (_, false) => SETTLEMENTS_BESIDE,
            (MaySettle::Many, true) => self.settlements_max,
        };
        let settlements: Vec<AccountId> =
            self.settlements.drain(..self.settlements.len().min(settlements_max)).collect();
        for account_id in &settlements {
            self.settling.entry(*account_id).and_modify(|settling| settling.is_under_way = true);
        }
        self.has_just_settled = !settlements.is_empty();
        (!commands.is_empty() || !settlements.is_empty()).then_some(Batch { commands, settlements })
    }

    /// Takes the result of a settlement: an account with more due is settled again, after the others. Answers who
    /// waited for an account that is settled; the commands that were behind are next.
    pub(super) fn settle(&mut self, account_id: AccountId, has_more: bool) -> Vec<W> {
        // One that a stop has forgotten is left as it is.
        let Some(settling) = self.settling.get_mut(&account_id) else { return Vec::new() };
        if has_more {
            self.unsettled += 1;
            settling.is_under_way = false;
            self.settlements.push_back(account_id);
            return Vec::new();
        }
        self.settled += 1;
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

    /// Takes out all commands and whoever waits for settlements; nothing is left.
    pub(super) fn clear(&mut self) -> (Vec<C>, Vec<W>) {
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

    /// Forgets the settlements that no command waits for, with those who wait for them.
    pub(super) fn forget_settlements(&mut self) {
        self.settling.retain(|_, settling| !settling.blocked.is_empty());
        self.settlements.retain(|account_id| self.settling.contains_key(account_id));
    }

    /// How many commands wait, and how many accounts are to be settled.
    pub(super) fn len(&self) -> (usize, usize) {
        (self.commands.len() + self.blocked, self.settlements.len())
    }

    fn settling(&mut self, account_id: AccountId) -> &mut Settlement<C, W> {
        self.settling.entry(account_id).or_insert_with(|| {
            self.settlements.push_back(account_id);
            Settlement { waiters: Vec::new(), next: None, is_under_way: false, blocked: VecDeque::new() }
        })
    }

    /// Few accounts with much due each, or many with little: either way a transaction has enough to do.
    fn adapt(&mut self) {
        let (settled, unsettled) = (std::mem::take(&mut self.settled), std::mem::take(&mut self.unsettled));
        if unsettled > settled {
            self.settlements_max = (self.settlements_max / 2).max(SETTLEMENTS_MIN);
        } else if unsettled == 0 && settled >= self.settlements_max {
            self.settlements_max = (self.settlements_max * 2).min(SETTLEMENTS_MAX);
        }
    }

    /// Takes commands in order; while several accounts wait, none fills more than half of the room.
    fn take_commands(&mut self) -> Vec<C> {
        let first = self.commands.front().map(|waiting| waiting.account_id);
        let is_shared = self.commands.iter().any(|waiting| Some(waiting.account_id) != first);
        let account_max = if is_shared { WEIGHT_MAX / 2 } else { WEIGHT_MAX };
        let (mut taken, mut left) = (Vec::new(), VecDeque::new());
        let mut total = 0;
        let mut shares: BTreeMap<AccountId, (usize, bool)> = BTreeMap::new();
        for next in self.commands.drain(..) {
            let (share, is_cut_off) = shares.entry(next.account_id).or_default();
            let has_room = total + next.weight <= WEIGHT_MAX && (*share == 0 || *share + next.weight <= account_max);
            if (total == 0 || has_room) && !*is_cut_off {
                total += next.weight;
                *share += next.weight;
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

#[cfg(test)]
mod tests {
    use super::{
        Batch, MaySettle, QUIET_AFTER, Queue, Quiet, RENEWALS_BESIDE, RENEWALS_MAX, SETTLEMENTS_BESIDE,
        SETTLEMENTS_MAX, SETTLEMENTS_MIN, WEIGHT_MAX,
    };
    use crate::domain::ids::AccountId;
    use uuid::Uuid;

    fn account(number: u128) -> AccountId {
        AccountId(Uuid::from_u128(number))
    }

    fn queue(commands: &[(u128, usize, &'static str)]) -> Queue<&'static str, &'static str> {
        let mut queue = Queue::new();
        for &(number, weight, waiter) in commands {
            queue.push(account(number), weight, waiter);
        }
        queue
    }

    fn commands(batch: Option<Batch<&'static str>>) -> Vec<&'static str> {
        batch.map(|batch| batch.commands).unwrap_or_default()
    }

    #[test]
    fn a_batch_is_bounded_and_keeps_the_order_of_each_account() {
        let half = WEIGHT_MAX / 2;
        let mut shared = queue(&[(1, half, "a"), (1, 1, "b"), (2, 1, "c"), (1, 1, "d")]);
        assert_eq!(commands(shared.take(MaySettle::Many)), ["a", "c"], "one account fills no more than half");
        assert_eq!(commands(shared.take(MaySettle::Many)), ["b", "d"]);

        let mut alone = queue(&[(1, WEIGHT_MAX, "a"), (1, 1, "b")]);
        assert_eq!(commands(alone.take(MaySettle::Many)), ["a"], "alone it may fill it");

        let mut large = queue(&[(1, WEIGHT_MAX * 2, "a"), (2, 1, "b")]);
        assert_eq!(commands(large.take(MaySettle::Many)), ["a"], "what is too large goes alone");
        assert_eq!(commands(large.take(MaySettle::Many)), ["b"]);
        assert!(large.take(MaySettle::Many).is_none());
    }

    #[test]
    fn settlements_of_an_account_are_one_and_repeated_while_more_is_due() {
        let mut queue: Queue<&str, &str> = Queue::new();
        for waiter in [Some("a"), None, Some("b")] {
            queue.settle_due(account(1), waiter);
        }
        assert_eq!(queue.take(MaySettle::Many).expect("a batch").settlements, [account(1)]);
        assert!(queue.settle(account(1), true).is_empty(), "nobody hears before all is decided");
        queue.settle_due(account(1), Some("c"));
        assert_eq!(queue.take(MaySettle::Many).expect("a batch").settlements, [account(1)]);
        queue.settle_due(account(1), Some("d"));
        assert!(queue.take(MaySettle::Many).is_none(), "it is under way");
        assert_eq!(queue.settle(account(1), false), ["a", "b", "c"]);
        assert_eq!(
            queue.take(MaySettle::Many).expect("a batch").settlements,
            [account(1)],
            "what became due meanwhile is another settlement"
        );
        assert_eq!(queue.settle(account(1), false), ["d"]);
        assert!(queue.take(MaySettle::Many).is_none());
    }

    #[test]
    fn commands_go_first_and_settlements_get_a_share() {
        let mut queue = queue(&[]);
        for number in 1..=100 {
            queue.settle_due(account(number), None);
        }
        let quiet = queue.take(MaySettle::Many).expect("a batch");
        assert_eq!(quiet.settlements.len(), SETTLEMENTS_MIN);
        queue.push(account(500), 1, "a");
        let first = queue.take(MaySettle::Many).expect("a batch");
        assert_eq!((first.commands.len(), first.settlements.len()), (1, 0), "a command does not wait for renewals");
        queue.push(account(500), 1, "b");
        let second = queue.take(MaySettle::Many).expect("a batch");
        assert_eq!((second.commands.len(), second.settlements.len()), (1, SETTLEMENTS_BESIDE), "nor they for ever");
        assert!(queue.take(MaySettle::Not).is_none(), "another partition settlements");
        assert_eq!(queue.take(MaySettle::Many).expect("a batch").settlements.len(), SETTLEMENTS_MIN);
    }

    #[test]
    fn renewals_are_decided_by_the_hundred_where_nobody_waits() {
        let mut quiet = Quiet::new();
        assert_eq!((quiet.note(false), quiet.note(true)), (RENEWALS_MAX, RENEWALS_BESIDE));
        for _ in 0..QUIET_AFTER {
            assert_eq!(quiet.note(false), RENEWALS_BESIDE, "another command may come at any moment");
        }
        assert_eq!(quiet.note(false), RENEWALS_MAX);
    }

    #[test]
    fn the_less_each_account_has_due_the_more_of_them_are_settled_together() {
        let mut queue: Queue<&str, &str> = Queue::new();
        for number in 1..=2_000 {
            queue.settle_due(account(number), None);
        }
        let mut take = |has_more: bool| {
            let settlements = queue.take(MaySettle::Many).expect("a batch").settlements;
            let count = settlements.len();
            for account_id in settlements {
                queue.settle(account_id, has_more);
            }
            count
        };
        let widening = [SETTLEMENTS_MIN, 8, 16, 32, 64, 128, SETTLEMENTS_MAX, SETTLEMENTS_MAX];
        assert_eq!(widening.map(|_| take(false)), widening);
        let narrowing = [SETTLEMENTS_MAX, 128, 64, 32, 16, 8, SETTLEMENTS_MIN, SETTLEMENTS_MIN];
        assert_eq!(narrowing.map(|_| take(true)), narrowing);
    }

    #[test]
    fn while_commands_come_in_a_transaction_settles_few_accounts_however_little_each_has_due() {
        let mut queue: Queue<&str, &str> = Queue::new();
        for number in 1..=500 {
            queue.settle_due(account(number), None);
        }
        for _ in 0..50 {
            let settlements = queue.take(MaySettle::Few).expect("a batch").settlements;
            assert_eq!(settlements.len(), SETTLEMENTS_BESIDE);
            for account_id in settlements {
                queue.settle(account_id, false);
            }
        }
    }

    #[test]
    fn decision_4_9_commands_that_are_behind_wait_for_their_account_in_order() {
        let mut queue = queue(&[(1, 1, "a"), (1, 1, "b"), (2, 1, "x")]);
        assert_eq!(commands(queue.take(MaySettle::Many)), ["a", "b", "x"]);
        queue.push(account(1), 1, "c");
        queue.put_blocked([(account(1), 1, "a"), (account(1), 1, "b")]);
        queue.push(account(2), 1, "y");
        queue.push(account(1), 1, "d");
        assert_eq!(queue.len(), (5, 1));
        let batch = queue.take(MaySettle::Many).expect("a batch");
        assert_eq!((batch.commands, batch.settlements), (vec!["y"], vec![account(1)]), "others go on");
        queue.settle(account(1), true);
        assert!(queue.take(MaySettle::Many).expect("a batch").commands.is_empty());
        queue.settle(account(1), false);
        queue.push(account(1), 1, "e");
        assert_eq!(commands(queue.take(MaySettle::Many)), ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_stop_waits_for_commands_alone() {
        let mut queue: Queue<&str, &str> = Queue::new();
        queue.settle_due(account(1), Some("a"));
        queue.put_blocked([(account(2), 1, "b")]);
        queue.forget_settlements();
        assert_eq!(queue.len(), (1, 1));
        assert_eq!(queue.take(MaySettle::Many).expect("a batch").settlements, [account(2)]);
        queue.push(account(3), 1, "c");
        queue.settle_due(account(3), Some("d"));
        assert_eq!(queue.clear(), (vec!["c", "b"], vec!["d"]));
        assert_eq!(queue.len(), (0, 0));
    }
}
