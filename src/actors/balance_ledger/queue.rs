//! What waits in a lane of the ledger, and what of it goes into the next transaction. Pure: no clock, no database.
//!
//! Commands are what somebody waits for: creations, findings, top-ups. A touch is what an account has due by itself;
//! however often it is asked for, it is one, and it is repeated for as long as more is due. Commands go first and
//! touches get a share, so that a storm of renewals keeps nobody waiting and is not kept waiting for ever either. Of
//! one account, commands stay in the order in which they came.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::domain::book::RENEWALS_MAX;
use crate::domain::ids::AccountId;

/// How much weight of commands one transaction takes at most: what many of them change in the same page of an index is
/// written once.
const WEIGHT_MAX: usize = 2_048;
/// How many accounts a transaction touches: at least while several wait, at most when each has little due.
const TOUCHES_MIN: usize = 4;
const TOUCHES_MAX: usize = 256;
/// How many accounts a transaction touches while commands come in, and how many renewals it decides: so many that its commit
/// keeps none of them waiting for much longer than their own takes. An account costs about as much as a few renewals.
const TOUCHES_BESIDE: usize = 4;
const RENEWALS_BESIDE: usize = 16;
/// After so many transactions without commands, renewals are decided by the hundred again.
const QUIET_AFTER: u32 = 32;

/// For how many transactions no command has come, in whichever lane: the lanes share the machine.
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

/// How many accounts the next transaction may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touching {
    /// None: another lane does.
    Not,
    /// Few: a command may come at any moment.
    Few,
    /// As many as it has enough to do with.
    Many,
}

/// What waits in a lane: commands `C`, and whoever waits for a touch, `W`.
pub(super) struct Queue<C, W> {
    commands: VecDeque<Waiting<C>>,
    /// Accounts to be touched, in order.
    touches: VecDeque<AccountId>,
    /// Whoever waits for these touches, and the commands that wait until their account has caught up.
    touched: HashMap<AccountId, Touched<C, W>>,
    behind: usize,
    /// How many accounts a transaction touches, and what came of those that the last one touched.
    touches_max: usize,
    settled: usize,
    unsettled: usize,
    has_just_touched: bool,
}

/// A command, or several that are decided in one transaction.
struct Waiting<C> {
    account_id: AccountId,
    weight: usize,
    command: C,
}

struct Touched<C, W> {
    waiters: Vec<W>,
    /// Whoever asked while the touch was under way: it may not have seen what they speak of, so another one follows.
    next: Option<Vec<W>>,
    is_under_way: bool,
    behind: VecDeque<Waiting<C>>,
}

/// What goes into a transaction.
pub(super) struct Batch<C> {
    /// Commands, in order.
    pub(super) commands: Vec<C>,
    /// Accounts to be touched.
    pub(super) touches: Vec<AccountId>,
}

impl<C, W> Queue<C, W> {
    pub(super) fn new() -> Self {
        Self {
            commands: VecDeque::new(),
            touches: VecDeque::new(),
            touched: HashMap::new(),
            behind: 0,
            touches_max: TOUCHES_MIN,
            settled: 0,
            unsettled: 0,
            has_just_touched: false,
        }
    }

    /// Adds a command at the end; behind those of its account that wait for it to catch up.
    pub(super) fn push(&mut self, account_id: AccountId, weight: usize, command: C) {
        let waiting = Waiting { account_id, weight, command };
        match self.touched.get_mut(&account_id).filter(|touched| !touched.behind.is_empty()) {
            Some(touched) => {
                touched.behind.push_back(waiting);
                self.behind += 1;
            }
            None => self.commands.push_back(waiting),
        }
    }

    /// Adds a touch of an account, or one who waits for the touch that waits already.
    pub(super) fn touch(&mut self, account_id: AccountId, waiter: Option<W>) {
        let touched = self.touched(account_id);
        match touched.is_under_way {
            true => touched.next.get_or_insert_default().extend(waiter),
            false => touched.waiters.extend(waiter),
        }
    }

    /// Puts commands back that cannot be decided before their account has caught up, and after them all others of that
    /// account.
    pub(super) fn put_behind(&mut self, commands: impl IntoIterator<Item = (AccountId, usize, C)>) {
        let mut is_any = false;
        for (account_id, weight, command) in commands {
            self.touched(account_id).behind.push_back(Waiting { account_id, weight, command });
            self.behind += 1;
            is_any = true;
        }
        if is_any {
            let waiting = std::mem::take(&mut self.commands);
            waiting.into_iter().for_each(|next| self.push(next.account_id, next.weight, next.command));
        }
    }

