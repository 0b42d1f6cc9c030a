//! Opens the database with the rules that the settings lead to.

use std::sync::Arc;

use super::key_files::SecretKeys;
use crate::operator::SIMULATED_NOW;
use clock::Clock;
use config::Config;
use domain::account;
use store::{Store, StoreError, StoreRules};

/// Opens the database; sets a simulated clock to where the last run left it.
pub(super) async fn open_store(config: &Config, clock: &Clock) -> Result<Store, StoreError> {
    let rules = StoreRules {
        default_prices: config.prices.clone(),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        redeliveries: config.webhooks.redeliveries,
        secret_keys: Arc::new(SecretKeys::of(config)),
        money: account::Settings {
            radars_max: i64::from(config.limits.of_account.radars),
            ..account::Settings::default()
        },
    };
    let store = Store::open(&config.database, rules, clock.clone()).await?;
    if clock.is_simulated() {
        // The last commit may be later than the instant that was kept when the clock last moved.
        let noted = store.setting(SIMULATED_NOW).await?.and_then(|micros| micros.parse().ok());
        let noted_at = noted.and_then(chrono::DateTime::from_timestamp_micros);
        for at in [noted_at, store.all_last_at().await?].into_iter().flatten() {
            clock.resume_at(at);
        }
    }
    Ok(store)
}
