//! The updates, radars and held findings of an account, each with what other rows say of it.

use std::collections::{HashMap, HashSet};

use entity::{radar, radar_update};
use sea_orm::{ColumnTrait, DerivePartialModel, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::{PAGE, Reader};
use crate::domain::audit::{Charge, Held, Published, PublishedRadar, Watched};
use crate::store::StoreError;

/// An update without its payload, which may be long.
#[derive(DerivePartialModel)]
#[sea_orm(entity = "radar_update::Entity")]
struct UpdateRow {
    update_seq: i64,
    update_id: Uuid,
    radar_id: Uuid,
    update_type: String,
    discovered_at: i64,
    tx_seq: Option<i64>,
}

/// What the audit asks of a radar.
#[derive(DerivePartialModel)]
#[sea_orm(entity = "radar::Entity")]
struct RadarRow {
    radar_id: Uuid,
    model: String,
    status: String,
    status_reason: Option<String>,
    set_up: String,
    created_at: i64,
    deactivated_at: Option<i64>,
    period_no: i64,
    next_charge_at: Option<i64>,
}

impl Reader<'_> {
    /// Hands over every stored update after `after_seq`.
    pub(in crate::store) async fn updates(&mut self, mut after_seq: i64) -> Result<(), StoreError> {
        loop {
            let found: Vec<UpdateRow> = radar_update::Entity::find()
                .filter(radar_update::Column::AccountId.eq(self.account_id))
                .filter(radar_update::Column::UpdateSeq.gt(after_seq))
                .order_by_asc(radar_update::Column::UpdateSeq)
                .limit(PAGE)
                .into_partial_model()
                .all(self.snapshot)
                .await?;
            let Some(last) = found.last() else { return Ok(()) };
            after_seq = last.update_seq;
            let charges = self.charges(&found).await?;
            let radars = self.radars_of(&found).await?;
            let deliveries = self.deliveries(&found).await?;
            for row in found {
                let published = Published {
                    charge: row.tx_seq.and_then(|tx_seq| charges.get(&tx_seq).cloned()),
                    radar: radars.get(&row.radar_id).cloned(),
                    delivery_seq: deliveries.get(&row.update_id).copied(),
                    update_seq: row.update_seq,
                    update_id: row.update_id,
                    radar_id: row.radar_id,
                    update_type: row.update_type,
                    discovered_at: row.discovered_at,
                    tx_seq: row.tx_seq,
                };
                self.audit.update(&published);
            }
        }
    }

    /// Hands over every radar.
    pub(in crate::store) async fn radars(&mut self) -> Result<(), StoreError> {
        let mut after = Uuid::nil();
        loop {
            let found: Vec<RadarRow> = radar::Entity::find()
                .filter(radar::Column::AccountId.eq(self.account_id))
                .filter(radar::Column::RadarId.gt(after))
                .order_by_asc(radar::Column::RadarId)
                .limit(PAGE)
                .into_partial_model()
                .all(self.snapshot)
                .await?;
            let Some(last) = found.last() else { return Ok(()) };
            after = last.radar_id;
            for row in found {
                self.audit.radar(&Watched {
                    radar_id: row.radar_id,
                    model: row.model,
                    status: row.status,
                    status_reason: row.status_reason,
                    set_up: row.set_up,
                    created_at: row.created_at,
                    deactivated_at: row.deactivated_at,
                    period_no: row.period_no,
                    next_charge_at: row.next_charge_at,
                });
            }
        }
    }

    /// Hands over every finding that waits for money.
    pub(in crate::store) async fn held(&mut self) -> Result<(), StoreError> {
        let mut paused = self.sql("select radar_type from type_pause where account_id = ");
        let paused: HashSet<String> = paused.bind(self.account_id).all(self.snapshot).await?.into_iter().collect();
        let mut after_seq = 0;
        loop {
            let mut sql =
                self.sql("select hold_seq, radar_id, radar_type, record_id from held_finding where account_id = ");
            sql.bind(self.account_id).push(" and hold_seq > ").bind(after_seq);
            let found: Vec<(i64, Uuid, String, Uuid)> =
                sql.push(" order by hold_seq limit ").count(PAGE).all(self.snapshot).await?;
            let Some((last_seq, ..)) = found.last() else { return Ok(()) };
            after_seq = *last_seq;
            let mut seen = self.seen(&found).await?;
            for (hold_seq, radar_id, radar_type, record_id) in found {
                let is_paused = paused.contains(&radar_type);
                let seen = seen.remove(&(radar_id, record_id));
                self.audit.held(&Held { hold_seq, radar_type, is_paused, seen });
            }
        }
    }

    async fn charges(&self, page: &[UpdateRow]) -> Result<HashMap<i64, Charge>, StoreError> {
        let places: Vec<i64> = page.iter().filter_map(|row| row.tx_seq).collect();
        if places.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql = self.sql("select tx_seq, kind, update_id from ledger_tx where account_id = ");
        sql.bind(self.account_id).push(" and tx_seq in ").bind_list(places);
        let found: Vec<(i64, String, Option<Uuid>)> = sql.all(self.snapshot).await?;
        Ok(found.into_iter().map(|(tx_seq, kind, update_id)| (tx_seq, Charge { kind, update_id })).collect())
    }

    async fn radars_of(&self, page: &[UpdateRow]) -> Result<HashMap<Uuid, PublishedRadar>, StoreError> {
        let radars: HashSet<Uuid> = page.iter().map(|row| row.radar_id).collect();
        let mut sql = self.sql("select radar_id, model, webhook_url from radar where account_id = ");
        sql.bind(self.account_id).push(" and radar_id in ").bind_list(radars);
        let found: Vec<(Uuid, String, Option<String>)> = sql.all(self.snapshot).await?;
        let of_id = |(radar_id, model, webhook_url): (Uuid, String, Option<String>)| {
            (radar_id, PublishedRadar { model, has_webhook: webhook_url.is_some() })
        };
        Ok(found.into_iter().map(of_id).collect())
    }

    async fn deliveries(&self, page: &[UpdateRow]) -> Result<HashMap<Uuid, i64>, StoreError> {
        let mut sql = self.sql("select update_id, update_seq from delivery where account_id = ");
        sql.bind(self.account_id).push(" and update_id in ").bind_list(page.iter().map(|row| row.update_id));
        Ok(sql.all(self.snapshot).await?.into_iter().collect())
    }

    async fn seen(&self, page: &[(i64, Uuid, String, Uuid)]) -> Result<HashMap<(Uuid, Uuid), String>, StoreError> {
        let radars: HashSet<Uuid> = page.iter().map(|(_, radar_id, _, _)| *radar_id).collect();
        let mut sql = self.sql("select radar_id, record_id, outcome from finding_seen where radar_id in ");
        sql.bind_list(radars).push(" and record_id in ").bind_list(page.iter().map(|(_, _, _, record_id)| *record_id));
        let found: Vec<(Uuid, Uuid, String)> = sql.all(self.snapshot).await?;
        Ok(found.into_iter().map(|(radar_id, record_id, outcome)| ((radar_id, record_id), outcome)).collect())
    }
}
