//! Facts about the installation itself.

use entity::setting;
use sea_orm::sea_query::OnConflict;
use sea_orm::{EntityTrait, IntoActiveModel};

use crate::store::{Store, StoreError};

impl Store {
    /// The value of a setting that was stored under `name`.
    pub async fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = self.clock.io(setting::Entity::find_by_id(name).one(&self.read)).await?;
        Ok(row.map(|row| row.value))
    }

    /// Stores a setting.
    pub async fn set_setting(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let row = setting::Model { name: name.to_owned(), value: value.to_owned() };
        let insert = setting::Entity::insert(row.into_active_model())
            .on_conflict(OnConflict::column(setting::Column::Name).update_column(setting::Column::Value).to_owned());
        self.clock.io(insert.exec_without_returning(&self.write)).await?;
        Ok(())
    }
}
