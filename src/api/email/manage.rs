//! `GET`, `PUT` and `DELETE /v1/account/email`.

use crate::api::call::Call;
use crate::web::{Answer, random_bits};
use domain::field_limits::CONFIRMATIONS_PER_DAY;
use domain::{LinkToken, Rejection};
use store::AskedToConfirm;
use wire::Instant;
use wire::public::email::{self, EmailRecord};

/// The address, and whether it is confirmed.
pub(crate) async fn get(call: Call) -> Answer {
    call.no_query()?;
    shown(&call, "E-mail address").await
}

/// Sets the address and asks the owner of the mailbox to confirm it.
pub(crate) async fn set(mut call: Call) -> Answer {
    let body = call.body().await?.value;
    let address = email::parse(&body)?;
    let Some(mail) = call.state.mail.clone() else {
        return Err(Rejection::conflict("email", "mails are not set up here").into());
    };
    let token = LinkToken::from_random(random_bits()?).expose().to_owned();
    let recipient = address.as_str().to_owned();
    let reason = match mail.ask_to_confirm(call.account_id(), recipient, token, call.now()).await? {
        AskedToConfirm::Yes => return shown(&call, "E-mail address to be confirmed").await,
        AskedToConfirm::Confirmed => return shown(&call, "E-mail address").await,
        AskedToConfirm::TooOften => format!("at most {CONFIRMATIONS_PER_DAY} confirmations may be asked for in a day"),
        AskedToConfirm::Stopped => "the owner of this mailbox has stopped the mails of this account".to_owned(),
    };
    Err(Rejection::conflict("email", reason).into())
}

/// Forgets the address.
pub(crate) async fn remove(call: Call) -> Answer {
    call.no_query()?;
    let store = call.store();
    if let Some(address) = store.mail_address(call.account_id()).await? {
        store.remove_mail_address(&address.token).await?;
    }
    shown(&call, "E-mail address removed").await
}

async fn shown(call: &Call, message: &str) -> Answer {
    let address = call.store().mail_address(call.account_id()).await?;
    let confirmed_at = address.as_ref().and_then(|address| address.confirmed_at).map(Instant);
    call.data(200, message, EmailRecord { email: address.map(|address| address.address), confirmed_at })
}
