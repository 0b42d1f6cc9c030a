//! The secrets that sign an account's webhooks (decision 5.2): one row each, encrypted, bound to its account and number.
//!
//! The row without an end is the secret in force; those before it sign too, each until its end. Secrets are opened where
//! they are used and are never kept open.

use chrono::{DateTime, Utc};
use entity::{account, webhook_secret};
use sea_orm::{ConnectionTrait, EntityTrait, QuerySelect};
use uuid::Uuid;

use crate::database::{IfPresent, List, Run, Statements, bulk, in_few_lengths, rows};
use crate::{Result, Store, StoreError};
use domain::encryption::NONCE_LENGTH;
use domain::field_limits::WEBHOOK_SECRETS_MAX;
use domain::{AccountId, EncryptionKey, KeyId, redacted};

/// What the bytes that bind a secret to its row begin with.
const BINDING: &[u8] = b"radar webhook_secret 1";

/// The webhook secrets of an account as they are kept.
#[derive(Clone)]
pub struct EncryptedSecrets {
    pub(crate) account_id: AccountId,
    /// In the order of their numbers.
    rows: Vec<webhook_secret::Model>,
}

/// The webhook secrets of an account, open. Its `Debug` shows nothing of them.
#[derive(Clone, PartialEq, Eq)]
pub struct DecryptedSecrets {
    /// The secret in force.
    pub current: String,
    /// Those before it, the newest first, each with the instant until which it signs too.
    pub previous: Vec<(String, DateTime<Utc>)>,
}

/// How a rotation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// The new secret is in force.
    Done,
    /// There is no such account.
    NoAccount,
    /// As many secrets as may still sign ([`WEBHOOK_SECRETS_MAX`]): nothing has changed.
    TooMany,
}

impl Store {
    /// The secrets that sign an account's deliveries; `None` for an account that does not exist.
    pub async fn webhook_secrets(&self, account_id: AccountId) -> Result<Option<EncryptedSecrets>> {
        let mut found = self.deadline.io(secrets_of(&[account_id.0], &self.read)).await?;
        Ok(found.pop())
    }

    /// Opens secrets.
    ///
    /// # Errors
    /// This process does not know the key, or the rows are damaged.
    pub fn decrypt_secrets(&self, encrypted: &EncryptedSecrets) -> Result<DecryptedSecrets> {
        let mut current = None;
        let mut previous = Vec::new();
        for row in encrypted.rows.iter().rev() {
            let secret = self.decrypt_secret(row)?;
            match rows::instant_option("webhook_secret", row.signs_until)? {
                None => current = Some(secret),
                Some(until) => previous.push((secret, until)),
            }
        }
        let current = current.ok_or_else(|| corrupt("an account without a secret in force"))?;
        Ok(DecryptedSecrets { current, previous })
    }

    /// Gives an account a new secret at `now`; the one in force so far signs too until `previous_until`, and those before
    /// it until their own ends.
    pub async fn rotate_webhook_secret(
        &self,
        account_id: AccountId,
        new_secret: &str,
        now: DateTime<Utc>,
        previous_until: DateTime<Utc>,
    ) -> Result<Rotation> {
        let signing = "select secret_no from webhook_secret
            where account_id = ? and (signs_until is null or signs_until > ?) order by secret_no desc";
        let forget_ended = "delete from webhook_secret where account_id = ? and signs_until <= ?";
        let end_current = "update webhook_secret set signs_until = ? where signs_until is null and account_id = ?";
        self.in_transaction(async |transaction| {
            let account = account::Entity::find_by_id(account_id.0).lock_exclusive().one(transaction).await?;
            if account.is_none() {
                return Ok(Rotation::NoAccount);
            }
            let signing: Vec<i64> = transaction.all(signing, (account_id, now)).await?;
            if signing.len() >= WEBHOOK_SECRETS_MAX {
                return Ok(Rotation::TooMany);
            }
            transaction.run(forget_ended, (account_id, now)).await?;
            transaction.run(end_current, (previous_until, account_id)).await?;
            let last_no = signing.first().copied().unwrap_or_default();
            self.add_webhook_secret(account_id, last_no + 1, new_secret, transaction).await?;
            Ok(Rotation::Done)
        })
        .await
    }

