//! Findings that were seen before, that wait for money, or for an operator.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use entity::{approval, finding_seen, held_finding, type_pause};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::Reader;
use crate::StoreError;
use crate::tables::findings::{self, Seen};
use crate::tables::holds;
use domain::account::DRAIN_MAX;
use domain::content::event::EVENT_WINDOW;

impl Reader<'_> {
    pub(super) async fn pauses(&mut self) -> Result<(), StoreError> {
        for row in self.of_accounts::<type_pause::Entity>(self.ids, "").await? {
            let (account_id, radar_type, pause) = holds::pause(row)?;
            if let Some(state) = self.of(account_id) {
                state.pauses.insert(radar_type, pause);
            }
        }
        Ok(())
    }

    /// The oldest holds for money of the accounts, one account after the other: only the last of them can have been cut off.
    pub(super) async fn held(&mut self) -> Result<(), StoreError> {
        let paused: Vec<Uuid> =
            self.loaded.iter().filter(|(_, state)| !state.pauses.is_empty()).map(|(&id, _)| id).collect();
        if paused.is_empty() {
            return Ok(());
        }
        let oldest = format!(" and reason = 'money' order by account_id, hold_seq limit {}", DRAIN_MAX + 1);
        let found = self.of_accounts::<held_finding::Entity>(&paused, &oldest).await?;
        if let Some(cut_off) = found.get(DRAIN_MAX).map(|row| row.account_id) {
            for (&account_id, state) in self.loaded.iter_mut() {
                state.has_more_held = account_id >= cut_off;
            }
        }
        for row in found.into_iter().take(DRAIN_MAX) {
            let (account_id, held) = holds::held(row)?;
            if let Some(state) = self.of(account_id) {
                state.held.push(held);
            }
        }
        Ok(())
    }

    pub(super) async fn seen(&mut self, reported: &BTreeSet<(Uuid, Uuid)>) -> Result<(), StoreError> {
        let key = [finding_seen::Column::RadarId, finding_seen::Column::RecordId];
        for row in self.by_pairs(key, reported, "").await? {
            let Seen { radar_id, record_id, outcome, event: _ } = findings::seen(row)?;
            if let Some(state) = self.loaded.values_mut().find(|state| state.radars.contains_key(&radar_id)) {
                state.seen.insert((radar_id, record_id), outcome);
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
            let Seen { radar_id, event, record_id: _, outcome: _ } = findings::seen(row)?;
            let state = self.loaded.values_mut().find(|state| state.radars.contains_key(&radar_id));
            if let (Some(state), Some((event_id, part))) = (state, event) {
                state.events.entry((radar_id, event_id)).or_default().push(part);
            }
        }
        Ok(())
    }

    /// The findings that an operator decides about; answers their radars.
    pub(super) async fn approvals(&mut self, wanted: &BTreeSet<Uuid>) -> Result<Vec<Uuid>, StoreError> {
        let mut radars = Vec::new();
        if wanted.is_empty() {
            return Ok(radars);
        }
        let found = approval::Entity::find()
            .filter(approval::Column::UpdateId.is_in(wanted.clone()))
            .filter(approval::Column::AccountId.is_in(self.ids.to_vec()))
            .all(self.transaction)
            .await?;
        for row in found {
            let (account_id, finding) = findings::approval(row)?;
            radars.push(finding.radar_id.0);
            if let Some(state) = self.of(account_id.0) {
                state.approvals.insert(finding.update_id, finding);
            }
        }
        Ok(radars)
    }
}
