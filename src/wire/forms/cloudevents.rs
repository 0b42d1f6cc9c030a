//! An update as a CloudEvent 1.0 in structured JSON mode (decision 5.10).

use crate::object::Object;
use crate::time;
use domain::Publication;

/// The event that has `payload`, the standard one of `publication`, as its data.
pub fn body(publication: &Publication<'_>, payload: &str) -> String {
    let radar_id = publication.radar.radar_id.0;
    let event_type = format!("{}.{}", publication.content.update_type().as_str(), publication.radar.wanted.radar_type);
    Object::new()
        .text("specversion", "1.0")
        .text("id", &publication.update_id.to_string())
        .text("source", &format!("/v1/radars/{radar_id}"))
        .text("type", &event_type)
        // What was detected; of a failure, the radar itself.
        .text("subject", &publication.record_id.unwrap_or(radar_id).to_string())
        .text("time", &time::text(publication.discovered_at))
        .text("datacontenttype", "application/json")
        .raw("data", &payload)
        .finish()
}
