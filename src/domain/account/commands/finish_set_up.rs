//! The search for a radar's sources ends (Spec 2.5, 3; decision 1.3).

use crate::account::posting::NewPublication;
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Cursor, Decision};
use crate::ids::{AccountId, FeedId, RadarId, UpdateId};
use crate::money::MicroUsd;
use crate::money::ledger::subscription_key;
use crate::radar::update::Content;
use crate::radar::{FailureReason, Radar, SetUp};

/// The search for a radar's sources ended.
#[derive(Clone, Debug)]
pub struct FinishSetUp {
    /// The radar.
    pub radar_id: RadarId,
    /// The claim under which it was searched; without effect when another process has taken the set-up over.
    pub lease_no: i64,
    /// How it ended.
    pub outcome: SetUpOutcome,
}

/// How the search for a radar's sources ended (decision 1.3).
#[derive(Clone, Debug)]
pub enum SetUpOutcome {
    /// These feeds serve the radar; each is read from the end of its log at that time.
    Ready(Vec<(FeedId, i64)>),
    /// The target cannot be tracked.
    Failed {
        /// The closed reason.
        reason: FailureReason,
        /// The reason in a sentence.
        message: String,
    },
}

/// The set-up is settled, now, before or by another process; the radar as it is now.
#[derive(Clone, Debug)]
pub struct SetUpFinished(pub Box<Radar>);

impl FinishSetUp {
    pub(in crate::account) fn read(&self, account_id: AccountId, read_set: &mut ReadSet) {
        read_set.radars.insert(self.radar_id);
        read_set.set_ups.insert(self.radar_id);
        if matches!(self.outcome, SetUpOutcome::Failed { .. }) {
            read_set.op_keys.insert((account_id, subscription_key(self.radar_id, 0)));
            read_set.held_findings = true;
        }
    }

    /// Settles a set-up that waits under this claim. A second report, one after the radar's end, or one of a process that
    /// has lost the set-up to another changes nothing. That of a stopped account stays pending: it waits until the account
    /// goes on.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<SetUpFinished> {
        let &FinishSetUp { radar_id, lease_no, ref outcome } = self;
        let radar = account.state.radars.get(&radar_id).ok_or(CommandRejection::UnknownRadar)?.clone();
        if account.state.set_ups.get(&radar_id) != Some(&lease_no) || account.is_stopped() {
            return Ok(SetUpFinished(Box::new(radar)));
        }
        account.state.set_ups.remove(&radar_id);
        account.changes.settled_set_ups.push(radar_id);
        if radar.set_up == SetUp::Pending && radar.is_watching(account.now) {
            match outcome {
                SetUpOutcome::Ready(feeds) => {
                    for &(feed_id, read_seq) in feeds {
                        account
                            .changes
                            .new_cursors
                            .insert((radar_id, feed_id), Cursor { read_seq, ..Cursor::default() });
                    }
                    if let Some(radar) = account.radar_mut(radar_id) {
                        radar.set_up = SetUp::Ready;
                    }
                }
                SetUpOutcome::Failed { reason, message } => account.fail_set_up(&radar, *reason, message),
            }
        }
        let radar = account.state.radars.get(&radar_id).ok_or(CommandRejection::UnknownRadar)?;
        Ok(SetUpFinished(Box::new(radar.clone())))
    }
}

impl Account {
    fn fail_set_up(&mut self, radar: &Radar, reason: FailureReason, message: &str) {
        let refund = self.refund(radar, 0);
        self.changes.usage_of(radar.created_at).radars_activated -= 1;
        // One that was ended meanwhile counts once: as failed.
        if let Some(deactivated_at) = radar.deactivated_at {
            self.changes.usage_of(deactivated_at).radars_deactivated -= 1;
        }
        self.changes.usage_of(self.now).radars_failed += 1;
        self.end(radar.radar_id, reason.into(), SetUp::Failed);
        self.publish_failure(radar.radar_id, reason, refund, message);
        self.release_held_findings();
    }

    /// The update that tells of a radar's end, and the only one of its kind for that radar.
    pub(in crate::account) fn publish_failure(
        &mut self,
        radar_id: RadarId,
        reason: FailureReason,
        refund: MicroUsd,
        message: &str,
    ) {
        let Some(radar) = self.state.radars.get(&radar_id).cloned() else { return };
        let content = Content::Failure { reason, refund, message: message.to_owned() };
        let update_id = UpdateId::of(radar_id, "failure");
        let detected_at = self.now;
        self.publish(
            &radar,
            NewPublication { update_id, record_id: None, content: &content, detected_at, tx_seq: None, trace: None },
        );
    }
}