    /// Writes a secret of an account, encrypted.
    pub(crate) async fn add_webhook_secret(
        &self,
        account_id: AccountId,
        secret_no: i64,
        secret: &str,
        transaction: &impl ConnectionTrait,
    ) -> Result<()> {
        let key = self.vault.key_in_use(transaction).await?;
        let row = webhook_secret::Model {
            account_id: account_id.0,
            secret_no,
            key_id: key.id().as_str().to_owned(),
            secret: encrypt(&key, account_id.0, secret_no, secret.as_bytes())?,
            signs_until: None,
        };
        bulk::insert_one(transaction, row, IfPresent::fail()).await.map(drop)
    }

    fn decrypt_secret(&self, row: &webhook_secret::Model) -> Result<String> {
        let plain = open(&self.vault.key(&KeyId::from_stored(row.key_id.clone()))?, row)?;
        String::from_utf8(plain).map_err(|_| corrupt("a secret is no text"))
    }
}

/// The secrets of several accounts, by one statement; accounts that do not exist have none.
pub(crate) async fn secrets_of(accounts: &[Uuid], connection: &impl ConnectionTrait) -> Result<Vec<EncryptedSecrets>> {
    let mut sql = connection.rows_of::<webhook_secret::Entity>();
    sql.add("account_id in ? order by account_id, secret_no", List(in_few_lengths(accounts.iter().copied())));
    let mut found: Vec<EncryptedSecrets> = Vec::new();
    for row in sql.models::<webhook_secret::Model>(connection).await? {
        match found.last_mut() {
            Some(last) if last.account_id.0 == row.account_id => last.rows.push(row),
            _ => found.push(EncryptedSecrets { account_id: AccountId(row.account_id), rows: vec![row] }),
        }
    }
    Ok(found)
}

/// Encrypts a row anew with another key. It stays as it is where it has changed meanwhile.
pub(super) async fn reencrypt(
    row: &webhook_secret::Model,
    from: &EncryptionKey,
    to: &EncryptionKey,
    connection: &impl ConnectionTrait,
) -> Result<u64> {
    let encrypted = encrypt(to, row.account_id, row.secret_no, &open(from, row)?)?;
    let mut sql = connection.sql("update webhook_secret set secret = ");
    let with_key = ", key_id = ? where account_id = ? and secret_no = ? and secret = ";
    sql.bind(encrypted).add(with_key, (to.id().as_str(), row.account_id, row.secret_no));
    sql.bind(row.secret.clone()).run(connection).await
}

fn encrypt(key: &EncryptionKey, account_id: Uuid, secret_no: i64, plain: &[u8]) -> Result<Vec<u8>> {
    let mut nonce = [0; NONCE_LENGTH];
    getrandom::fill(&mut nonce).map_err(|error| corrupt(format!("no random bits for a nonce: {error}")))?;
    key.encrypt(plain, &binding(account_id, secret_no), nonce).map_err(|error| corrupt(error.to_string()))
}

fn open(key: &EncryptionKey, row: &webhook_secret::Model) -> Result<Vec<u8>> {
    key.decrypt(&row.secret, &binding(row.account_id, row.secret_no)).map_err(|error| corrupt(error.to_string()))
}

fn binding(account_id: Uuid, secret_no: i64) -> Vec<u8> {
    [BINDING, account_id.as_bytes(), &secret_no.to_be_bytes()].concat()
}

fn corrupt(what: impl Into<String>) -> StoreError {
    StoreError::corrupt("webhook_secret", what)
}

redacted!(EncryptedSecrets, DecryptedSecrets);
