//! Where accounts get mail. An address is used once the owner of the mailbox has confirmed it.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::outbox::{NewMail, insert};
use crate::accounts::lock_account;
use crate::database::columns::in_order;
use crate::database::statement::Statements;
use crate::database::write_transaction::WriteTransaction;
use crate::{Store, StoreError};
use domain::field_limits::CONFIRMATIONS_PER_DAY;
use domain::ids::AccountId;

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
in_order!(MailAddress { account_id, address, token, confirmed_at, digested_until, digested_seq });

impl Store {
    /// Sets the address of an account and asks for its confirmation; what waited for another one is not sent. An address that
    /// is set and confirmed stays as it is, with what waits for it.
    pub async fn set_mail_address(
        &self,
        confirmation: NewMail,
        now: DateTime<Utc>,
    ) -> Result<AskedToConfirm, StoreError> {
        let account_id = confirmation.account_id;
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let mut stopped = transaction.sql("select account_id from mail_stop where account_id = ");
            stopped.bind(account_id.0).push(" and address_hash = ").bind(address_hash(&confirmation.recipient));
            if !stopped.all::<Uuid>(transaction).await?.is_empty() {
                return Ok(AskedToConfirm::Stopped);
            }
            let mut confirmed = transaction.sql("select account_id from mail_address where account_id = ");
            confirmed.bind(account_id.0).push(" and confirmed_at is not null and address = ");
            if !confirmed.bind(confirmation.recipient.as_str()).all::<Uuid>(transaction).await?.is_empty() {
                return Ok(AskedToConfirm::Confirmed);
            }
            let mut count = transaction.sql("select count(*) from mail where kind = 'confirmation' and account_id = ");
            count.bind(account_id.0).push(" and created_at > ");
            let count = count.bind((now - TimeDelta::days(1)).timestamp_micros()).first(transaction).await?;
            if count.is_some_and(|count: i64| count >= CONFIRMATIONS_PER_DAY) {
                return Ok(AskedToConfirm::TooOften);
            }
            let mut pending =
                transaction.sql("update mail set due_at = null where due_at is not null and account_id = ");
            pending.bind(account_id.0).run(transaction).await?;
            transaction.sql("delete from mail_address where account_id = ").bind(account_id.0).run(transaction).await?;
            let mut sql = transaction.sql("insert into mail_address (account_id, address, token) values (");
            sql.bind(account_id.0).push(", ").bind(confirmation.recipient.as_str()).push(", ");
            sql.bind(confirmation.token.as_str()).push(")").run(transaction).await?;
            insert(transaction, &confirmation, now).await?;
            Ok(AskedToConfirm::Yes)
        })
        .await
    }

    /// The address of an account.
    pub async fn mail_address(&self, account_id: AccountId) -> Result<Option<MailAddress>, StoreError> {
        let mut sql = self.sql(&format!("select {COLUMNS} from mail_address m where m.account_id = "));
        self.deadline.io(sql.bind(account_id.0).first(&self.read)).await
    }

    /// Confirms the address with this token; `false` where there is none.
    pub async fn confirm_mail_address(&self, token: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
        // Strangers get here, and no further: they cost no write.
        let mut known = self.sql("select account_id from mail_address where token = ");
        if self.deadline.io(known.bind(token).all::<Uuid>(&self.read)).await?.is_empty() {
            return Ok(false);
        }
        let mut sql = self.sql("update mail_address set confirmed_at = coalesce(confirmed_at, ");
        sql.bind(now.timestamp_micros())
            .push("), digested_seq = coalesce(digested_seq, (select update_seq from account ");
        sql.push("where account.account_id = mail_address.account_id)) where token = ").bind(token);
        Ok(self.deadline.io(sql.run(&self.write)).await? > 0)
    }

    /// Forgets the address with this token, and what waits to be sent there.
    pub async fn remove_mail_address(&self, token: &str) -> Result<(), StoreError> {
        self.in_transaction(async |transaction| remove(transaction, token).await).await
    }

    /// Does the same at the wish of the owner of the mailbox, whom the account can ask no more; `false` where no mail had
    /// this token.
    pub async fn stop_mails(&self, token: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut sql = self.sql("select account_id, address from mail_address where token = ");
        // The account may have set another address since the mail was sent.
        sql.bind(token).push(" union select account_id, recipient from mail where token = ").bind(token);
        let found: Option<(AccountId, String)> = self.deadline.io(sql.first(&self.read)).await?;
        let Some((account_id, address)) = found else { return Ok(false) };
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            remove(transaction, token).await?;
            let mut sql = transaction.sql("insert into mail_stop (account_id, address_hash, stopped_at) values (");
            sql.bind(account_id.0).push(", ").bind(address_hash(&address)).push(", ").bind(now.timestamp_micros());
            sql.push(") on conflict (account_id, address_hash) do nothing").run(transaction).await?;
            Ok(true)
        })
        .await
    }

    /// The confirmed addresses of active accounts whose updates were told until some instant before `until`.
    pub async fn all_addresses_to_digest(&self, until: DateTime<Utc>) -> Result<Vec<MailAddress>, StoreError> {
        let mut sql = self.sql(&format!("select {COLUMNS} from mail_address m "));
        sql.push("join account a on a.account_id = m.account_id where a.status = 'active' and ");
        sql.push("coalesce(m.digested_until, m.confirmed_at) < ").bind(until.timestamp_micros());
        self.deadline.io(sql.all(&self.read)).await
    }
}

async fn remove(transaction: &WriteTransaction, token: &str) -> Result<(), StoreError> {
    let mut pending = transaction.sql("update mail set due_at = null where due_at is not null and token = ");
    pending.bind(token).run(transaction).await?;
    transaction.sql("delete from mail_address where token = ").bind(token).run(transaction).await.map(drop)
}

/// What is kept of an address that wants no mails.
fn address_hash(address: &str) -> String {
    hex::encode(Sha256::digest(address.to_lowercase()))
}
