//! `/operator/v1/accounts`: customers, their state and their limits.

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::secrets::api_keys;
use crate::web::{Answer, located, random_bits};
use domain::account::SetStatus;
use domain::{AccountId, AccountLimits, AccountStatus, Grant, KeyKind, MicroUsd, Missing};
use store::{Account, AccountChange, Freeze, NewAccount};
use webhooks::secret::WebhookSecret;
use wire::operator::accounts::{self, ChangedAccount};
use wire::{Instant, Page, Usd, object};

/// The reason that is shown when an operator freezes an account.
const FROZEN_BY_OPERATOR: &str = "frozen by the operator";

/// `POST /operator/v1/accounts`
pub(crate) async fn create(mut call: Call) -> Answer {
    let (name, approval, limits) = accounts::parse_new(&call.body().await?.value)?;
    let now = call.now();
    let (key, stored_key) = api_keys::fresh(call.shared(), KeyKind::Program, Grant::ALL)?;
    let webhook_secret = WebhookSecret::generate(random_bits()?).expose();
    let account_id = AccountId(call.shared().ids.next(now));
    let new = NewAccount {
        account_id,
        name: name.clone(),
        approval,
        limits,
        webhook_secret: webhook_secret.clone(),
        api_key: stored_key,
    };
    call.store().create_account(new, now).await?;
    let status = AccountStatus::Active;
    let (balance, alert_url, frozen) = (MicroUsd::ZERO, None, None);
    let account = Account { account_id, name, status, approval, limits, created_at: now, balance, alert_url, frozen };
    let account = record(account, call.shared().limits);
    let api_key = key.expose().to_owned();
    let created = call.data(201, "Account created", object! { #[serde(flatten)] account, api_key, webhook_secret })?;
    Ok(located(created, &format!("/operator/v1/accounts/{account_id}")))
}

/// `GET /operator/v1/accounts`
pub(crate) async fn list(call: Call) -> Answer {
    let (search, limit) = accounts::search(call.query())?;
    let accounts = call.store().all_accounts(&search, u64::from(limit) + 1).await?;
    let record = |account| record(account, call.shared().limits);
    let page = Page::cut(accounts, limit, |last| last.account_id.to_string(), record);
    call.page("Accounts", page)
}

/// `GET /operator/v1/accounts/{id}`
pub(crate) async fn show(call: Call) -> Answer {
    call.record("Account", record(call.existing_account().await?, call.shared().limits))
}

/// `PATCH /operator/v1/accounts/{id}`
pub(crate) async fn change(mut call: Call) -> Answer {
    let account_id = call.account_id()?;
    let body = call.body().await?.value;
    let guard = &call.shared().guard;
    let ChangedAccount { approval, limits, status, is_frozen, alert_url } =
        accounts::parse_change(&body, &|host| !guard.permits_host(host))?;
    let change = AccountChange { approval, limits, alert_url };
    if !call.store().change_account(account_id, change).await? {
        return Err(Missing::Account.into());
    }
    if let Some(status) = status {
        call.shared().ledger.ask(account_id, SetStatus { status }).await??;
        call.shared().shards.look_again(account_id);
    }
    call.shared().keys.clear();
    match is_frozen {
        Some(true) => drop(call.store().freeze_account(account_id, FROZEN_BY_OPERATOR, call.now()).await?),
        Some(false) => {
            call.store().unfreeze_account(account_id, call.now()).await?;
            call.shared().ledger.wake(account_id);
        }
        None => {}
    }
    call.data(200, "Account changed", record(call.account(account_id).await?, call.shared().limits))
}

/// The account, with the limits that hold for it.
fn record(account: Account, defaults: AccountLimits) -> impl Serialize {
    object! {
        account_id: account.account_id,
        name: account.name,
        status: account.status,
        approval: account.approval,
        balance_usd: Usd(account.balance),
        limits: account.limits.or(defaults),
        alert_url: account.alert_url,
        created_at: Instant(account.created_at),
        #[serde(flatten)]
        frozen: account.frozen.map(freeze),
    }
}

fn freeze(freeze: Freeze) -> impl Serialize {
    object! { frozen_since: Instant(freeze.since), frozen_reason: freeze.reason }
}
