//! The files of an SQLite database: whether their names still lead to them, what the main file says about its log, and
//! whether what is in them can be read.

pub(in crate::store) mod check;
pub(in crate::store) mod file;
pub(in crate::store) mod files;
pub(in crate::store) mod log_damage;
pub(in crate::store) mod log_marker;
pub(in crate::store) mod own_files;
