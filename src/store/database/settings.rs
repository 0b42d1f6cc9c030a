//! Facts about the installation itself.

use entity::setting;
use sea_orm::EntityTrait;

use crate::{Store, StoreError};

impl Store {
    /// The value of a setting that was stored under `name`.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = self.deadline.io(setting::Entity::find_by_id(name).one(&self.read)).await?;
        Ok(row.map(|row| row.value))
    }

    /// Stores a setting.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let mut sql = self.sql("insert into setting (name, value) values ");
        sql.bind_list([name, value]).push(" on conflict (name) do update set value = excluded.value");
        self.deadline.io(sql.run(&self.write)).await.map(drop)
    }
}
