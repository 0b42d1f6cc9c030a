//! `radar sources …`: which sources there are, whether they pass their own tests, and what they give right now or read
//! from a stored answer.

mod add_feed;
mod trial;

use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::{Failure, Result};
use super::output;
use clock::Clock;
use config::Config;
use domain::targets::free_text;
use domain::{Category, DomainName, Email, ProfileUrl, RadarType, Target};
use outbound::address_guard::AddressGuard;
use outbound::fetch::Web;
use outbound::own_listeners::OwnListeners;
use outbound::transport::Transport;
use sources::{self, Catalog, FeedKey, Source, TargetValues};

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
    /// Read stored answers of a source: items, findings, and the keys that stay empty
    Read {
        /// The source
        source: String,
        /// What the source calls the target; values it needs by name as `name=value&name=value`
        token: String,
        /// The files with the answers
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write source files for a feed of one's own choice, or for those of a list, into sources.dir
    AddFeed(add_feed::Arguments),
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
        /// A value that is known of the target, such as bluesky_handle=acme.com; may be repeated
        #[arg(long = "value", value_name = "NAME=VALUE")]
        values: Vec<String>,
    },
}

/// Runs one command.
///
/// # Errors
/// [`Failure`] when a source file is wrong, fails its tests, or when nothing can be fetched.
pub fn run(config: &Config, command: &SourcesCommand, as_json: bool) -> Result<()> {
    match command {
        SourcesCommand::List => list(&catalog(config, None)?, as_json),
        SourcesCommand::Check { folder } => check(&catalog(config, folder.as_ref())?, as_json),
        SourcesCommand::Read { source, token, files } => {
            trial::read(&catalog(config, None)?, source, token, files, as_json)
        }
        SourcesCommand::AddFeed(arguments) => add_feed::run(config, arguments, as_json),
        SourcesCommand::Try { target, source, radar_type, values } => {
            let catalog = Arc::new(catalog(config, None)?);
            let trial = actix_rt::System::new().block_on(async {
                let web = web(config);
                let requests = trial::note_requests(&web, &catalog);
                let feeds = match source {
                    Some(source_id) => feeds_of(&catalog, source_id, target, values)?,
                    None => find(&web, &catalog, target, radar_type, values).await?,
                };
                Ok::<_, Failure>(trial::poll(&web, &catalog, feeds, requests).await)
            })?;
            trial.print(as_json)
        }
    }
}

fn catalog(config: &Config, folder: Option<&PathBuf>) -> Result<Catalog> {
    let folder = folder.or(config.sources.dir.as_ref());
    let loaded = Catalog::load(folder.map(PathBuf::as_path)).map_err(|error| Failure::of("sources.dir", error));
    let mut catalog = loaded?;
    if config.outbound.contact.is_empty() {
        catalog.without_contact();
    }
    Ok(catalog)
}

fn web(config: &Config) -> Web {
    let clock = Clock::system();
    let own = OwnListeners::at([config.http.listen, config.operator.listen]);
    let guard = AddressGuard::new(config.outbound.allow_private.clone()).except(own);
    Web::new(&config.outbound, Transport::new(guard, clock.clone()), clock)
}

fn list(catalog: &Catalog, as_json: bool) -> Result<()> {
    output::show(&json!({ "data": catalog.all().map(row).collect::<Vec<_>>() }), as_json)
}

fn row(source: &Source) -> Value {
    let radar_types: Vec<&str> = source.radar_types.iter().map(|radar_type| radar_type.as_str()).collect();
    json!({
        "id": &source.id,
        "name": &source.name,
        "kind": source.kind.as_str(),
        "radar_types": radar_types,
        "enabled": source.is_enabled(),
        "disabled_because": source.disabled_because.as_deref(),
        "needs": source.needs().map(|needs| needs.required.clone()).unwrap_or_default(),
        "credentials": source.credential_variables(),
        "poll_interval_seconds": source.poll_intervals.usual.as_secs(),
    })
}

