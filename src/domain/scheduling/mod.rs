//! Who gets a turn, and how often: attempts, fair shares of places, rate limits.

pub mod attempts;
pub mod fair_share;
pub mod rate;
pub mod set_up_shares;
