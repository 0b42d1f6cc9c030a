//! The limits of an account: how many requests it may make (Spec 8.1) and how many radars it may have (Spec 8.2).

/// Limits of an account, as operators see them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Limits<T> {
    /// Write tokens per minute.
    pub write_per_minute: T,
    /// Read tokens per minute.
    pub read_per_minute: T,
    /// Requests per second.
    pub per_second: T,
    /// Radars that are active, and as many that ended lately.
    pub radars: T,
}

/// The limits that hold for an account.
pub type AccountLimits = Limits<u32>;
/// The limits that are set for one account; `None` where the service's default holds.
pub type OwnLimits = Limits<Option<u32>>;

impl OwnLimits {
    /// The limits that hold, where `defaults` are the service's.
    pub fn or(self, defaults: AccountLimits) -> AccountLimits {
        AccountLimits {
            write_per_minute: self.write_per_minute.unwrap_or(defaults.write_per_minute),
            read_per_minute: self.read_per_minute.unwrap_or(defaults.read_per_minute),
            per_second: self.per_second.unwrap_or(defaults.per_second),
            radars: self.radars.unwrap_or(defaults.radars),
        }
    }
}
