//! `GET /operator/v1/attention`: what needs a human, by kind.

use crate::operator::call::Call;
use crate::operator::system::sources;
use crate::web::Answer;
use actors::runtime::metrics::Kind;
use domain::radar::search::COUNT_MAX;
use wire::object;

/// Every kind with how many of it there are: exactly up to [`COUNT_MAX`].
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let (shared, now) = (call.shared(), call.now());
    let mut counts = shared.store.all_attention().await?;
    let silent = shared.store.all_nodes().await?.iter().filter(|node| node.expires_at <= now).count();
    counts.push(("nodes_silent", silent as u64));
    counts.extend(sources::unwell(&shared.catalog, &shared.store.all_source_states().await?));
    let poisoned: i64 = Kind::ALL.iter().map(|&kind| call.state.actor_metrics.figures(kind).poisoned).sum();
    counts.push(("actors_poisoned", poisoned.unsigned_abs()));
    let record = |(what, count): (&'static str, u64)| {
        object! { what, count: count.min(COUNT_MAX), count_is_exact: count <= COUNT_MAX }
    };
    call.data(200, "What needs attention", counts.into_iter().map(record).collect::<Vec<_>>())
}
