//! Radars, their endpoints, and how far they have read their feeds.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::identity;

use entity::{endpoint, radar, radar_feed};
use uuid::Uuid;

use super::{Of, Reader, of_each};
use crate::Result;
use crate::database::{List, Run, in_few_lengths};
use crate::tables::stored::Stored;
use domain::account::{Cursor, EndpointState};
use domain::{AccountId, AccountState, FeedId, RadarId};

impl Reader<'_> {
    /// Reads those of the wanted radars that were not read before; what is not of the accounts is left out.
    pub(super) async fn radars(&mut self, mut wanted: BTreeSet<RadarId>) -> Result<()> {
        wanted.retain(|radar_id| !self.radars.contains_key(radar_id));
        if wanted.is_empty() {
            return Ok(());
        }
        let missing = List(in_few_lengths(wanted.into_iter().map(Uuid::from)));
        for radar in radar::Entity::values_where(self.transaction, "radar_id in ?", missing).await? {
            if self.accounts.contains_key(&radar.account_id) {
                self.radars.insert(radar.radar_id, radar);
            }
        }
        Ok(())
    }

    /// Which radars that are as `also` says watch these targets, or did.
    pub(super) async fn targets(
        &self,
        target_keys: BTreeSet<(AccountId, String)>,
        also: &str,
    ) -> Result<Of<BTreeMap<String, RadarId>>> {
        let key = [radar::Column::AccountId, radar::Column::TargetKey];
        let mut found: Of<BTreeMap<_, _>> = Of::new();
        for row in self.by_pairs(key, target_keys, also).await? {
            found.entry(AccountId(row.account_id)).or_default().insert(row.target_key, RadarId(row.radar_id));
        }
        Ok(found)
    }

    /// The endpoints of these addresses, of the radars, and of balance alerts.
    pub(super) async fn endpoints(
        &self,
        mut urls: BTreeSet<(AccountId, String)>,
        states: &[AccountState],
    ) -> Result<Of<BTreeMap<String, EndpointState>>> {
        let of_radars = self.radars.values().map(|radar| (radar.account_id, radar.wanted.endpoint_url()));
        urls.extend(of_radars.filter_map(|(account_id, url)| Some((account_id, url?))));
        let alerts = states.iter().filter_map(|state| Some((state.account_id, state.alerts.as_ref()?)));
        urls.extend(alerts.map(|(account_id, alerts)| (account_id, alerts.webhook_url.clone())));
        let key = [endpoint::Column::AccountId, endpoint::Column::Url];
        of_each(self.by_pairs(key, urls, "").await?, identity)
    }

    pub(super) async fn cursors(&self, radars: BTreeSet<RadarId>) -> Result<Of<BTreeMap<(RadarId, FeedId), i64>>> {
        if radars.is_empty() {
            return Ok(Of::new());
        }
        let radars = List(in_few_lengths(radars.into_iter().map(Uuid::from)));
        let found = self.transaction.rows_where::<radar_feed::Entity>("radar_id in ?", radars).await?;
        of_each(found, |(cursor, at): (_, Cursor)| (cursor, at.read_seq))
    }
}
