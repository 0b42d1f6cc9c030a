//! Blocks of a name and a title that repeat on a page.
//!
//! Duty: elements in order to pairs that look alike. A menu repeats too: what tells people from it is that the names are
//! names that people bear, and that names and titles are written in elements of different kinds.

use std::collections::{BTreeMap, HashSet};

use url::Url;

use super::signs::{AROUND_MAX, has_mail, is_in_team, is_profile, own_kind, profile};
use super::{TEAM_MIN, TeamMember, is_like_title, is_title, member};
use crate::extraction::headlines::{is_addressed, is_family_name, is_given_name, person_name};
use crate::extraction::tree::Tree;
use crate::extraction::tree::leaves::{Leaf, leaves};
use crate::extraction::tree::places::{Place, places};
use crate::mentions::is_name_of_people;
use crate::text::folding::folded_words;

/// Texts behind a name in which its title is looked for: pronouns may stand between.
const TITLE_WITHIN: usize = 2;
/// Texts of a block that has one name and one title, such as a row of a table.
const PAIR_MAX: usize = 4;
/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 80;
/// The longest title, in bytes.
const TITLE_BYTES_MAX: usize = 160;
/// A text of lines of which the first is a name is at most so long as it is written, in bytes.
const LINES_BYTES_MAX: usize = 1_000;
/// What stands around a name without being of it.
const AROUND_NAMES: &[char] = &[' ', '|', '•', '·', '*', '–', '—', '-', '\u{200b}', '\u{feff}'];

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
    /// The element of the title, where it has one of its own, and the kind of that.
    title_index: Option<usize>,
    title_kind: String,
    /// Whether the classes around say that it is of a team.
    is_in_team: bool,
    profile: Option<Url>,
    /// Whether an address for mail in it bears the name.
    has_mail: bool,
}

impl Card {
    /// Whether it is a person's by its name or an address.
    fn is_of_person(&self) -> bool {
        let words = folded_words(&self.name);
        let is_whole = || matches!(&words[..], [first, .., last] if is_given_name(first) && is_family_name(last));
        let has_known_name = || words.iter().any(|word| is_name_of_people(word)) || is_whole();
        self.has_mail || self.profile.as_ref().is_some_and(is_profile) || is_addressed(&self.name) || has_known_name()
    }
}

/// Cards of one kind.
#[derive(Default)]
struct OfKind<'a> {
    known: usize,
    unknown: usize,
    of_people: usize,
    in_teams: usize,
    /// The kinds of the titles that are known.
    title_kinds: HashSet<&'a str>,
}

impl OfKind<'_> {
    /// Lists of names are of English-speaking countries above all: a third of a team is found in them, or has profiles, anywhere.
    /// Beside titles that are known, a third of all at least, stand others.
    fn is_team_with(&self, card: &Card) -> bool {
        let has_others = self.known * 2 >= self.unknown && self.title_kinds.contains(card.title_kind.as_str());
        let (is_many, of_people) = (self.known > TEAM_MIN, self.of_people.max(self.in_teams));
        // Two are a team where there is no doubt of both.
        let is_team = if is_many { of_people * 3 >= self.known } else { of_people >= TEAM_MIN && self.of_people > 0 };
        is_team && (card.is_known || is_many && has_others)
    }
}

/// The people whom the page at `url` shows in blocks that repeat, in order, and all texts that are names.
pub fn shown(tree: &Tree, url: &Url) -> (Vec<TeamMember>, Vec<String>) {
    let texts = Texts { tree, leaves: leaves(tree), places: places(tree) };
    let leaves = &texts.leaves;
    let names = leaves.iter().map(|leaf| &leaf.text).filter(|text| is_name(text)).cloned().collect();
    let mut from = 0;
    let cards = (0..leaves.len()).filter_map(|at| card(&texts, at, &mut from));
    let own = |card: Card| Some(Card { is_in_team: is_in_team(tree, card.index, card.title_index)?, ..card });
    let mut cards: Vec<Card> = cards.filter_map(own).collect();
    let ends: Vec<usize> = cards.iter().skip(1).map(|card| card.index).chain([tree.len()]).collect();
    for (card, end) in cards.iter_mut().zip(ends) {
        card.profile = profile(tree, card.index, end, url);
        card.has_mail = has_mail(tree, card.index, end, &card.name);
    }
    let of_team = of_team(&cards);
    let members = cards.into_iter().zip(of_team).filter(|(_, is_of_team)| *is_of_team);
    let members = members.filter_map(|(card, _)| member(&card.name, &card.title, card.profile));
    (members.collect(), names)
}

