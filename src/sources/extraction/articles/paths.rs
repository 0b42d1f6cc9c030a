//! Which addresses are those of articles, by what they say.

use url::Url;

use crate::extraction::site::{is_file, is_own};
use crate::text::canonical_url::identity;
use crate::text::folding::folded_words;
use crate::text::pattern::WordSet;

/// Words of a path that make it a list, or something else than an article.
static NOT_ARTICLES: WordSet = WordSet::new(
    "archiv archive archives author authors autor autore autoren cart categories category contact datenschutz feed impressum \
     kategorie kategorien kontakt legal login page privacy rss schlagwort search seite signin tag tags terms topic topics",
);
/// So many words of an address are the title of an article.
const SLUG_WORDS_MIN: usize = 3;
/// Names of what tells one article from another in addresses that share a path.
const NUMBERED_BY: &[&str] = &["article", "articleid", "id", "newsid", "nid", "p", "post", "postid", "uid"];

/// Whether an address may be that of an article on the list at `list`.
pub fn is_article(address: &Url, list: &Url) -> bool {
    let segments = segments(address);
    let has_word = segments.iter().flat_map(|segment| segment.split('-')).any(|word| NOT_ARTICLES.contains(word));
    // Below a topic may stand what was published on a day.
    let is_list = has_word && !(is_dated(&segments) && is_slug(&segments));
    let is_read = !is_file(address) || is_document(address);
    let is_page = is_own(address, list) && is_read && identity(address) != identity(list);
    is_page
        && !is_list
        && (is_below(address, list) || is_slug(&segments) || is_dated(&segments) || is_permalink(address))
}

/// Whether an address stands below that of the list, or shares it and is numbered.
pub fn is_below(address: &Url, list: &Url) -> bool {
    let base = list.path().trim_end_matches('/');
    let base = base.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5).map_or(base, |(name, _)| name);
    let rest = address.path().strip_prefix(base).filter(|_| address.host_str() == list.host_str());
    match rest {
        Some(rest) if rest.trim_end_matches('/').is_empty() || address.path() == list.path() => is_numbered(address),
        // Below the front page stands everything.
        Some(rest) => !base.is_empty() && rest.starts_with('/') && !is_number(rest.trim_matches('/')),
        None => false,
    }
}

/// The parts of a path, in lower case; the page that stands for a folder is none.
pub fn segments(url: &Url) -> Vec<String> {
    let is_named = |segment: &&str| !segment.is_empty() && !segment.starts_with("index.");
    url.path_segments().into_iter().flatten().filter(is_named).map(str::to_lowercase).collect()
}

/// Whether an address is that of a document, as which some publish what they have to say.
pub fn is_document(address: &Url) -> bool {
    address.path().to_ascii_lowercase().ends_with(".pdf")
}

/// Whether an address tells by a name of its query which article it is of.
fn is_numbered(address: &Url) -> bool {
    let mut names = address.query_pairs().map(|(name, _)| name.to_ascii_lowercase());
    names.any(|name| NUMBERED_BY.contains(&name.as_str()) || name.ends_with("[news]"))
}

/// Whether an address is the front page's but for a number or a title, as WordPress has them.
fn is_permalink(address: &Url) -> bool {
    let has_title = || address.query_pairs().any(|(_, value)| is_slug(&[value.into_owned()]));
    address.path() == "/" && (is_numbered(address) || has_title())
}

/// Whether the last part of a path is a title.
fn is_slug(segments: &[String]) -> bool {
    segments
        .last()
        .is_some_and(|last| folded_words(last).iter().filter(|word| !is_number(word)).count() >= SLUG_WORDS_MIN)
}

/// Whether a path has a year in it, and something behind that is no number.
fn is_dated(segments: &[String]) -> bool {
    let year =
        segments.iter().position(|segment| segment.len() == 4 && segment.starts_with("20") && is_number(segment));
    year.is_some_and(|at| segments[at + 1..].iter().any(|segment| !is_number(segment)))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/')
}
