//! The endpoints of accounts, with their addresses and their health (decisions 5.5, 5.6).

use std::collections::{HashMap, HashSet};

use entity::{endpoint, endpoint_health};
use sea_orm::sea_query::{Expr, Query};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

use super::endpoint_health::healths;
use crate::{Result, Store};
use domain::delivery::endpoint_health::{EndpointHealth, EndpointState};
use domain::delivery::log::{EndpointFilter, LoggedEndpoint};
use domain::ids::{AccountId, EndpointId};

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
        use endpoint::Column::{AccountId as Account, EndpointId as Endpoint};
        let mut wanted = Condition::all()
            .add_option(filter.account_id.map(|account_id| Account.eq(account_id.0)))
            .add_option(filter.endpoint_id.map(|endpoint_id| Endpoint.eq(endpoint_id.0)))
            .add_option(filter.after.map(|after| Endpoint.gt(after.0)));
        if let Some(state) = filter.state {
            let disabled = Query::select()
                .column(endpoint_health::Column::EndpointId)
                .from(endpoint_health::Entity)
                // In the very words of the index of those that are disabled.
                .and_where(Expr::cust("disabled_at is not null"))
                .to_owned();
            wanted = wanted.add(match state {
                EndpointState::Disabled => Endpoint.in_subquery(disabled),
                EndpointState::Enabled => Endpoint.not_in_subquery(disabled),
            });
        }
        let page = endpoint::Entity::find().filter(wanted).order_by_asc(Endpoint).limit(limit);
        self.deadline
            .io(async {
                let found = page.all(&self.read).await?;
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
        let query = endpoint::Entity::find().filter(endpoint::Column::EndpointId.is_in(ids.iter().copied()));
        let found = query.all(&self.read).await?;
        let mut health = healths(&self.read, ids).await?;
        let mut health_of = |endpoint_id| health.remove(&EndpointId(endpoint_id)).unwrap_or_default();
        let known = |row: endpoint::Model| (row.endpoint_id, (row.url, health_of(row.endpoint_id)));
        Ok(found.into_iter().map(known).collect())
    }
}
