//! The endpoints of accounts, with their addresses and their health (decisions 5.5, 5.6).

use std::collections::{HashMap, HashSet};

use entity::endpoint;
use uuid::Uuid;

use super::endpoint_health::healths;
use crate::database::{List, Run, Statements};
use crate::{Result, Store};
use domain::delivery::endpoint_health::EndpointState;
use domain::{AccountId, EndpointFilter, EndpointHealth, EndpointId, LoggedEndpoint};

impl Store {
    /// Endpoints of an account, by identifier.
    pub async fn endpoints(
        &self,
        account_id: AccountId,
        filter: EndpointFilter,
        limit: u64,
    ) -> Result<Vec<LoggedEndpoint>> {
        self.all_endpoints(EndpointFilter { account_id: Some(account_id), ..filter }, limit).await
    }

    /// Endpoints, by identifier.
    pub async fn all_endpoints(&self, filter: EndpointFilter, limit: u64) -> Result<Vec<LoggedEndpoint>> {
        let mut sql = self.read.rows_of::<endpoint::Entity>();
        // In the very words of the index of those that are disabled.
        sql.push(match filter.state {
            None => "true",
            Some(EndpointState::Disabled) => {
                "endpoint_id in (select endpoint_id from endpoint_health where disabled_at is not null)"
            }
            Some(EndpointState::Enabled) => {
                "endpoint_id not in (select endpoint_id from endpoint_health where disabled_at is not null)"
            }
        });
        sql.add_if_some(" and account_id = ?", filter.account_id);
        sql.add_if_some(" and endpoint_id = ?", filter.endpoint_id);
        sql.add_if_some(" and endpoint_id > ?", filter.after).add(" order by endpoint_id limit ?", limit);
        self.deadline
            .io(async {
                let found: Vec<endpoint::Model> = sql.models(&self.read).await?;
                let mut health = healths(&self.read, found.iter().map(|row| row.endpoint_id)).await?;
                let logged = found.into_iter().map(|row| LoggedEndpoint {
                    endpoint_id: EndpointId(row.endpoint_id),
                    account_id: AccountId(row.account_id),
                    health: health.remove(&EndpointId(row.endpoint_id)).unwrap_or_default(),
                    url: row.url,
                });
                Ok(logged.collect())
            })
            .await
    }

    /// The addresses and the health of endpoints, by identifier.
    pub(super) async fn endpoints_with_health(
        &self,
        ids: HashSet<Uuid>,
    ) -> Result<HashMap<Uuid, (String, EndpointHealth)>> {
        let found = self.read.rows_where::<endpoint::Entity>("endpoint_id in ?", List(ids.iter().copied())).await?;
        let mut health = healths(&self.read, ids).await?;
        let mut health_of = |endpoint_id| health.remove(&EndpointId(endpoint_id)).unwrap_or_default();
        let known = |row: endpoint::Model| (row.endpoint_id, (row.url, health_of(row.endpoint_id)));
        Ok(found.into_iter().map(known).collect())
    }
}
