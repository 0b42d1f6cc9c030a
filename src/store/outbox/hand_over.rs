//! Deliveries that are claimed in the very transaction that writes them, and handed over in memory after the commit.
//!
//! The table stays the truth: what is handed over and lost is due again when its lease ends, and what nobody takes over
//! is due at once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use entity::{account, balance_alert, bound_alert, delivery, endpoint, radar_update};
use uuid::Uuid;

use super::claimed_delivery::{ClaimedDelivery, Common};
use super::deliveries::by_account;
use super::endpoint_health::healths;
use crate::Result;
use crate::claims::lease_new;
use crate::database::WriteTransaction;
use crate::database::leases::Leases;
use crate::secrets::webhook_secrets::secrets_of;
use domain::{AccountId, AccountStatus, EndpointHealth, EndpointId, Gate, WaitingEndpoint};

/// The sender of deliveries, which may take them over as they are written.
pub trait Dispatch: Send + Sync {
    /// How long a delivery that is taken over is its own.
    fn lease(&self) -> TimeDelta;

    /// Whether it takes one more delivery of an endpoint over; then it has made room for it.
    fn reserve(&self, account_id: AccountId, endpoint_id: EndpointId, health: &EndpointHealth) -> bool;

    /// The room for one delivery of an endpoint is not used: the commit failed.
    fn release(&self, endpoint_id: EndpointId);

    /// Gets what a commit wrote.
    fn hand_over(&self, written: HandOver);
}

/// What a commit wrote into the outbox.
#[derive(Debug, Default)]
pub struct HandOver {
    /// What is taken over.
    pub claimed: Vec<ClaimedDelivery>,
    /// Where more was written that is due, for somebody to claim.
    pub waiting: Vec<WaitingEndpoint>,
}

/// The new deliveries of a commit, and what it writes that their sending needs.
pub(crate) struct NewDeliveries<'a> {
    pub(crate) rows: &'a mut [delivery::Model],
    pub(crate) updates: &'a [radar_update::Model],
    pub(crate) balance_alerts: &'a [balance_alert::Model],
    pub(crate) bound_alerts: &'a [bound_alert::Model],
    pub(crate) endpoints: &'a [endpoint::Model],
    pub(crate) accounts: &'a [account::Model],
}

/// What is claimed in a transaction that is not committed yet: room is given back unless it is.
pub(crate) struct Claims<'a> {
    dispatch: &'a dyn Dispatch,
    written: HandOver,
}

impl HandOver {
    /// Whether nothing was written.
    pub const fn is_empty(&self) -> bool {
        self.claimed.is_empty() && self.waiting.is_empty()
    }
}

impl Claims<'_> {
    /// The commit stands.
    pub(crate) fn commit(mut self) -> HandOver {
        std::mem::take(&mut self.written)
    }
}

impl Drop for Claims<'_> {
    fn drop(&mut self) {
        for claimed in &self.written.claimed {
            self.dispatch.release(claimed.endpoint_id);
        }
    }
}

/// Claims those of the new deliveries that `dispatch` takes over. Reads how their endpoints fare: what may not be sent
/// now is left alone.
pub(crate) async fn claim_new<'a>(
    transaction: &WriteTransaction,
    new: NewDeliveries<'_>,
    dispatch: &'a dyn Dispatch,
    (claimed_by, leases): (Option<Uuid>, &Leases),
    now: DateTime<Utc>,
) -> Result<Claims<'a>> {
    let mut claims = Claims { dispatch, written: HandOver::default() };
    if new.rows.is_empty() {
        return Ok(claims);
    }
    let endpoints: HashSet<Uuid> = new.rows.iter().map(|row| row.endpoint_id).collect();
    let health = healths(transaction, endpoints).await?;
    let common = common(transaction, &new).await?;
    let bodies: HashMap<Uuid, &str> = bodies(&new).collect();
    let lease_until = now + dispatch.lease();
    let until_by_database = leases.instant(transaction).await? + dispatch.lease();
    let mut left = HashSet::new();
    for row in new.rows {
        let (account_id, endpoint_id) = (AccountId(row.account_id), EndpointId(row.endpoint_id));
        if !common.secrets.contains_key(&row.account_id) {
            continue;
        }
        let fares = health.get(&endpoint_id).cloned().unwrap_or_default();
        if let Some(body) = bodies.get(&row.update_id)
            && fares.gate(now) == Gate::Open
            && dispatch.reserve(account_id, endpoint_id, &fares)
            && let Some(claimed) =
                common.claimed(row, Bytes::copy_from_slice(body.as_bytes()), (claimed_by, lease_until), false)?
        {
            claims.written.claimed.push(claimed);
            lease_new(row, claimed_by, until_by_database);
        } else if left.insert(endpoint_id) {
            claims.written.waiting.push(WaitingEndpoint { endpoint_id, account_id, due_at: now, health: fares });
        }
    }
    Ok(claims)
}

fn bodies<'a>(new: &NewDeliveries<'a>) -> impl Iterator<Item = (Uuid, &'a str)> {
    let updates = new.updates.iter().map(|row| (row.update_id, row.body.as_str()));
    let about_balances = new.balance_alerts.iter().map(|row| (row.alert_id, row.body.as_str()));
    let about_bounds = new.bound_alerts.iter().map(|row| (row.alert_id, row.body.as_str()));
    updates.chain(about_balances).chain(about_bounds)
}

async fn common(transaction: &WriteTransaction, new: &NewDeliveries<'_>) -> Result<Common> {
    let with_deliveries: HashSet<Uuid> = new.rows.iter().map(|row| row.account_id).collect();
    let may_send = |row: &&account::Model| {
        row.status == AccountStatus::Active.as_str() && with_deliveries.contains(&row.account_id)
    };
    let active: Vec<Uuid> = new.accounts.iter().filter(may_send).map(|row| row.account_id).collect();
    Ok(Common {
        urls: new.endpoints.iter().map(|row| (row.endpoint_id, Arc::from(row.url.as_str()))).collect(),
        secrets: by_account(secrets_of(&active, transaction).await?),
    })
}
