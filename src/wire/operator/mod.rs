//! The JSON of the operator API.

pub(crate) mod csv;
pub(crate) mod page;
pub(crate) mod values;
