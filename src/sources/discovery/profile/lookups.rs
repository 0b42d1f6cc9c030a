//! What networks and directories say when they are asked: a company's accounts, confirmed by themselves, and those that
//! Wikidata knows of a person.
//!
//! Duty: one bounded request each. A directory that does not answer says nothing of a company. Of a person only Wikidata is
//! asked, by nothing but the name of the profile that is watched.

use serde_json::Value;
use url::Url;

use super::{person, wikidata};
use crate::engines::pages::{fetch_html, html_of, request};
use crate::extraction::accounts::{Account, is_channel_id, mastodon_account};
use crate::extraction::head::Head;
use crate::extraction::json::read_json;
use domain::{EvidenceKind, ProfileEntry, ProfileKey, ProfileUrl};
use outbound::fetch::{Fetch, FetchError, RobotsPolicy, Web};

/// Longer answers are not read.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// What an answer may take in memory.
const ANSWER_MEMORY_MAX: usize = 32 * 1024 * 1024;

/// The handle on Bluesky that is the domain itself: only its owner can have it.
pub async fn domain_handle(web: &Web, domain: &str) -> Option<ProfileEntry> {
    let resolve = "https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle";
    let url = Url::parse_with_params(resolve, [("handle", domain)]).ok()?;
    let answer = json(web, &url, &[]).await.ok()?;
    let is_account = answer["did"].as_str().is_some_and(|did| did.starts_with("did:"));
    is_account.then(|| ProfileEntry {
        key: ProfileKey::BlueskyHandle,
        value: domain.to_owned(),
        evidence: EvidenceKind::DomainHandle,
        evidence_url: url.into(),
    })
}

/// What Wikidata says of the company with `domain`.
pub async fn of_wikidata(web: &Web, domain: &str) -> Vec<ProfileEntry> {
    let Some(url) = wikidata::question(domain) else { return Vec::new() };
    match json(web, &url, &sparql()).await {
        Ok(answer) => wikidata::entries(&answer, domain),
        Err(error) => {
            tracing::debug!(domain, error = error.reason(), "a directory could not be asked about a company");
            Vec::new()
        }
    }
}

/// The accounts that Wikidata knows of the person with this profile.
///
/// # Errors
/// Wikidata could not be asked; the error does not name the person.
pub async fn of_person(web: &Web, profile_url: &ProfileUrl) -> Result<Vec<ProfileEntry>, FetchError> {
    match person::question(profile_url) {
        Some(url) => Ok(person::entries(&json(web, &url, &sparql()).await?)),
        None => Ok(Vec::new()),
    }
}

fn sparql() -> [(String, String); 1] {
    [("Accept".to_owned(), "application/sparql-results+json".to_owned())]
}

/// The identifier of the channel whose page on YouTube is `path`.
///
/// # Errors
/// Its page cannot be read.
pub async fn channel_of(web: &Web, path: &str) -> Result<Option<String>, FetchError> {
    let url = Url::parse("https://www.youtube.com/").and_then(|youtube| youtube.join(path));
    let Ok(url) = url else { return Ok(None) };
    let page = fetch_html(web, &url).await?;
    web.read(move || channel_in(&html_of(&page).head)).await
}

/// What the channel with this identifier is called on its page.
///
/// # Errors
/// Its page cannot be read.
pub async fn title_of_channel(web: &Web, id: &str) -> Result<Option<String>, FetchError> {
    let Ok(url) = Url::parse(&format!("https://www.youtube.com/channel/{id}")) else { return Ok(None) };
    let page = fetch_html(web, &url).await?;
    let title = web.read(move || html_of(&page).head.title).await?;
    let title = title.strip_suffix("- YouTube").unwrap_or(&title).trim();
    Ok(Some(title.to_owned()).filter(|title| !title.is_empty()))
}

/// The identifier that a channel's page names in its head: in the address of its feed, or in its own.
pub fn channel_in(head: &Head) -> Option<String> {
    head.links.iter().filter(|link| link.is("alternate") || link.is("canonical")).find_map(|link| {
        let of_feed = link.url.query_pairs().find(|(name, _)| name == "channel_id").map(|(_, id)| id.into_owned());
        let of_page = match Account::of(&link.url) {
            Some(Account::YoutubeChannel(id)) => Some(id),
            _ => None,
        };
        of_feed.or(of_page).filter(|id| is_channel_id(id))
    })
}

/// The account as its own server calls it; `Ok(None)` where the server knows none.
///
/// # Errors
/// The server could not be asked.
pub async fn account_at(web: &Web, user: &str, host: &str) -> Result<Option<String>, FetchError> {
    let resource = format!("acct:{user}@{host}");
    let ask = format!("https://{host}/.well-known/webfinger");
    let Ok(url) = Url::parse_with_params(&ask, [("resource", resource.as_str())]) else { return Ok(None) };
    match json(web, &url, &[]).await {
        Ok(answer) => {
            let subject = answer["subject"].as_str().and_then(|subject| subject.strip_prefix("acct:"));
            Ok(subject.and_then(mastodon_account))
        }
        Err(error) if error.is_transient() => Err(error),
        Err(_) => Ok(None),
    }
}

async fn json(web: &Web, url: &Url, headers: &[(String, String)]) -> Result<Value, FetchError> {
    let robots = RobotsPolicy::DocumentedApi;
    let request = Fetch { headers, robots, ..request(url, "application/json,*/*;q=0.5", ANSWER_BYTES_MAX) };
    let page = web.fetch(request).await?;
    web.read(move || read_json(&page.body, ANSWER_MEMORY_MAX).unwrap_or_default()).await
}
