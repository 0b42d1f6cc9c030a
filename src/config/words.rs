//! Settings with a closed list of words.

use domain::closed;

closed! {
    /// `clock.mode`
    ClockMode {
        /// The machine's clock.
        System = "system",
        /// A clock that only the operator API moves.
        Simulated = "simulated",
    }
}

closed! {
    /// `log.format`
    LogFormat {
        /// For people.
        Plain = "plain",
        /// One JSON object a line.
        Json = "json",
    }
}
