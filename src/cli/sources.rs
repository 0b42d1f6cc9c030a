//! `radar sources …`: which sources there are, whether they pass their own tests, and what they give right now.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::Failure;
use super::output;
use crate::clock::Clock;
use crate::config::Config;
use crate::domain::content::ContentLayout;
use crate::domain::radar_type::{Category, RadarType};
use crate::domain::targets::{DomainName, Email, ProfileUrl, Target, free_text};
use crate::outbound::address_guard::AddressGuard;
use crate::outbound::fetch::{Web, WebSettings};
use crate::outbound::own_listeners::OwnListeners;
use crate::outbound::transport::Transport;
use crate::sources::{self, Catalog, FeedKey, FeedPoll, FoundItem, Known, PollError, Source};

/// Items of one feed that are shown to people.
const ITEMS_SHOWN: usize = 5;

/// `radar sources …`
#[derive(Debug, Subcommand)]
pub enum SourcesCommand {
    /// List the built-in sources and those of sources.dir
    List,
    /// Read all source files and run the tests inside them
    Check {
        /// A folder with source files; by default sources.dir
        folder: Option<PathBuf>,
    },
    /// Fetch what a target gives right now; nothing is stored or charged
    Try {
        /// A domain, the address of a profile, an e-mail address or a keyword, as the type has it; with --source what that source calls the target
        target: String,
        /// Poll this source and look for no other
        #[arg(long)]
        source: Option<String>,
        /// The radar type that sources are looked for
        #[arg(long, default_value = "company_job_openings")]
        radar_type: String,
    },
}

/// A feed and what its poll gave.
type Tried = (FeedKey, Result<FeedPoll, PollError>);

/// Runs one command.
///
/// # Errors
/// [`Failure`] when a source file is wrong, fails its tests, or when nothing can be fetched.
pub fn run(config: &Config, command: &SourcesCommand, as_json: bool) -> Result<(), Failure> {
    match command {
        SourcesCommand::List => list(&catalog(config, None)?, as_json),
        SourcesCommand::Check { folder } => check(&catalog(config, folder.as_ref())?, as_json),
        SourcesCommand::Try { target, source, radar_type } => {
            let catalog = Arc::new(catalog(config, None)?);
            let tried = actix_rt::System::new().block_on(async {
                let web = web(config);
                let feeds = match source {
                    Some(source_id) => vec![FeedKey { source_id: source_id.clone(), token: target.clone() }],
                    None => find(&web, &catalog, target, radar_type).await?,
                };
                Ok::<_, Failure>(poll(&web, &catalog, feeds).await)
            })?;
            output::print(&if as_json { data_of(&tried).to_string() } else { text_of(&tried) })?;
            match tried.iter().find_map(|(feed, outcome)| Some((feed, outcome.as_ref().err()?))) {
                Some((feed, error)) => Err(Failure::of(format!("{} {}", feed.source_id, feed.token), error)),
                None => Ok(()),
            }
        }
    }
}

fn catalog(config: &Config, folder: Option<&PathBuf>) -> Result<Catalog, Failure> {
    let folder = folder.or(config.sources.dir.as_ref());
    Catalog::load(folder.map(PathBuf::as_path)).map_err(|error| Failure::of("sources.dir", error))
}

fn web(config: &Config) -> Web {
    let clock = Clock::system();
    let own = OwnListeners::at([config.http.listen, config.operator.listen]);
    let guard = AddressGuard::new(config.outbound.allow_private.clone()).except(own);
    Web::new(WebSettings::from(&config.outbound), Transport::new(guard, clock.clone()), clock)
}

fn list(catalog: &Catalog, as_json: bool) -> Result<(), Failure> {
    let rows: Vec<Value> = catalog.all().map(row).collect();
    let data = json!({ "data": rows });
    output::print(&if as_json { data.to_string() } else { output::readable(&data) })
}

fn row(source: &Source) -> Value {
    let radar_types: Vec<&str> = source.radar_types().iter().map(|radar_type| radar_type.as_str()).collect();
    json!({
        "id": source.id(),
        "name": source.name(),
        "kind": source.kind().as_str(),
        "radar_types": radar_types,
        "enabled": source.is_enabled(),
        "disabled_because": source.disabled_because(),
        "poll_interval_seconds": source.poll_interval().as_secs(),
    })
}

