//! Facts about the installation itself.

use crate::{Store, StoreError};

impl Store {
    /// The value of a setting that was stored under `name`.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let mut sql = self.sql("select value from setting where name = ");
        self.deadline.io(sql.bind(name).first(&self.read)).await
    }

    /// Stores a setting.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let mut sql = self.sql("insert into setting (name, value) values ");
        sql.bind_list([name, value]).push(" on conflict (name) do update set value = excluded.value");
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }
}
