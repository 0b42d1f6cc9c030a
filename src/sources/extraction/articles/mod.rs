//! The articles that a page lists, such as the front page of a blog or of a newsroom that has no feed.
//!
//! Duty: a page to addresses, titles and days, by rules that menus and footers do not meet. Pure and bounded. Never here:
//! which of the articles are new.

mod paths;

use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use url::Url;

use self::paths::{is_article, is_below, is_document, segments};
use super::addresses::Addresses;
use super::tree::leaves::kind;
use super::tree::places::{Place, places};
use super::tree::{Element, Tree};
use crate::bounds::{LINKS_MAX, TITLE_BYTES_MAX, cut};
use crate::text::canonical_url::{canonical, identity};
use crate::text::folding::folded;
use crate::text::plain::one_line;
use crate::text::written_days::written_day;
use outbound::reading;
use outbound::web_address;

/// Articles of one page that are read.
const ARTICLES_MAX: usize = 300;
/// Elements of the block of one article that are looked at, and before it for its day.
const BLOCK_ELEMENTS_MAX: usize = 200;
const BEFORE_MAX: usize = 60;
/// Links to one article that are looked at.
const LOOKS_MAX: usize = 3;
/// Elements around a link in which a heading is looked for, before the whole block is.
const AROUND_MAX: usize = 6;
/// Elements around a link of which the classes may say that it is an author's.
const AUTHOR_AROUND_MAX: usize = 2;
/// Elements of a block whose classes mark titles, of which the first may be a day.
const MARKED_MAX: usize = 3;
/// A summary that is shorter says nothing.
const SUMMARY_BYTES_MIN: usize = 20;

/// What links say that lead on to an article without naming it.
const LEAD_ON: &[&str] = &[
    "continue reading", "details", "en savoir plus", "find out more", "full story", "keep reading", "learn more",
    "leer mas", "lees meer", "leggi di piu", "les mer", "lire la suite", "mehr", "mehr erfahren", "mehr lesen", "more",
    "read article", "read more", "read post", "read the article", "read the post", "saiba mais", "see more", "view",
    "view article", "weiterlesen", "weiter lesen", "zum artikel",
];
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
    let mut found: Vec<Listed> = Vec::new();
    let mut looks: HashMap<usize, (usize, Option<usize>)> = HashMap::new();
    for (number, anchor, address) in links {
        if found.len() >= ARTICLES_MAX || !reading::goes_on() {
            break;
        }
        let (count, place) = looks.entry(number).or_default();
        *count += 1;
        let known = place.map(|place| &mut found[place]);
        if *count > LOOKS_MAX
            || known.as_ref().is_some_and(|known| known.has_heading && known.article.published_on.is_some())
        {
            continue;
        }
        match (page.article(anchor, &address, &owners), known) {
            (Some(listed), Some(known)) => known.complete(listed),
            (Some(listed), None) => {
                *place = Some(found.len());
                found.push(listed);
            }
            (None, _) => {}
        }
    }
    let mut of_kinds: BTreeMap<&str, usize> = BTreeMap::new();
    found.iter().for_each(|listed| *of_kinds.entry(&listed.kind).or_default() += 1);
    // What is not below the list must look like others in it.
    let is_one_of_many = |listed: &Listed| of_kinds.get(listed.kind.as_str()).is_some_and(|count| *count > 1);
    let is_kept: Vec<bool> = found.iter().map(|listed| listed.is_below || is_one_of_many(listed)).collect();
    found.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(listed, _)| listed.article).collect()
}

/// An article as one of its links shows it.
struct Listed {
    /// The kind of the block that it stands in.
    kind: String,
    /// Whether it stands below the list.
    is_below: bool,
    has_heading: bool,
    article: Article,
}

