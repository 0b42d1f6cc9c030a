//! Blocks of a name and a title that repeat on a page.
//!
//! Duty: elements in order to pairs that look alike. A menu repeats too: what tells people from it is that the names are
//! names that people bear, and that names and titles are written in elements of different kinds.

use std::collections::{BTreeMap, HashSet};

use url::Url;

use super::{TEAM_MIN, TeamMember, is_like_title, is_title, member};
use crate::bounds::cut;
use crate::extraction::headlines::person_name;
use crate::extraction::tree::Tree;
use crate::extraction::tree::leaves::{Leaf, leaves};
use crate::extraction::tree::places::{Place, places};
use crate::mentions::is_name_of_people;
use crate::text::folding::folded_words;
use outbound::web_address;

/// Texts behind a name in which its title is looked for: pronouns may stand between.
const TITLE_WITHIN: usize = 2;
/// Texts of a block that has one name and one title, such as a row of a table.
const PAIR_MAX: usize = 4;
/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 80;
/// The longest title, in bytes.
const TITLE_BYTES_MAX: usize = 160;
/// Elements behind a name in which the link to a profile is looked for.
const PROFILE_WITHIN: usize = 60;

/// Words of the classes of blocks whose people are not of the team: customers who are quoted, authors of articles.
const OF_OTHERS: &[&str] = &["testimonial", "review", "quote", "customer", "client", "author", "byline"];
/// Elements around a name that are looked at.
const AROUND_MAX: usize = 8;
/// As much of the classes of an element is looked at, in bytes.
const CLASS_BYTES_MAX: usize = 500;
/// Words of employers, which some name in the place of a title.
const EMPLOYERS: &[&str] = &[
    "ag", "bv", "college", "foundation", "gmbh", "hospital", "inc", "institut", "institute", "llc", "ltd", "srl",
    "universidad", "universidade", "universita", "universitat", "universite", "university",
];
/// What stands between a name and a title in one text.
const BETWEEN: &[&str] = &[", ", " – ", " — ", " - ", " | ", ": "];

/// The texts of a page, and where they stand.
struct Texts<'a> {
    tree: &'a Tree,
    leaves: Vec<Leaf>,
    places: Vec<Place>,
}

/// A name and its title.
struct Card {
    name: String,
    title: String,
    /// Whether the title is one that is known.
    is_known: bool,
    index: usize,
    kind: String,
    /// The kind of the title, where that has an element of its own.
    title_kind: String,
    profile: Option<Url>,
}

/// Cards of one kind.
#[derive(Default)]
struct OfKind {
    known: usize,
    unknown: usize,
    of_people: usize,
    /// The kinds of the titles that are known.
    title_kinds: HashSet<String>,
}

impl OfKind {
    /// Lists of names are of English-speaking countries above all: a third of a team is found in them, or has profiles, anywhere.
    /// Beside titles that are known, a third of all at least, stand others.
    fn is_team_with(&self, card: &Card) -> bool {
        let is_one = card.is_known || self.known * 2 >= self.unknown && self.title_kinds.contains(&card.title_kind);
        self.known >= TEAM_MIN && self.of_people * 3 >= self.known && is_one
    }
}

/// The people whom the page at `url` shows in blocks that repeat, in order, and all texts that are names.
pub fn shown(tree: &Tree, url: &Url) -> (Vec<TeamMember>, Vec<String>) {
    let texts = Texts { tree, leaves: leaves(tree), places: places(tree) };
    let leaves = &texts.leaves;
    let names = leaves.iter().map(|leaf| &leaf.text).filter(|text| is_name(text)).cloned().collect();
    let mut from = 0;
    let mut cards: Vec<Card> = (0..leaves.len()).filter_map(|at| card(&texts, at, &mut from)).collect();
    let ends: Vec<usize> = cards.iter().skip(1).map(|card| card.index).chain([tree.len()]).collect();
    for (card, end) in cards.iter_mut().zip(ends) {
        card.profile = profile(tree, card.index, end, url);
    }
    let mut kinds: BTreeMap<String, OfKind> = BTreeMap::new();
    for card in &cards {
        let of_kind = kinds.entry(card.kind.clone()).or_default();
        if card.is_known {
            let is_person = || card.name.split_whitespace().any(is_name_of_people);
            of_kind.known += 1;
            of_kind.of_people += usize::from(card.profile.as_ref().is_some_and(is_profile) || is_person());
            of_kind.title_kinds.insert(card.title_kind.clone());
        } else {
            of_kind.unknown += 1;
        }
    }
    cards.retain(|card| kinds.get(&card.kind).is_some_and(|of_kind| of_kind.is_team_with(card)));
    let members = cards.into_iter().filter_map(|card| member(&card.name, &card.title, card.profile));
    (members.collect(), names)
}

