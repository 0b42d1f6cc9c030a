//! The articles that a page lists, such as the front page of a blog or of a newsroom that has no feed.
//!
//! Duty: a page to addresses, titles and days, by rules that menus and footers do not meet. Pure and bounded. Never here:
//! which of the articles are new.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::NaiveDate;
use url::Url;

use super::addresses::Addresses;
use super::site::{is_file, is_own};
use super::tree::places::{Place, places};
use super::tree::{Element, Tree};
use crate::bounds::{LINKS_MAX, TITLE_BYTES_MAX, cut};
use crate::text::canonical_url::{canonical, identity};
use crate::text::folding::{folded, folded_words};
use crate::text::pattern::WordSet;
use crate::text::plain::one_line;
use crate::text::written_days::written_day;
use outbound::reading;
use outbound::web_address;

/// Articles of one page that are read.
const ARTICLES_MAX: usize = 300;
/// Elements of the block of one article that are looked at, and before it for its day.
const BLOCK_ELEMENTS_MAX: usize = 200;
const BEFORE_MAX: usize = 60;
/// A summary that is shorter says nothing.
const SUMMARY_BYTES_MIN: usize = 20;
/// So many words of an address are the title of an article.
const SLUG_WORDS_MIN: usize = 3;

/// Words of a path that make it a list, or something else than an article.
static NOT_ARTICLES: WordSet = WordSet::new(
    "archiv archive archives author authors autor autore autoren cart categories category contact datenschutz feed impressum \
     kategorie kategorien kontakt legal login page privacy rss schlagwort search seite signin tag tags terms topic topics",
);
/// What links say that lead on to an article without naming it.
const LEAD_ON: &[&str] = &[
    "continue reading", "details", "en savoir plus", "find out more", "full story", "keep reading", "learn more",
    "leer mas", "lees meer", "leggi di piu", "les mer", "lire la suite", "mehr", "mehr erfahren", "mehr lesen", "more",
    "read article", "read more", "read post", "read the article", "read the post", "saiba mais", "see more", "view",
    "view article", "weiterlesen", "weiter lesen", "zum artikel",
];
/// Names of what tells one article from another in addresses that share a path.
const NUMBERED_BY: &[&str] = &["article", "articleid", "id", "newsid", "nid", "p", "post", "postid", "uid"];

/// An article that a page lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// Its own page.
    pub url: Url,
    /// Its title, one line.
    pub title: String,
    /// The day that stands beside it.
    pub published_on: Option<NaiveDate>,
    /// What the list says of it.
    pub summary: Option<String>,
}

/// The articles that the page at `url` lists, in order, each once.
pub fn articles(tree: &Tree, url: &Url) -> Vec<Article> {
    let base = tree.named("base").find_map(|(_, element)| element.attribute("href"));
    let base = base.and_then(|base| web_address::join(url, base)).unwrap_or_else(|| url.clone());
    let page = Listing { tree, url, places: places(tree) };
    let links = page.links(&mut Addresses::of(&base));
    let owners = owners(tree, &links);
    let mut found: Vec<(String, bool, Article)> = Vec::new();
    let mut seen = HashSet::new();
    for (number, anchor, address) in links {
        if found.len() >= ARTICLES_MAX || !reading::goes_on() {
            break;
        }
        if seen.insert(number) {
            found.extend(page.article(anchor, &address, &owners));
        }
    }
    let mut of_kinds: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|(kind, ..)| *of_kinds.entry(kind).or_default() += 1);
    // What is not below the list must look like others in it.
    let is_one_of_many = |kind: &str| of_kinds.get(kind).is_some_and(|count| *count > 1);
    let is_kept: Vec<bool> = found.iter().map(|(kind, is_below, _)| *is_below || is_one_of_many(kind)).collect();
    found.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|((.., article), _)| article).collect()
}

/// Which article the links in an element lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Nobody,
    One(usize),
    Several,
}

