//! The files of an SQLite database: whether their names still lead to them, and what the main file says about its log.

pub(in crate::store) mod file;
pub(in crate::store) mod files;
pub(in crate::store) mod log_marker;
