//! Where accounts get mail. An address is used once whoever reads what comes there has confirmed it.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::outbox::{NewMail, insert};
use crate::accounts::lock_account;
use crate::database::rows;
use crate::database::statement::Statements;
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
}

/// The columns of [`mail_address`], of the table as `m`.
pub(super) const COLUMNS: &str = "m.account_id, m.address, m.token, m.confirmed_at, m.digested_until";
pub(super) type Row = (Uuid, String, String, Option<i64>, Option<i64>);

impl Store {
    /// Sets the address of an account and asks for its confirmation; what waited for the one before is not sent. `false` when
    /// confirmations were asked for too often lately: nobody is mailed on by a stranger's wish.
    pub async fn set_mail_address(&self, confirmation: NewMail, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let account_id = confirmation.account_id;
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let mut count = transaction.sql("select count(*) from mail where kind = 'confirmation' and account_id = ");
            count.bind(account_id.0).push(" and created_at > ");
            let count: Vec<i64> = count.bind((now - TimeDelta::days(1)).timestamp_micros()).all(transaction).await?;
            if count.first().is_some_and(|count| *count >= CONFIRMATIONS_PER_DAY) {
                return Ok(false);
            }
            let mut pending =
                transaction.sql("update mail set due_at = null where due_at is not null and account_id = ");
            pending.bind(account_id.0).run(transaction).await?;
            transaction.sql("delete from mail_address where account_id = ").bind(account_id.0).run(transaction).await?;
            let mut sql = transaction.sql("insert into mail_address (account_id, address, token) values (");
            sql.bind(account_id.0).push(", ").bind(confirmation.recipient.as_str()).push(", ");
            sql.bind(confirmation.token.as_str()).push(")").run(transaction).await?;
            insert(transaction, &confirmation, now).await?;
            Ok(true)
        })
        .await
    }

    /// The address of an account.
    pub async fn mail_address(&self, account_id: AccountId) -> Result<Option<MailAddress>, StoreError> {
        let mut sql = self.sql(&format!("select {COLUMNS} from mail_address m where m.account_id = "));
        let found: Vec<Row> = self.deadline.io(sql.bind(account_id.0).all(&self.read)).await?;
        found.into_iter().map(mail_address).next().transpose()
    }

    /// Confirms the address with this token; `false` where there is none.
    pub async fn confirm_mail_address(&self, token: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let mut sql = self.sql("update mail_address set confirmed_at = coalesce(confirmed_at, ");
        sql.bind(now.timestamp_micros()).push(") where token = ").bind(token);
        Ok(self.deadline.io(sql.run(&self.write)).await? > 0)
    }

    /// Forgets the address with this token, and what waits to be sent there; `false` where there is none.
    pub async fn remove_mail_address(&self, token: &str) -> Result<bool, StoreError> {
        self.in_transaction(async |transaction| {
            let mut pending = transaction.sql("update mail set due_at = null where due_at is not null and token = ");
            pending.bind(token).run(transaction).await?;
            let mut sql = transaction.sql("delete from mail_address where token = ");
            Ok(sql.bind(token).run(transaction).await? > 0)
        })
        .await
    }

    /// The confirmed addresses of active accounts whose updates were told until some instant before `until`.
    pub async fn all_addresses_to_digest(&self, until: DateTime<Utc>) -> Result<Vec<MailAddress>, StoreError> {
        let mut sql = self.sql(&format!("select {COLUMNS} from mail_address m "));
        sql.push("join account a on a.account_id = m.account_id where a.status = 'active' and ");
        sql.push("coalesce(m.digested_until, m.confirmed_at) < ").bind(until.timestamp_micros());
        let found: Vec<Row> = self.deadline.io(sql.all(&self.read)).await?;
        found.into_iter().map(mail_address).collect()
    }
}

pub(super) fn mail_address(
    (account_id, address, token, confirmed_at, digested_until): Row,
) -> Result<MailAddress, StoreError> {
    Ok(MailAddress {
        account_id: AccountId(account_id),
        address,
        token,
        confirmed_at: rows::instant_option("mail_address", confirmed_at)?,
        digested_until: rows::instant_option("mail_address", digested_until)?,
    })
}