struct Listing<'a> {
    tree: &'a Tree,
    url: &'a Url,
    places: Vec<Place>,
}

impl Listing<'_> {
    /// The links that may lead to articles: a number for each article, the anchor, the address.
    fn links(&self, addresses: &mut Addresses<'_>) -> Vec<(usize, usize, Url)> {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let anchors = self.tree.named("a").filter(|(index, _)| !self.places[*index].is_around).take(LINKS_MAX);
        let mut links = Vec::new();
        for (index, anchor) in anchors {
            let Some(address) = anchor.href().and_then(|href| addresses.join(href)) else { continue };
            if self.is_article(&address) {
                let next = numbers.len();
                let number = *numbers.entry(identity(&address)).or_insert(next);
                links.push((number, index, canonical(&address)));
            }
        }
        links
    }

    /// Whether an address may be that of an article on this list.
    fn is_article(&self, address: &Url) -> bool {
        let segments = segments(address);
        let is_list = segments.iter().flat_map(|segment| segment.split('-')).any(|word| NOT_ARTICLES.contains(word));
        let is_page = is_own(address, self.url) && !is_file(address) && identity(address) != identity(self.url);
        is_page && !is_list && (self.is_below(address) || is_slug(&segments) || is_dated(&segments))
    }

    /// Whether an address stands below that of the list, or shares it and is numbered.
    fn is_below(&self, address: &Url) -> bool {
        let base = self.url.path().trim_end_matches('/');
        let base = base.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5).map_or(base, |(name, _)| name);
        let is_numbered = || {
            let mut names = address.query_pairs().map(|(name, _)| name.to_ascii_lowercase());
            names.any(|name| NUMBERED_BY.contains(&name.as_str()) || name.ends_with("[news]"))
        };
        let rest = address.path().strip_prefix(base).filter(|_| address.host_str() == self.url.host_str());
        match rest {
            Some(rest) if rest.trim_end_matches('/').is_empty() || address.path() == self.url.path() => is_numbered(),
            // Below the front page stands everything.
            Some(rest) => !base.is_empty() && rest.starts_with('/') && !is_number(rest.trim_matches('/')),
            None => false,
        }
    }

    /// The kind of the block in which an article is shown, whether it stands below the list, and the article.
    fn article(&self, anchor: usize, address: &Url, owners: &[Owner]) -> Option<(String, bool, Article)> {
        let tree = self.tree;
        let parent = |index: usize| tree.element(index)?.parent;
        let is_its = |index: &usize| owners[*index] == owners[anchor];
        let block = std::iter::successors(Some(anchor), |index| parent(*index).filter(is_its)).last()?;
        let inside = || (block..tree.end_of(block)).take(BLOCK_ELEMENTS_MAX);
        let heading = inside().find(|index| is_heading(tree, *index)).map(|index| tree.text(index));
        let published_on = inside().find_map(|index| day_at(tree, index)).or_else(|| self.day_before(block));
        let named = heading.clone().or_else(|| self.title_in(anchor, block));
        let title = cut(&named?, TITLE_BYTES_MAX).to_owned();
        let is_below = self.is_below(address);
        let is_telling = heading.is_some()
            || published_on.is_some()
            || segments(address).last().is_some_and(|last| last.contains('-'));
        if !is_title(&title) || !is_telling {
            return None;
        }
        let summary = inside().filter(|index| tree.element(*index).is_some_and(|element| element.name == "p"));
        let summary =
            summary.map(|index| self.said(index)).find(|text| text.len() >= SUMMARY_BYTES_MIN && *text != title);
        Some((kind(tree, block), is_below, Article { url: address.clone(), title, published_on, summary }))
    }

    /// The title that an anchor or its block has without a heading: what is marked as one, or what the link says.
    fn title_in(&self, anchor: usize, block: usize) -> Option<String> {
        let tree = self.tree;
        let marked = (block..tree.end_of(block)).take(BLOCK_ELEMENTS_MAX).find(|index| {
            let classes = tree.element(*index).and_then(|element| element.attribute("class")).unwrap_or_default();
            let mut words = classes.split(|letter: char| !letter.is_ascii_alphabetic());
            words.any(|word| ["title", "headline", "heading"].contains(&word.to_ascii_lowercase().as_str()))
                && tree.text_bytes(*index) > 0
        });
        let said = marked.map(|index| tree.text(index)).unwrap_or_else(|| tree.text(anchor));
        let label =
            || tree.element(anchor)?.attribute("aria-label").or_else(|| tree.element(anchor)?.attribute("title"));
        if is_title(&said) { Some(said) } else { label().map(one_line) }
    }

    /// The day in the element that stands before the block.
    fn day_before(&self, block: usize) -> Option<NaiveDate> {
        let parent = self.tree.element(block)?.parent;
        let before = (block.saturating_sub(BEFORE_MAX)..block).rev();
        let mut siblings =
            before.filter(|index| self.tree.element(*index).is_some_and(|element| element.parent == parent));
        siblings.next().and_then(|index| day_at(self.tree, index))
    }

    /// What a paragraph says before the link that leads on.
    fn said(&self, paragraph: usize) -> String {
        let link = (paragraph..self.tree.end_of(paragraph))
            .find(|index| self.tree.element(*index).is_some_and(|element| element.name == "a"));
        one_line(&self.tree.said_before(paragraph, link))
    }
}

