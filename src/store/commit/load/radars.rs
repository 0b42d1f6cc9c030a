//! Radars, their endpoints, and how far they have read their feeds.

use std::collections::BTreeSet;

use entity::{endpoint, radar, radar_feed};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};
use uuid::Uuid;

use super::Reader;
use crate::database::statement::in_few_lengths;
use crate::{StoreError, tables};
use domain::ids::RadarId;

impl Reader<'_> {
    pub(super) async fn radars(&mut self, wanted: &BTreeSet<Uuid>) -> Result<(), StoreError> {
        let known: BTreeSet<Uuid> =
            self.loaded.values().flat_map(|state| state.radars.keys()).map(|radar_id| radar_id.0).collect();
        let missing = in_few_lengths(wanted.difference(&known).copied());
        if missing.is_empty() {
            return Ok(());
        }
        let found = radar::Entity::find().filter(radar::Column::RadarId.is_in(missing)).all(self.transaction).await?;
        for row in found {
            let radar = tables::radars::radar(row)?;
            if let Some(state) = self.of(radar.account_id.0) {
                state.radars.insert(radar.radar_id, radar);
            }
        }
        Ok(())
    }

    /// Loads which active radars watch these targets; returns the ended ones that have paid time left.
    pub(super) async fn targets(&mut self, target_keys: &BTreeSet<(Uuid, String)>) -> Result<Vec<Uuid>, StoreError> {
        let key = [radar::Column::AccountId, radar::Column::TargetKey];
        for row in self.by_pairs(key, target_keys, " and status = 'active'").await? {
            if let Some(state) = self.of(row.account_id) {
                state.taken.insert(row.target_key, RadarId(row.radar_id));
            }
        }
        let mut in_grace = Vec::new();
        let has_ended = " and status = 'inactive' and wake_at is not null";
        for row in self.by_pairs(key, target_keys, has_ended).await? {
            if let Some(state) = self.of(row.account_id) {
                state.in_grace.insert(row.target_key, RadarId(row.radar_id));
                in_grace.push(row.radar_id);
            }
        }
        Ok(in_grace)
    }

    pub(super) async fn endpoints(&mut self, urls: &BTreeSet<(Uuid, String)>) -> Result<(), StoreError> {
        for row in self.by_pairs([endpoint::Column::AccountId, endpoint::Column::Url], urls, "").await? {
            let (account_id, url, endpoint) = tables::deliveries::endpoint(row);
            if let Some(state) = self.of(account_id) {
                state.endpoints.insert(url, endpoint);
            }
        }
        Ok(())
    }

    pub(super) async fn cursors(&mut self, radars: &BTreeSet<Uuid>) -> Result<(), StoreError> {
        if radars.is_empty() {
            return Ok(());
        }
        let found = radar_feed::Entity::find()
            .filter(radar_feed::Column::RadarId.is_in(in_few_lengths(radars.iter().copied())))
            .all(self.transaction)
            .await?;
        self.give(found, |state, (cursor, at)| {
            state.cursors.insert(cursor, at.read_seq);
        })
    }
}
