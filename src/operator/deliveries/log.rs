//! `GET /operator/v1/deliveries`, `GET …/{update_id}` and `POST …/{update_id}/resend` (decisions 5.7, 5.8).

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use domain::{LoggedDelivery, Missing, UpdateId};
use wire::Page;
use wire::operator::deliveries::{self, delivery_detail, delivery_record};
use wire::public::webhooks::deliveries::next_cursor;

/// A page of deliveries, the newest first.
pub(crate) async fn list(call: Call) -> Answer {
    let (filter, limit) = deliveries::list(call.query())?;
    let found = call.store().all_deliveries(filter, u64::from(limit) + 1).await?;
    let record = |logged| delivery_record(logged, call.now());
    let page = Page::cut(found, limit, next_cursor, record);
    call.page("Deliveries", page)
}

/// One delivery with all its attempts.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let logged = found(&call).await?;
    let attempts = call.store().attempts(logged.account_id, logged.delivery.update_id).await?;
    call.data(200, "Delivery", delivery_detail(logged, attempts, call.now()))
}

/// Sends one delivery again, whether it was delivered or not.
pub(crate) async fn resend(call: Call) -> Answer {
    call.no_query()?;
    let logged = found(&call).await?;
    let (shared, now) = (call.shared(), call.now());
    let resent = shared.store.resend(logged.account_id, logged.delivery.update_id, now).await?;
    resent.map_err(|used_up| used_up.rejection(now))?;
    shared.dispatcher.kick();
    call.data(202, "Delivery is sent again", delivery_record(found(&call).await?, now))
}

async fn found(call: &Call) -> Result<LoggedDelivery, Failure> {
    let update_id = UpdateId(call.id("update_id")?);
    Ok(call.store().any_delivery(update_id).await?.ok_or(Missing::Delivery)?)
}
