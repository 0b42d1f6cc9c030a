//! Whether an account may use the service (Spec 5, decision 4.12).

use super::closed;

closed! {
    /// Whether an account may use the service. Entered and left by the operator.
    AccountStatus {
        /// Its keys are good and its radars at work.
        Active = "active",
        /// It is stopped: its keys answer 401, nothing is polled, set up, charged or delivered for it. What falls due
        /// meanwhile is recorded at 0.
        Inactive = "inactive",
    }
}
