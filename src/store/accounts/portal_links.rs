//! Links to the portal, and the sessions that they begin. Of a link only the hash of its token is kept.

use chrono::{DateTime, Utc};
use entity::api_key;

use super::lock_account;
use crate::database::{IfPresent, Run, WriteTransaction, bulk};
use crate::tables::stored::Stored;
use crate::{ApiKey, Result, Store};
use domain::field_limits::PORTAL_SESSIONS_MAX;
use domain::{AccountId, LinkToken, Scopes};

/// A link to the portal, which begins one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortalLink {
    /// Whose portal it opens.
    pub account_id: AccountId,
    /// What its session may be used for.
    pub scopes: Scopes,
    /// From when on it opens nothing.
    pub expires_at: DateTime<Utc>,
}

const COUNT: &str = "select (select count(*) from portal_link where account_id = ?)
    + (select count(*) from api_key where kind = 'portal_session' and account_id = ?)";

impl Store {
    /// Adds a link; `false` when the account has as many links and sessions as may be ([`PORTAL_SESSIONS_MAX`]).
    pub async fn add_portal_link(&self, link: PortalLink, token: &LinkToken, now: DateTime<Utc>) -> Result<bool> {
        let account_id = link.account_id;
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            forget_ended(transaction, account_id, now).await?;
            if transaction.first(COUNT, (account_id, account_id)).await? >= Some(PORTAL_SESSIONS_MAX) {
                return Ok(false);
            }
            let insert = "insert into portal_link (token_hash, account_id, scopes, expires_at) values (?, ?, ?, ?)";
            transaction.run(insert, (token.hash(), account_id, link.scopes, link.expires_at)).await?;
            Ok(true)
        })
        .await
    }

    /// Uses a link up: its account gets `session`, with the scopes of the link. `None` where no link has this token, also
    /// because somebody was faster.
    pub async fn redeem_portal_link(
        &self,
        token: &LinkToken,
        session: ApiKey,
        now: DateTime<Utc>,
    ) -> Result<Option<AccountId>> {
        let account = self.first("select account_id from portal_link where token_hash = ?", token.hash()).await?;
        let Some(account_id) = account else { return Ok(None) };
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            forget_ended(transaction, account_id, now).await?;
            let redeem = "delete from portal_link where token_hash = ? returning scopes";
            let scopes = transaction.first(redeem, token.hash()).await?;
            let Some(scopes) = scopes else { return Ok(None) };
            let session = ApiKey { scopes, ..session };
            bulk::insert_one(transaction, api_key::Entity::row((account_id, session)), IfPresent::fail()).await?;
            Ok(Some(account_id))
        })
        .await
    }

    /// Ends the session whose key has this hash; a key of a program is not one.
    pub async fn end_portal_session(&self, key_hash: &str) -> Result<()> {
        self.run("delete from api_key where kind = 'portal_session' and key_hash = ?", key_hash).await.map(drop)
    }
}

/// Removes the links and the sessions of an account that are over.
async fn forget_ended(transaction: &WriteTransaction, account_id: AccountId, now: DateTime<Utc>) -> Result<()> {
    transaction.run("delete from portal_link where account_id = ? and expires_at <= ?", (account_id, now)).await?;
    let sessions = "delete from api_key where kind = 'portal_session' and account_id = ?
        and (revoked_at is not null or expires_at <= ?)";
    transaction.run(sessions, (account_id, now)).await.map(drop)
}
