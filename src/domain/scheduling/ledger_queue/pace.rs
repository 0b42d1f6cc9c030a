//! How much the next transaction of the ledger settles, so that renewals keep no command waiting for long.

/// How many due renewals one transaction decides at most, for all of its accounts together.
pub const RENEWALS_MAX: usize = 256;
/// How many accounts a transaction settles while no command waits: at least, and at most when each has little due.
pub(super) const SETTLEMENTS_MIN: usize = 4;
pub(super) const SETTLEMENTS_MAX: usize = 256;
/// How many renewals a transaction decides while commands come in.
pub(super) const RENEWALS_BESIDE: usize = 16;
/// After so many transactions without commands, renewals are decided by the hundred again.
pub(super) const QUIET_AFTER: u32 = 32;

/// Counts the transactions since the last command, in any partition: the partitions share the machine.
pub struct Quiet {
    transactions: u32,
}

impl Quiet {
    /// Notes a transaction; answers how many due renewals it decides at most.
    pub fn note(&mut self, has_commands: bool) -> usize {
        self.transactions = if has_commands { 0 } else { self.transactions.saturating_add(1) };
        if self.is_quiet() { RENEWALS_MAX } else { RENEWALS_BESIDE }
    }

    /// Whether renewals keep nobody waiting.
    pub const fn is_quiet(&self) -> bool {
        self.transactions > QUIET_AFTER
    }
}

impl Default for Quiet {
    /// No command has come yet.
    fn default() -> Self {
        Self { transactions: QUIET_AFTER }
    }
}

/// How many accounts the next transaction may settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaySettle {
    /// None: another partition does.
    Not,
    /// Few: a command may come at any moment.
    Few,
    /// As many as keep it busy.
    Many,
}

/// How many accounts are settled together: few that have much due, or many that have little.
pub(super) struct Width {
    accounts: usize,
    settled: usize,
    unsettled: usize,
}

impl Width {
    pub(super) const fn new() -> Self {
        Self { accounts: SETTLEMENTS_MIN, settled: 0, unsettled: 0 }
    }

    /// Notes the end of a settlement, and whether its account has more due.
    pub(super) const fn note(&mut self, has_more: bool) {
        if has_more {
            self.unsettled += 1;
        } else {
            self.settled += 1;
        }
    }

    /// How many accounts the next transaction settles, after what was noted since the last one.
    pub(super) fn next(&mut self) -> usize {
        let settled = std::mem::take(&mut self.settled);
        let unsettled = std::mem::take(&mut self.unsettled);
        if unsettled > settled {
            self.accounts = (self.accounts / 2).max(SETTLEMENTS_MIN);
        } else if unsettled == 0 && settled >= self.accounts {
            self.accounts = (self.accounts * 2).min(SETTLEMENTS_MAX);
        }
        self.accounts
    }
}
