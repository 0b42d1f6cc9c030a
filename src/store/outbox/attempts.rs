//! Recording the results of attempts, many in one transaction (decisions 5.1, 5.6, 5.7): the attempts, their deliveries
//! and the endpoints' health. What was claimed by somebody else meanwhile is refused.

use std::collections::{BTreeSet, HashMap, HashSet};

use chrono::{DateTime, Utc};
use entity::attempt;
use sea_orm::Value;
use uuid::Uuid;

use super::claimed_delivery::ClaimedDelivery;
use super::endpoint_health::{Endpoints, healths, lock_healths, write_healths};
use crate::claims::DueTable;
use crate::database::{IfPresent, List, Statements, WriteTransaction, bulk, in_few_lengths};
use crate::{Result, Store};
use domain::delivery::decide;
use domain::delivery::endpoint_health::Observation;
use domain::{AfterAttempt, AttemptReport, DeliveryState, EndpointHealth, EndpointId, Outcome, RetrySchedule};

/// An attempt that is over.
#[derive(Clone, Debug)]
pub struct EndedAttempt {
    /// What was attempted.
    pub claimed: ClaimedDelivery,
    /// Its result.
    pub report: AttemptReport,
}

impl Store {
    /// Ends claims, in one transaction. `None` for each that had been lost, so that nothing was written of it.
    ///
    /// # Errors
    /// The database did not answer; the same reports may be recorded again.
    pub async fn record_attempts(
        &self,
        ended: &[EndedAttempt],
        schedule: &RetrySchedule,
        now: DateTime<Utc>,
    ) -> Result<Vec<Option<AfterAttempt>>> {
        if ended.is_empty() {
            return Ok(Vec::new());
        }
        self.in_transaction(async |transaction| record(transaction, ended, schedule, now).await).await
    }
}

async fn record(
    transaction: &WriteTransaction,
    ended: &[EndedAttempt],
    schedule: &RetrySchedule,
    now: DateTime<Utc>,
) -> Result<Vec<Option<AfterAttempt>>> {
    let endpoints: BTreeSet<Uuid> = ended.iter().map(|one| one.claimed.endpoint_id.0).collect();
    let mut health = healths(transaction, endpoints).await?;
    // A success of a healthy endpoint changes nothing there, so no other transaction has to wait for its row.
    let changing = changing_endpoints(ended, &health, now);
    health.extend(lock_healths(transaction, &changing).await?);
    let standing = lock_claims(transaction, ended, &changing).await?;
    let mut recorded: Vec<Option<AfterAttempt>> = Vec::with_capacity(ended.len());
    for one in ended {
        let endpoint_id = one.claimed.endpoint_id;
        let is_changing = changing.contains(&(endpoint_id, one.claimed.account_id));
        if is_changing && !standing.contains(&one.claim()) {
            recorded.push(None);
            continue;
        }
        let known = health.get(&endpoint_id).cloned().unwrap_or_default();
        let AttemptReport { outcome, retry_after, .. } = one.report;
        let seen = Observation { outcome, retry_after, was_probe: one.claimed.is_probe };
        let decision = decide(known, one.claimed.delivery.clone(), seen, now, schedule);
        if is_changing {
            health.insert(endpoint_id, decision.health.clone());
        }
        recorded.push(Some(decision));
    }
    let ended_claims = end_claims(transaction, ended, &recorded, now).await?;
    for (one, decision) in ended.iter().zip(&mut recorded) {
        if !ended_claims.contains(&one.claim()) {
            *decision = None;
        }
    }
    let is_attempt = |(one, decision): &(&EndedAttempt, &Option<AfterAttempt>)| {
        decision.is_some() && one.report.outcome != Outcome::Cancelled
    };
    let attempts = ended.iter().zip(&recorded).filter(is_attempt).map(|(one, _)| attempt_row(one));
    bulk::insert(transaction, attempts.collect(), IfPresent::fail()).await?;
    write_healths(transaction, changing.into_iter().filter_map(|owned| Some((owned, health.remove(&owned.0)?))))
        .await?;
    Ok(recorded)
}

