//! `GET /operator/v1/sources`, `GET …/{id}`: the sources of the catalog, their terms, and how they fare.

use std::collections::BTreeMap;

use crate::operator::call::Call;
use crate::web::call::Answer;
use actors::feeds::{SourceCounts, SourceFigures};
use domain::rejection::Missing;
use sources::{Source, SourceKind, Terms};
use store::SourceState;
use wire::operator::sources::{CountedRecord, HealthRecord, SourceRecord, TermsRecord, by_class};
use wire::time::Instant;

/// Every source, by id.
pub(crate) async fn list(call: Call) -> Answer {
    call.no_query()?;
    let states = call.state.shared.store.all_source_states().await?;
    let sources = call.state.shared.catalog.all();
    let records: Vec<_> = sources.map(|source| record(source, &states, &call.state.sources)).collect();
    call.data(200, "Sources", records)
}

/// One source.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let found = call.state.shared.catalog.get(call.segment("id"));
    let source = found.ok_or(Missing::Source)?;
    let states = call.state.shared.store.all_source_states().await?;
    call.data(200, "Source", record(source, &states, &call.state.sources))
}

fn record<'a>(source: &'a Source, states: &BTreeMap<String, SourceState>, figures: &SourceFigures) -> SourceRecord<'a> {
    let state = states.get(&source.id).cloned().unwrap_or_default();
    SourceRecord {
        source_id: &source.id,
        name: &source.name,
        kind: source.kind.as_str(),
        radar_types: source.radar_types.iter().map(|radar_type| radar_type.as_str()).collect(),
        enabled: source.is_enabled(),
        disabled_because: source.disabled_because.as_deref(),
        terms: source.terms.as_ref().map(terms),
        health: health(source, &state, figures.of(&source.id)),
    }
}

fn terms(terms: &Terms) -> TermsRecord<'_> {
    TermsRecord {
        licence: &terms.licence,
        attribution: terms.attribution.as_deref(),
        url: terms.url.as_deref(),
        checked: &terms.checked,
    }
}

fn health(source: &Source, state: &SourceState, counts: SourceCounts) -> HealthRecord {
    let SourceState { feeds, items, succeeded_at, breakage } = state;
    let failing = feeds.failing_count();
    HealthRecord {
        state: word(source, state),
        broken_by: breakage.map(|breakage| breakage.class.as_str()),
        broken_since: breakage.map(|breakage| Instant(breakage.since)),
        flagged_at: breakage.and_then(|breakage| breakage.flagged_at).map(Instant),
        succeeded_at: succeeded_at.map(Instant),
        feeds: feeds.watched,
        feeds_failing: failing,
        share_failing: (feeds.watched > 0).then(|| failing as f64 / feeds.watched as f64),
        feeds_failing_by_class: by_class(&feeds.failing),
        items_kept: *items,
        counted: CountedRecord { items: counts.items, findings: counts.findings, errors: by_class(&counts.failures) },
    }
}

fn word(source: &Source, state: &SourceState) -> &'static str {
    let is_flagged = state.breakage.is_some_and(|breakage| breakage.flagged_at.is_some());
    match &source.kind {
        _ if !source.is_enabled() => "disabled",
        SourceKind::Push => "pushed",
        _ if is_flagged => "broken",
        _ if state.feeds.watched == 0 => "unused",
        _ if state.feeds.failing_count() > 0 => "failing_in_part",
        _ => "well",
    }
}