    /// Takes what fits into one transaction; `None` when nothing waits that it takes.
    pub(super) fn take(&mut self, touching: Touching) -> Option<Batch<C>> {
        self.adapt();
        let commands = self.take_commands();
        let touches_max = match (touching, commands.is_empty()) {
            (Touching::Not, _) => 0,
            (_, false) if self.has_just_touched => 0,
            (Touching::Few, _) | (_, false) => TOUCHES_BESIDE,
            (Touching::Many, true) => self.touches_max,
        };
        let touches: Vec<AccountId> = self.touches.drain(..self.touches.len().min(touches_max)).collect();
        for account_id in &touches {
            self.touched.entry(*account_id).and_modify(|touched| touched.is_under_way = true);
        }
        self.has_just_touched = !touches.is_empty();
        (!commands.is_empty() || !touches.is_empty()).then_some(Batch { commands, touches })
    }

    /// Takes note of what came of a touch: an account with more due is touched again, after the others. Answers who
    /// waited for an account that has caught up; the commands that were behind are next.
    pub(super) fn settle(&mut self, account_id: AccountId, has_more: bool) -> Vec<W> {
        // One that a stop has forgotten is left as it is.
        let Some(touched) = self.touched.get_mut(&account_id) else { return Vec::new() };
        if has_more {
            self.unsettled += 1;
            touched.is_under_way = false;
            self.touches.push_back(account_id);
            return Vec::new();
        }
        self.settled += 1;
        let Some(touched) = self.touched.remove(&account_id) else { return Vec::new() };
        self.behind -= touched.behind.len();
        for waiting in touched.behind.into_iter().rev() {
            self.commands.push_front(waiting);
        }
        if let Some(next) = touched.next {
            self.touched(account_id).waiters = next;
        }
        touched.waiters
    }

    /// Takes out all commands and whoever waits for touches; nothing is left.
    pub(super) fn clear(&mut self) -> (Vec<C>, Vec<W>) {
        self.touches.clear();
        self.behind = 0;
        let (mut commands, mut waiters): (Vec<C>, Vec<W>) = (Vec::new(), Vec::new());
        commands.extend(self.commands.drain(..).map(|waiting| waiting.command));
        for (_, touched) in self.touched.drain() {
            commands.extend(touched.behind.into_iter().map(|waiting| waiting.command));
            waiters.extend(touched.waiters.into_iter().chain(touched.next.into_iter().flatten()));
        }
        (commands, waiters)
    }

    /// Forgets the touches that no command waits for, with those who wait for them.
    pub(super) fn forget_touches(&mut self) {
        self.touched.retain(|_, touched| !touched.behind.is_empty());
        self.touches.retain(|account_id| self.touched.contains_key(account_id));
    }

    /// How many commands wait, and how many accounts are to be touched.
    pub(super) fn len(&self) -> (usize, usize) {
        (self.commands.len() + self.behind, self.touches.len())
    }

    fn touched(&mut self, account_id: AccountId) -> &mut Touched<C, W> {
        self.touched.entry(account_id).or_insert_with(|| {
            self.touches.push_back(account_id);
            Touched { waiters: Vec::new(), next: None, is_under_way: false, behind: VecDeque::new() }
        })
    }

