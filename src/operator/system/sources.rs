//! `GET /operator/v1/sources`, `GET …/{id}`: the sources of the catalog, their terms, and how they fare.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::operator::call::Call;
use crate::web::{Answer, Failure};
use actors::feeds::{SourceCounts, SourceFigures};
use domain::{FailureClass, FeedbackShare, Missing};
use sources::{Catalog, Source, SourceKind, Terms};
use store::SourceState;
use wire::operator::system;
use wire::{Instant, object};

/// What the database knows of the sources, by their ids.
struct Known {
    states: BTreeMap<String, SourceState>,
    feedback: BTreeMap<String, Vec<FeedbackShare>>,
}

/// Every source, by id; with `failing=true` those that are broken or fail in part.
pub(crate) async fn list(call: Call) -> Answer {
    let is_failing = system::is_failing(call.query())?;
    let known = known(&call).await?;
    let none = SourceState::default();
    let is_wanted = |source: &&Source| {
        let word = word(source, known.states.get(&source.id).unwrap_or(&none));
        !is_failing || ["broken", "failing_in_part"].contains(&word)
    };
    let sources = call.shared().catalog.all().filter(is_wanted);
    let records: Vec<_> = sources.map(|source| record(source, &known, &call.state.sources)).collect();
    call.data(200, "Sources", records)
}

/// One source.
pub(crate) async fn show(call: Call) -> Answer {
    call.no_query()?;
    let found = call.shared().catalog.get(call.segment("id"));
    let source = found.ok_or(Missing::Source)?;
    call.data(200, "Source", record(source, &known(&call).await?, &call.state.sources))
}

/// What the database knows of the sources.
async fn known(call: &Call) -> Result<Known, Failure> {
    let store = call.store();
    Ok(Known { states: store.all_source_states().await?, feedback: store.all_feedback_shares().await? })
}

/// How many sources are broken, and how many fail in part.
pub(super) fn unwell(catalog: &Catalog, states: &BTreeMap<String, SourceState>) -> [(&'static str, u64); 2] {
    let none = SourceState::default();
    let of_word = |name, wanted: &str| {
        let words = catalog.all().map(|source| word(source, states.get(&source.id).unwrap_or(&none)));
        (name, words.filter(|word| *word == wanted).count() as u64)
    };
    [of_word("sources_broken", "broken"), of_word("sources_failing_in_part", "failing_in_part")]
}

fn record(source: &Source, known: &Known, figures: &SourceFigures) -> impl Serialize {
    let state = known.states.get(&source.id).cloned().unwrap_or_default();
    let feedback = known.feedback.get(&source.id).into_iter().flatten();
    object! {
        source_id: &source.id,
        name: &source.name,
        kind: source.kind.as_str(),
        radar_types: &source.radar_types,
        enabled: source.is_enabled(),
        disabled_because: &source.disabled_because,
        terms: source.terms.as_ref().map(terms),
        health: health(source, &state, figures.of(&source.id)),
        // What customers think of its findings, by radar type.
        feedback: feedback.map(|share| (share.radar_type, opinion(share))).collect::<BTreeMap<_, _>>(),
    }
}

fn opinion(share: &FeedbackShare) -> impl Serialize {
    let &FeedbackShare { judged, useless, .. } = share;
    object! { judged, useless, share_useless: useless as f64 / judged.max(1) as f64 }
}

fn terms(terms: &Terms) -> impl Serialize {
    object! {
        licence: &terms.licence,
        attribution: &terms.attribution,
        url: &terms.url,
        // The day on which somebody last read them.
        checked: &terms.checked,
    }
}

/// What its feeds say now, and what this process has counted since its start.
fn health(source: &Source, state: &SourceState, counts: SourceCounts) -> impl Serialize + use<> {
    let SourceState { feeds, items, succeeded_at, breakage } = state;
    let failing = feeds.failing_count();
    object! {
        state: word(source, state),
        broken_by: breakage.map(|breakage| breakage.class),
        broken_since: breakage.map(|breakage| Instant(breakage.since)),
        flagged_at: breakage.and_then(|breakage| breakage.flagged_at).map(Instant),
        succeeded_at: succeeded_at.map(Instant),
        feeds: feeds.watched,
        feeds_failing: failing,
        share_failing: (feeds.watched > 0).then(|| failing as f64 / feeds.watched as f64),
        feeds_failing_by_class: by_class(&feeds.failing),
        items_kept: *items,
        // Looks that showed nothing of the one before: more comes between two of them than the source shows.
        looks_without_overlap: source.gaps(),
        counted: object! {
            items: counts.items,
            findings: counts.findings,
            errors: by_class(&counts.failures),
        },
    }
}

fn by_class(counts: &BTreeMap<FailureClass, u64>) -> BTreeMap<&'static str, u64> {
    counts.iter().map(|(class, count)| (class.as_str(), *count)).collect()
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
