//! The files of an SQLite database: whether their names still lead to them, what the main file says about its log, and
//! whether what is in them can be read.

pub(crate) mod check;
pub(crate) mod file;
pub(crate) mod files;
pub(crate) mod log_damage;
pub(crate) mod log_marker;
pub(crate) mod own_files;
