//! Alerts that are to be told by mail as well.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::addresses::{COLUMNS, MailAddress};
use crate::outbox::bodies::ALERTS;
use crate::{Result, Store};

/// Alerts of a table that one look finds at most.
pub const UNTOLD_MAX: usize = 100;
impl Store {
    /// Alerts of active accounts with a confirmed address that were made after `since` and after the confirmation, and that
    /// were not sent by mail: the address, the identifier and the payload of each.
    pub async fn all_untold_alerts(&self, since: DateTime<Utc>) -> Result<Vec<(MailAddress, Uuid, String)>> {
        let mut untold = Vec::new();
        for (table, made_at) in ALERTS {
            let of_table = format!(
                "select {COLUMNS}, a.alert_id, a.body from {table} a join mail_address m on m.account_id = a.account_id
                join account on account.account_id = a.account_id and account.status = 'active'
                where a.{made_at} > m.confirmed_at and a.{made_at} > ?
                and not exists (select 1 from mail where mail.mail_id = a.alert_id) limit ?"
            );
            untold.extend(self.all(&of_table, (since, UNTOLD_MAX as u64)).await?);
        }
        Ok(untold)
    }
}
