//! The answer of `GET /v1/radars` (Spec 4.6, decision 3.3).

use serde::Serialize;

use super::radar_record::RadarRecord;
use crate::cursor::RadarCursor;
use crate::envelope::Page;

/// One page of radars, newest first; stands beside the common fields of the envelope.
#[derive(Debug, Serialize)]
pub struct RadarPage<'a> {
    count: usize,
    limit: u32,
    #[serde(flatten)]
    page: Page<RadarRecord<'a>>,
}

impl<'a> RadarPage<'a> {
    /// The page of `data`; `next` is where the next page begins, `None` on the last one.
    pub fn of(limit: u32, data: Vec<RadarRecord<'a>>, next: Option<RadarCursor>) -> Self {
        Self { count: data.len(), limit, page: Page::of(data, next.map(RadarCursor::encode)) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::RadarPage;
    use crate::cursor::RadarCursor;
    use crate::envelope::success;
    use crate::public::radar_record::{RadarRecord, tests::company};

    #[test]
    fn spec_4_6_count_is_what_the_page_holds() {
        let radar = company();
        let next = RadarCursor { at: radar.created_at, id: radar.radar_id.0 };
        let page = RadarPage::of(50, vec![RadarRecord::of(&radar, None)], Some(next));
        let answer = serde_json::to_value(success(200, "ok", DateTime::UNIX_EPOCH, page)).expect("JSON");
        assert_eq!((&answer["count"], &answer["limit"], &answer["has_more"]), (&1.into(), &50.into(), &true.into()));
        assert_eq!(answer["data"][0]["domain"], "example.com");
        assert_eq!(answer["next_cursor"].as_str().and_then(RadarCursor::decode), Some(next));
        let last = serde_json::to_value(RadarPage::of(50, Vec::new(), None)).expect("JSON");
        assert_eq!(
            last,
            serde_json::json!({"count": 0, "limit": 50, "data": [], "has_more": false, "next_cursor": null})
        );
    }
}
