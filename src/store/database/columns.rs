//! Values in columns: how each is read and written, and rows of an answer as tuples of them.

use chrono::{DateTime, Utc};
use domain::account::{HoldReason, Origin, SeenOutcome};
use domain::{
    AccountId, AccountStatus, Approval, ApprovalState, Bucket, ChainHash, DeliveryState, DisabledReason, DomainName,
    EndpointId, EvidenceKind, FailureClass, FeedId, JobId, KeyId, KeyKind, LotKind, MicroUsd, Outcome, ProfileKey,
    RadarId, RadarType, Scope, Scopes, TxKind, UpdateId, UpdateType,
};
use sea_orm::{QueryResult, TryGetable};
use uuid::Uuid;

use super::rows;
use crate::{Result, StoreError};

/// A value that a column holds.
pub(crate) trait InColumn: Sized {
    /// What the database knows it as.
    type Column: TryGetable;

    /// Reads it. `table` is named when no code of this service has written the column.
    fn read(column: Self::Column, table: &'static str) -> Result<Self>;

    /// Writes it.
    fn write(self) -> Self::Column;
}

/// What a row of an answer says, by its columns in their order.
pub(crate) trait FromRow: Sized {
    /// Reads it from column number `next` on, which is the first behind it then.
    fn from_row(row: &QueryResult, next: &mut usize) -> Result<Self>;
}

impl<T: InColumn> FromRow for T {
    fn from_row(row: &QueryResult, next: &mut usize) -> Result<Self> {
        let column = *next;
        *next += 1;
        T::read(row.try_get_by_index(column)?, "an answer")
    }
}

macro_rules! tuples {
    ($(($($part:ident),+))+) => { $(
        impl<$($part: FromRow),+> FromRow for ($($part,)+) {
            fn from_row(row: &QueryResult, next: &mut usize) -> Result<Self> {
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
            fn from_row(row: &sea_orm::QueryResult, next: &mut usize) -> $crate::Result<Self> {
                Ok(Self { $($field: $crate::database::columns::FromRow::from_row(row, next)?),+ })
            }
        }
    };
}
pub(crate) use in_order;

/// Declares values that a column of one type holds: how each is read, and how it is written.
macro_rules! held {
    ($column:ty => $($value:ty),+; |$stored:ident, $table:ident| $read:expr; |$given:ident| $write:expr) => { $(
        impl InColumn for $value {
            type Column = $column;

            fn read($stored: $column, $table: &'static str) -> Result<Self> {
                $read
            }

            fn write(self) -> $column {
                let $given = self;
                $write
            }
        }
    )+ };
}

held!(i32 => i32; |column, _table| Ok(column); |value| value);
held!(i64 => i64; |column, _table| Ok(column); |value| value);
held!(String => String; |column, _table| Ok(column); |value| value);
held!(Uuid => Uuid; |column, _table| Ok(column); |value| value);
held!(
    Uuid => AccountId, EndpointId, FeedId, JobId, RadarId, UpdateId;
    |column, _table| Ok(Self(column));
    |id| id.0
);
held!(String => DomainName, KeyId; |column, _table| Ok(Self::from_stored(column)); |name| name.as_str().to_owned());
// The words of closed lists.
held!(
    String => AccountStatus, Approval, ApprovalState, Bucket, DeliveryState, DisabledReason, EvidenceKind, FailureClass,
        HoldReason, KeyKind, LotKind, Origin, Outcome, ProfileKey, RadarType, SeenOutcome, TxKind, UpdateType;
    |column, table| rows::closed(table, &column);
    |word| word.as_str().to_owned()
);
held!(
    String => Scopes;
    |column, table| {
        let scopes = column.split(' ').map(|scope| rows::closed(table, scope));
        Ok(Self::of(&scopes.collect::<Result<Vec<Scope>, _>>()?))
    };
    |scopes| scopes.list().into_iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
);
held!(Vec<u8> => ChainHash; |column, table| rows::chain_hash(table, &column); |hash| hash.as_bytes().to_vec());
held!(i64 => MicroUsd; |column, _table| Ok(Self::from_micros(column)); |money| money.micros());
held!(i64 => DateTime<Utc>; |column, table| rows::instant(table, column); |instant| instant.timestamp_micros());
held!(i64 => bool; |column, _table| Ok(column != 0); |is_so| is_so.into());
held!(
    i64 => u16;
    |column, table| Self::try_from(column).map_err(|_| StoreError::corrupt(table, format!("number {column}")));
    |number| number.into()
);
// Numbers of things; what can be none is taken for the largest.
held!(i64 => u32; |column, _table| Ok(Self::try_from(column).unwrap_or(Self::MAX)); |count| count.into());
held!(i64 => u64; |column, _table| Ok(column.unsigned_abs()); |count| i64::try_from(count).unwrap_or(i64::MAX));

impl<T: InColumn> InColumn for Option<T> {
    type Column = Option<T::Column>;

    fn read(column: Self::Column, table: &'static str) -> Result<Self> {
        column.map(|column| T::read(column, table)).transpose()
    }

    fn write(self) -> Self::Column {
        self.map(T::write)
    }
}
