//! `POST /operator/v1/accounts/{id}/portal-links`: a customer's way to the portal.

use chrono::TimeDelta;

use crate::operator::call::Call;
use crate::web::{Answer, Failure, random_bits};
use domain::field_limits::PORTAL_SESSIONS_MAX;
use domain::{AccountStatus, LinkToken};
use store::PortalLink;
use wire::operator::accounts::parse_portal_link;
use wire::{Instant, object};

/// How long a link waits for somebody to open it.
const LINK_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Makes a link for one session.
pub(crate) async fn create(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let scopes = parse_portal_link(&call.body().await?.value)?;
    let Some(origin) = call.state.portal.as_deref() else {
        return Err(Failure::conflict("http.portal", "is not set: there is no portal"));
    };
    if call.account(account_id).await?.status != AccountStatus::Active {
        return Err(Failure::conflict("status", "the account is stopped"));
    }
    let (now, token) = (call.now(), LinkToken::from_random(random_bits()?));
    let link = PortalLink { account_id, scopes, expires_at: now + LINK_LIFE };
    if !call.store().add_portal_link(link, &token, now).await? {
        let reason = format!("an account has at most {PORTAL_SESSIONS_MAX} links and sessions that are open");
        return Err(Failure::conflict("portal_links", reason));
    }
    let url = format!("{origin}/portal/open/{}", token.expose());
    let made = object! { account_id, url, scopes: scopes.list(), expires_at: Instant(link.expires_at) };
    call.data(201, "Portal link created", made)
}
