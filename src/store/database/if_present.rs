//! What an insertion does where a row with the same primary key is there already.
//!
//! The words of `on conflict` are made of what a table declares of each of its columns, never written by hand: a column of
//! which nothing is declared does not compile.

use std::marker::PhantomData;

use sea_orm::{EntityTrait, IdenStatic, Iterable, PrimaryKeyToColumn};

/// What becomes of a column of the row that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It is of the primary key, by which the row is known.
    Key,
    /// It stays as it is.
    Kept,
    /// It becomes what the new row says.
    Replaced,
    /// What the new row says is added to it.
    Added,
}

/// A table whose rows are written over.
pub(crate) trait Overwritten: EntityTrait {
    /// What becomes of a column, said of every one by name.
    fn then(column: Self::Column) -> Then;
}

/// What is done with a row that is there.
pub(crate) struct IfPresent<E> {
    clause: String,
    table: PhantomData<E>,
}

impl<E: EntityTrait> IfPresent<E> {
    /// The insertion fails, since none can be there.
    pub(crate) const fn fail() -> Self {
        Self { clause: String::new(), table: PhantomData }
    }

    /// It stays as it is.
    pub(crate) fn leave() -> Self {
        Self { clause: format!(" on conflict ({}) do nothing", key::<E>()), table: PhantomData }
    }

    /// What stands behind the rows of the insertion.
    pub(crate) fn clause(&self) -> &str {
        &self.clause
    }
}

impl<E: Overwritten> IfPresent<E> {
    /// It is written over, as the table declares.
    pub(crate) fn overwrite() -> Self {
        let entity = E::default();
        let set = |column: E::Column| {
            let table = entity.table_name();
            let name = column.as_str();
            match E::then(column) {
                Then::Key | Then::Kept => None,
                Then::Replaced => Some(format!("{name} = excluded.{name}")),
                Then::Added => Some(format!("{name} = {table}.{name} + excluded.{name}")),
            }
        };
        let set: Vec<String> = E::Column::iter().filter_map(set).collect();
        Self { clause: format!(" on conflict ({}) do update set {}", key::<E>(), set.join(", ")), table: PhantomData }
    }
}

fn key<E: EntityTrait>() -> String {
    let columns: Vec<E::Column> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
    columns.iter().map(IdenStatic::as_str).collect::<Vec<_>>().join(", ")
}