/// Those deliveries of `endpoints` whose claims stand, and stand until the transaction ends.
async fn lock_claims(
    transaction: &WriteTransaction,
    ended: &[EndedAttempt],
    endpoints: &Endpoints,
) -> Result<HashSet<Claim>> {
    let asked: HashSet<Claim> = ended
        .iter()
        .filter(|one| endpoints.contains(&(one.claimed.endpoint_id, one.claimed.account_id)))
        .map(EndedAttempt::claim)
        .collect();
    if asked.is_empty() {
        return Ok(HashSet::new());
    }
    let leased = "select update_id, lease_no from delivery where update_id in ? and lease_until is not null";
    let mut sql = transaction.sql_with(leased, List(in_few_lengths(asked.iter().map(|(update_id, _)| *update_id))));
    let claims: Vec<Claim> = sql.lock_no_key().all(transaction).await?;
    Ok(claims.into_iter().filter(|claim| asked.contains(claim)).collect())
}

/// A delivery and the number of one of its claims.
type Claim = (Uuid, i64);

impl EndedAttempt {
    fn claim(&self) -> Claim {
        (self.claimed.delivery.update_id.0, self.claimed.lease_no)
    }
}

/// The endpoints whose health the results may change.
fn changing_endpoints(
    ended: &[EndedAttempt],
    health: &HashMap<EndpointId, EndpointHealth>,
    now: DateTime<Utc>,
) -> Endpoints {
    let changes = |one: &&EndedAttempt| {
        let is_well_known = health.get(&one.claimed.endpoint_id).is_some_and(|health| health.is_well_known(now));
        one.report.outcome != Outcome::Ok || !is_well_known
    };
    ended.iter().filter(changes).map(|one| (one.claimed.endpoint_id, one.claimed.account_id)).collect()
}

/// Writes the deliveries back whose claims still stand, and answers which those are.
async fn end_claims(
    transaction: &WriteTransaction,
    ended: &[EndedAttempt],
    recorded: &[Option<AfterAttempt>],
    now: DateTime<Utc>,
) -> Result<HashSet<Claim>> {
    let standing = ended.iter().zip(recorded).filter_map(|(one, decision)| Some((&one.claimed, decision.as_ref()?)));
    let standing = in_few_lengths(standing);
    if standing.is_empty() {
        return Ok(HashSet::new());
    }
    let mut sql = transaction.sql(
        "update delivery set state = ended.column3, attempts = ended.column4, due_at = ended.column5, \
         lease_until = null, finished_at = ended.column6 from (values ",
    );
    sql.bind_rows(standing.into_iter().map(|(claimed, AfterAttempt { delivery, .. })| -> [Value; 7] {
        let is_finished = matches!(delivery.state, DeliveryState::Delivered | DeliveryState::Exhausted);
        [
            delivery.update_id.0.into(),
            claimed.lease_no.into(),
            delivery.state.as_str().into(),
            i64::from(delivery.attempts).into(),
            delivery.due_at.map(|at| at.timestamp_micros()).into(),
            is_finished.then(|| now.timestamp_micros()).into(),
            claimed.published_at.timestamp_micros().into(),
        ]
    }));
    sql.push(") as ended where ").held_by(DueTable::Deliveries, ["ended.column1", "ended.column2"]);
    sql.push(" and delivery.published_at = ended.column7");
    sql.push(" and delivery.lease_until is not null returning delivery.update_id, delivery.lease_no");
    Ok(sql.all(transaction).await?.into_iter().collect())
}

/// An attempt has the number of its claim: it is never given twice, however often a delivery is sent again.
fn attempt_row(EndedAttempt { claimed, report }: &EndedAttempt) -> attempt::Model {
    attempt::Model {
        update_id: claimed.delivery.update_id.0,
        attempt_no: claimed.lease_no,
        account_id: claimed.account_id.0,
        endpoint_id: claimed.endpoint_id.0,
        started_at: report.started_at.timestamp_micros(),
        duration_ms: report.duration.num_milliseconds(),
        outcome: report.outcome.as_str().to_owned(),
        status: report.status.map(i64::from),
        remote: report.remote.clone(),
        response: report.response.clone(),
        response_truncated: i64::from(report.response_truncated),
        published_at: claimed.published_at.timestamp_micros(),
    }
}
