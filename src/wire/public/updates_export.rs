//! The file of `GET /v1/updates/export`: a line of JSON per update as it is stored, or a row of CSV with a column for every key
//! of the contents that may be in it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::csv::{guarded, record};
use domain::{ContentLayout, RadarType, UpdateFilter, UpdateType, closed};

closed! {
    /// What an export looks like.
    ExportFormat {
        /// A line of JSON per update.
        Jsonl = "jsonl",
        /// Comma-separated values with a line of names.
        Csv = "csv",
    }
}

/// The columns of every update: their names, and where its payload has their values.
const COMMON: [(&str, &str); 8] = [
    ("update_id", "/update_id"),
    ("update_type", "/update_type"),
    ("radar_type", "/radar_type"),
    ("record_id", "/record_id"),
    ("discovered_at", "/discovered_at"),
    ("radar_id", "/data/radar_id"),
    ("domain", "/data/domain"),
    ("custom_fields", "/data/custom_fields"),
];
/// The keys of a failure.
const FAILURE: [&str; 3] = ["failure_reason", "refund_amount_usd", "message"];

/// Writes the lines of an export.
#[derive(Clone, Debug)]
pub struct Export {
    format: ExportFormat,
    /// The keys of contents that have a column.
    keys: Vec<&'static str>,
}

impl ExportFormat {
    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8; header=present",
        }
    }
}

impl Export {
    /// An export of what `filter` lets through.
    pub fn new(format: ExportFormat, filter: &UpdateFilter) -> Self {
        let types = if filter.radar_types.is_empty() { RadarType::ALL } else { &filter.radar_types };
        let has = |update_type| filter.update_types.contains(&update_type);
        let findings = types.iter().filter(|_| has(UpdateType::Finding));
        let of_findings = findings.flat_map(|radar_type| ContentLayout::of(*radar_type).keys().map(|key| key.name));
        let of_failures = FAILURE.into_iter().filter(|_| has(UpdateType::Failure));
        let mut named = BTreeSet::new();
        let keys = of_findings.chain(of_failures).filter(|key| named.insert(*key)).collect();
        Self { format, keys }
    }

    /// What stands before the first update.
    pub fn header(&self) -> String {
        match self.format {
            ExportFormat::Jsonl => String::new(),
            ExportFormat::Csv => record(COMMON.map(|(name, _)| name).into_iter().chain(self.keys.iter().copied())),
        }
    }

    /// The line of a stored payload.
    pub fn line(&self, body: &str) -> String {
        match self.format {
            ExportFormat::Jsonl => format!("{body}\n"),
            ExportFormat::Csv => self.row(&serde_json::from_str(body).unwrap_or_default()),
        }
    }

    fn row(&self, payload: &Value) -> String {
        let common = COMMON.iter().map(|(_, place)| payload.pointer(place));
        let contents = self.keys.iter().map(|key| payload["content"].get(key));
        let cells: Vec<String> = common.chain(contents).map(cell).collect();
        record(cells.iter().map(String::as_str))
    }
}

/// Objects and lists stay JSON.
fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => guarded(text),
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{COMMON, Export, ExportFormat};
    use domain::content::ContentLayout;
    use domain::{RadarType, UpdateFilter, UpdateType};

    fn filter(radar_types: &[RadarType], update_types: &[UpdateType]) -> UpdateFilter {
        UpdateFilter {
            radar_types: radar_types.to_vec(),
            update_types: update_types.to_vec(),
            ..UpdateFilter::default()
        }
    }

    #[test]
    fn a_line_of_json_is_the_payload_as_it_is_stored() {
        let export = Export::new(ExportFormat::Jsonl, &filter(&[], &[UpdateType::Finding]));
        assert_eq!((export.header().as_str(), export.line(r#"{"a": 1.10}"#).as_str()), ("", "{\"a\": 1.10}\n"));
    }

    #[test]
    fn a_row_has_a_cell_for_every_key_of_the_types_that_are_asked_for() {
        let export = Export::new(ExportFormat::Csv, &filter(&[RadarType::CompanyReviews], &[UpdateType::Finding]));
        let keys: Vec<&str> = ContentLayout::of(RadarType::CompanyReviews).keys().map(|key| key.name).collect();
        let header = export.header();
        assert!(header.ends_with(&format!(",custom_fields,{}\r\n", keys.join(","))), "{header}");
        let body = json!({
            "update_id": "u", "update_type": "radar_finding", "radar_type": "company_reviews", "record_id": null,
            "discovered_at": "t", "data": {"radar_id": "r", "domain": "a.com", "custom_fields": {"crm": "7"}},
            "content": {"review_content": "=1+1, \"ok\"", "review_rating": 4.5},
        });
        let row = export.line(&body.to_string());
        assert!(row.starts_with("u,radar_finding,company_reviews,,t,r,a.com,\"{\"\"crm\"\":\"\"7\"\"}\","), "{row}");
        assert!(row.contains("\"'=1+1, \"\"ok\"\"\"") && row.contains(",4.5,"), "{row}");
    }

    #[test]
    fn every_column_has_a_name_of_its_own() {
        let all = filter(&[], &[UpdateType::Finding, UpdateType::Failure]);
        let header = Export::new(ExportFormat::Csv, &all).header();
        let mut names: Vec<&str> = header.trim_end().split(',').collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(count > COMMON.len() + 40, "{count}");
    }
}
