//! What sources give: asked right now, or read from stored answers.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use clock::Clock;
use domain::content::ContentLayout;
use outbound::fetch::{Observed, Web};
use sources::{self, Catalog, FeedKey, FeedPoll, FoundItem, Known, PollError};

/// Items of one feed that are shown to people.
const ITEMS_SHOWN: usize = 5;

/// The requests that were sent, a line for each.
pub(super) type Requests = Rc<RefCell<Vec<String>>>;

/// Polls that were tried.
pub(super) struct Trial {
    feeds: Vec<Tried>,
    /// Requests that led to the feeds.
    search: Vec<String>,
}

/// A feed, what its poll gave, and how.
struct Tried {
    feed: FeedKey,
    outcome: Result<FeedPoll, PollError>,
    requests: Vec<String>,
    took_ms: i64,
}

/// Notes every request of `web` from now on, without what the credentials of sources hold.
pub(super) fn note_requests(web: &Web, catalog: &Catalog) -> Requests {
    let variables = catalog.all().flat_map(|source| source.credential_variables());
    let secrets: Vec<String> = variables.filter_map(|variable| std::env::var(variable).ok()).collect();
    let requests: Requests = Rc::default();
    let noted = requests.clone();
    web.observe(move |exchange| noted.borrow_mut().push(line_of_request(exchange, &secrets)));
    requests
}

fn line_of_request(exchange: &Observed<'_>, secrets: &[String]) -> String {
    let secrets = secrets.iter().filter(|secret| !secret.is_empty());
    let url = secrets.fold(exchange.url.to_string(), |url, secret| url.replace(secret.as_str(), "***"));
    let outcome = match exchange.outcome {
        Ok((status, bytes)) => format!("{status}, {bytes} bytes"),
        Err(error) => error.reason(),
    };
    format!("{url}: {outcome}, {} ms", exchange.took.as_millis())
}

/// Polls as if each feed had been read before and nothing in it were known: all that is there is shown.
pub(super) async fn poll(web: &Web, catalog: &Catalog, feeds: Vec<FeedKey>, requests: Requests) -> Trial {
    let search = requests.take();
    let mut tried = Vec::new();
    for feed in feeds {
        let began_at = web.now();
        let outcome = sources::poll_feed(web, catalog, &feed, Known::default()).await;
        let took_ms = (web.now() - began_at).num_milliseconds();
        tried.push(Tried { feed, outcome, requests: requests.take(), took_ms });
    }
    Trial { feeds: tried, search }
}

impl Trial {
    /// Prints what was tried.
    ///
    /// # Errors
    /// The first feed that failed.
    pub(super) fn print(&self, as_json: bool) -> Result<()> {
        output::either(&self.data(), &self.text(), as_json)?;
        match self.feeds.iter().find_map(|tried| Some((&tried.feed, tried.outcome.as_ref().err()?))) {
            Some((feed, error)) => Err(Failure::of(format!("{} {}", feed.source_id, feed.token), error)),
            None => Ok(()),
        }
    }

    fn data(&self) -> Value {
        let feed = |tried: &Tried| {
            let items = tried.outcome.iter().flat_map(|poll| &poll.items);
            json!({
                "source": tried.feed.source_id,
                "token": tried.feed.token,
                "class": class_of(&tried.outcome),
                "requests": tried.requests,
                "took_ms": tried.took_ms,
                "items": items.map(data_of_item).collect::<Vec<_>>(),
                "fault": tried.outcome.as_ref().err().map(ToString::to_string),
            })
        };
        json!({ "data": self.feeds.iter().map(feed).collect::<Vec<_>>(), "search": self.search })
    }

    fn text(&self) -> String {
        let mut lines: Vec<String> = self.search.iter().map(|request| format!("asked {request}")).collect();
        for tried in &self.feeds {
            let FeedKey { source_id, token } = &tried.feed;
            let (class, took_ms) = (class_of(&tried.outcome), tried.took_ms);
            lines.extend(tried.requests.iter().map(|request| format!("asked {request}")));
            match &tried.outcome {
                Err(error) => lines.push(format!("{source_id} {token}: {class}, {error}")),
                Ok(poll) => {
                    lines.push(format!("{source_id} {token}: {class}, {} items in {took_ms} ms", poll.items.len()));
                    lines.extend(poll.items.iter().take(ITEMS_SHOWN).map(line_of));
                }
            }
        }
        lines.join("\n")
    }
}