impl Listed {
    /// Takes over what another link tells better: the first may stand in a menu or a teaser.
    fn complete(&mut self, other: Self) {
        let published_on = self.article.published_on.or(other.article.published_on);
        if other.has_heading && !self.has_heading {
            *self = other;
        }
        self.article.published_on = published_on;
    }
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
            if is_article(&address, self.url) && !self.is_of_author(index) {
                let next = numbers.len();
                let number = *numbers.entry(identity(&address)).or_insert(next);
                links.push((number, index, canonical(&address)));
            }
        }
        links
    }

    /// Whether the anchor names who wrote an article.
    fn is_of_author(&self, anchor: usize) -> bool {
        let around =
            std::iter::successors(Some(anchor), |index| self.tree.element(*index)?.parent).take(AUTHOR_AROUND_MAX);
        let mut words = around.filter_map(|index| self.tree.element(index)).flat_map(Element::class_words);
        words.any(|word| matches!(word, "author" | "authors" | "byline"))
    }

    /// The article at `address`, as the block around the anchor shows it.
    fn article(&self, anchor: usize, address: &Url, owners: &[Owner]) -> Option<Listed> {
        let tree = self.tree;
        let parent = |index: usize| tree.element(index)?.parent;
        let is_its = |index: &usize| owners[*index] == owners[anchor];
        let block = std::iter::successors(Some(anchor), |index| parent(*index).filter(is_its)).last()?;
        let inside = || (block..tree.end_of(block)).take(BLOCK_ELEMENTS_MAX);
        let heading = self.heading_at(anchor, block).map(|index| tree.text(index));
        let published_on = inside().find_map(|index| day_at(tree, index)).or_else(|| self.day_before(block));
        let named = heading.clone().or_else(|| self.title_in(anchor, block));
        let title = cut(&named?, TITLE_BYTES_MAX).to_owned();
        let is_below = is_below(address, self.url);
        let is_telling = heading.is_some()
            || published_on.is_some()
            || segments(address).last().is_some_and(|last| last.contains('-'));
        // Of documents only what is told like an article is one.
        let is_other_document = is_document(address) && (heading.is_none() || published_on.is_none());
        if !is_title(&title) || !is_telling || is_other_document {
            return None;
        }
        let summary = inside().filter(|index| tree.element(*index).is_some_and(|element| element.name == "p"));
        let summary =
            summary.map(|index| self.said(index)).find(|text| text.len() >= SUMMARY_BYTES_MIN && *text != title);
        let article = Article { url: address.clone(), title, published_on, summary };
        Some(Listed { kind: kind(tree, block), is_below, has_heading: heading.is_some(), article })
    }

    /// The heading nearest to the anchor: what stands above a list of one article is of its block as well.
    fn heading_at(&self, anchor: usize, block: usize) -> Option<usize> {
        let tree = self.tree;
        let around = std::iter::successors(Some(anchor), |index| tree.element(*index)?.parent).take(AROUND_MAX);
        let nearest = around.take_while(|index| *index >= block).chain([block]);
        let within = |outer: usize| (outer..tree.end_of(outer)).take(BLOCK_ELEMENTS_MAX);
        nearest.into_iter().find_map(|outer| within(outer).find(|index| is_heading(tree, *index)))
    }

    /// The title that an anchor or its block has without a heading: what is marked as one, or what the link says.
    fn title_in(&self, anchor: usize, block: usize) -> Option<String> {
        let tree = self.tree;
        let is_marked = |index: &usize| {
            let classes = tree.element(*index).and_then(|element| element.attribute("class")).unwrap_or_default();
            is_of_title(classes) && (1..=TITLE_BYTES_MAX).contains(&tree.text_bytes(*index))
        };
        let marked = (block..tree.end_of(block)).take(BLOCK_ELEMENTS_MAX).filter(is_marked).take(MARKED_MAX);
        let marked = marked.map(|index| tree.text(index)).find(|text| is_title(text));
        let said = marked.unwrap_or_else(|| tree.text(anchor));
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

/// Whether classes mark a title: `card-title`, or `Card_cardTitle__x1` as programs write it.
fn is_of_title(classes: &str) -> bool {
    let mut words = classes.split(|letter: char| !letter.is_ascii_alphabetic());
    let is_word = |word: &str| ["title", "headline", "heading"].contains(&word.to_ascii_lowercase().as_str());
    words.any(|word| is_word(word) || word.ends_with("Title") || word.contains("TitleWrap"))
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
    matches!(name, Some("h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
        && tree.text_bytes(index) <= TITLE_BYTES_MAX
        && is_title(&tree.text(index))
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

fn is_title(text: &str) -> bool {
    let words = folded(text.trim_matches(|letter: char| !letter.is_alphanumeric()));
    words.chars().filter(|letter| letter.is_alphabetic()).count() > 2
        && !LEAD_ON.contains(&words.as_str())
        && written_day(text).is_none()
}

#[cfg(test)]
mod tests;
