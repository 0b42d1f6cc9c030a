//! The updates, radars and held findings of an account, each with what other rows say of it.

use std::collections::{HashMap, HashSet};

use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{PAGE, Reader};
use crate::StoreError;
use crate::database::statement::Statements;
use domain::audit::{Charge, Held, Published, PublishedRadar, Watched};

/// Updates without their payloads, which may be long; followed by whose they are.
const UPDATES: &str =
    "select update_seq, update_id, radar_id, update_type, discovered_at, tx_seq from radar_update where account_id = ";

/// What the audit asks of radars; followed by whose they are.
const RADARS: &str = "select radar_id, model, status, status_reason, set_up, created_at, deactivated_at, period_no, \
    next_charge_at, held_beyond_bound from radar where account_id = ";

/// A row of [`RADARS`].
#[derive(FromQueryResult)]
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
    held_beyond_bound: i64,
}

impl Reader<'_> {
    /// Hands over every stored update after `after_seq`.
    pub(crate) async fn updates(&mut self, mut after_seq: i64) -> Result<(), StoreError> {
        loop {
            let mut sql = self.snapshot.sql(UPDATES);
            sql.bind(self.account_id).push(" and update_seq > ").bind(after_seq);
            let found = sql.push(" order by update_seq limit ").count(PAGE).all(self.snapshot).await?;
            let found: Vec<Published> = found.into_iter().map(published).collect();
            let Some(last) = found.last() else { return Ok(()) };
            after_seq = last.update_seq;
            let charges = self.charges(&found).await?;
            let radars = self.radars_of(&found).await?;
            let deliveries = self.deliveries(&found).await?;
            for update in found {
                self.audit.update(&Published {
                    charge: update.tx_seq.and_then(|tx_seq| charges.get(&tx_seq).cloned()),
                    radar: radars.get(&update.radar_id).cloned(),
                    delivery_seq: deliveries.get(&update.update_id).copied(),
                    ..update
                });
            }
        }
    }

    /// Hands over every radar.
    pub(crate) async fn radars(&mut self) -> Result<(), StoreError> {
        let mut after = Uuid::nil();
        loop {
            let mut sql = self.snapshot.sql(RADARS);
            sql.bind(self.account_id)
                .push(" and radar_id > ")
                .bind(after)
                .push(" order by radar_id limit ")
                .count(PAGE);
            let found: Vec<RadarRow> = sql.models(self.snapshot).await?;
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
                    held_beyond_bound: row.held_beyond_bound,
                });
            }
        }
    }

    /// Hands over every finding that is held.
    pub(crate) async fn held(&mut self) -> Result<(), StoreError> {
        let mut paused = self.snapshot.sql("select radar_type from type_pause where account_id = ");
        let paused: HashSet<String> = paused.bind(self.account_id).all(self.snapshot).await?.into_iter().collect();
        let mut after_seq = 0;
        loop {
            let mut sql = self
                .snapshot
                .sql("select hold_seq, radar_id, radar_type, record_id, reason from held_finding where account_id = ");
            sql.bind(self.account_id).push(" and hold_seq > ").bind(after_seq);
            let found: Vec<(i64, Uuid, String, Uuid, String)> =
                sql.push(" order by hold_seq limit ").count(PAGE).all(self.snapshot).await?;
            let Some((last_seq, ..)) = found.last() else { return Ok(()) };
            after_seq = *last_seq;
            let mut seen = self.seen(&found).await?;
            for (hold_seq, radar_id, radar_type, record_id, reason) in found {
                let is_paused = paused.contains(&radar_type);
                let seen = seen.remove(&(radar_id, record_id));
                self.audit.held(&Held { hold_seq, radar_id, radar_type, reason, is_paused, seen });
            }
        }
    }

    async fn charges(&self, page: &[Published]) -> Result<HashMap<i64, Charge>, StoreError> {
        let places: Vec<i64> = page.iter().filter_map(|row| row.tx_seq).collect();
        if places.is_empty() {
            return Ok(HashMap::new());
        }
        let mut sql = self.snapshot.sql("select tx_seq, kind, update_id from ledger_tx where account_id = ");
        sql.bind(self.account_id).push(" and tx_seq in ").bind_list(places);
        let found: Vec<(i64, String, Option<Uuid>)> = sql.all(self.snapshot).await?;
        Ok(found.into_iter().map(|(tx_seq, kind, update_id)| (tx_seq, Charge { kind, update_id })).collect())
    }

    async fn radars_of(&self, page: &[Published]) -> Result<HashMap<Uuid, PublishedRadar>, StoreError> {
        let radars: HashSet<Uuid> = page.iter().map(|row| row.radar_id).collect();
        let mut sql = self.snapshot.sql("select radar_id, model, webhook_url from radar where account_id = ");
        sql.bind(self.account_id).push(" and radar_id in ").bind_list(radars);
        let found: Vec<(Uuid, String, Option<String>)> = sql.all(self.snapshot).await?;
        let of_id = |(radar_id, model, webhook_url): (Uuid, String, Option<String>)| {
            (radar_id, PublishedRadar { model, has_webhook: webhook_url.is_some() })
        };
        Ok(found.into_iter().map(of_id).collect())
    }

    async fn deliveries(&self, page: &[Published]) -> Result<HashMap<Uuid, i64>, StoreError> {
        let mut sql = self.snapshot.sql("select update_id, update_seq from delivery where account_id = ");
        sql.bind(self.account_id).push(" and update_id in ").bind_list(page.iter().map(|row| row.update_id));
        Ok(sql.all(self.snapshot).await?.into_iter().collect())
    }

    async fn seen(
        &self,
        page: &[(i64, Uuid, String, Uuid, String)],
    ) -> Result<HashMap<(Uuid, Uuid), String>, StoreError> {
        let radars: HashSet<Uuid> = page.iter().map(|(_, radar_id, ..)| *radar_id).collect();
        let mut sql = self.snapshot.sql("select radar_id, record_id, outcome from finding_seen where radar_id in ");
        sql.bind_list(radars)
            .push(" and record_id in ")
            .bind_list(page.iter().map(|(_, _, _, record_id, _)| *record_id));
        let found: Vec<(Uuid, Uuid, String)> = sql.all(self.snapshot).await?;
        Ok(found.into_iter().map(|(radar_id, record_id, outcome)| ((radar_id, record_id), outcome)).collect())
    }
}

/// A row of [`UPDATES`] on its own.
fn published(
    (update_seq, update_id, radar_id, update_type, discovered_at, tx_seq): (i64, Uuid, Uuid, String, i64, Option<i64>),
) -> Published {
    let (charge, radar, delivery_seq) = (None, None, None);
    Published { update_seq, update_id, radar_id, update_type, discovered_at, tx_seq, charge, radar, delivery_seq }
}
