//! How a table is declared: what becomes of each column of a row that is there, and which value a row is.

use chrono::{DateTime, Utc};
use domain::account::{HoldReason, Origin, SeenOutcome};
use domain::api_key::{KeyKind, Scope, Scopes};
use domain::approval::ApprovalState;
use domain::ids::{AccountId, EndpointId, FeedId, RadarId, UpdateId};
use domain::money::MicroUsd;
use domain::money::chain::ChainHash;
use domain::money::ledger::{Bucket, TxKind};
use domain::money::lots::LotKind;
use domain::radar::update::UpdateType;
use domain::radar_type::RadarType;
use sea_orm::EntityTrait;
use uuid::Uuid;

use crate::StoreError;
use crate::database::rows;

/// A table whose rows are values.
pub(crate) trait Stored: EntityTrait {
    /// What a row says.
    type Value;

    /// Reads a row.
    fn value(row: Self::Model) -> Result<Self::Value, StoreError>;

    /// Makes a row.
    fn row(value: Self::Value) -> Self::Model;
}

/// A value that a column of type `C` holds.
pub(crate) trait InColumn<C>: Sized {
    /// Reads it. `table` is named when no code of this service has written the column.
    fn read(column: C, table: &'static str) -> Result<Self, StoreError>;

    /// Writes it.
    fn write(self) -> C;
}

/// Says what becomes of each column of a row that is there. One that is forgotten does not compile.
macro_rules! overwritten {
    ($(#[$doc:meta])* $table:ident { $($then:ident: $($column:ident),+;)+ }) => {
        $(#[$doc])*
        impl $crate::database::if_present::Overwritten for $table::Entity {
            fn then(column: Self::Column) -> $crate::database::if_present::Then {
                match sea_orm::IdenStatic::as_str(&column) {
                    $($(stringify!($column))|+ => $crate::database::if_present::Then::$then,)+
                    _ => $crate::database::if_present::Then::Kept,
                }
            }
        }

        // These are all of its columns.
        const _: fn($table::Model) = |$table::Model { $($($column: _),+),+ }| ();
    };
}

/// Declares a table and its value. What becomes of the columns of a row that is there is said as by `overwritten!`, or there is
/// only a list of them, where rows are only ever added.
///
/// The value is written down once, with columns in the places of what they hold: it is made of a row like that, and taken
/// apart for a row. A column or a field that is missing does not compile. `without` names fields that no column holds,
/// `with` one that two columns hold.
macro_rules! stored {
    ($(#[$doc:meta])* $table:ident { $($then:ident: $($column:ident),+;)+ } $value:ty = $shape:tt $($also:tt)*) => {
        overwritten! { $(#[$doc])* $table { $($then: $($column),+;)+ } }
        stored! { $table ($($($column),+),+) $value = $shape $($also)* }
    };
    (
        $table:ident ($($column:ident),+) $value:ty = $shape:tt
        $(without $($absent:ident),+)? $(with $joined:ident of $one:ident and $other:ident)?
    ) => {
        impl $crate::tables::stored::Stored for $table::Entity {
            type Value = $value;

            fn value(row: $table::Model) -> Result<$value, $crate::StoreError> {
                let $table::Model { $($column),+ } = row;
                $(let $column = $crate::tables::stored::InColumn::read($column, stringify!($table))?;)+
                $(let $joined = Option::zip($one, $other);)?
                $($(let $absent = Default::default();)+)?
                Ok($shape)
            }

            fn row($shape: $value) -> $table::Model {
                $(let ($one, $other) = Option::unzip($joined);)?
                $($(drop($absent);)+)?
                $table::Model { $($column: $crate::tables::stored::InColumn::write($column)),+ }
            }
        }
    };
}

pub(super) use {overwritten, stored};

macro_rules! as_it_is {
    ($($value:ty),+) => { $(
        impl InColumn<$value> for $value {
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
        impl InColumn<Uuid> for $id {
            fn read(column: Uuid, _: &'static str) -> Result<Self, StoreError> {
                Ok(Self(column))
            }

            fn write(self) -> Uuid {
                self.0
            }
        }
    )+ };
}

macro_rules! words {
    ($($word:ident),+) => { $(
        impl InColumn<String> for $word {
            fn read(column: String, table: &'static str) -> Result<Self, StoreError> {
                rows::closed(table, &column)
            }

            fn write(self) -> String {
                self.as_str().to_owned()
            }
        }
    )+ };
}

as_it_is!(i64, String, Uuid);
identifiers!(AccountId, EndpointId, FeedId, RadarId, UpdateId);
words!(ApprovalState, Bucket, HoldReason, KeyKind, LotKind, Origin, RadarType, SeenOutcome, TxKind, UpdateType);

impl InColumn<i64> for MicroUsd {
    fn read(column: i64, _: &'static str) -> Result<Self, StoreError> {
        Ok(Self::from_micros(column))
    }

    fn write(self) -> i64 {
        self.micros()
    }
}

impl InColumn<i64> for DateTime<Utc> {
    fn read(column: i64, table: &'static str) -> Result<Self, StoreError> {
        rows::instant(table, column)
    }

    fn write(self) -> i64 {
        self.timestamp_micros()
    }
}

impl InColumn<i64> for u16 {
    fn read(column: i64, table: &'static str) -> Result<Self, StoreError> {
        Self::try_from(column).map_err(|_| StoreError::corrupt(table, format!("number {column}")))
    }

    fn write(self) -> i64 {
        self.into()
    }
}

impl InColumn<String> for Scopes {
    fn read(column: String, table: &'static str) -> Result<Self, StoreError> {
        let scopes: Vec<Scope> = column.split(' ').map(|scope| rows::closed(table, scope)).collect::<Result<_, _>>()?;
        Ok(Self::of(&scopes))
    }

    fn write(self) -> String {
        self.list().into_iter().map(Scope::as_str).collect::<Vec<_>>().join(" ")
    }
}

impl InColumn<Vec<u8>> for ChainHash {
    fn read(column: Vec<u8>, table: &'static str) -> Result<Self, StoreError> {
        rows::chain_hash(table, &column)
    }

    fn write(self) -> Vec<u8> {
        self.as_bytes().to_vec()
    }
}

impl<C, T: InColumn<C>> InColumn<Option<C>> for Option<T> {
    fn read(column: Option<C>, table: &'static str) -> Result<Self, StoreError> {
        column.map(|column| T::read(column, table)).transpose()
    }

    fn write(self) -> Option<C> {
        self.map(T::write)
    }
}