fn check(catalog: &Catalog, as_json: bool) -> Result<()> {
    let checked: Vec<(&str, Vec<String>)> =
        catalog.all().map(|source| (source.id.as_str(), sources::check(source))).collect();
    let failed = checked.iter().filter(|(_, failures)| !failures.is_empty()).count();
    let rows: Vec<Value> = checked.iter().map(|(id, failures)| json!({"id": id, "faults": failures})).collect();
    output::show(&json!({ "data": rows }), as_json)?;
    if failed == 0 { Ok(()) } else { Err(Failure::of("sources", format!("{failed} fail their own tests"))) }
}

/// The feed of one source that it calls `target`, or those that the target and the values given name.
fn feeds_of(catalog: &Catalog, source_id: &str, target: &str, given: &[String]) -> Result<Vec<FeedKey>> {
    let source = catalog.get(source_id).ok_or_else(|| Failure::of(source_id, "there is no such source"))?;
    if let Some(reason) = &source.disabled_because {
        return Err(Failure::of(source_id, reason));
    }
    if given.is_empty() {
        return Ok(vec![FeedKey { source_id: source_id.to_owned(), token: target.to_owned() }]);
    }
    let mut feeds = Vec::new();
    for radar_type in &source.radar_types {
        let target = target_of(*radar_type, target);
        let mut values = target.map(|target| TargetValues::of_target(&target)).unwrap_or_default();
        add_all(&mut values, given)?;
        feeds.extend(sources::feeds_from(catalog, *radar_type, &values));
    }
    feeds.retain(|feed| feed.source_id == source_id);
    feeds.dedup();
    let needs = source.needs().map(|needs| needs.required.join(", ")).unwrap_or_default();
    if feeds.is_empty() {
        return Err(Failure::of(source_id, format!("is asked with values of these names: {needs}")));
    }
    Ok(feeds)
}

fn add_all(values: &mut TargetValues, given: &[String]) -> Result<()> {
    for pair in given {
        let (name, value) = pair.split_once('=').ok_or_else(|| Failure::of("--value", "must be NAME=VALUE"))?;
        values.add(name, value);
    }
    Ok(())
}

/// The feeds that the values given name, or else those that discovery finds.
async fn find(
    web: &Web,
    catalog: &Arc<Catalog>,
    target: &str,
    radar_type: &str,
    given: &[String],
) -> Result<Vec<FeedKey>> {
    let radar_type: RadarType = radar_type.parse().map_err(|error| Failure::of("--radar-type", error))?;
    let wanted = target_of(radar_type, target)?;
    let mut values = TargetValues::of_target(&wanted);
    add_all(&mut values, given)?;
    let named = sources::feeds_from(catalog, radar_type, &values);
    if !given.is_empty() && !named.is_empty() {
        return Ok(named);
    }
    let is_needed = sources::needs_profile(catalog, radar_type);
    let profile = match &wanted {
        Target::Company { domain } if is_needed => Some(sources::profile_of(web, domain, true).await),
        Target::Contact { profile_url: Some(url), .. } if is_needed => {
            Some(sources::accounts_of_person(web, url, true).await)
        }
        _ => None,
    };
    let profile = profile.transpose().map_err(|error| Failure::of(target, error))?;
    let found = sources::discover(web, catalog, radar_type, &wanted, profile.as_ref()).await;
    found.map_err(|error| Failure::of(target, error))
}

/// The target of a radar of that type which `text` names.
fn target_of(radar_type: RadarType, text: &str) -> Result<Target> {
    let person = |profile_url, email| Target::Contact { domain: None, profile_url, email, full_name: None };
    let wrong = |reason: &dyn Display| Failure::of(text, reason);
    Ok(match radar_type.category() {
        Category::Company => Target::Company { domain: DomainName::parse(text).map_err(|error| wrong(&error))? },
        Category::Contact if text.contains('/') => {
            person(Some(ProfileUrl::parse(text).map_err(|error| wrong(&error))?), None)
        }
        Category::Contact => person(None, Some(Email::parse(text).map_err(|error| wrong(&error))?)),
        Category::Industry => {
            let keyword = free_text::keyword(text).map_err(|error| wrong(&error))?;
            Target::Industry { keyword: Some(keyword), countries: Vec::new() }
        }
    })
}
