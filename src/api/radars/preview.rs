//! `POST /v1/radars/preview`: what a radar would find, before it exists and without charging anything.

use std::cmp::Reverse;

use chrono::NaiveDate;
use serde_json::Value;

use crate::api::call::Call;
use crate::web::Answer;
use actors::previews::{FeedLook, Look, Seen};
use domain::content::size;
use domain::{ContentLayout, Cuts, NewRadar, Rate, Rejection};
use sources::{Catalog, FoundItem, Source, SourceKind};
use wire::public::new_radar;
use wire::public::preview::{ItemCounts, MonthRecord, PreviewRecord, PreviewSource, SHOWN_MAX, SourceState};
use wire::public::radar_types::PriceRecord;

/// How many characters of a date or an instant are the date.
const DATE_CHARS: usize = 10;
const CUT_OFF: &str = "Not everything was looked at in time; a radar itself takes the time that it needs.";
const PUSHED: &str = "A provider hands in findings of this type; they cannot be looked at beforehand.";

/// Looks, and tells what a radar would find.
pub(crate) async fn preview(mut call: Call) -> Answer {
    let body = call.body().await?;
    let shared = call.shared();
    let wanted = new_radar::read(&body.value, None, &|host| !shared.guard.permits_host(host))?;
    let prices = shared.store.price_list(call.account_id()).await?;
    let looked = call.state.previews.ask(call.account_id(), wanted.clone()).await;
    let seen = looked.map_err(|_| Rejection::Overloaded)?;
    let now = call.now();
    let price = prices.at(wanted.radar_type, now);
    let counted = Counted::of(&wanted, &seen.feeds);
    let rate = Rate::of(counted.wanted.len(), &counted.dates(), now);
    let sources = sources(&seen.feeds, &wanted, &shared.catalog);
    let record = PreviewRecord {
        radar_type: wanted.radar_type,
        served: sources.iter().any(|source| matches!(source.state, SourceState::Read | SourceState::Pushed)),
        complete: !seen.is_cut_off,
        note: note(&seen, &sources, sources::off_without_contact(&shared.catalog, wanted.radar_type)),
        items: ItemCounts::new(counted.total, counted.wanted.len(), counted.cuts),
        findings: counted.newest(),
        price: price.as_ref().map(PriceRecord::of),
        month: MonthRecord::of(rate, price.as_ref()),
        sources,
    };
    call.data(200, "Preview", record)
}

/// The feeds that were looked at, and the providers that hand findings in.
fn sources<'a>(feeds: &[FeedLook], wanted: &NewRadar, catalog: &'a Catalog) -> Vec<PreviewSource<'a>> {
    let looked_at = feeds.iter().map(|feed| {
        let (state, items, error) = match &feed.look {
            Look::Read { items, .. } => (SourceState::Read, Some(items.len()), None),
            Look::Failed(message) => (SourceState::Failed, None, Some(message.clone())),
            Look::TooSlow => (SourceState::TooSlow, None, None),
        };
        let name = catalog.get(&feed.source_id).map(|source| source.name.as_str()).unwrap_or_default();
        PreviewSource { source_id: feed.source_id.clone(), name, state, items, error }
    });
    let is_pushed = |source: &&Source| matches!(&source.kind, SourceKind::Push);
    let pushed = catalog.serving(wanted.radar_type).filter(is_pushed).map(|source| PreviewSource {
        source_id: source.id.clone(),
        name: &source.name,
        state: SourceState::Pushed,
        items: None,
        error: None,
    });
    looked_at.chain(pushed).collect()
}

fn note(seen: &Seen, sources: &[PreviewSource<'_>], off: Option<String>) -> Option<String> {
    let is_only_pushed = !sources.is_empty() && sources.iter().all(|source| source.state == SourceState::Pushed);
    let of_look = match &seen.problem {
        _ if is_only_pushed => Some(PUSHED.to_owned()),
        Some(problem) => Some(problem.clone()),
        None => seen.is_cut_off.then(|| CUT_OFF.to_owned()),
    };
    let sentences: Vec<String> = of_look.into_iter().chain(off).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// What the feeds show, and what of it the radar would report.
struct Counted<'a> {
    total: usize,
    cuts: Cuts,
    wanted: Vec<(Option<NaiveDate>, &'a FoundItem)>,
}

impl<'a> Counted<'a> {
    fn of(wanted: &NewRadar, feeds: &'a [FeedLook]) -> Self {
        let mut counted = Self { total: 0, cuts: Cuts::default(), wanted: Vec::new() };
        for feed in feeds {
            let Look::Read { items, unmatched } = &feed.look else { continue };
            counted.total += items.len() + unmatched;
            counted.cuts.keyword += unmatched;
            for item in items {
                let country = item.content.get("country").and_then(Value::as_str);
                if counted.cuts.count(wanted, &item.role, country) {
                    counted.wanted.push((date_of(item), item));
                }
            }
        }
        counted
    }

    fn dates(&self) -> Vec<NaiveDate> {
        self.wanted.iter().filter_map(|(date, _)| *date).collect()
    }

    /// The content of the newest; what has no date comes last.
    fn newest(&self) -> Vec<Value> {
        let mut newest = self.wanted.clone();
        newest.sort_by_key(|(date, _)| Reverse(*date));
        let content = |(_, item): &(_, &FoundItem)| {
            let text = size::bounded(Value::Object(item.content.clone()).to_string());
            serde_json::from_str(&text).unwrap_or_default()
        };
        newest.iter().take(SHOWN_MAX).map(content).collect()
    }
}

/// The day on which an item happened, as its content says it.
fn date_of(item: &FoundItem) -> Option<NaiveDate> {
    let text = item.content.get(ContentLayout::of(item.radar_type).dated_by?)?.as_str()?;
    text.get(..DATE_CHARS)?.parse().ok()
}
