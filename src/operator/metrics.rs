//! `GET /metrics`: Prometheus text. Labels come from closed sets: kinds of actors, routes, statuses; never an account.

use actix_web::HttpResponse;
use prometheus::{CounterVec, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, TEXT_FORMAT, TextEncoder};

use super::call::Call;
use super::state::OperatorState;
use crate::actors::census::Kind;
use crate::http::call::Answer;
use crate::http::errors::Failure;

/// All metrics of this process, as they are now.
pub(super) async fn metrics(call: Call) -> Answer {
    // A database that is away must not hide all other figures.
    let frozen = call.state.store.sweep_frozen_count().await.ok();
    let text = render(&call.state, frozen).map_err(Failure::internal)?;
    Ok(HttpResponse::Ok().content_type(TEXT_FORMAT).body(text))
}

fn render(state: &OperatorState, frozen: Option<u64>) -> prometheus::Result<String> {
    let registry = Registry::new();
    if let Some(frozen) = frozen {
        let accounts = IntGauge::new("radar_accounts_frozen", "Accounts stopped because their rows do not add up")?;
        accounts.set(i64::try_from(frozen).unwrap_or(i64::MAX));
        registry.register(Box::new(accounts))?;
    }
    add_actors(&registry, state)?;
    add_requests(&registry, state)?;
    TextEncoder::new().encode_to_string(&registry.gather())
}

fn add_actors(registry: &Registry, state: &OperatorState) -> prometheus::Result<()> {
    let resident = gauge(registry, "radar_actors_resident", "Actors alive")?;
    let queued = gauge(registry, "radar_actor_messages_queued", "Messages that wait")?;
    let oldest = gauge(registry, "radar_actor_oldest_message_milliseconds", "Age of the oldest message that waits")?;
    let poisoned = gauge(registry, "radar_actors_poisoned", "Actors that keep crashing")?;
    let handled = counter(registry, "radar_actor_messages_handled_total", "Messages handled", &["kind"])?;
    let refused =
        counter(registry, "radar_actor_messages_refused_total", "Messages refused by a full queue", &["kind"])?;
    let restarts = counter(registry, "radar_actor_restarts_total", "Restarts after a panic", &["kind"])?;
    for kind in Kind::ALL {
        let (figures, labels) = (state.census.figures(kind), &[kind.as_str()]);
        resident.with_label_values(labels).set(figures.resident);
        queued.with_label_values(labels).set(i64::try_from(figures.queued).unwrap_or(i64::MAX));
        oldest.with_label_values(labels).set(figures.oldest_message_ms);
        poisoned.with_label_values(labels).set(figures.poisoned);
        handled.with_label_values(labels).inc_by(figures.handled);
        refused.with_label_values(labels).inc_by(figures.refused);
        restarts.with_label_values(labels).inc_by(figures.restarts);
    }
    Ok(())
}

fn add_requests(registry: &Registry, state: &OperatorState) -> prometheus::Result<()> {
    const LABELS: [&str; 4] = ["api", "method", "route", "status"];
    let requests = counter(registry, "radar_http_requests_total", "Requests answered", &LABELS)?;
    let help = "Time that answering requests took together";
    let seconds = CounterVec::new(Opts::new("radar_http_request_seconds_total", help), &LABELS)?;
    registry.register(Box::new(seconds.clone()))?;
    for (labels, counts) in state.metrics.counts() {
        let status = labels.status.to_string();
        let values = [labels.api, labels.method, labels.route, &status];
        requests.with_label_values(&values).inc_by(counts.requests);
        seconds.with_label_values(&values).inc_by(counts.seconds);
    }
    Ok(())
}

fn gauge(registry: &Registry, name: &str, help: &str) -> prometheus::Result<IntGaugeVec> {
    let gauge = IntGaugeVec::new(Opts::new(name, help), &["kind"])?;
    registry.register(Box::new(gauge.clone()))?;
    Ok(gauge)
}

fn counter(registry: &Registry, name: &str, help: &str, labels: &[&str]) -> prometheus::Result<IntCounterVec> {
    let counter = IntCounterVec::new(Opts::new(name, help), labels)?;
    registry.register(Box::new(counter.clone()))?;
    Ok(counter)
}