/// Whether the address is that of a person on a network.
pub fn is_profile(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    (host == "linkedin.com" || host.ends_with(".linkedin.com")) && url.path().starts_with("/in/")
}

/// The card of the name at `at`; titles before `from` are those of others.
fn card(texts: &Texts, at: usize, from: &mut usize) -> Option<Card> {
    let Texts { tree, leaves, .. } = texts;
    let leaf = &leaves[at];
    if is_of_others(tree, leaf.index) {
        return None;
    }
    let card = |name: &str, title: &str, way: &str| Card {
        name: name.to_owned(),
        title: title.to_owned(),
        is_known: true,
        index: leaf.index,
        kind: format!("{way} {}", leaf.kind),
        title_kind: String::new(),
        profile: None,
    };
    let mut parts = BETWEEN.iter().filter_map(|between| leaf.text.split_once(between));
    if let Some((name, title)) = parts.find(|(name, title)| is_name(name) && is_post(title)) {
        return Some(card(name, title, "within"));
    }
    if !is_name(&leaf.text) {
        return None;
    }
    if let Some(title) = beside(tree, leaf, leaves.get(at + 1)).filter(|text| is_post(text)) {
        return Some(card(&leaf.text, &title, "beside"));
    }
    let (title, is_known) = title_at(texts, at, *from)?;
    *from = title.max(at) + 1;
    let way = if title < at { "before" } else { "behind" };
    let title = &leaves[title];
    Some(Card { is_known, title_kind: title.kind.clone(), ..card(&leaf.text, &title_in(tree, title), way) })
}

/// The title of the name at `at`, and whether it is known. It stands behind the name, or before it where both are closer to each
/// other, or where a title begins what holds them all.
fn title_at(texts: &Texts, at: usize, from: usize) -> Option<(usize, bool)> {
    let leaves = &texts.leaves;
    let may_be_its = |other: &usize| leaves[*other].kind != leaves[at].kind || texts.are_pair(at, *other);
    let behind = || {
        let behind = (at + 1..leaves.len()).take(TITLE_WITHIN).take_while(may_be_its);
        behind.filter(|title| !texts.is_of_next(at, *title))
    };
    let known = behind().find(|title| is_post(&leaves[*title].text));
    let behind = known.or_else(|| behind().find(|title| may_be_post(&leaves[*title].text)));
    let before = at.checked_sub(1).filter(|before| *before >= from && may_be_its(before));
    let is_known = |title: usize| is_post(&leaves[title].text);
    let before = before.filter(|before| is_known(*before) || known.is_none() && texts.may_begin_with_post(*before, at));
    let is_alone = |before: usize| known.is_none() && is_known(before) && texts.are_pair(at, before);
    let title = match (before, behind) {
        (Some(before), Some(behind)) if !texts.is_closer(at, [before, behind]) && !is_alone(before) => behind,
        (before, behind) => before.or(behind)?,
    };
    Some((title, is_known(title)))
}

impl Texts<'_> {
    /// Whether the title behind the name at `at` is closer to the name that follows it.
    fn is_of_next(&self, at: usize, title: usize) -> bool {
        let next = self.leaves.get(title + 1).filter(|next| is_name(&next.text));
        next.is_some_and(|_| self.around_both(title, title + 1) > self.around_both(at, title))
    }

    /// Whether the text before a name begins what holds both, and may be a title that nobody knows.
    fn may_begin_with_post(&self, title: usize, at: usize) -> bool {
        let is_first = |block: usize| title.checked_sub(1).is_none_or(|before| self.leaves[before].index < block);
        self.around_both(title, at).is_some_and(is_first) && may_be_post(&self.leaves[title].text)
    }

    /// Whether the first of two titles is closer to the name at `at` than the second.
    fn is_closer(&self, at: usize, [before, behind]: [usize; 2]) -> bool {
        let kind = |text: usize| &self.leaves[text].kind;
        let (inner, outer) = (self.around_both(before, at), self.around_both(at, behind));
        let begins_with_title = |block: usize| kind(self.first_in(block)) == kind(before);
        inner > outer || inner == outer && kind(before) == kind(behind) && inner.is_some_and(begins_with_title)
    }

    /// Whether the element around both holds little more, and no other name; menus are full of such.
    fn are_pair(&self, one: usize, other: usize) -> bool {
        let Some(block) = self.around_both(one, other).filter(|block| !self.places[*block].is_around) else {
            return false;
        };
        let end = self.leaves.partition_point(|leaf| leaf.index < self.tree.end_of(block));
        let inside = &self.leaves[self.first_in(block)..end];
        inside.len() <= PAIR_MAX && inside.iter().filter(|leaf| is_name(&leaf.text)).count() == 1
    }

    /// The first text of an element that holds some.
    fn first_in(&self, block: usize) -> usize {
        self.leaves.partition_point(|leaf| leaf.index < block)
    }

    /// The innermost element that holds two texts, unless that is far around them; the greater its number, the closer they are.
    fn around_both(&self, one: usize, other: usize) -> Option<usize> {
        let (first, last) = (self.leaves[one.min(other)].index, self.leaves[one.max(other)].index);
        let around = std::iter::successors(Some(first), |index| self.tree.element(*index)?.parent);
        around.take(AROUND_MAX).find(|index| last < self.tree.end_of(*index))
    }
}

