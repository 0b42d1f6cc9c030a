//! Where accounts get mail. An address is used once the owner of the mailbox has confirmed it.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::outbox::{NewMail, insert};
use crate::accounts::lock_account;
use crate::database::{Run, WriteTransaction, in_order};
use crate::{Result, Store};
use domain::AccountId;
use domain::field_limits::CONFIRMATIONS_PER_DAY;

/// The address of an account for mails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailAddress {
    /// The account.
    pub account_id: AccountId,
    /// The address.
    pub address: String,
    /// What confirms it and stops what comes there.
    pub token: String,
    /// When it was confirmed; nothing but the request to do so is sent before.
    pub confirmed_at: Option<DateTime<Utc>>,
    /// Until when updates were told by digests.
    pub digested_until: Option<DateTime<Utc>>,
    /// The last update that was told, or that was there at the confirmation.
    pub digested_seq: Option<i64>,
}

/// Whether the owner of an address is asked to confirm it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedToConfirm {
    /// A mail that asks is on its way.
    Yes,
    /// It is confirmed already, and stays so.
    Confirmed,
    /// Too much was asked lately: nobody is mailed on by a stranger's wish.
    TooOften,
    /// The owner of the mailbox has stopped the mails of this account.
    Stopped,
}

/// The columns of a [`MailAddress`], of the table as `m`.
pub(super) const COLUMNS: &str = "m.account_id, m.address, m.token, m.confirmed_at, m.digested_until, m.digested_seq";
const STOPPED: &str = "select account_id from mail_stop where account_id = ? and address_hash = ?";
const CONFIRMED: &str =
    "select account_id from mail_address where account_id = ? and confirmed_at is not null and address = ?";
/// The confirmations that were asked for since an instant.
const COUNT: &str = "select count(*) from mail where kind = 'confirmation' and account_id = ? and created_at > ?";

in_order!(MailAddress { account_id, address, token, confirmed_at, digested_until, digested_seq });

impl Store {
    /// Sets the address of an account and asks for its confirmation; what waited for another one is not sent. An address that
    /// is set and confirmed stays as it is, with what waits for it.
    pub async fn set_mail_address(&self, confirmation: NewMail, now: DateTime<Utc>) -> Result<AskedToConfirm> {
        let (account_id, address) = (confirmation.account_id, confirmation.recipient.as_str());
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let stopped = transaction.first::<Uuid>(STOPPED, (account_id, address_hash(address))).await?;
            if stopped.is_some() {
                return Ok(AskedToConfirm::Stopped);
            }
            if transaction.first::<Uuid>(CONFIRMED, (account_id, address)).await?.is_some() {
                return Ok(AskedToConfirm::Confirmed);
            }
            if transaction.first(COUNT, (account_id, now - TimeDelta::days(1))).await? >= Some(CONFIRMATIONS_PER_DAY) {
                return Ok(AskedToConfirm::TooOften);
            }
            let pending = "update mail set due_at = null where due_at is not null and account_id = ?";
            transaction.run(pending, account_id).await?;
            transaction.run("delete from mail_address where account_id = ?", account_id).await?;
            let address_row = "insert into mail_address (account_id, address, token) values (?, ?, ?)";
            transaction.run(address_row, (account_id, address, confirmation.token.as_str())).await?;
            insert(transaction, &confirmation, now).await?;
            Ok(AskedToConfirm::Yes)
        })
        .await
    }

    /// The address of an account.
    pub async fn mail_address(&self, account_id: AccountId) -> Result<Option<MailAddress>> {
        self.first(&format!("select {COLUMNS} from mail_address m where m.account_id = ?"), account_id).await
    }

    /// Confirms the address with this token; `false` where there is none.
    pub async fn confirm_mail_address(&self, token: &str, now: DateTime<Utc>) -> Result<bool> {
        // Strangers get here, and no further: they cost no write.
        let known = self.first::<Uuid>("select account_id from mail_address where token = ?", token).await?;
        if known.is_none() {
            return Ok(false);
        }
        let confirm = "update mail_address set confirmed_at = coalesce(confirmed_at, ?),
            digested_seq = coalesce(digested_seq, (select update_seq from account
                where account.account_id = mail_address.account_id)) where token = ?";
        Ok(self.run(confirm, (now, token)).await? > 0)
    }

    /// Forgets the address with this token, and what waits to be sent there.
    pub async fn remove_mail_address(&self, token: &str) -> Result<()> {
        self.in_transaction(async |transaction| remove(transaction, token).await).await
    }

    /// Does the same at the wish of the owner of the mailbox, whom the account can ask no more; `false` where no mail had
    /// this token.
    pub async fn stop_mails(&self, token: &str, now: DateTime<Utc>) -> Result<bool> {
        // The account may have set another address since the mail was sent.
        let with_token = "select account_id, address from mail_address where token = ?
            union select account_id, recipient from mail where token = ?";
        let found: Option<(AccountId, String)> = self.first(with_token, (token, token)).await?;
        let Some((account_id, address)) = found else { return Ok(false) };
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            remove(transaction, token).await?;
            let stop = "insert into mail_stop (account_id, address_hash, stopped_at) values (?, ?, ?)
                on conflict (account_id, address_hash) do nothing";
            transaction.run(stop, (account_id, address_hash(&address), now)).await?;
            Ok(true)
        })
        .await
    }

    /// The confirmed addresses of active accounts whose updates were told until some instant before `until`.
    pub async fn all_addresses_to_digest(&self, until: DateTime<Utc>) -> Result<Vec<MailAddress>> {
        let to_digest = format!(
            "select {COLUMNS} from mail_address m join account a on a.account_id = m.account_id
            where a.status = 'active' and coalesce(m.digested_until, m.confirmed_at) < ?"
        );
        self.all(&to_digest, until).await
    }
}

async fn remove(transaction: &WriteTransaction, token: &str) -> Result<()> {
    transaction.run("update mail set due_at = null where due_at is not null and token = ?", token).await?;
    transaction.run("delete from mail_address where token = ?", token).await.map(drop)
}

/// What is kept of an address that wants no mails.
fn address_hash(address: &str) -> String {
    hex::encode(Sha256::digest(address.to_lowercase()))
}
