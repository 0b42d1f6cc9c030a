//! Values of columns that are more than their types say. What no code of this service writes is an error, never a panic.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;

use crate::{Result, StoreError};
use domain::ChainHash;

/// A value whose fields are the columns of the same names; behind the semicolon those that are not.
macro_rules! columns {
    ($row:expr => $name:ident { $($column:ident),+ $(; $($more:tt)+)? }) => {
        $name { $($column: $row.try_get("", stringify!($column))?,)+ $($($more)+)? }
    };
}
pub(crate) use columns;

pub(crate) fn instant(table: &'static str, micros: i64) -> Result<DateTime<Utc>> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| StoreError::corrupt(table, format!("instant {micros}")))
}

pub(crate) fn instant_option(table: &'static str, micros: Option<i64>) -> Result<Option<DateTime<Utc>>> {
    micros.map(|micros| instant(table, micros)).transpose()
}

/// Reads a word of a closed list.
pub(crate) fn closed<T: FromStr>(table: &'static str, text: &str) -> Result<T> {
    text.parse().map_err(|_| StoreError::corrupt(table, format!("unknown value {text}")))
}

pub(crate) fn chain_hash(table: &'static str, bytes: &[u8]) -> Result<ChainHash> {
    ChainHash::from_stored(bytes).ok_or_else(|| StoreError::corrupt(table, "a hash that is not 32 bytes long"))
}

pub(crate) fn json<T: DeserializeOwned>(table: &'static str, text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| StoreError::corrupt(table, error.to_string()))
}
