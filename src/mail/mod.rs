//! Mails to accounts: the request to confirm an address, alerts, and a digest of each day's updates.
//!
//! Duty: what is to be told is written into the outbox of the store, once each, and sent from there: at least once, tried
//! again with growing pauses. Nothing but the request goes to an address that is not confirmed. Never here: HTTP.

mod sending;
mod texts;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use uuid::Uuid;

use clock::Clock;
use config::Smtp;
use domain::AccountId;
pub use sending::SmtpUrlError;
use sending::{Sent, SmtpSender};
use store::{AskedToConfirm, MailAddress, NewMail, Store, StoreError, UNTOLD_MAX, Untold};
use texts::Links;

/// How long claimed mails are this process's own: longer than an attempt of each may take.
const LEASE: TimeDelta = TimeDelta::minutes(5);
/// How often is looked for what other processes wrote.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// How far back is looked for alerts again: a commit that began before a look may end after it.
const ALERTS_AGAIN: TimeDelta = TimeDelta::hours(1);
/// How often old mails are forgotten.
const FORGET_EVERY: TimeDelta = TimeDelta::hours(1);
/// The pauses after failed attempts, in minutes; then the mail is given up.
const PAUSES_MIN: [i64; 8] = [1, 5, 30, 120, 300, 600, 600, 1_440];
/// Updates that a digest names; of all others it tells how many there are.
const DIGEST_MAX: u64 = 50;

/// The way to the mails. Clones share it.
#[derive(Clone)]
pub(crate) struct Mail {
    store: Arc<Store>,
    links: Links,
    wake: Arc<Notify>,
}

/// What sends the mails.
pub(crate) struct Mailer {
    mail: Mail,
    clock: Clock,
    sender: SmtpSender,
    kept_for: TimeDelta,
    /// Alerts from before it are told, or are none for mails.
    alerts_since: DateTime<Utc>,
    forget_at: DateTime<Utc>,
}

impl Mail {
    /// Sets the address of an account, and asks the owner of the mailbox to confirm it.
    pub(crate) async fn ask_to_confirm(
        &self,
        account_id: AccountId,
        recipient: String,
        token: String,
        now: DateTime<Utc>,
    ) -> Result<AskedToConfirm, StoreError> {
        let (subject, body) = texts::confirmation(&self.links, &token);
        let mail_id = Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("confirmation/{token}").as_bytes());
        let mail = NewMail { mail_id, account_id, kind: "confirmation", recipient, token, subject, body };
        let asked = self.store.set_mail_address(mail, now).await?;
        self.wake.notify_one();
        Ok(asked)
    }
}

