//! The updates, radars and held findings of an account, each with what other rows say of it.

use std::collections::{HashMap, HashSet};

use entity::{delivery, finding_seen, held_finding, ledger_tx, radar, radar_update, type_pause};
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
        let paused = type_pause::Entity::find().filter(type_pause::Column::AccountId.eq(self.account_id));
        let paused: HashSet<String> =
            paused.all(self.snapshot).await?.into_iter().map(|pause| pause.radar_type).collect();
        let mut after_seq = 0;
        loop {
            let found: Vec<(i64, Uuid, String, Uuid)> = held_finding::Entity::find()
                .select_only()
                .columns([
                    held_finding::Column::HoldSeq,
                    held_finding::Column::RadarId,
                    held_finding::Column::RadarType,
                    held_finding::Column::RecordId,
                ])
                .filter(held_finding::Column::AccountId.eq(self.account_id))
                .filter(held_finding::Column::HoldSeq.gt(after_seq))
                .order_by_asc(held_finding::Column::HoldSeq)
                .limit(PAGE)
                .into_tuple()
                .all(self.snapshot)
                .await?;
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
        let found: Vec<(i64, String, Option<Uuid>)> = ledger_tx::Entity::find()
            .select_only()
            .columns([ledger_tx::Column::TxSeq, ledger_tx::Column::Kind, ledger_tx::Column::UpdateId])
            .filter(ledger_tx::Column::AccountId.eq(self.account_id))
            .filter(ledger_tx::Column::TxSeq.is_in(places))
            .into_tuple()
            .all(self.snapshot)
            .await?;
        Ok(found.into_iter().map(|(tx_seq, kind, update_id)| (tx_seq, Charge { kind, update_id })).collect())
    }

    async fn radars_of(&self, page: &[UpdateRow]) -> Result<HashMap<Uuid, PublishedRadar>, StoreError> {
        let radars: HashSet<Uuid> = page.iter().map(|row| row.radar_id).collect();
        let found: Vec<(Uuid, String, Option<String>)> = radar::Entity::find()
            .select_only()
            .columns([radar::Column::RadarId, radar::Column::Model, radar::Column::WebhookUrl])
            .filter(radar::Column::AccountId.eq(self.account_id))
            .filter(radar::Column::RadarId.is_in(radars))
            .into_tuple()
            .all(self.snapshot)
            .await?;
        let of_id = |(radar_id, model, webhook_url): (Uuid, String, Option<String>)| {
            (radar_id, PublishedRadar { model, has_webhook: webhook_url.is_some() })
        };
        Ok(found.into_iter().map(of_id).collect())
    }

    async fn deliveries(&self, page: &[UpdateRow]) -> Result<HashMap<Uuid, i64>, StoreError> {
        let found: Vec<(Uuid, i64)> = delivery::Entity::find()
            .select_only()
            .columns([delivery::Column::UpdateId, delivery::Column::UpdateSeq])
            .filter(delivery::Column::AccountId.eq(self.account_id))
            .filter(delivery::Column::UpdateId.is_in(page.iter().map(|row| row.update_id)))
            .into_tuple()
            .all(self.snapshot)
            .await?;
        Ok(found.into_iter().collect())
    }

    async fn seen(&self, page: &[(i64, Uuid, String, Uuid)]) -> Result<HashMap<(Uuid, Uuid), String>, StoreError> {
        let radars: HashSet<Uuid> = page.iter().map(|(_, radar_id, _, _)| *radar_id).collect();
        let found = finding_seen::Entity::find()
            .filter(finding_seen::Column::RadarId.is_in(radars))
            .filter(finding_seen::Column::RecordId.is_in(page.iter().map(|(_, _, _, record_id)| *record_id)))
            .all(self.snapshot)
            .await?;
        Ok(found.into_iter().map(|row| ((row.radar_id, row.record_id), row.outcome)).collect())
    }
}
