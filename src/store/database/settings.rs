//! Facts about the installation itself.

use crate::{Result, Store};

impl Store {
    /// The value of a setting that was stored under `name`.
    pub async fn setting(&self, name: &str) -> Result<Option<String>> {
        self.first("select value from setting where name = ?", name).await
    }

    /// Stores a setting.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<()> {
        let set =
            "insert into setting (name, value) values (?, ?) on conflict (name) do update set value = excluded.value";
        self.run(set, (name, value)).await.map(drop)
    }
}
