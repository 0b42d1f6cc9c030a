//! Opens the database with the rules that the settings lead to.

use std::sync::Arc;

use chrono::TimeDelta;

use super::key_files::SecretKeys;
use crate::operator::SIMULATED_NOW;
use clock::Clock;
use config::Config;
use domain::{RedeliveryLimits, account};
use store::{Store, StoreError, StoreRules};

/// Opens the database; sets a simulated clock to where the last run left it.
pub(super) async fn open_store(config: &Config, clock: &Clock) -> Result<Store, StoreError> {
    let rules = StoreRules {
        default_prices: config.prices.clone(),
        render: wire::public::update::body,
        render_alert: wire::public::webhooks::alerts::body,
        redeliveries: RedeliveryLimits {
            kept_for: TimeDelta::from_std(config.retention.updates).unwrap_or(TimeDelta::MAX),
            ..config.webhooks.redeliveries
        },
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
    // Before anything is written, which would lie in the default ones for good.
    if let Err(error) = store.make_partitions(clock.now()).await {
        tracing::warn!(%error, "partitions are made later");
    }
    Ok(store)
}
