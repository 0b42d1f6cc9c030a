//! Values in columns: how each is read and written, and rows of an answer as tuples of them.

use chrono::{DateTime, Utc};
use domain::account::{HoldReason, Origin, SeenOutcome};
use domain::api_key::{KeyKind, Scope, Scopes};
use domain::approval::ApprovalState;
use domain::delivery::Outcome;
use domain::delivery::endpoint_health::DisabledReason;
use domain::encryption::KeyId;
use domain::ids::{AccountId, EndpointId, FeedId, JobId, RadarId, UpdateId};
use domain::money::MicroUsd;
use domain::money::chain::ChainHash;
use domain::money::ledger::{Bucket, TxKind};
use domain::money::lots::LotKind;
use domain::radar::update::UpdateType;
use domain::radar_type::RadarType;
use domain::source_health::FailureClass;
use domain::targets::DomainName;
use domain::targets::profile::{EvidenceKind, ProfileKey};
use sea_orm::{QueryResult, TryGetable};
use uuid::Uuid;

use super::rows;
use crate::StoreError;

/// A value that a column holds.
pub(crate) trait InColumn: Sized {
    /// What the database knows it as.
    type Column: TryGetable;

    /// Reads it. `table` is named when no code of this service has written the column.
    fn read(column: Self::Column, table: &'static str) -> Result<Self, StoreError>;

    /// Writes it.
    fn write(self) -> Self::Column;
}

/// What a row of an answer says, by its columns in their order.
pub(crate) trait FromRow: Sized {
    /// Reads it from column number `next` on, which is the first behind it then.
    fn from_row(row: &QueryResult, next: &mut usize) -> Result<Self, StoreError>;
}

impl<T: InColumn> FromRow for T {
    fn from_row(row: &QueryResult, next: &mut usize) -> Result<Self, StoreError> {
        let column = *next;
        *next += 1;
        T::read(row.try_get_by_index(column)?, "an answer")
    }
}

macro_rules! tuples {
    ($(($($part:ident),+))+) => { $(
        impl<$($part: FromRow),+> FromRow for ($($part,)+) {
            fn from_row(row: &QueryResult, next: &mut usize) -> Result<Self, StoreError> {
                Ok(($($part::from_row(row, next)?,)+))
            }
        }
    )+ };
}

tuples! {
    (A, B) (A, B, C) (A, B, C, D) (A, B, C, D, E) (A, B, C, D, E, F)
}

/// Declares in which order columns hold the fields of a value.
macro_rules! in_order {
    ($value:ident { $($field:ident),+ }) => {
        impl $crate::database::columns::FromRow for $value {
            fn from_row(row: &sea_orm::QueryResult, next: &mut usize) -> Result<Self, $crate::StoreError> {
                Ok(Self { $($field: $crate::database::columns::FromRow::from_row(row, next)?),+ })
            }
        }
    };
}
pub(crate) use in_order;

macro_rules! as_it_is {
    ($($value:ty),+) => { $(
        impl InColumn for $value {
            type Column = $value;

            fn read(column: $value, _: &'static str) -> Result<Self, StoreError> {
                Ok(column)
            }

            fn write(self) -> $value {
                self
            }
        }
    )+ };
}

macro_rules! identifiers {
    ($($id:ident),+) => { $(
        impl InColumn for $id {
            type Column = Uuid;

            fn read(column: Uuid, _: &'static str) -> Result<Self, StoreError> {
                Ok(Self(column))
            }

            fn write(self) -> Uuid {
                self.0
            }
        }
    )+ };
}

macro_rules! names {
    ($($name:ident),+) => { $(
        impl InColumn for $name {
            type Column = String;

            fn read(column: String, _: &'static str) -> Result<Self, StoreError> {
                Ok(Self::from_stored(column))
            }

            fn write(self) -> String {
                self.as_str().to_owned()
            }
        }
    )+ };
}

macro_rules! words {
    ($($word:ident),+) => { $(
        impl InColumn for $word {
            type Column = String;

            fn read(column: String, table: &'static str) -> Result<Self, StoreError> {
                rows::closed(table, &column)
            }

            fn write(self) -> String {
                self.as_str().to_owned()
            }
        }
    )+ };
}

as_it_is!(i32, i64, String, Uuid);
identifiers!(AccountId, EndpointId, FeedId, JobId, RadarId, UpdateId);
names!(DomainName, KeyId);
words!(
    ApprovalState, Bucket, DisabledReason, EvidenceKind, FailureClass, HoldReason, KeyKind, LotKind, Origin, Outcome,
    ProfileKey, RadarType, SeenOutcome, TxKind, UpdateType
);

impl InColumn for MicroUsd {
    type Column = i64;

    fn read(column: i64, _: &'static str) -> Result<Self, StoreError> {
        Ok(Self::from_micros(column))
    }

    fn write(self) -> i64 {
        self.micros()
    }
}

impl InColumn for DateTime<Utc> {
    type Column = i64;

    fn read(column: i64, table: &'static str) -> Result<Self, StoreError> {
        rows::instant(table, column)
    }

    fn write(self) -> i64 {
        self.timestamp_micros()
    }
}

/// A number of things; what can be none is taken for the largest.
impl InColumn for u32 {
    type Column = i64;

    fn read(column: i64, _: &'static str) -> Result<Self, StoreError> {
        Ok(Self::try_from(column).unwrap_or(Self::MAX))
    }

    fn write(self) -> i64 {
        self.into()
    }
}

impl InColumn for u64 {
    type Column = i64;

    fn read(column: i64, _: &'static str) -> Result<Self, StoreError> {
        Ok(column.unsigned_abs())
    }

    fn write(self) -> i64 {
        i64::try_from(self).unwrap_or(i64::MAX)
    }
}

impl InColumn for bool {
    type Column = i64;

    fn read(column: i64, _: &'static str) -> Result<Self, StoreError> {
        Ok(column != 0)
    }

    fn write(self) -> i64 {
        self.into()
    }
}

impl InColumn for u16 {
    type Column = i64;

    fn read(column: i64, table: &'static str) -> Result<Self, StoreError> {
        Self::try_from(column).map_err(|_| StoreError::corrupt(table, format!("number {column}")))
    }

    fn write(self) -> i64 {
        self.into()
    }
}

impl InColumn for Scopes {
    type Column = String;

    fn read(column: String, table: &'static str) -> Result<Self, StoreError> {
        let scopes: Vec<Scope> = column.split(' ').map(|scope| rows::closed(table, scope)).collect::<Result<_, _>>()?;
        Ok(Self::of(&scopes))
    }

    fn write(self) -> String {
        self.list().into_iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
    }
}

impl InColumn for ChainHash {
    type Column = Vec<u8>;

    fn read(column: Vec<u8>, table: &'static str) -> Result<Self, StoreError> {
        rows::chain_hash(table, &column)
    }

    fn write(self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
}

impl<T: InColumn> InColumn for Option<T> {
    type Column = Option<T::Column>;

    fn read(column: Self::Column, table: &'static str) -> Result<Self, StoreError> {
        column.map(|column| T::read(column, table)).transpose()
    }

    fn write(self) -> Self::Column {
        self.map(T::write)
    }
}