/// Which of the cards are of the team.
fn of_team(cards: &[Card]) -> Vec<bool> {
    let mut kinds: BTreeMap<&str, OfKind> = BTreeMap::new();
    for card in cards {
        let of_kind = kinds.entry(&card.kind).or_default();
        if card.is_known {
            of_kind.known += 1;
            of_kind.of_people += usize::from(card.is_of_person());
            of_kind.in_teams += usize::from(card.is_in_team);
            of_kind.title_kinds.insert(&card.title_kind);
        } else {
            of_kind.unknown += 1;
        }
    }
    let is_listed = |card: &Card| kinds.get(card.kind.as_str()).is_some_and(|of_kind| of_kind.is_team_with(card));
    let listed = cards.iter().filter(|card| is_listed(card));
    let (title_kinds, titles): (HashSet<&str>, HashSet<usize>) =
        listed.filter_map(|card| Some((own_kind(&card.title_kind), card.title_index?))).unzip();
    // Some names of a team are written in another element, as that of its head.
    let is_like_listed = |card: &Card| {
        let is_free = card.title_index.is_some_and(|title| !titles.contains(&title));
        card.is_known && is_free && title_kinds.contains(own_kind(&card.title_kind)) && card.is_of_person()
    };
    cards.iter().map(|card| is_listed(card) || is_like_listed(card)).collect()
}

/// The card of the name at `at`; titles before `from` are those of others.
fn card(texts: &Texts, at: usize, from: &mut usize) -> Option<Card> {
    let Texts { tree, leaves, .. } = texts;
    let leaf = &leaves[at];
    let text = leaf.text.trim_matches(AROUND_NAMES);
    let card = |name: &str, title: &str, way: &str| Card {
        name: name.to_owned(),
        title: title.to_owned(),
        is_known: true,
        index: leaf.index,
        kind: format!("{way} {}", leaf.kind),
        title_index: None,
        title_kind: String::new(),
        is_in_team: false,
        profile: None,
        has_mail: false,
    };
    let mut parts = BETWEEN.iter().filter_map(|between| text.split_once(between));
    if let Some((name, title)) = parts.find(|(name, title)| is_name(name) && is_post(title)) {
        return Some(card(name, title, "within"));
    }
    if let Some((name, title)) = lines_in(tree, leaf) {
        return Some(card(&name, &title, "lines"));
    }
    if !is_name(text) {
        return None;
    }
    if let Some(title) = beside(tree, leaf, leaves.get(at + 1)).filter(|text| is_post(text)) {
        return Some(card(text, &title, "beside"));
    }
    let (title, is_known) = title_at(texts, at, *from)?;
    *from = title.max(at) + 1;
    let way = if title < at { "before" } else { "behind" };
    let title = &leaves[title];
    Some(Card {
        is_known,
        title_index: Some(title.index),
        title_kind: title.kind.clone(),
        ..card(text, &title_in(tree, title), way)
    })
}

/// The name and the title in the lines of one text.
fn lines_in(tree: &Tree, leaf: &Leaf) -> Option<(String, String)> {
    if tree.raw_text(leaf.index).len() > LINES_BYTES_MAX {
        return None;
    }
    let mut lines = tree.lines(leaf.index);
    let name = lines.next().filter(|name| name.len() < leaf.text.len() && is_name(name))?;
    let title: Vec<String> = lines.take_while(|line| is_post(line)).collect();
    (!title.is_empty()).then(|| (name, title.join(" ")))
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
