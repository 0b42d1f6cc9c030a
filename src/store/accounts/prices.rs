//! The prices of accounts of their own (decision 4.2).

use chrono::{DateTime, Utc};
use entity::price;

use super::lock_account;
use crate::database::{IfPresent, Run, bulk};
use crate::tables::prices;
use crate::{Result, Store};
use domain::field_limits::OWN_PRICES_MAX;
use domain::money::pricing::configured_findings_per_day;
use domain::{AccountId, Price, PriceList, RadarType};

/// A price of one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnPrice {
    /// What it prices.
    pub radar_type: RadarType,
    /// From when on.
    pub effective_from: DateTime<Utc>,
    /// The price.
    pub price: Price,
    /// Its own bound of a day; `None` where the configured one of the type holds, which `price` has then.
    pub own_bound: Option<u32>,
}

impl Store {
    /// Sets a price from an instant on; the same instant again replaces it. `false` when the account has as many as may be
    /// ([`OWN_PRICES_MAX`]).
    pub async fn set_price(&self, account_id: AccountId, own: OwnPrice, now: DateTime<Utc>) -> Result<bool> {
        let row = prices::price_row(account_id, &own, now);
        let others = "select count(*) from price where account_id = ? and not (radar_type = ? and effective_from = ?)";
        self.in_transaction(async |transaction| {
            lock_account(transaction, account_id).await?;
            let others = transaction.first(others, (account_id, own.radar_type, own.effective_from)).await?;
            if others.is_some_and(|others: u64| others >= OWN_PRICES_MAX as u64) {
                return Ok(false);
            }
            bulk::insert_one(transaction, row, IfPresent::overwrite()).await?;
            Ok(true)
        })
        .await
    }

    /// What everything costs an account: its own prices over the operator's.
    pub async fn price_list(&self, account_id: AccountId) -> Result<PriceList> {
        let own = self.prices(account_id).await?;
        let own = own.into_iter().map(|own| (own.radar_type, own.effective_from, own.price));
        Ok(PriceList::new(self.rules.default_prices.clone(), own))
    }

    /// The prices of an account's own.
    pub async fn prices(&self, account_id: AccountId) -> Result<Vec<OwnPrice>> {
        let found = self.deadline.io(self.read.rows_where::<price::Entity>("account_id = ?", account_id)).await?;
        found.into_iter().map(|row| prices::price(row, &self.rules.default_prices)).collect()
    }

    /// The configured bound of a day, which prices without one of their own have.
    pub fn configured_findings_per_day(&self, radar_type: RadarType) -> u32 {
        configured_findings_per_day(&self.rules.default_prices, radar_type)
    }
}
