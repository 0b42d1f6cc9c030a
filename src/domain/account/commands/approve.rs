//! An operator lets a finding through or turns it down (decision 4.10).

use crate::domain::account::{Account, Finding, FindingToJudge, Outcome, Refusal, ReportOutcome, SeenOutcome};
use crate::domain::approval::{ApprovalState, Verdict};
use crate::domain::ids::UpdateId;
use crate::domain::radar::Radar;

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
    pub(in crate::domain::account) fn judge(
        &mut self,
        update_id: UpdateId,
        verdict: Verdict,
    ) -> Result<Outcome, Refusal> {
        let known = self.finding_to_judge(update_id).cloned().ok_or(Refusal::UnknownFinding)?;
        let mut outcome = ReportOutcome { is_watching: true, ..ReportOutcome::default() };
        match known.state {
            ApprovalState::Pending => {}
            state if state == verdict.state() => {
                outcome.duplicates = 1;
                return Ok(Outcome::Judged(outcome));
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
        Ok(Outcome::Judged(outcome))
    }

    /// A finding that waits or has waited for an operator. One that has waited as long as one may wait for money is gone,
    /// swept or not.
    pub(in crate::domain::account) fn finding_to_judge(&self, update_id: UpdateId) -> Option<&FindingToJudge> {
        let known = self.state.to_judge.get(&update_id);
        known.filter(|known| self.now < known.finding.detected_at + self.settings.hold_life)
    }

    fn note_judged(&mut self, finding: FindingToJudge) {
        self.state.to_judge.insert(finding.update_id, finding.clone());
        self.changes.judged.insert(finding.update_id, finding);
    }
}
