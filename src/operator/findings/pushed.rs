//! What findings have in common that are pushed one by one and in batches.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::web::Failure;
use actors::feeds::SourceFigures;
use domain::account::{Finding, Origin, Provenance, ReportOutcome};
use domain::content::size;
use domain::ids::record_id;
use domain::{ContentLayout, FieldError, Filter, Missing, Radar, RadarId, RadarType, Role, Trace, WatchedTarget};
use sources::{Catalog, role_of};
use store::Watchers;
use wire::content;
use wire::operator::push::{Push, RadarOutcome};

/// The outcome at a radar that reports the finding.
const PUBLISHED: &str = "published";
/// The outcome at a radar whose filter keeps the finding out.
pub(super) const FILTERED: &str = "filtered";

/// A pushed finding that may be reported, and the radars that watch its target.
pub(super) struct Pushed<'a> {
    pub(super) source_id: String,
    pub(super) finding: Finding,
    pub(super) role: Role,
    pub(super) radars: Vec<&'a Radar>,
}

impl<'a> Pushed<'a> {
    /// Checks a finding that was pushed at `now`, in a request of this trace.
    pub(super) fn of(
        push: &Push<'_>,
        watchers: &'a Watchers,
        catalog: &Catalog,
        (now, trace): (DateTime<Utc>, Option<Trace>),
    ) -> Result<Self, Failure> {
        let Push { target, native_id, source, content } = push;
        let radars: Vec<&Radar> = watchers.get(target).into_iter().flat_map(BTreeMap::values).collect();
        let radar_type = match target {
            WatchedTarget::Value { radar_type, .. } => *radar_type,
            WatchedTarget::Radar(_) => radars.first().ok_or(Missing::Radar)?.wanted.radar_type,
        };
        let has_source = catalog.push_source(source, radar_type).is_some();
        let text = checked(has_source, radar_type, content)?;
        let is_filtered = radars.iter().any(|radar| radar.wanted.filter != Filter::Everything);
        let role = if is_filtered { role(radar_type, content) } else { Role::default() };
        // A provider says itself, by the native id, what is the same.
        let finding = Finding {
            record_id: record_id(source, native_id),
            content: text,
            detected_at: now,
            origin: Origin::Pushed,
            event: None,
            provenance: Some(Provenance::Provider { source_id: source.clone(), trace }),
        };
        Ok(Self { source_id: source.clone(), finding, role, radars })
    }

    /// Whether the filter of a radar lets it through.
    pub(super) fn is_wanted_by(&self, radar: &Radar) -> bool {
        radar.wanted.wants(&self.role, &self.finding.content)
    }
}

/// The content in the form in which findings carry it.
fn checked(has_source: bool, radar_type: RadarType, content: &Value) -> Result<String, Vec<FieldError>> {
    let mut errors = Vec::new();
    if !has_source {
        errors.push(FieldError::new("source", format!("is not an enabled push source of {radar_type}")));
    }
    match content::read(radar_type, content) {
        Ok(text) if errors.is_empty() => return Ok(size::bounded(text)),
        Ok(_) => {}
        Err(more) => errors.extend(more),
    }
    Err(errors)
}

/// The role that the content is about.
fn role(radar_type: RadarType, content: &Value) -> Role {
    let title = ContentLayout::of(radar_type).role_title_of(|name| content.get(name));
    title.map(|title| role_of(title, &[])).unwrap_or_default()
}

/// The outcome of a report of one finding at a radar.
pub(super) fn radar_outcome(radar: &Radar, outcome: &'static str, update_id: Option<Uuid>) -> RadarOutcome {
    let RadarId(radar_id) = radar.radar_id;
    RadarOutcome { radar_id, account_id: radar.account_id.0, outcome, update_id }
}

/// The same of what the ledger answered.
pub(super) fn reported(radar: &Radar, report: &ReportOutcome) -> RadarOutcome {
    radar_outcome(radar, outcome(report), report.published.first().map(|update_id| update_id.0))
}

/// Counts a finding of a provider, and where it was published.
pub(super) fn note(figures: &SourceFigures, source_id: &str, outcomes: &[RadarOutcome]) {
    let published = outcomes.iter().filter(|outcome| outcome.outcome == PUBLISHED).count();
    figures.note(source_id, |counts| {
        counts.items += 1;
        counts.findings += published as u64;
    });
}

/// The word for the outcome of a report of one finding. If the report counts none, the filter removed it.
pub(super) fn outcome(report: &ReportOutcome) -> &'static str {
    match report {
        ReportOutcome { published, .. } if !published.is_empty() => PUBLISHED,
        ReportOutcome { held: 1.., .. } => "held",
        ReportOutcome { pending: 1.., .. } => "pending",
        ReportOutcome { duplicates: 1.., .. } => "duplicate",
        ReportOutcome { dropped: 1.., .. } => "dropped",
        _ => FILTERED,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::{checked, outcome};
    use domain::UpdateId;
    use domain::account::ReportOutcome;
    use domain::radar_type::RadarType::CompanyReviews;

    #[test]
    fn source_and_content_are_checked_together() {
        let errors = checked(false, CompanyReviews, &json!({"stars": 5})).expect_err("a rejection");
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["source", "content.stars"]);
    }

    #[test]
    fn every_report_has_its_word() {
        let none = ReportOutcome::default;
        for (report, word) in [
            (ReportOutcome { published: vec![UpdateId(Uuid::from_u128(1))], ..none() }, "published"),
            (ReportOutcome { held: 1, ..none() }, "held"),
            (ReportOutcome { duplicates: 1, ..none() }, "duplicate"),
            (ReportOutcome { dropped: 1, ..none() }, "dropped"),
            (none(), "filtered"),
        ] {
            assert_eq!(outcome(&report), word);
        }
    }
}
