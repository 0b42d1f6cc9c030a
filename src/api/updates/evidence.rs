//! `GET /v1/updates/{update_id}/evidence`: what a finding stands on.

use super::published;
use crate::api::call::Call;
use crate::web::Answer;
use domain::content::ContentLayout;
use sources::excerpt;
use wire::Instant;
use wire::public::findings::evidence::EvidenceRecord;

/// Where and when a finding was read, and what stood there. What its content says already is read from there.
pub(crate) async fn get_evidence(call: Call) -> Answer {
    call.no_query()?;
    let finding = published(&call).await?;
    let found = call.store().evidence(finding.radar_id, &[finding.record_id]).await?;
    let evidence = found.into_values().next().unwrap_or_default();
    let address = finding.content[ContentLayout::of(finding.radar_type).address].as_str().map(str::to_owned);
    let record = EvidenceRecord {
        update_id: finding.update_id.0,
        radar_id: finding.radar_id.0,
        record_id: finding.record_id,
        source: evidence.source_id,
        address,
        page_url: evidence.page_url,
        observed_at: Instant(finding.detected_at),
        excerpt: evidence.excerpt.unwrap_or_else(|| excerpt(&finding.content)),
        body_hash: evidence.body_hash,
    };
    call.record("Evidence", record)
}
