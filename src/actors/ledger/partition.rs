//! One partition of the ledger: what waits in it, and what becomes of it after a commit.

use super::group::{Aftermath, Part, Settlement};
use super::{LedgerError, Waiting, Watcher};
use domain::scheduling::ledger_queue::{Group, MaySettle, Queue};

#[derive(Default)]
pub(super) struct Partition {
    pub(super) queue: Queue<Waiting, Watcher>,
    pub(super) is_committing: bool,
    /// Whether accounts are settling in the commit that runs.
    pub(super) is_settling: bool,
}

impl Partition {
    /// Adds what is committed next to a group, and whether that is anything.
    pub(super) fn take(&mut self, settling: MaySettle, group: &mut Vec<Part>) -> bool {
        let Some(Group { commands, settlements }) = self.queue.take(settling) else { return false };
        self.is_committing = true;
        self.is_settling = !settlements.is_empty();
        group.extend(commands.into_iter().map(Part::Commands));
        group.extend(settlements.into_iter().map(Part::settle_due));
        true
    }

    pub(super) fn settle(&mut self, aftermath: Aftermath) {
        self.is_committing = false;
        self.is_settling = false;
        let blocked = aftermath.blocked.into_iter();
        self.queue
            .put_blocked(blocked.map(|waiting| (waiting.submission.account_id, waiting.submission.weight(), waiting)));
        for account_id in aftermath.left {
            self.queue.settle_due(account_id, None);
        }
        for (account_id, settling) in aftermath.settling {
            match settling {
                Settlement::HasMore => drop(self.queue.settle(account_id, true)),
                Settlement::Done(until) => {
                    for watcher in self.queue.settle(account_id, false) {
                        watcher.reply.send(until.clone()).ok();
                    }
                }
            }
        }
        if aftermath.is_away {
            // All of them have waited for this commit as long as a caller waits for the database.
            let (commands, watchers) = self.queue.clear();
            for waiting in commands {
                waiting.reply.send(Err(LedgerError::Unavailable)).ok();
            }
            for watcher in watchers {
                watcher.reply.send(Err(LedgerError::Unavailable)).ok();
            }
        }
    }
}
