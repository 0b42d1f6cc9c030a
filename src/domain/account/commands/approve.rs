//! An operator approves or rejects a finding (decision 4.10).

use super::report::ReportOutcome;
use crate::account::findings::{Finding, FindingForApproval};
use crate::account::read_set::ReadSet;
use crate::account::{Account, CommandRejection, Decision, SeenOutcome};
use crate::approval::{ApprovalDecision, ApprovalState};
use crate::ids::{AccountId, UpdateId};
use crate::radar::Radar;

/// An operator approves or rejects a finding that waits for approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecideApproval {
    /// The finding, by the identifier that its update gets.
    pub update_id: UpdateId,
    /// What was decided.
    pub decision: ApprovalDecision,
}

impl DecideApproval {
    pub(in crate::account) fn read(&self, _: AccountId, read_set: &mut ReadSet) {
        read_set.approvals.insert(self.update_id);
    }

    /// Decides about a finding once. The same decision again counts as a duplicate; the opposite one is rejected.
    pub(in crate::account) fn decide(&self, account: &mut Account) -> Decision<ReportOutcome> {
        let Self { update_id, decision } = *self;
        let known = account.finding_for_approval(update_id).cloned().ok_or(CommandRejection::UnknownFinding)?;
        let mut outcome = ReportOutcome { is_watching: true, ..ReportOutcome::default() };
        match known.state {
            ApprovalState::Pending => {}
            state if state == decision.state() => {
                outcome.duplicates = 1;
                return Ok(outcome);
            }
            state => return Err(CommandRejection::DecidedOtherwise(state)),
        }
        if decision == ApprovalDecision::Approve && account.is_stopped() {
            return Err(CommandRejection::Stopped);
        }
        let radar = account.state.radars.get(&known.radar_id).cloned().ok_or(CommandRejection::UnknownRadar)?;
        outcome.is_watching = radar.is_watching(account.now);
        match decision {
            ApprovalDecision::Reject => {
                account.note_seen(radar.radar_id, &known.finding, SeenOutcome::Rejected, update_id)
            }
            ApprovalDecision::Approve if outcome.is_watching => {
                account.let_through(&radar, &known.finding, update_id, &mut outcome);
            }
            // Nothing is charged after the end of a radar (Spec 2.5).
            ApprovalDecision::Approve => {
                outcome.dropped = 1;
                account.note_seen(radar.radar_id, &known.finding, SeenOutcome::Dropped, update_id);
            }
        }
        account.note_approval(FindingForApproval { state: decision.state(), decided_at: Some(account.now), ..known });
        Ok(outcome)
    }
}

impl Account {
    /// The finding waits for an operator; it is neither charged nor visible.
    pub(in crate::account) fn await_approval(&mut self, radar: &Radar, finding: &Finding, update_id: UpdateId) {
        let waiting = FindingForApproval {
            update_id,
            radar_id: radar.radar_id,
            radar_type: radar.wanted.radar_type,
            finding: finding.clone(),
            state: ApprovalState::Pending,
            decided_at: None,
        };
        self.note_approval(waiting);
        self.note_seen(radar.radar_id, finding, SeenOutcome::Pending, update_id);
    }

    /// A finding that waits or has waited for an operator. One that has waited as long as one may wait for money is gone,
    /// swept or not.
    pub(super) fn finding_for_approval(&self, update_id: UpdateId) -> Option<&FindingForApproval> {
        let known = self.state.approvals.get(&update_id);
        known.filter(|known| self.now < known.finding.detected_at + self.settings.hold_life)
    }

    fn note_approval(&mut self, finding: FindingForApproval) {
        self.state.approvals.insert(finding.update_id, finding.clone());
        self.changes.approvals.insert(finding.update_id, finding);
    }
}
