//! The hash chain of an account's ledger: the hash of a ledger transaction covers all before it.
//!
//! Duty: one canonical form of a ledger transaction, and its hash. To change, remove, add or swap ledger transactions
//! unnoticed, every later hash and the head on the account row must be recomputed, and no hash may have been noted elsewhere.
//!
//! The hash of a ledger transaction is SHA-256 over these bytes, in this order:
//!
//! | Part | Form |
//! |---|---|
//! | previous hash | 32 bytes; before the first ledger transaction that is SHA-256 over `radar ledger 1` and the 16 bytes of the account's id |
//! | account | 16 bytes |
//! | `tx_seq` | integer |
//! | `op_key`, `kind` | text |
//! | amount, balance after it, in micro-USD | integer |
//! | `at`, `due_at`, in microseconds since 1970 (UTC) | integer |
//! | `radar_id` | optional, 16 bytes |
//! | `radar_type` | optional, text |
//! | `update_id` | optional, 16 bytes |
//! | how many entries | integer |
//! | each entry: its number from 1, its bucket, its lot, its amount | integer, text, optional integer, integer |
//!
//! An integer is 8 bytes, big-endian, two's complement. A text is its length in bytes as an integer, then its UTF-8.
//! An optional part is a byte 0 when it is absent, else a byte 1 and the part. Every part has a fixed or a written
//! length, so no two ledger transactions have the same bytes.

use std::fmt;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::ids::AccountId;

/// What the chain of an account begins with, before the account's identifier.
const BEGINNING: &[u8] = b"radar ledger 1";

/// The hash of a ledger transaction and of everything before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ChainHash([u8; 32]);

/// A ledger transaction as it is stored, as far as its hash covers it.
#[derive(Clone, Debug)]
pub struct StoredTx {
    /// The ledger transaction's number.
    pub tx_seq: i64,
    /// What made it happen once.
    pub op_key: String,
    /// What it is.
    pub kind: String,
    /// What it did to the balance.
    pub amount_micros: i64,
    /// The balance after it.
    pub balance_after_micros: i64,
    /// When it was written, in microseconds.
    pub at: i64,
    /// When it was due, in microseconds.
    pub due_at: i64,
    /// The radar that it is about.
    pub radar_id: Option<Uuid>,
    /// The type of that radar.
    pub radar_type: Option<String>,
    /// The update that it paid.
    pub update_id: Option<Uuid>,
    /// Its entries, in their order.
    pub entries: Vec<StoredEntry>,
}

/// An entry of a ledger transaction as it is stored.
#[derive(Clone, Debug)]
pub struct StoredEntry {
    /// Its number within the ledger transaction, from 1.
    pub entry_no: i64,
    /// Where it stands.
    pub bucket: String,
    /// The lot, for the customer's credit.
    pub lot_no: Option<i64>,
    /// The signed amount.
    pub amount_micros: i64,
}