fn check(catalog: &Catalog, as_json: bool) -> Result<(), Failure> {
    let checked: Vec<(&str, Vec<String>)> = catalog.all().map(|source| (source.id(), sources::check(source))).collect();
    let failed = checked.iter().filter(|(_, failures)| !failures.is_empty()).count();
    let rows: Vec<Value> = checked.iter().map(|(id, failures)| json!({"id": id, "faults": failures})).collect();
    let data = json!({ "data": rows });
    output::print(&if as_json { data.to_string() } else { output::readable(&data) })?;
    if failed == 0 { Ok(()) } else { Err(Failure::of("sources", format!("{failed} fail their own tests"))) }
}

async fn find(web: &Web, catalog: &Arc<Catalog>, target: &str, radar_type: &str) -> Result<Vec<FeedKey>, Failure> {
    let radar_type: RadarType = radar_type.parse().map_err(|error| Failure::of("--radar-type", error))?;
    let wanted = target_of(radar_type, target)?;
    sources::discover(web, catalog, radar_type, &wanted).await.map_err(|error| Failure::of(target, error))
}

/// The target of a radar of that type which `text` names.
fn target_of(radar_type: RadarType, text: &str) -> Result<Target, Failure> {
    let person = |profile_url, email| Target::Contact { domain: None, profile_url, email, full_name: None };
    let target = match radar_type.category() {
        Category::Company => {
            DomainName::parse(text).map(|domain| Target::Company { domain }).map_err(|e| e.to_string())
        }
        Category::Contact if text.contains('/') => {
            ProfileUrl::parse(text).map(|url| person(Some(url), None)).map_err(|error| error.to_string())
        }
        Category::Contact => Email::parse(text).map(|email| person(None, Some(email))).map_err(|e| e.to_string()),
        Category::Industry => free_text::keyword(text)
            .map(|keyword| Target::Industry { keyword: Some(keyword), countries: Vec::new() })
            .map_err(|error| error.to_string()),
    };
    target.map_err(|reason| Failure::of(text, reason))
}

/// Polls as if the feed had been read before and nothing in it were known: all that is there is shown.
async fn poll(web: &Web, catalog: &Catalog, feeds: Vec<FeedKey>) -> Vec<Tried> {
    let mut tried = Vec::new();
    for feed in feeds {
        let known = Known::default();
        let outcome = sources::poll_feed(web, catalog, &feed, known).await;
        tried.push((feed, outcome));
    }
    tried
}

fn data_of(tried: &[Tried]) -> Value {
    let feed = |(feed, outcome): &Tried| {
        let items = outcome.iter().flat_map(|poll| &poll.items);
        json!({
            "source": feed.source_id,
            "token": feed.token,
            "items": items.map(|item| json!({"native_id": item.native_id, "content": item.content})).collect::<Vec<_>>(),
            "fault": outcome.as_ref().err().map(ToString::to_string),
        })
    };
    json!({ "data": tried.iter().map(feed).collect::<Vec<_>>() })
}

fn text_of(tried: &[Tried]) -> String {
    let mut lines = Vec::new();
    for (feed, outcome) in tried {
        let FeedKey { source_id, token } = feed;
        match outcome {
            Err(error) => lines.push(format!("{source_id} {token}: {error}")),
            Ok(poll) => {
                lines.push(format!("{source_id} {token}: {} items", poll.items.len()));
                lines.extend(poll.items.iter().take(ITEMS_SHOWN).map(line_of));
            }
        }
    }
    lines.join("\n")
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
    use super::{data_of, text_of};
    use crate::domain::radar::filter::Role;
    use crate::domain::radar_type::RadarType;
    use crate::sources::{FeedKey, FeedPoll, FoundItem, PollError};
    use serde_json::{Value, json};

    #[test]
    fn what_a_feed_gives_is_shown_or_why_it_gives_nothing() {
        let Value::Object(content) = json!({"job_title": "Baker", "job_url": "https://acme.com/1"}) else { return };
        let radar_type = RadarType::CompanyJobOpenings;
        let item = FoundItem { radar_type, native_id: "1".to_owned(), content, role: Role::default() };
        let feed = |source_id: &str| FeedKey { source_id: source_id.to_owned(), token: "acme".to_owned() };
        let tried = [
            (feed("lever"), Ok(FeedPoll { items: vec![item], ..FeedPoll::default() })),
            (feed("ashby"), Err(PollError::NoSuchSource("ashby".to_owned()))),
        ];
        assert_eq!(
            text_of(&tried),
            "lever acme: 1 items\n  Baker  https://acme.com/1\nashby acme: no enabled source `ashby` can be polled"
        );
        let data = data_of(&tried);
        assert_eq!(data["data"][0]["items"][0]["content"]["job_title"], "Baker");
        assert_eq!(data["data"][1]["fault"], "no enabled source `ashby` can be polled");
    }
}
