//! How a table is declared: what becomes of each column of a row that is there, and which value a row is.

use sea_orm::{ConnectionTrait, EntityTrait};

use crate::Result;
use crate::database::{Parameters, Run};

/// A table whose rows are values.
pub(crate) trait Stored: EntityTrait {
    /// What a row says.
    type Value;

    /// Reads a row.
    fn value(row: Self::Model) -> Result<Self::Value>;

    /// Makes a row.
    fn row(value: Self::Value) -> Self::Model;

    /// What the rows say of which `condition` holds, in the order that it asks for.
    async fn values_where(
        connection: &impl ConnectionTrait,
        condition: &str,
        parameters: impl Parameters,
    ) -> Result<Vec<Self::Value>> {
        let found = connection.rows_where::<Self>(condition, parameters).await?;
        found.into_iter().map(Self::value).collect()
    }
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

            fn value(row: $table::Model) -> $crate::Result<$value> {
                let $table::Model { $($column),+ } = row;
                $(let $column = $crate::database::columns::InColumn::read($column, stringify!($table))?;)+
                $(let $joined = Option::zip($one, $other);)?
                $($(let $absent = Default::default();)+)?
                Ok($shape)
            }

            fn row($shape: $value) -> $table::Model {
                $(let ($one, $other) = Option::unzip($joined);)?
                $($(drop($absent);)+)?
                $table::Model { $($column: $crate::database::columns::InColumn::write($column)),+ }
            }
        }
    };
}

pub(crate) use {overwritten, stored};
