//! `/portal/radars`: the radars of the account, and how one fares.

use actix_web::web::Path;
use askama::Template;

use crate::api::{segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Visit, page};
use crate::record::Record;

#[derive(Template)]
#[template(path = "portal/radars.html")]
struct Radars {
    title: &'static str,
    token: String,
    status: String,
    radar_type: String,
    found: Vec<Record>,
    next: String,
}

#[derive(Template)]
#[template(path = "portal/radar.html")]
struct Radar {
    title: String,
    token: String,
    radar: Record,
    health: Record,
    why: String,
    updates: Vec<Record>,
}

/// `GET /portal/radars`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let query = given_of(&asked, &["radar_status", "radar_type", "cursor"]);
    let found = visit.api.get(&with_query("/v1/radars", &query)).await?;
    page(&Radars {
        title: "Radars",
        token: visit.token,
        status: given(&asked, "radar_status").to_owned(),
        radar_type: given(&asked, "radar_type").to_owned(),
        next: next_page("/portal/radars", &found, &query),
        found: found.list("data"),
    })
}

/// `GET /portal/radars/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>) -> Page {
    let path = format!("/v1/radars/{}", segment(&id));
    let radar = visit.api.get(&path).await?.get("data");
    let health = visit.api.get(&format!("{path}/health")).await?.get("data");
    let updates =
        [("radar_id", id.as_str()), ("update_type", "radar_finding,radar_failure"), ("order", "newest_first")];
    let updates = visit.api.get(&with_query("/v1/updates", &updates)).await?.list("updates");
    let last = updates.iter().find(|update| update.is("update_type", "radar_finding"));
    page(&Radar {
        title: format!("{}: {}", radar.target(), radar.words("radar_type")),
        why: why(&health, &last.map(|last| last.instant("discovered_at")).unwrap_or_default()),
        updates,
        token: visit.token,
        radar,
        health,
    })
}

/// In a sentence, why a radar finds nothing or has ended; `found_at` is when it found something last, if that is known.
fn why(health: &Record, found_at: &str) -> String {
    let count = health.list("sources").len();
    let sources = if count == 1 { "1 source".to_owned() } else { format!("{count} sources") };
    let error = health.text("last_error");
    let because = if error.is_empty() { error } else { format!(": {}", error.trim_end_matches('.')) };
    let sentence = match health.text("state").as_str() {
        "ended" => ended(&health.text("status_reason"), &because),
        "setting_up" => format!("Its sources are still being looked for{because}"),
        "paused" => "It is paused, because the balance did not cover a finding".to_owned(),
        "failing" if health.has("ends_at") => {
            format!("None of its sources can be read{because}; it ends on {} unless one can", health.instant("ends_at"))
        }
        "failing" => format!("None of its sources can be read{because}"),
        _ if health.has("daily_bound.full_since") => {
            "It has found more than its day allows, and reads on tomorrow".to_owned()
        }
        _ if !found_at.is_empty() && count == 0 => format!("A provider handed something in last on {found_at}"),
        _ if !found_at.is_empty() => format!("It watches {sources} and found something last on {found_at}{because}"),
        _ if count == 0 => "It waits for what a provider hands in".to_owned(),
        _ if health.has("filtered_items") => {
            let (all, older) = (health.number("filtered_items"), health.number("older_items"));
            let by_filter = all - older;
            format!(
                "It watches {sources}, and kept out {older} older than itself and {by_filter} by its filter{because}"
            )
        }
        _ => format!("It watches {sources}, and kept nothing out{because}"),
    };
    sentence + "."
}

fn ended(reason: &str, because: &str) -> String {
    match reason {
        "user_deactivated" => "You ended it".to_owned(),
        "grace_period_ended" => "You ended it, and its paid period is over".to_owned(),
        "insufficient_funds" => "It ended, because the balance did not cover its renewal".to_owned(),
        "missing_prerequisites" => format!("Its set-up found no source{because}"),
        "source_inaccessible" => format!("It ended, because its target could not be read{because}"),
        "setup_failure" => format!("Its set-up failed{because}"),
        _ => format!("It was ended by the service{because}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::why;
    use crate::record::Record;

    #[test]
    fn a_radar_says_why_it_finds_nothing_or_ended() {
        for (health, sentence) in [
            (json!({"state": "ended", "status_reason": "user_deactivated"}), "You ended it."),
            (
                json!({"state": "ended", "status_reason": "missing_prerequisites", "last_error": "no page was found."}),
                "Its set-up found no source: no page was found.",
            ),
            (json!({"state": "setting_up", "last_error": null}), "Its sources are still being looked for."),
            (
                json!({"state": "failing", "last_error": "HTTP 404", "ends_at": "2026-03-01T10:00:00.000000Z"}),
                "None of its sources can be read: HTTP 404; it ends on 2026-03-01 10:00:00 unless one can.",
            ),
            (json!({"state": "watching", "sources": []}), "It waits for what a provider hands in."),
            (
                json!({"state": "watching", "sources": [{}], "filtered_items": 5, "older_items": 2}),
                "It watches 1 source, and kept out 2 older than itself and 3 by its filter.",
            ),
            (json!({"state": "watching", "sources": [{}, {}]}), "It watches 2 sources, and kept nothing out."),
        ] {
            assert_eq!(why(&Record(health), ""), sentence);
        }
        let watching = Record(json!({"state": "watching", "sources": [{}]}));
        let sentence = "It watches 1 source and found something last on 2026-03-01 10:00:00.";
        assert_eq!(why(&watching, "2026-03-01 10:00:00"), sentence);
    }
}
