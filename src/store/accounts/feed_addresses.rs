//! The secret addresses under which feed readers find an account's updates. Of each only the hash of its token is kept.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::lock_account;
use crate::database::{Run, in_order};
use crate::{KeyOwner, Result, Store, StoredUpdate};
use domain::field_limits::FEED_ADDRESSES_MAX;
use domain::{AccountId, AccountStatus, KeyKind, LinkToken, RadarId, Scopes, UpdateType};

/// An address for feed readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedAddress {
    /// What it is called; it stays when the address changes.
    pub feed_id: Uuid,
    /// The radar whose updates it shows; `None` for all of the account.
    pub radar_id: Option<RadarId>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When its token was replaced last.
    pub rotated_at: Option<DateTime<Utc>>,
}

const COLUMNS: &str = "feed_id, radar_id, created_at, rotated_at";
in_order!(FeedAddress { feed_id, radar_id, created_at, rotated_at });

impl Store {
    /// Adds an address; `false` when the account has as many as may be ([`FEED_ADDRESSES_MAX`]).
    pub async fn add_feed_address(
        &self,
        account_id: AccountId,
        address: FeedAddress,
        token: &LinkToken,
    ) -> Result<bool> {
        let FeedAddress { feed_id, radar_id, created_at, .. } = address;
        let insert = "insert into feed_address (feed_id, account_id, radar_id, token_hash, created_at)
            values (?, ?, ?, ?, ?)";
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let count = transaction.first("select count(*) from feed_address where account_id = ?", account_id).await?;
            if count >= Some(FEED_ADDRESSES_MAX) {
                return Ok(false);
            }
            transaction.run(insert, (feed_id, account_id, radar_id, token.hash(), created_at)).await?;
            Ok(true)
        })
        .await
    }

    /// The addresses of an account, in the order in which they were made.
    pub async fn feed_addresses(&self, account_id: AccountId) -> Result<Vec<FeedAddress>> {
        let of_account = format!("select {COLUMNS} from feed_address where account_id = ? order by feed_id");
        self.all(&of_account, account_id).await
    }

    /// Gives an address another token, and so ends the one before; `None` when the account has none such.
    pub async fn rotate_feed_address(
        &self,
        account_id: AccountId,
        feed_id: Uuid,
        token: &LinkToken,
        now: DateTime<Utc>,
    ) -> Result<Option<FeedAddress>> {
        let rotate = "update feed_address set token_hash = ?, rotated_at = ? where account_id = ? and feed_id = ?";
        let mut sql = self.sql_with(rotate, (token.hash(), now, account_id, feed_id));
        self.deadline.io(sql.push(&format!(" returning {COLUMNS}")).first(&self.write)).await
    }

    /// Ends an address; `None` when the account has none such.
    pub async fn remove_feed_address(&self, account_id: AccountId, feed_id: Uuid) -> Result<Option<FeedAddress>> {
        let remove = format!("delete from feed_address where account_id = ? and feed_id = ? returning {COLUMNS}");
        self.deadline.io(self.write.first(&remove, (account_id, feed_id))).await
    }

    /// Whose address has this token, whatever account it is of.
    pub async fn feed_address_of_token(&self, token: &LinkToken) -> Result<Option<(KeyOwner, FeedAddress)>> {
        let with_token = format!("select account_id, {COLUMNS} from feed_address where token_hash = ?");
        let found = self.first(&with_token, token.hash()).await?;
        let Some((account_id, address)) = found else { return Ok(None) };
        let Some(account) = self.account(account_id).await? else { return Ok(None) };
        let owner = KeyOwner {
            account_id: account.account_id,
            kind: KeyKind::Program,
            is_active: account.status == AccountStatus::Active,
            expires_at: None,
            scopes: Scopes::READ,
            limits: account.limits,
        };
        Ok(Some((owner, address)))
    }

    /// The newest updates of an account, or of one of its radars, discovered at `from` or later; the newest first.
    pub async fn newest_updates(
        &self,
        account_id: AccountId,
        radar_id: Option<RadarId>,
        from: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<StoredUpdate>> {
        // Of a radar, each kind has a range of an index of its own.
        let kinds: Vec<Option<UpdateType>> = match radar_id {
            Some(_) => UpdateType::ALL.iter().copied().map(Some).collect(),
            None => vec![None],
        };
        let mut newest = Vec::new();
        for kind in kinds {
            let mut sql = self.sql("select update_seq, body from radar_update where ");
            match (radar_id, kind) {
                (Some(radar_id), Some(kind)) => sql.add("radar_id = ? and update_type = ?", (radar_id, kind)),
                _ => sql.add("account_id = ?", account_id),
            };
            let newest_of = " and discovered_at >= ? order by update_seq desc limit ?";
            let found = sql.add(newest_of, (from, limit as u64)).all(&self.read);
            newest.extend(self.deadline.io(found).await?);
        }
        newest.sort_unstable_by_key(|(update_seq, _): &(i64, String)| std::cmp::Reverse(*update_seq));
        newest.truncate(limit);
        Ok(newest.into_iter().map(|(update_seq, body)| StoredUpdate { update_seq, body }).collect())
    }
}
