//! `GET /v1/radars` (Spec 4.6, decision 3.3).

use serde::Serialize;

use crate::api::call::Call;
use crate::web::Answer;
use store::RadarAndPause;
use wire::public::query;
use wire::public::radar_record::RadarRecord;
use wire::{Page, RadarCursor, object};

/// A page of the account's radars, newest first.
pub(crate) async fn list_radars(call: Call) -> Answer {
    let (filter, limit) = query::radars(call.query())?;
    let (radars, has_more) = call.store().radars(call.account_id(), &filter, limit as usize).await?;
    let last = radars.last().filter(|_| has_more);
    let next = last.map(|(radar, _)| RadarCursor { at: radar.created_at, id: radar.radar_id.0 }.encode());
    Ok(call.linked(call.fields(200, "Radars", page(limit, &radars, next.clone()))?, next))
}

fn page(limit: u32, radars: &[RadarAndPause], next: Option<String>) -> impl Serialize {
    let records = radars.iter().map(|(radar, paused_since)| RadarRecord::of(radar, *paused_since)).collect();
    object! { count: radars.len(), limit, #[serde(flatten)] page: Page::of(records, next) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::page;
    use crate::sample_radar::company;
    use wire::RadarCursor;

    #[test]
    fn spec_4_6_count_is_what_the_page_holds() {
        let radar = company();
        let next = RadarCursor { at: radar.created_at, id: radar.radar_id.0 };
        let page_of_one = serde_json::to_value(page(50, &[(radar, None)], Some(next.encode()))).expect("JSON");
        assert_eq!((&page_of_one["count"], &page_of_one["limit"]), (&json!(1), &json!(50)));
        assert_eq!(
            (&page_of_one["has_more"], &page_of_one["data"][0]["domain"]),
            (&json!(true), &json!("example.com"))
        );
        assert_eq!(page_of_one["next_cursor"].as_str().and_then(RadarCursor::decode), Some(next));
        let last = serde_json::to_value(page(50, &[], None)).expect("JSON");
        assert_eq!(last, json!({"count": 0, "limit": 50, "data": [], "has_more": false, "next_cursor": null}));
    }
}
