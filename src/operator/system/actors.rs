//! `GET /operator/v1/actors`: live actors and queued messages, by kind of actor.

use crate::operator::call::Call;
use crate::web::Answer;
use actors::runtime::metrics::Kind;
use wire::object;

/// The figures of every kind of actor.
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let figures = &call.state.actor_metrics;
    let record = |&kind: &Kind| object! { kind: kind.as_str(), #[serde(flatten)] figures: figures.figures(kind) };
    call.data(200, "Actors", Kind::ALL.iter().map(record).collect::<Vec<_>>())
}