impl ChainHash {
    /// What the first ledger transaction of an account chains to.
    pub fn beginning(account_id: AccountId) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(BEGINNING);
        hasher.update(account_id.0.as_bytes());
        Self(hasher.finalize().into())
    }

    /// The hash of the ledger transaction that follows this one.
    #[must_use]
    pub fn next(self, account_id: AccountId, tx: &StoredTx) -> Self {
        let mut form = Form(Sha256::new());
        form.0.update(self.0);
        form.0.update(account_id.0.as_bytes());
        form.integer(tx.tx_seq);
        form.text(&tx.op_key);
        form.text(&tx.kind);
        form.integer(tx.amount_micros);
        form.integer(tx.balance_after_micros);
        form.integer(tx.at);
        form.integer(tx.due_at);
        form.optional(tx.radar_id, |form, radar_id| form.0.update(radar_id.as_bytes()));
        form.optional(tx.radar_type.as_deref(), Form::text);
        form.optional(tx.update_id, |form, update_id| form.0.update(update_id.as_bytes()));
        form.length(tx.entries.len());
        for entry in &tx.entries {
            form.integer(entry.entry_no);
            form.text(&entry.bucket);
            form.optional(entry.lot_no, Form::integer);
            form.integer(entry.amount_micros);
        }
        Self(form.0.finalize().into())
    }

    /// The 32 bytes, as they are stored.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads what [`ChainHash::as_bytes`] gave; `None` for any other length.
    pub fn from_stored(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

/// Prints 64 hexadecimal digits.
impl fmt::Display for ChainHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for ChainHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// Writes the canonical form straight into the hash.
struct Form(Sha256);

impl Form {
    fn integer(&mut self, number: i64) {
        self.0.update(number.to_be_bytes());
    }

    fn length(&mut self, length: usize) {
        self.0.update((length as u64).to_be_bytes());
    }

    fn text(&mut self, text: &str) {
        self.length(text.len());
        self.0.update(text);
    }

    fn optional<T>(&mut self, part: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.0.update([u8::from(part.is_some())]);
        if let Some(part) = part {
            write(self, part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChainHash, StoredEntry, StoredTx};
    use crate::ids::AccountId;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));

    fn stored() -> StoredTx {
        let entry = |entry_no, bucket: &str, lot_no, amount_micros| {
            let bucket = bucket.to_owned();
            StoredEntry { entry_no, bucket, lot_no, amount_micros }
        };
        StoredTx {
            tx_seq: 1,
            op_key: "topup:a".to_owned(),
            kind: "top_up".to_owned(),
            amount_micros: 5,
            balance_after_micros: 5,
            at: 100,
            due_at: 99,
            radar_id: None,
            radar_type: None,
            update_id: None,
            entries: vec![entry(1, "credit", Some(1), 5), entry(2, "cash", None, -5)],
        }
    }

    fn hash(tx: &StoredTx) -> String {
        ChainHash::beginning(ACCOUNT).next(ACCOUNT, tx).to_string()
    }

    /// Computed by another program from the table in the module's comment; a change of the form breaks every ledger.
    #[test]
    fn the_form_is_the_one_that_is_written_down() {
        assert_eq!(
            ChainHash::beginning(ACCOUNT).to_string(),
            "ccc07dfdc77cc3f56379c436b42eec6801564a907709964f67cae2e2d04d60d5"
        );
        assert_eq!(hash(&stored()), "33b4b7305721fd647cff401797b809052a8322d6d634264b840e845cb59ccce6");
        let finding = StoredTx {
            tx_seq: 2,
            op_key: "find:ü".to_owned(),
            kind: "finding".to_owned(),
            radar_id: Some(Uuid::from_u128(2)),
            radar_type: Some("company_reviews".to_owned()),
            update_id: Some(Uuid::from_u128(3)),
            entries: Vec::new(),
            ..stored()
        };
        assert_eq!(hash(&finding), "ec945e804483353d368491f66fe3963538450b23f9116e3d8bd377e44e159a4f");
    }

    #[test]
    fn every_part_counts() {
        let changes: [fn(&mut StoredTx); 18] = [
            |_| (),
            |tx| tx.tx_seq = 2,
            |tx| tx.op_key = "topup:b".into(),
            |tx| tx.kind = "refund".into(),
            |tx| tx.amount_micros = 6,
            |tx| tx.balance_after_micros = 6,
            |tx| tx.at = 101,
            |tx| tx.due_at = 100,
            |tx| tx.radar_id = Some(Uuid::nil()),
            |tx| tx.radar_type = Some(String::new()),
            |tx| tx.update_id = Some(Uuid::nil()),
            |tx| tx.entries.truncate(1),
            |tx| tx.entries.swap(0, 1),
            |tx| tx.entries[0].entry_no = 3,
            |tx| tx.entries[0].bucket = "cash".into(),
            |tx| tx.entries[0].lot_no = Some(2),
            |tx| tx.entries[0].lot_no = None,
            |tx| tx.entries[0].amount_micros = 4,
        ];
        let hashes: BTreeSet<String> = changes
            .iter()
            .map(|change| {
                let mut tx = stored();
                change(&mut tx);
                hash(&tx)
            })
            .collect();
        assert_eq!(hashes.len(), changes.len());
        let other = AccountId(Uuid::from_u128(2));
        let elsewhere = ChainHash::beginning(ACCOUNT).next(other, &stored());
        assert!(!hashes.contains(&elsewhere.to_string()), "the account counts");
        let later = ChainHash::beginning(other).next(ACCOUNT, &stored());
        assert!(!hashes.contains(&later.to_string()), "what went before counts");
    }

    #[test]
    fn what_is_stored_is_read_back() {
        let hash = ChainHash::beginning(ACCOUNT);
        assert_eq!(ChainHash::from_stored(hash.as_bytes()), Some(hash));
        assert_eq!(ChainHash::from_stored(&[0; 31]), None);
        assert_eq!(ChainHash::from_stored(&[]), None);
    }
}
