//! `GET /v1/webhooks/deliveries`, `GET …/{update_id}` and `POST …/{update_id}/resend` (decisions 5.7, 5.8).

use crate::api::call::Call;
use crate::web::{Answer, Failure};
use domain::{LoggedDelivery, Missing, UpdateId};
use wire::Page;
use wire::public::webhooks::deliveries::{self, DeliveryRecord, delivery_detail, next_cursor};

/// A page of the account's deliveries, the newest first.
pub(crate) async fn list(call: Call) -> Answer {
    let (mut filter, limit) = deliveries::list(call.query())?;
    filter.since = filter.since.max(Some(call.kept_from()));
    let store = call.store();
    let found = store.deliveries(call.account_id(), filter, u64::from(limit) + 1).await?;
    let now = call.now();
    let page = Page::cut(found, limit, next_cursor, |logged| DeliveryRecord::of(logged, now));
    call.page("Deliveries", page)
}

/// One delivery with all its attempts.
pub(crate) async fn get(call: Call) -> Answer {
    call.no_query()?;
    let logged = found(&call).await?;
    let attempts = call.store().attempts(call.account_id(), logged.delivery.update_id).await?;
    call.record("Delivery", delivery_detail(logged, attempts, call.now()))
}

/// Sends one delivery again, whether it was delivered or not.
pub(crate) async fn resend(call: Call) -> Answer {
    call.no_query()?;
    let update_id = found(&call).await?.delivery.update_id;
    let (shared, now) = (call.shared(), call.now());
    let resent = shared.store.resend(call.account_id(), update_id, now).await?;
    resent.map_err(|used_up| used_up.rejection(now))?;
    shared.dispatcher.kick();
    call.data(202, "Delivery is sent again", DeliveryRecord::of(found(&call).await?, now))
}

async fn found(call: &Call) -> Result<LoggedDelivery, Failure> {
    let update_id = UpdateId(call.id("update_id")?);
    let found = call.store().delivery(call.account_id(), update_id).await?;
    Ok(found.filter(|logged| logged.created_at >= call.kept_from()).ok_or(Missing::Delivery)?)
}
