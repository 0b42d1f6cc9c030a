//! `POST /operator/v1/findings`: private providers hand findings in (decision 7.1).
//!
//! A finding goes to every active radar that watches the target; the answer has one outcome per radar. The same
//! `native_id` of the same source again is a duplicate everywhere, so an interrupted push can simply be repeated.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;

use crate::domain::account::{Finding, ReportOutcome};
use crate::domain::content::{ContentLayout, size};
use crate::domain::ids::record_id;
use crate::domain::radar::Radar;
use crate::domain::radar::filter::Role;
use crate::domain::radar_type::RadarType;
use crate::domain::rejection::{FieldError, Missing, Rejection};
use crate::operator::call::Call;
use crate::sources::role_of;
use crate::web::call::Answer;
use crate::web::errors::Failure;
use crate::wire::content;
use crate::wire::operator::push::{self, Push, PushRecord, RadarOutcome};

/// How many radars get a finding at the same time: enough for the ledger to commit them together.
const TELL_AT_ONCE: usize = 64;

/// Takes a finding and offers it to every radar that watches its target.
pub(crate) async fn push(mut call: Call) -> Answer {
    let body = call.body().await?.value;
    let Push { target, native_id, source, content } = push::parse(&body)?;
    let radars = call.state.shared.store.all_watchers(&target).await?;
    let radar_type = match (target.radar_type(), radars.first()) {
        (Some(radar_type), _) => radar_type,
        (None, Some(radar)) => radar.wanted.radar_type,
        (None, None) => return Err(Rejection::NotFound(Missing::Radar).into()),
    };
    let has_source = call.state.shared.catalog.push_source(&source, radar_type).is_some();
    let content = checked(has_source, radar_type, &content)?;
    let record_id = record_id(&source, &native_id);
    let finding = Finding { record_id, content: content.text, detected_at: call.now() };
    let told = radars.iter().map(|radar| tell(&call, radar, &finding, &content.role));
    let data = stream::iter(told).buffered(TELL_AT_ONCE).try_collect().await?;
    call.fields(202, "Finding taken", PushRecord { record_id, data })
}

/// Content in the form in which findings carry it, and the role that it is about.
struct Checked {
    text: String,
    role: Role,
}

fn checked(has_source: bool, radar_type: RadarType, content: &Value) -> Result<Checked, Vec<FieldError>> {
    let mut errors = Vec::new();
    if !has_source {
        errors.push(FieldError::new("source", format!("is not an enabled push source of {radar_type}")));
    }
    let role = ContentLayout::of(radar_type)
        .role_title_of(|name| content.get(name))
        .map(|title| role_of(title, &[]))
        .unwrap_or_default();
    match content::read(radar_type, content) {
        Ok(text) if errors.is_empty() => return Ok(Checked { text: size::bounded(text), role }),
        Ok(_) => {}
        Err(more) => errors.extend(more),
    }
    Err(errors)
}

async fn tell(call: &Call, radar: &Radar, finding: &Finding, role: &Role) -> Result<RadarOutcome, Failure> {
    let findings = vec![(finding.clone(), role.clone())];
    let report = call.state.shared.shards.ingest(radar.account_id, radar.radar_id, findings).await??;
    Ok(RadarOutcome {
        radar_id: radar.radar_id.0,
        account_id: radar.account_id.0,
        outcome: outcome(&report),
        update_id: report.published.first().map(|update_id| update_id.0),
    })
}

/// The word for the outcome of a report of one finding. If the report counts none, the filter removed it.
pub(super) fn outcome(report: &ReportOutcome) -> &'static str {
    match report {
        ReportOutcome { published, .. } if !published.is_empty() => "published",
        ReportOutcome { held: 1.., .. } => "held",
        ReportOutcome { pending: 1.., .. } => "pending",
        ReportOutcome { duplicates: 1.., .. } => "duplicate",
        ReportOutcome { dropped: 1.., .. } => "dropped",
        _ => "filtered",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::{checked, outcome};
    use crate::domain::account::ReportOutcome;
    use crate::domain::ids::UpdateId;
    use crate::domain::radar_type::RadarType::CompanyReviews;

    #[test]
    fn source_and_content_are_checked_together() {
        let errors = checked(false, CompanyReviews, &json!({"stars": 5})).err().expect("a rejection");
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
