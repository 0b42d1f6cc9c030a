//! What actors need and actix does not have: bounded mailboxes, restarts after a panic, metrics, the engine of due work.
//!
//! Duty: to run actors. Never here: what one of them does.

pub(crate) mod due_work;
pub mod final_message;
pub(crate) mod group_delay;
pub mod isolation;
pub mod mailbox;
pub mod metrics;
pub mod pulse;
pub mod registered;
pub mod supervisor;

pub(crate) use due_work::{Cause, Found, Work, WorkHandle};
pub use final_message::FinalMessage;
pub(crate) use group_delay::GroupDelay;
pub use isolation::{Alone, Isolation};
pub use mailbox::{Mailbox, Posted, Slot};
pub use metrics::{ActorMetrics, Kind, Resident};
pub use supervisor::{ExitGuard, supervise};
