//! The limits of an account: how many requests it may make (Spec 8.1) and how many radars it may have (Spec 8.2).

/// The limits that hold for an account, as operators see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct AccountLimits {
    /// Write tokens per minute.
    pub write_per_minute: u32,
    /// Read tokens per minute.
    pub read_per_minute: u32,
    /// Requests per second.
    pub per_second: u32,
    /// Radars that are active, and as many that ended lately.
    pub radars: u32,
}

/// The limits that are set for one account; `None` where the service's default holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnLimits {
    /// Write tokens per minute.
    pub write_per_minute: Option<u32>,
    /// Read tokens per minute.
    pub read_per_minute: Option<u32>,
    /// Requests per second.
    pub per_second: Option<u32>,
    /// Radars that are active, and as many that ended lately.
    pub radars: Option<u32>,
}

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