/// Whether the text is short and names a post.
fn is_post(text: &str) -> bool {
    text.len() <= TITLE_BYTES_MAX && super::is_post(text)
}

/// Whether the text may be a title that nobody knows, and is no employer.
fn may_be_post(text: &str) -> bool {
    text.len() <= TITLE_BYTES_MAX
        && is_like_title(text)
        && !folded_words(text).iter().any(|word| EMPLOYERS.contains(&word.as_str()))
}

/// The title without the lines below it that are none, such as a place or a company.
fn title_in(tree: &Tree, leaf: &Leaf) -> String {
    let lines: Vec<String> = tree.lines(leaf.index).take_while(|line| is_post(line)).collect();
    if lines.is_empty() { leaf.text.clone() } else { lines.join(" ") }
}

/// Whether the element stands in a quotation, or in a block that is not about the team.
fn is_of_others(tree: &Tree, index: usize) -> bool {
    let around = std::iter::successors(Some(index), |index| tree.element(*index)?.parent).take(AROUND_MAX);
    around.filter_map(|index| tree.element(index)).any(|element| {
        // Everything that stands in an element asks for its classes again.
        let classes = cut(element.attribute("class").unwrap_or_default(), CLASS_BYTES_MAX).to_ascii_lowercase();
        let mut words = classes.split(|letter: char| !letter.is_ascii_alphabetic());
        let is_word =
            |word: &str| OF_OTHERS.iter().any(|known| word == *known || word.strip_suffix('s') == Some(*known));
        matches!(element.name.as_str(), "blockquote" | "q") || words.any(is_word)
    })
}

fn is_name(text: &str) -> bool {
    // Customers who are quoted often have but the first letter of their family's name.
    let is_full = |last: String| last.trim_end_matches('.').chars().count() > 1;
    text.len() <= NAME_BYTES_MAX && person_name(text).and_then(|name| name.last).is_some_and(is_full) && !is_title(text)
}

/// What stands behind the leaf in the element around it, in no element of its own: `<p><b>Ada Byron</b><br>Engineer</p>`.
fn beside(tree: &Tree, leaf: &Leaf, next: Option<&Leaf>) -> Option<String> {
    let parent = tree.element(leaf.index)?.parent?;
    let bytes_beside = tree.text_bytes(parent) - tree.text_bytes(leaf.index);
    let is_last = next.is_none_or(|next| next.index >= tree.end_of(parent));
    if !is_last || bytes_beside > TITLE_BYTES_MAX || tree.bytes_before(parent) != tree.bytes_before(leaf.index) {
        return None;
    }
    let around = tree.text(parent);
    let beside = around.strip_prefix(leaf.text.as_str())?.trim();
    (!beside.is_empty()).then(|| beside.to_owned())
}

/// The profile to which the card leads that begins at `index` and ends before `end`: on a network, or where the name leads.
fn profile(tree: &Tree, index: usize, end: usize, url: &Url) -> Option<Url> {
    let address = |index: usize| {
        let element = tree.element(index).filter(|element| element.name == "a")?;
        web_address::join(url, element.attribute("href")?)
    };
    let mut behind = (index..end.min(index + PROFILE_WITHIN)).filter_map(address);
    let inside = index..tree.end_of(index);
    let around = std::iter::successors(Some(index), |index| tree.element(*index)?.parent).take(3);
    behind.find(is_profile).or_else(|| inside.chain(around).filter_map(address).find(|address| address != url))
}
