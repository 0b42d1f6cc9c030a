//! An operator lets a finding through or turns it down (decision 4.10).

use super::report::ReportOutcome;
use crate::domain::account::command::{AccountCommand, Decision, Overtakes};
use crate::domain::account::findings::{Finding, FindingToJudge};
use crate::domain::account::read_set::ReadSet;
use crate::domain::account::{Account, Refusal, SeenOutcome};
use crate::domain::approval::{ApprovalState, Verdict};
use crate::domain::ids::UpdateId;
use crate::domain::radar::Radar;

/// An operator approves or rejects a finding that waits for approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judge {
    /// The finding, by the identifier that its update gets.
    pub update_id: UpdateId,
    /// What is said to it.
    pub verdict: Verdict,
}

/// The finding is approved or rejected: what became of it, as a duplicate when that had been said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged(pub ReportOutcome);

impl AccountCommand for Judge {
    type Outcome = Judged;

    fn read(&self, read_set: &mut ReadSet) {
        read_set.approvals.insert(self.update_id);
    }

    fn overtakes(&self, account: &Account) -> Overtakes {
        Overtakes::WhenCovered(account.finding_to_judge(self.update_id).map(|finding| finding.radar_id))
    }

    fn decide(&self, account: &mut Account) -> Decision<Judged> {
        account.judge(self.update_id, self.verdict).map(Judged)
    }
}

impl Account {
    /// The finding waits for an operator; nothing is charged, nobody sees it.
    pub(in crate::domain::account) fn await_verdict(&mut self, radar: &Radar, finding: &Finding, update_id: UpdateId) {
        let waiting = FindingToJudge {
            update_id,
            radar_id: radar.radar_id,
            radar_type: radar.wanted.radar_type,
            finding: finding.clone(),
            state: ApprovalState::Pending,
            judged_at: None,
        };
        self.note_judged(waiting);
        self.note_seen(radar.radar_id, finding, SeenOutcome::Pending, update_id);
    }

    /// Judges a finding once. The same verdict again is a duplicate; another one is refused.
    fn judge(&mut self, update_id: UpdateId, verdict: Verdict) -> Decision<ReportOutcome> {
        let known = self.finding_to_judge(update_id).cloned().ok_or(Refusal::UnknownFinding)?;
        let mut outcome = ReportOutcome { is_watching: true, ..ReportOutcome::default() };
        match known.state {
            ApprovalState::Pending => {}
            state if state == verdict.state() => {
                outcome.duplicates = 1;
                return Ok(outcome);
            }
            state => return Err(Refusal::JudgedOtherwise(state)),
        }
        if verdict == Verdict::Approve && self.is_stopped() {
            return Err(Refusal::Stopped);
        }
        let radar = self.state.radars.get(&known.radar_id).cloned().ok_or(Refusal::UnknownRadar)?;
        outcome.is_watching = radar.is_watching(self.now);
        match verdict {
            Verdict::Reject => self.note_seen(radar.radar_id, &known.finding, SeenOutcome::Rejected, update_id),
            Verdict::Approve if outcome.is_watching => {
                self.let_through(&radar, &known.finding, update_id, &mut outcome);
            }
            // Nothing is charged after the end of a radar (Spec 2.5).
            Verdict::Approve => {
                outcome.dropped = 1;
                self.note_seen(radar.radar_id, &known.finding, SeenOutcome::Dropped, update_id);
            }
        }
        self.note_judged(FindingToJudge { state: verdict.state(), judged_at: Some(self.now), ..known });
        Ok(outcome)
    }

    /// A finding that waits or has waited for an operator. One that has waited as long as one may wait for money is gone,
    /// swept or not.
    fn finding_to_judge(&self, update_id: UpdateId) -> Option<&FindingToJudge> {
        let known = self.state.to_judge.get(&update_id);
        known.filter(|known| self.now < known.finding.detected_at + self.settings.hold_life)
    }

    fn note_judged(&mut self, finding: FindingToJudge) {
        self.state.to_judge.insert(finding.update_id, finding.clone());
        self.changes.judged.insert(finding.update_id, finding);
    }
}