    /// Few accounts with much due each, or many with little: either way a transaction has enough to do.
    fn adapt(&mut self) {
        let (settled, unsettled) = (std::mem::take(&mut self.settled), std::mem::take(&mut self.unsettled));
        if unsettled > settled {
            self.touches_max = (self.touches_max / 2).max(TOUCHES_MIN);
        } else if unsettled == 0 && settled >= self.touches_max {
            self.touches_max = (self.touches_max * 2).min(TOUCHES_MAX);
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
        Batch, QUIET_AFTER, Queue, Quiet, RENEWALS_BESIDE, RENEWALS_MAX, TOUCHES_BESIDE, TOUCHES_MAX, TOUCHES_MIN,
        Touching, WEIGHT_MAX,
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
        assert_eq!(commands(shared.take(Touching::Many)), ["a", "c"], "one account fills no more than half");
        assert_eq!(commands(shared.take(Touching::Many)), ["b", "d"]);

        let mut alone = queue(&[(1, WEIGHT_MAX, "a"), (1, 1, "b")]);
        assert_eq!(commands(alone.take(Touching::Many)), ["a"], "alone it may fill it");

        let mut large = queue(&[(1, WEIGHT_MAX * 2, "a"), (2, 1, "b")]);
        assert_eq!(commands(large.take(Touching::Many)), ["a"], "what is too large goes alone");
        assert_eq!(commands(large.take(Touching::Many)), ["b"]);
        assert!(large.take(Touching::Many).is_none());
    }

    #[test]
    fn touches_of_an_account_are_one_and_repeated_while_more_is_due() {
        let mut queue: Queue<&str, &str> = Queue::new();
        for waiter in [Some("a"), None, Some("b")] {
            queue.touch(account(1), waiter);
        }
        assert_eq!(queue.take(Touching::Many).expect("a batch").touches, [account(1)]);
        assert!(queue.settle(account(1), true).is_empty(), "nobody hears before all is decided");
        queue.touch(account(1), Some("c"));
        assert_eq!(queue.take(Touching::Many).expect("a batch").touches, [account(1)]);
        queue.touch(account(1), Some("d"));
        assert!(queue.take(Touching::Many).is_none(), "it is under way");
        assert_eq!(queue.settle(account(1), false), ["a", "b", "c"]);
        assert_eq!(
            queue.take(Touching::Many).expect("a batch").touches,
            [account(1)],
            "what became due meanwhile is another touch"
        );
        assert_eq!(queue.settle(account(1), false), ["d"]);
        assert!(queue.take(Touching::Many).is_none());
    }

    #[test]
    fn commands_go_first_and_touches_get_a_share() {
        let mut queue = queue(&[]);
        for number in 1..=100 {
            queue.touch(account(number), None);
        }
        let quiet = queue.take(Touching::Many).expect("a batch");
        assert_eq!(quiet.touches.len(), TOUCHES_MIN);
        queue.push(account(500), 1, "a");
        let first = queue.take(Touching::Many).expect("a batch");
        assert_eq!((first.commands.len(), first.touches.len()), (1, 0), "a command does not wait for renewals");
        queue.push(account(500), 1, "b");
        let second = queue.take(Touching::Many).expect("a batch");
        assert_eq!((second.commands.len(), second.touches.len()), (1, TOUCHES_BESIDE), "nor they for ever");
        assert!(queue.take(Touching::Not).is_none(), "another lane touches");
        assert_eq!(queue.take(Touching::Many).expect("a batch").touches.len(), TOUCHES_MIN);
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
    fn the_less_each_account_has_due_the_more_of_them_are_touched_together() {
        let mut queue: Queue<&str, &str> = Queue::new();
        for number in 1..=2_000 {
            queue.touch(account(number), None);
        }
        let mut take = |has_more: bool| {
            let touches = queue.take(Touching::Many).expect("a batch").touches;
            let count = touches.len();
            for account_id in touches {
                queue.settle(account_id, has_more);
            }
            count
        };
        let widening = [TOUCHES_MIN, 8, 16, 32, 64, 128, TOUCHES_MAX, TOUCHES_MAX];
        assert_eq!(widening.map(|_| take(false)), widening);
        let narrowing = [TOUCHES_MAX, 128, 64, 32, 16, 8, TOUCHES_MIN, TOUCHES_MIN];
        assert_eq!(narrowing.map(|_| take(true)), narrowing);
    }

    #[test]
    fn while_commands_come_in_a_transaction_touches_few_accounts_however_little_each_has_due() {
        let mut queue: Queue<&str, &str> = Queue::new();
        for number in 1..=500 {
            queue.touch(account(number), None);
        }
        for _ in 0..50 {
            let touches = queue.take(Touching::Few).expect("a batch").touches;
            assert_eq!(touches.len(), TOUCHES_BESIDE);
            for account_id in touches {
                queue.settle(account_id, false);
            }
        }
    }

    #[test]
    fn decision_4_9_commands_that_are_behind_wait_for_their_account_in_order() {
        let mut queue = queue(&[(1, 1, "a"), (1, 1, "b"), (2, 1, "x")]);
        assert_eq!(commands(queue.take(Touching::Many)), ["a", "b", "x"]);
        queue.push(account(1), 1, "c");
        queue.put_behind([(account(1), 1, "a"), (account(1), 1, "b")]);
        queue.push(account(2), 1, "y");
        queue.push(account(1), 1, "d");
        assert_eq!(queue.len(), (5, 1));
        let batch = queue.take(Touching::Many).expect("a batch");
        assert_eq!((batch.commands, batch.touches), (vec!["y"], vec![account(1)]), "others go on");
        queue.settle(account(1), true);
        assert!(queue.take(Touching::Many).expect("a batch").commands.is_empty());
        queue.settle(account(1), false);
        queue.push(account(1), 1, "e");
        assert_eq!(commands(queue.take(Touching::Many)), ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_stop_waits_for_commands_alone() {
        let mut queue: Queue<&str, &str> = Queue::new();
        queue.touch(account(1), Some("a"));
        queue.put_behind([(account(2), 1, "b")]);
        queue.forget_touches();
        assert_eq!(queue.len(), (1, 1));
        assert_eq!(queue.take(Touching::Many).expect("a batch").touches, [account(2)]);
        queue.push(account(3), 1, "c");
        queue.touch(account(3), Some("d"));
        assert_eq!(queue.clear(), (vec!["c", "b"], vec!["d"]));
        assert_eq!(queue.len(), (0, 0));
    }
}
