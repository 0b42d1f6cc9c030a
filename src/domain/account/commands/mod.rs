//! What an account can be asked to do, one file for each command: what it reads, what it decides, what it comes to.

pub(super) mod approve;
pub(super) mod create;
pub(super) mod deactivate;
pub(super) mod end_unreachable;
pub(super) mod finish_set_up;
pub(super) mod once;
pub(super) mod release;
pub(super) mod report;
pub(super) mod set_status;
pub(super) mod settle_due;
pub(super) mod top_up;