/// Whose links each element holds.
fn owners(tree: &Tree, links: &[(usize, usize, Url)]) -> Vec<Owner> {
    let mut owners = vec![Owner::Nobody; tree.len()];
    links.iter().for_each(|(number, anchor, _)| owners[*anchor] = Owner::One(*number));
    for index in (0..tree.len()).rev() {
        let Some(parent) = tree.element(index).and_then(|element| element.parent) else { continue };
        owners[parent] = match (owners[parent], owners[index]) {
            (one, Owner::Nobody) | (Owner::Nobody, one) => one,
            (one, other) if one == other => one,
            _ => Owner::Several,
        };
    }
    owners
}

fn is_heading(tree: &Tree, index: usize) -> bool {
    let name = tree.element(index).map(|element| element.name.as_str());
    matches!(name, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6")) && is_title(&tree.text(index))
}

/// The day that an element names, for machines or for people.
fn day_at(tree: &Tree, index: usize) -> Option<NaiveDate> {
    let element = tree.element(index)?;
    let is_date = |element: &Element| element.attribute("itemprop").is_some_and(|name| name.starts_with("date"));
    let of_machine =
        element.attribute("datetime").or_else(|| element.attribute("content").filter(|_| is_date(element)));
    of_machine.and_then(written_day).or_else(|| {
        let is_short = (1..60).contains(&tree.text_bytes(index));
        is_short.then(|| tree.text(index)).and_then(|text| written_day(&text))
    })
}

/// The names of an element and of the one that it stands in, with the first of their classes.
fn kind(tree: &Tree, index: usize) -> String {
    let word = |index: usize| {
        let element = tree.element(index)?;
        let class =
            element.attribute("class").and_then(|classes| cut(classes, TITLE_BYTES_MAX).split_whitespace().next());
        Some(format!("{}.{}", element.name, class.unwrap_or_default()))
    };
    let parent = tree.element(index).and_then(|element| element.parent);
    format!("{}>{}", parent.and_then(word).unwrap_or_default(), word(index).unwrap_or_default())
}

fn is_title(text: &str) -> bool {
    let words = folded(text.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.chars().filter(|letter| letter.is_alphabetic()).count() > 2
        && !LEAD_ON.contains(&words.as_str())
        && written_day(text).is_none()
}

/// The parts of a path, in lower case.
fn segments(url: &Url) -> Vec<String> {
    url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()).map(str::to_lowercase).collect()
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

#[cfg(test)]
mod tests;