impl Mailer {
    /// What sends mails as `smtp` says; `None` where nothing is said.
    pub(crate) fn new(
        smtp: &Smtp,
        store: &Arc<Store>,
        clock: &Clock,
        kept_for: TimeDelta,
    ) -> Result<Option<Self>, SmtpUrlError> {
        let (Some(url), Some(from), Some(public_url)) = (&smtp.url, &smtp.from, &smtp.public_url) else {
            return Ok(None);
        };
        let links = Links { public_url: public_url.clone() };
        let sender = SmtpSender::new(url, from, links.clone())?;
        let mail = Mail { store: store.clone(), links, wake: Arc::default() };
        let (alerts_since, forget_at) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH);
        Ok(Some(Self { mail, clock: clock.clone(), sender, kept_for, alerts_since, forget_at }))
    }

    /// The way to it.
    pub(crate) fn mail(&self) -> Mail {
        self.mail.clone()
    }

    /// Sends on this thread for as long as the task lives. What it is cut off from is due again when its lease ends.
    pub(crate) fn start(mut self) -> JoinHandle<()> {
        actix_rt::spawn(async move {
            loop {
                let now = self.clock.now();
                let next_at = self.look(now).await.unwrap_or_else(|error| {
                    tracing::warn!(%error, "mails could not be looked for");
                    None
                });
                let backstop = TimeDelta::from_std(self.clock.backstop(LOOK_EVERY)).unwrap_or(TimeDelta::MAX);
                let by = [next_at, Some(next_day(now))].into_iter().flatten().min().unwrap_or(now).min(now + backstop);
                let mail = &self.mail;
                tokio::select! {
                    () = mail.wake.notified() => {}
                    () = self.clock.look_at(by.max(now + TimeDelta::milliseconds(100))) => {}
                }
            }
        })
    }

    /// Writes what is to be told, sends what is due, and answers when the next is.
    async fn look(&mut self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        let store = self.mail.store.clone();
        let untold = store.all_untold_alerts(self.alerts_since).await?;
        let are_all = untold.len() < UNTOLD_MAX;
        for (address, alert_id, payload) in untold {
            let (subject, body) = texts::alert(&self.mail.links, &address.token, &payload);
            store.all_add_mail(&mail_to(&address, alert_id, "alert", subject, body), now).await?;
        }
        if are_all {
            self.alerts_since = now - ALERTS_AGAIN;
        }
        for address in store.all_addresses_to_digest(start_of_day(now)).await? {
            self.digest(&address, now).await?;
        }
        loop {
            // Sending takes its time: each claim lasts from its own instant.
            let at = self.clock.now();
            let claimed = store.all_claim_mails(at, at + LEASE).await?;
            if claimed.is_empty() {
                break;
            }
            for mail in claimed {
                let due_at = match self.clock.io(self.sender.send(&self.clock, &mail)).await {
                    Sent::Taken => None,
                    Sent::Refused(code) => {
                        tracing::warn!(mail_id = %mail.mail_id, code, "a mail was refused and is given up");
                        None
                    }
                    Sent::Failed(code) => {
                        let pause = PAUSES_MIN.get(mail.attempts as usize).copied().map(TimeDelta::minutes);
                        tracing::warn!(mail_id = %mail.mail_id, code, is_last = pause.is_none(), "a mail could not be sent");
                        pause.map(|pause| self.clock.now() + pause)
                    }
                };
                store.all_end_mail(mail.mail_id, due_at).await?;
            }
        }
        if self.forget_at <= now {
            // Alerts are told once for as long as they are kept.
            store.all_forget_mails(now - self.kept_for - TimeDelta::days(2)).await?;
            self.forget_at = now + FORGET_EVERY;
        }
        store.all_next_mail_at().await
    }

    /// Tells the updates of the days that are over and were not told.
    async fn digest(&self, address: &MailAddress, now: DateTime<Utc>) -> Result<(), StoreError> {
        let until = start_of_day(now);
        let Some(after_seq) = address.digested_seq else { return Ok(()) };
        let store = &self.mail.store;
        let Untold { count, last_seq, newest } =
            store.all_untold_updates(address.account_id, after_seq, until, DIGEST_MAX).await?;
        let digest = (count > 0).then(|| {
            let (subject, body) = texts::digest(&self.mail.links, &address.token, until, count, &newest);
            let day = format!("digest/{}/{}", address.account_id, until.timestamp());
            mail_to(address, Uuid::new_v5(&Uuid::NAMESPACE_OID, day.as_bytes()), "digest", subject, body)
        });
        store.all_add_digest(&address.token, digest.as_ref(), (until, last_seq), now).await
    }
}

fn mail_to(address: &MailAddress, mail_id: Uuid, kind: &'static str, subject: String, body: String) -> NewMail {
    let MailAddress { account_id, address: recipient, token, .. } = address.clone();
    NewMail { mail_id, account_id, kind, recipient, token, subject, body }
}

fn start_of_day(now: DateTime<Utc>) -> DateTime<Utc> {
    now.date_naive().and_time(NaiveTime::MIN).and_utc()
}

fn next_day(now: DateTime<Utc>) -> DateTime<Utc> {
    start_of_day(now) + TimeDelta::days(1)
}
