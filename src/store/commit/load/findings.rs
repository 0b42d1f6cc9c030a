//! Findings that were seen before, that wait for money, or for an operator.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::identity;

use entity::{approval, finding_seen, held_finding, type_pause};
use uuid::Uuid;

use super::{Of, Reader, of_each};
use crate::Result;
use crate::database::{List, Run};
use crate::tables::findings::Seen;
use crate::tables::stored::Stored;
use domain::account::{DRAIN_MAX, HeldFinding, Pause, SeenOutcome};
use domain::content::event::EVENT_WINDOW;
use domain::{AccountId, FindingForApproval, RadarId, RadarType, UpdateId};

impl Reader<'_> {
    pub(super) async fn pauses(&self) -> Result<Of<BTreeMap<RadarType, Pause>>> {
        of_each(self.of_accounts::<type_pause::Entity>(&self.ids, "").await?, identity)
    }

    /// The oldest holds for money of the accounts, one account after the other: the first account whose holds may have been cut
    /// off is answered beside them.
    pub(super) async fn held(
        &self,
        pauses: &Of<BTreeMap<RadarType, Pause>>,
    ) -> Result<(Of<Vec<HeldFinding>>, Option<AccountId>)> {
        if pauses.is_empty() {
            return Ok((Of::new(), None));
        }
        let paused: Vec<Uuid> = pauses.keys().map(|account_id| account_id.0).collect();
        let oldest = format!(" and reason = 'money' order by account_id, hold_seq limit {}", DRAIN_MAX + 1);
        let mut found = self.of_accounts::<held_finding::Entity>(&paused, &oldest).await?;
        let cut_off = found.get(DRAIN_MAX).map(|row| AccountId(row.account_id));
        found.truncate(DRAIN_MAX);
        Ok((of_each(found, identity)?, cut_off))
    }

    pub(super) async fn seen(
        &self,
        reported: BTreeSet<(RadarId, Uuid)>,
    ) -> Result<Of<BTreeMap<(RadarId, Uuid), SeenOutcome>>> {
        let key = [finding_seen::Column::RadarId, finding_seen::Column::RecordId];
        let mut found: Of<BTreeMap<_, _>> = Of::new();
        for row in self.by_pairs(key, reported, "").await? {
            let (finding, seen) = finding_seen::Entity::value(row)?;
            if let Some(radar) = self.radars.get(&finding.0) {
                found.entry(radar.account_id).or_default().insert(finding, seen.outcome);
            }
        }
        Ok(found)
    }

    /// The parts of events that were reported within the window before now.
    pub(super) async fn events(
        &self,
        reported: BTreeSet<(RadarId, Uuid)>,
    ) -> Result<Of<BTreeMap<(RadarId, Uuid), Vec<Option<String>>>>> {
        let key = [finding_seen::Column::RadarId, finding_seen::Column::EventId];
        let since = (self.now - EVENT_WINDOW).timestamp_micros();
        let mut found: Of<BTreeMap<_, Vec<_>>> = Of::new();
        for row in self.by_pairs(key, reported, &format!(" and seen_at > {since}")).await? {
            let ((radar_id, _), Seen { event_id, event_part, .. }) = finding_seen::Entity::value(row)?;
            if let (Some(radar), Some(event_id)) = (self.radars.get(&radar_id), event_id) {
                let events = found.entry(radar.account_id).or_default();
                events.entry((radar_id, event_id)).or_default().push(event_part);
            }
        }
        Ok(found)
    }

    /// The findings that an operator decides about.
    pub(super) async fn approvals(
        &self,
        wanted: BTreeSet<UpdateId>,
    ) -> Result<Of<BTreeMap<UpdateId, FindingForApproval>>> {
        if wanted.is_empty() {
            return Ok(Of::new());
        }
        let those = (List(wanted.into_iter().map(Uuid::from)), List(self.ids.iter().copied()));
        let condition = "update_id in ? and account_id in ?";
        let found = self.transaction.rows_where::<approval::Entity>(condition, those).await?;
        of_each(found, |finding: FindingForApproval| (finding.update_id, finding))
    }
}
