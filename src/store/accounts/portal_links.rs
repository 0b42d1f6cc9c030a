//! Links to the portal, and the sessions that they begin. Of a link only the hash of its token is kept.

use chrono::{DateTime, Utc};
use entity::api_key;

use super::lock_account;
use crate::database::bulk;
use crate::database::columns::InColumn;
use crate::database::if_present::IfPresent;
use crate::database::statement::Statements;
use crate::database::write_transaction::WriteTransaction;
use crate::tables::stored::Stored;
use crate::{ApiKey, Store, StoreError};
use domain::api_key::Scopes;
use domain::delivery::link_token::LinkToken;
use domain::field_limits::PORTAL_SESSIONS_MAX;
use domain::ids::AccountId;

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

impl Store {
    /// Adds a link; `false` when the account has as many links and sessions as may be ([`PORTAL_SESSIONS_MAX`]).
    pub async fn add_portal_link(
        &self,
        link: PortalLink,
        token: &LinkToken,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let account_id = link.account_id;
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            forget_ended(transaction, account_id, now).await?;
            let mut count = transaction.sql("select (select count(*) from portal_link where account_id = ");
            count.bind(account_id.0).push(") + (select count(*) from api_key where kind = 'portal_session'");
            let count = count.push(" and account_id = ").bind(account_id.0).push(")").first(transaction).await?;
            if count.is_some_and(|count: i64| count >= PORTAL_SESSIONS_MAX) {
                return Ok(false);
            }
            let mut sql =
                transaction.sql("insert into portal_link (token_hash, account_id, scopes, expires_at) values (");
            sql.bind(token.hash()).push(", ").bind(account_id.0).push(", ");
            sql.bind(link.scopes.write()).push(", ").bind(link.expires_at.timestamp_micros());
            sql.push(")").run(transaction).await?;
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
    ) -> Result<Option<AccountId>, StoreError> {
        let mut of_link = self.sql("select account_id from portal_link where token_hash = ");
        let account: Option<AccountId> = self.deadline.io(of_link.bind(token.hash()).first(&self.read)).await?;
        let Some(account_id) = account else { return Ok(None) };
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            forget_ended(transaction, account_id, now).await?;
            let mut sql = transaction.sql("delete from portal_link where token_hash = ");
            let scopes = sql.bind(token.hash()).push(" returning scopes").first(transaction).await?;
            let Some(scopes) = scopes else { return Ok(None) };
            let session = ApiKey { scopes, ..session };
            bulk::insert_one(transaction, api_key::Entity::row((account_id, session)), IfPresent::fail()).await?;
            Ok(Some(account_id))
        })
        .await
    }

    /// Ends the session whose key has this hash; a key of a program is not one.
    pub async fn end_portal_session(&self, key_hash: &str) -> Result<(), StoreError> {
        let mut sql = self.sql("delete from api_key where kind = 'portal_session' and key_hash = ");
        self.deadline.io(sql.bind(key_hash).run(&self.write)).await?;
        Ok(())
    }
}

/// Removes the links and the sessions of an account that are over.
async fn forget_ended(
    transaction: &WriteTransaction,
    account_id: AccountId,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let now = now.timestamp_micros();
    let mut sql = transaction.sql("delete from portal_link where account_id = ");
    sql.bind(account_id.0).push(" and expires_at <= ").bind(now).run(transaction).await?;
    let mut sql = transaction.sql("delete from api_key where kind = 'portal_session' and account_id = ");
    sql.bind(account_id.0).push(" and (revoked_at is not null or expires_at <= ").bind(now).push(")");
    sql.run(transaction).await?;
    Ok(())
}