fn class_of(outcome: &Result<FeedPoll, PollError>) -> String {
    match outcome {
        Ok(poll) if poll.items.is_empty() && poll.looked_at.is_empty() && !poll.unchanged => "empty".to_owned(),
        Ok(_) => "ok".to_owned(),
        Err(error) => error.class().as_str().replace('_', " "),
    }
}

/// `radar sources read`: what a source reads from stored answers.
///
/// # Errors
/// [`Failure`] for a file that cannot be read, or of which the source can make nothing.
pub(super) fn read(catalog: &Catalog, source_id: &str, token: &str, files: &[PathBuf], as_json: bool) -> Result<()> {
    let source = catalog.get(source_id).ok_or_else(|| Failure::of(source_id, "there is no such source"))?;
    let now: DateTime<Utc> = Clock::system().now();
    let mut data = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let body = std::fs::read(file).map_err(|error| Failure::of(&name, error))?;
        let items = sources::read_answer(source, token, &body, now).map_err(|error| Failure::of(&name, error))?;
        data.push(json!({
            "file": name,
            "count": items.len(),
            "empty": empty_keys(&items),
            "items": items.iter().map(data_of_item).collect::<Vec<_>>(),
        }));
    }
    output::show(&json!({ "data": data }), as_json)
}

/// The keys that stay empty, by how many items that is so of.
fn empty_keys(items: &[FoundItem]) -> Map<String, Value> {
    let mut counts: Map<String, Value> = Map::new();
    let empty = items.iter().flat_map(|item| item.content.iter().filter(|(_, value)| value.is_null()));
    for (key, _) in empty {
        let count = counts.get(key).and_then(Value::as_u64).unwrap_or_default();
        counts.insert(key.clone(), json!(count + 1));
    }
    counts
}

fn data_of_item(item: &FoundItem) -> Value {
    json!({"native_id": item.native_id, "content": item.content})
}

/// What an item is about, and its address.
fn line_of(item: &FoundItem) -> String {
    let layout = ContentLayout::of(item.radar_type);
    let text = |name: &str| item.content.get(name).and_then(Value::as_str);
    let words = layout.required.first().and_then(|name| text(name)).unwrap_or(&item.native_id);
    format!("  {words}  {}", text(layout.address).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{Trial, Tried, empty_keys};
    use domain::{RadarType, Role};
    use serde_json::{Value, json};
    use sources::{FeedKey, FeedPoll, FoundItem, PollError};

    fn item() -> FoundItem {
        let content = json!({"job_title": "Baker", "job_url": "https://acme.com/1", "country": null});
        let Value::Object(content) = content else { panic!("an object") };
        FoundItem {
            radar_type: RadarType::CompanyJobOpenings,
            native_id: "1".to_owned(),
            content,
            role: Role::default(),
            dated_at: None,
            page: None,
            excerpt: None,
        }
    }

    #[test]
    fn what_a_feed_gives_is_shown_or_why_it_gives_nothing() {
        let tried = |source_id: &str, outcome| Tried {
            feed: FeedKey { source_id: source_id.to_owned(), token: "acme".to_owned() },
            outcome,
            requests: vec![format!("https://{source_id}.example/: 200, 7 bytes, 3 ms")],
            took_ms: 5,
        };
        let trial = Trial {
            feeds: vec![
                tried("lever", Ok(FeedPoll { items: vec![item()], ..FeedPoll::default() })),
                tried("ashby", Err(PollError::NoSuchSource("ashby".to_owned()))),
                tried("workable", Ok(FeedPoll::default())),
            ],
            search: Vec::new(),
        };
        assert_eq!(
            trial.text(),
            "asked https://lever.example/: 200, 7 bytes, 3 ms\nlever acme: ok, 1 items in 5 ms\n  Baker  https://acme.com/1\n\
             asked https://ashby.example/: 200, 7 bytes, 3 ms\nashby acme: dead, no enabled source `ashby` can be polled\n\
             asked https://workable.example/: 200, 7 bytes, 3 ms\nworkable acme: empty, 0 items in 5 ms"
        );
        let data = trial.data();
        assert_eq!(data["data"][0]["items"][0]["content"]["job_title"], "Baker");
        assert_eq!(data["data"][1]["fault"], "no enabled source `ashby` can be polled");
    }

    #[test]
    fn keys_that_stay_empty_are_counted() {
        assert_eq!(Value::Object(empty_keys(&[item(), item()])), json!({"country": 2}));
    }
}
