//! `GET /metrics`: Prometheus text. Labels come from closed sets: kinds of actors, routes, statuses, sources; never an
//! account or an address.

use actix_web::HttpResponse;
use chrono::{DateTime, Utc};
use prometheus::{GaugeVec, Opts, Registry, TEXT_FORMAT, TextEncoder};

use super::database_metrics::add_database;
use super::node_metrics::add_nodes;
use super::process_metrics::add_process;
use super::source_metrics::add_sources;
use super::webhook_metrics::{Outbox, add_outbox};
use crate::operator::call::Call;
use crate::operator::state::OperatorState;
use crate::web::{Answer, Failure};
use actors::ledger::LedgerFigures;
use actors::runtime::metrics::Kind;
use actors::runtime::registered::{counter, gauge, registered, set};
use store::Overdue;

/// All metrics of this process, as they are now.
pub(crate) async fn metrics(call: Call) -> Answer {
    let text = render(&call.state, call.now()).await.map_err(Failure::internal)?;
    Ok(HttpResponse::Ok().content_type(format!("{TEXT_FORMAT}; charset=utf-8")).body(text))
}

async fn render(state: &OperatorState, now: DateTime<Utc>) -> prometheus::Result<String> {
    let (registry, store) = (Registry::new(), &state.shared.store);
    add_actors(&registry, state)?;
    add_ledger(&registry, state.shared.ledger.figures())?;
    add_sources(&registry, &state.sources)?;
    let nodes = store.all_nodes().await.ok().map(|nodes| nodes.len());
    add_nodes(&registry, store, nodes)?;
    add_process(&registry)?;
    add_database(&registry, store, now).await?;
    // Without the database the other metrics must still be shown.
    if let Ok(frozen) = store.all_frozen_count().await {
        let help = "Accounts stopped because their rows do not add up";
        set(&registry, "radar_accounts_frozen", help, frozen as f64)?;
    }
    if let Ok(overdue) = store.all_overdue(now).await {
        add_overdue(&registry, overdue, now)?;
    }
    if let Ok(outbox) = Outbox::look(store, now).await {
        add_outbox(&registry, &outbox)?;
    }
    let mut families = [state.registry.gather(), registry.gather()].concat();
    families.sort_by(|one, other| one.name().cmp(other.name()));
    TextEncoder::new().encode_to_string(&families)
}

fn add_actors(registry: &Registry, state: &OperatorState) -> prometheus::Result<()> {
    let resident = gauge(registry, "radar_actors_resident", "Actors alive", "kind")?;
    let queued = gauge(registry, "radar_actor_messages_queued", "Messages that wait", "kind")?;
    let oldest = Opts::new("radar_actor_oldest_message_seconds", "Age of the oldest message that waits");
    let oldest = registered(registry, GaugeVec::new(oldest, &["kind"]))?;
    let poisoned = gauge(registry, "radar_actors_poisoned", "Actors that keep crashing", "kind")?;
    let handled = counter(registry, "radar_actor_messages_handled_total", "Messages handled", &["kind"])?;
    let refused =
        counter(registry, "radar_actor_messages_refused_total", "Messages refused by a full queue", &["kind"])?;
    let restarts = counter(registry, "radar_actor_restarts_total", "Restarts after a panic", &["kind"])?;
    for &kind in Kind::ALL {
        let (figures, labels) = (state.actor_metrics.figures(kind), &[kind.as_str()]);
        resident.with_label_values(labels).set(figures.resident);
        queued.with_label_values(labels).set(i64::try_from(figures.queued).unwrap_or(i64::MAX));
        oldest.with_label_values(labels).set(figures.oldest_message_ms as f64 / 1000.0);
        poisoned.with_label_values(labels).set(figures.poisoned);
        handled.with_label_values(labels).inc_by(figures.handled);
        refused.with_label_values(labels).inc_by(figures.refused);
        restarts.with_label_values(labels).inc_by(figures.restarts);
    }
    Ok(())
}

fn add_ledger(registry: &Registry, figures: &LedgerFigures) -> prometheus::Result<()> {
    let (commands, settlements) = figures.queued();
    let help = "Commands that wait for a transaction of the ledger";
    set(registry, "radar_ledger_commands_queued", help, commands as f64)?;
    let help = "Accounts that wait for what they have due to be decided";
    set(registry, "radar_ledger_accounts_queued", help, settlements as f64)
}

fn add_overdue(registry: &Registry, overdue: Overdue, now: DateTime<Utc>) -> prometheus::Result<()> {
    let help = "Renewals that are due and not decided";
    set(registry, "radar_renewals_overdue", help, overdue.renewals as f64)?;
    let lag_s = overdue.oldest_at.map_or(0.0, |oldest_at| (now - oldest_at).as_seconds_f64().max(0.0));
    let help = "How long the oldest renewal that is not decided is due";
    set(registry, "radar_renewal_due_lag_seconds", help, lag_s)
}
