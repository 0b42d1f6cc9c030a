//! What an account can be asked to do, one file for each command.

mod approve;
mod create;
mod deactivate;
mod finish_set_up;
pub(super) mod once;
mod report;
mod set_status;
mod top_up;
