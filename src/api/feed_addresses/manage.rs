//! `POST /v1/feeds`, `GET /v1/feeds`, `POST …/{feed_id}/rotate`, `DELETE …/{feed_id}`.

use crate::api::call::Call;
use crate::web::{Answer, random_bits};
use domain::field_limits::FEED_ADDRESSES_MAX;
use domain::{LinkToken, Missing, Rejection, Scope};
use store::FeedAddress;
use wire::public::feed_addresses::{self, FeedAddressRecord, FeedPaths};
use wire::{Instant, object};

/// Makes an address, of the account or of one of its radars. Anybody who has it can read, so the key must have that scope.
pub(crate) async fn create(mut call: Call) -> Answer {
    call.require(Scope::Read)?;
    let body = call.body().await?.value;
    let radar_id = feed_addresses::parse(&body)?;
    let (account_id, store) = (call.account_id(), call.store());
    if let Some(radar_id) = radar_id {
        store.radar(account_id, radar_id).await?.ok_or(Missing::Radar)?;
    }
    let now = call.now();
    let feed_id = call.shared().ids.next(now);
    let address = FeedAddress { feed_id, radar_id, created_at: now, rotated_at: None };
    let token = LinkToken::from_random(random_bits()?);
    if !store.add_feed_address(account_id, address, &token).await? {
        let reason = format!("at most {FEED_ADDRESSES_MAX} addresses may be in use");
        return Err(Rejection::conflict("feeds", reason).into());
    }
    shown(&call, 201, "Feed address created", address, &token)
}

/// The addresses that are in use.
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let addresses = call.store().feed_addresses(call.account_id()).await?;
    call.data(200, "Feed addresses", addresses.into_iter().map(record).collect::<Vec<_>>())
}

/// Replaces the secret part: the address before leads nowhere from now on.
pub(crate) async fn rotate(call: Call) -> Answer {
    call.no_query()?;
    call.require(Scope::Read)?;
    let token = LinkToken::from_random(random_bits()?);
    let store = call.store();
    let rotated = store.rotate_feed_address(call.account_id(), call.id("feed_id")?, &token, call.now()).await?;
    shown(&call, 200, "Feed address rotated", rotated.ok_or(Missing::FeedAddress)?, &token)
}

/// Ends an address.
pub(crate) async fn remove(call: Call) -> Answer {
    call.no_query()?;
    let removed = call.store().remove_feed_address(call.account_id(), call.id("feed_id")?).await?;
    call.data(200, "Feed address ended", record(removed.ok_or(Missing::FeedAddress)?))
}

fn shown(call: &Call, code: u16, message: &str, address: FeedAddress, token: &LinkToken) -> Answer {
    let address = record(address);
    let paths = FeedPaths::of(token);
    call.data(code, message, object! { #[serde(flatten)] address, #[serde(flatten)] paths })
}

fn record(address: FeedAddress) -> FeedAddressRecord {
    FeedAddressRecord {
        feed_id: address.feed_id,
        radar_id: address.radar_id.map(|radar_id| radar_id.0),
        created_at: Instant(address.created_at),
        rotated_at: address.rotated_at.map(Instant),
    }
}
