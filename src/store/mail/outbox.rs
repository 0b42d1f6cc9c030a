//! The outbox of mails: each has an identifier by which it is there once, is sent at least once, and is tried again.

use chrono::{DateTime, Utc};
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use crate::database::{Run, Statements, in_order};
use crate::{Result, Store};
use domain::AccountId;

/// Mails that are claimed at once; they are sent one after the other.
const CLAIMED_MAX: u64 = 4;

/// A mail to be written into the outbox. One with the same identifier is there once.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// What it is known by.
    pub mail_id: Uuid,
    /// The account that it is about.
    pub account_id: AccountId,
    /// `confirmation`, `alert` or `digest`.
    pub kind: &'static str,
    /// Where it goes.
    pub recipient: String,
    /// What stops such mails.
    pub token: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
}

/// What there is to tell of an account, in a digest.
#[derive(Clone, Debug)]
pub struct Untold {
    /// How many updates.
    pub count: i64,
    /// The number of the last of them.
    pub last_seq: i64,
    /// The payloads of the newest.
    pub newest: Vec<String>,
}

/// A mail that this process alone may send until its lease ends.
#[derive(Clone, Debug)]
pub struct ClaimedMail {
    /// What it is known by.
    pub mail_id: Uuid,
    /// Where it goes.
    pub recipient: String,
    /// What stops such mails.
    pub token: String,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub body: String,
    /// Attempts before this one.
    pub attempts: u32,
}

in_order!(ClaimedMail { mail_id, recipient, token, subject, body, attempts });

impl Store {
    /// Writes a mail, unless it is there, or its address was stopped or replaced meanwhile.
    pub async fn all_add_mail(&self, mail: &NewMail, now: DateTime<Utc>) -> Result<()> {
        self.in_transaction(async |transaction| {
            let stands = "select account_id from mail_address where token = ? and confirmed_at is not null";
            let mut stands = transaction.sql_with(stands, mail.token.as_str());
            stands.hold_key();
            match stands.all::<Uuid>(transaction).await?.is_empty() {
                true => Ok(()),
                false => insert(transaction, mail, now).await,
            }
        })
        .await
    }

    /// Writes the digest for the address with this token, if there is anything to say, and that it has had the updates until
    /// `until` as far as `last_seq`; nothing where the address was stopped or replaced meanwhile, or another process has told
    /// them.
    pub async fn all_add_digest(
        &self,
        token: &str,
        digest: Option<&NewMail>,
        (until, last_seq): (DateTime<Utc>, i64),
        now: DateTime<Utc>,
    ) -> Result<()> {
        self.in_transaction(async |transaction| {
            let tell = "update mail_address set digested_until = ?, digested_seq = ?
                where token = ? and coalesce(digested_until, confirmed_at) < ?";
            let stands = transaction.run(tell, (until, last_seq, token, until)).await? > 0;
            match digest.filter(|_| stands) {
                Some(digest) => insert(transaction, digest, now).await,
                None => Ok(()),
            }
        })
        .await
    }

    /// The updates of an account behind `after_seq` that were discovered before `until`, as far as they are committed now. They
    /// become visible in the order of their numbers, so what commits late is behind the last of them.
    pub async fn all_untold_updates(
        &self,
        account_id: AccountId,
        after_seq: i64,
        until: DateTime<Utc>,
        newest_max: u64,
    ) -> Result<Untold> {
        let count = "select count(*), max(update_seq) from radar_update
            where account_id = ? and update_seq > ? and discovered_at < ?";
        let (count, last_seq): (i64, Option<i64>) =
            self.first(count, (account_id, after_seq, until)).await?.unwrap_or_default();
        let last_seq = last_seq.unwrap_or(after_seq);
        let newest = "select body from radar_update where account_id = ? and update_seq > ? and update_seq <= ?
            order by update_seq desc limit ?";
        let newest = self.all(newest, (account_id, after_seq, last_seq, newest_max)).await?;
        Ok(Untold { count, last_seq, newest })
    }

    /// Claims mails that are due at `now` until `lease_until`. Each belongs to the process that notes its lease.
    pub async fn all_claim_mails(&self, now: DateTime<Utc>, lease_until: DateTime<Utc>) -> Result<Vec<ClaimedMail>> {
        let claim = "update mail set lease_until = ? where mail_id in (select mail_id from mail
            where due_at <= ? and (lease_until is null or lease_until <= ?) order by due_at limit ?";
        let mut sql = self.sql_with(claim, (lease_until, now, now, CLAIMED_MAX));
        sql.lock_skipping().push(") returning mail_id, recipient, token, subject, body, attempts");
        self.deadline.io(sql.all(&self.write)).await
    }

    /// Notes the end of an attempt: the mail is due again, or done where `due_at` is `None`.
    pub async fn all_end_mail(&self, mail_id: Uuid, due_at: Option<DateTime<Utc>>) -> Result<()> {
        // One that was stopped meanwhile stays so.
        let end = "update mail set lease_until = null, attempts = attempts + 1, due_at = ?
            where due_at is not null and mail_id = ?";
        self.run(end, (due_at, mail_id)).await.map(drop)
    }

    /// When the next mail may be claimed: it is due, and no process's own.
    pub async fn all_next_mail_at(&self) -> Result<Option<DateTime<Utc>>> {
        let next = "select min(case when lease_until > due_at then lease_until else due_at end) from mail
            where due_at is not null";
        Ok(self.first(next, ()).await?.flatten())
    }

    /// Removes mails that are done and were written before `before`.
    pub async fn all_forget_mails(&self, before: DateTime<Utc>) -> Result<()> {
        self.run("delete from mail where due_at is null and created_at < ?", before).await.map(drop)
    }
}

/// Writes a mail that is due at once, unless it is there.
pub(super) async fn insert(connection: &impl ConnectionTrait, mail: &NewMail, now: DateTime<Utc>) -> Result<()> {
    let NewMail { mail_id, account_id, kind, recipient, token, subject, body } = mail;
    let words = "insert into mail (mail_id, account_id, kind, recipient, token, subject, body, created_at, due_at,
        attempts) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0) on conflict (mail_id) do nothing";
    let [recipient, token, subject, body] = [recipient, token, subject, body].map(String::as_str);
    connection.run(words, (*mail_id, *account_id, *kind, recipient, token, subject, body, now, now)).await.map(drop)
}
