//! `/radars`: looking for radars of all accounts, and what happened to one.

use actix_web::web::Path;
use askama::Template;

use crate::api::{Api, Refused, segment, with_query};
use crate::asked::{Asked, given, given_of, next_page};
use crate::frame::{Page, Submitted, Visit, page};
use crate::record::Record;

/// What radars are looked for by, beside their state, and how it is called.
const FIELDS: [(&str, &str); 8] = [
    ("domain", "Domain"),
    ("name", "Name"),
    ("keyword", "Keyword"),
    ("profile", "Profile"),
    ("email", "E-mail"),
    ("id", "Radar"),
    ("account", "Account"),
    ("radar_type", "Type"),
];

#[derive(Template)]
#[template(path = "radars.html")]
struct Radars {
    title: &'static str,
    token: String,
    /// Name, label and value of each field.
    fields: Vec<(&'static str, &'static str, String)>,
    state: String,
    count: String,
    found: Vec<Record>,
    /// Where all that are found can be ended; empty where they cannot.
    all: String,
    next: String,
}

#[derive(Template)]
#[template(path = "radar.html")]
struct Radar {
    title: String,
    token: String,
    radar: Record,
    timeline: Record,
    events: Vec<Event>,
    live: String,
    next: String,
}

/// Something that happened to a radar.
struct Event {
    at: String,
    kind: &'static str,
    /// The words of it.
    fields: Vec<(String, String)>,
    /// Where more is told.
    path: String,
    record: Record,
}

/// `GET /radars`
pub(crate) async fn list(visit: Visit, asked: Asked) -> Page {
    let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).chain(["state", "cursor"]).collect();
    let query = given_of(&asked, &names);
    let (found, query) = found(&visit.api, query).await?;
    let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
    page(&Radars {
        title: "Radars",
        token: visit.token,
        fields: FIELDS.iter().map(|(name, label)| (*name, *label, given(&asked, name).to_owned())).collect(),
        state: given(&asked, "state").to_owned(),
        count: found.count(),
        all: all_of(&found, &query),
        next: next_page("/radars", &found, &query),
        found: found.list("data"),
    })
}

/// What is found; where nothing is like the texts that were given, what begins so. Answers what was asked for, too.
async fn found<'a>(api: &Api, given: Vec<(&'a str, &str)>) -> Result<(Record, Vec<(&'a str, String)>), Refused> {
    let query = given.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    let exact = page_of(api, &given).await;
    let is_text = |name: &str, value: &str| ["domain", "name", "keyword"].contains(&name) && !value.is_empty();
    let is_nothing = exact.as_ref().map_or_else(|refused| refused.status == 400, |found| !found.has("count"));
    if !is_nothing || !given.iter().any(|(name, value)| is_text(name, value)) {
        return exact.map(|found| (found, query));
    }
    let beginning = |(name, value): &(&'a str, &str)| {
        (*name, if is_text(name, value) && !value.ends_with('*') { format!("{value}*") } else { (*value).to_owned() })
    };
    let query: Vec<(&str, String)> = given.iter().map(beginning).collect();
    let given: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Ok((page_of(api, &given).await?, query))
}

/// Where all radars that are found can be ended: active ones that a search by whole values has found.
fn all_of(found: &Record, query: &[(&str, &str)]) -> String {
    let by: Vec<(&str, &str)> = query.iter().copied().filter(|(name, _)| !["state", "cursor"].contains(name)).collect();
    let is_narrow = by.iter().any(|(_, value)| !value.is_empty()) && !by.iter().any(|(_, value)| value.ends_with('*'));
    let are_meant = is_narrow && found.has("count") && !query.contains(&("state", "inactive"));
    if are_meant { with_query("/radars/deactivate", &by) } else { String::new() }
}

async fn page_of(api: &Api, query: &[(&str, &str)]) -> Result<Record, Refused> {
    api.get(&with_query("/operator/v1/radars", &[query, &[("limit", "50")]].concat())).await
}

/// `GET /radars/{id}`
pub(crate) async fn show(visit: Visit, id: Path<String>, asked: Asked) -> Page {
    let path = format!("/operator/v1/radars/{}", segment(&id));
    let radar = visit.api.get(&path).await?.get("data");
    let timeline = with_query(&format!("{path}/timeline"), &[("cursor", given(&asked, "cursor"))]);
    let timeline = visit.api.get(&timeline).await?.get("data");
    page(&Radar {
        title: format!("{} {}", radar.text("radar_type"), radar.target()),
        token: visit.token,
        events: events(&timeline),
        live: with_query("/live/radar", &[("id", &radar.text("radar_id"))]),
        next: next_page(&format!("/radars/{}", segment(&id)), &timeline, &[]),
        radar,
        timeline,
    })
}

/// Everything that happened, newest first.
fn events(timeline: &Record) -> Vec<Event> {
    let update = |update: Record| Event {
        at: update.instant("discovered_at"),
        kind: if update.is("update_type", "radar_failure") { "failure" } else { "finding" },
        fields: update.fields("payload.content"),
        path: if update.has("delivery") { format!("/deliveries/{}", update.text("update_id")) } else { String::new() },
        record: update,
    };
    let charge = |charge: Record| Event {
        at: charge.instant("at"),
        kind: if charge.is("kind", "refund") { "refund" } else { "charge" },
        fields: vec![("USD".to_owned(), charge.text("amount_usd"))],
        path: String::new(),
        record: charge,
    };
    let kept_out = |item: Record| Event {
        at: item.instant("detected_at"),
        kind: "kept out",
        fields: item.fields("content"),
        path: String::new(),
        record: item,
    };
    let moment = |(field, kind): (&str, &'static str)| {
        let (at, record) = (timeline.instant(field), Record::default());
        Event { at, kind, fields: Vec::new(), path: String::new(), record }
    };
    let mut events: Vec<Event> = timeline.list("updates").into_iter().map(update).collect();
    events.extend(timeline.list("charges").into_iter().map(charge));
    events.extend(timeline.list("kept_out").into_iter().map(kept_out));
    events.extend([("created_at", "created"), ("deactivated_at", "ended")].map(moment));
    events.retain(|event| !event.at.is_empty());
    events.sort_by(|one, other| other.at.cmp(&one.at));
    events
}

/// `POST /radars/{id}/release`
pub(crate) async fn release(form: Submitted, id: Path<String>) -> Page {
    form.post(&format!("/operator/v1/radars/{}/release", segment(&id)), &format!("/radars/{}", segment(&id))).await
}
