//! Findings that were seen before, that wait for money, or for an operator.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use entity::{approval, finding_seen, held_finding, type_pause};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::Reader;
use crate::StoreError;
use crate::tables::findings::Seen;
use crate::tables::stored::Stored;
use domain::account::{DRAIN_MAX, Loaded};
use domain::content::event::EVENT_WINDOW;
use domain::ids::RadarId;

impl Reader<'_> {
    pub(super) async fn pauses(&mut self) -> Result<(), StoreError> {
        let found = self.of_accounts::<type_pause::Entity>(self.ids, "").await?;
        self.give(found, |state, (radar_type, pause)| {
            state.pauses.insert(radar_type, pause);
        })
    }

    /// The oldest holds for money of the accounts, one account after the other: only the last of them can have been cut off.
    pub(super) async fn held(&mut self) -> Result<(), StoreError> {
        let paused: Vec<Uuid> =
            self.loaded.iter().filter(|(_, state)| !state.pauses.is_empty()).map(|(&id, _)| id).collect();
        if paused.is_empty() {
            return Ok(());
        }
        let oldest = format!(" and reason = 'money' order by account_id, hold_seq limit {}", DRAIN_MAX + 1);
        let mut found = self.of_accounts::<held_finding::Entity>(&paused, &oldest).await?;
        if let Some(cut_off) = found.get(DRAIN_MAX).map(|row| row.account_id) {
            for (&account_id, state) in self.loaded.iter_mut() {
                state.has_more_held = account_id >= cut_off;
            }
        }
        found.truncate(DRAIN_MAX);
        self.give(found, |state, held| state.held.push(held))
    }

    pub(super) async fn seen(&mut self, reported: &BTreeSet<(Uuid, Uuid)>) -> Result<(), StoreError> {
        let key = [finding_seen::Column::RadarId, finding_seen::Column::RecordId];
        for row in self.by_pairs(key, reported, "").await? {
            let (finding, seen) = finding_seen::Entity::value(row)?;
            if let Some(state) = self.of_radar(finding.0) {
                state.seen.insert(finding, seen.outcome);
            }
        }
        Ok(())
    }

    /// What was reported of events within the window before `now`.
    pub(super) async fn events(
        &mut self,
        reported: &BTreeSet<(Uuid, Uuid)>,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let key = [finding_seen::Column::RadarId, finding_seen::Column::EventId];
        let since = (now - EVENT_WINDOW).timestamp_micros();
        for row in self.by_pairs(key, reported, &format!(" and seen_at > {since}")).await? {
            let ((radar_id, _), Seen { event_id, event_part, .. }) = finding_seen::Entity::value(row)?;
            if let (Some(state), Some(event_id)) = (self.of_radar(radar_id), event_id) {
                state.events.entry((radar_id, event_id)).or_default().push(event_part);
            }
        }
        Ok(())
    }

    fn of_radar(&mut self, radar_id: RadarId) -> Option<&mut Loaded> {
        self.loaded.values_mut().find(|state| state.radars.contains_key(&radar_id))
    }

    /// The findings that an operator decides about; answers their radars.
    pub(super) async fn approvals(&mut self, wanted: &BTreeSet<Uuid>) -> Result<Vec<Uuid>, StoreError> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let found = approval::Entity::find()
            .filter(approval::Column::UpdateId.is_in(wanted.clone()))
            .filter(approval::Column::AccountId.is_in(self.ids.to_vec()))
            .all(self.transaction)
            .await?;
        let radars = found.iter().map(|row| row.radar_id).collect();
        self.give(found, |state, finding| {
            state.approvals.insert(finding.update_id, finding);
        })?;
        Ok(radars)
    }
}
