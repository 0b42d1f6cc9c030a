//! Blocks of a name and a title that repeat on a page.
//!
//! Duty: elements in order to pairs that look alike. A menu repeats too: what tells people from it is that the names are
//! names that people bear, and that names and titles are written in elements of different kinds.

use std::collections::BTreeMap;

use url::Url;

use super::{TEAM_MIN, TeamMember, is_title, member};
use crate::bounds::cut;
use crate::extraction::headlines::person_name;
use crate::extraction::tree::Tree;
use crate::mentions::is_name_of_people;
use outbound::reading;
use outbound::web_address;

/// Texts behind a name in which its title is looked for: pronouns may stand between.
const TITLE_WITHIN: usize = 2;
/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 80;
/// The longest title, in bytes.
const TITLE_BYTES_MAX: usize = 160;
/// Elements behind a name in which the link to a profile is looked for.
const PROFILE_WITHIN: usize = 60;

/// Elements that stand within a line.
const INLINE: &[&str] = &["a", "span", "b", "strong", "em", "i", "u", "font"];
/// Words of the classes of blocks whose people are not of the team: customers who are quoted, authors of articles.
const OF_OTHERS: &[&str] = &["testimonial", "review", "quote", "customer", "client", "author", "byline"];
/// Elements around a name that are looked at for such words.
const AROUND_MAX: usize = 8;
/// Texts of one page that are looked at: a team of the most people that are read has a third of them.
const LEAVES_MAX: usize = 4_000;
/// As much of the classes of an element is looked at, in bytes.
const CLASS_BYTES_MAX: usize = 500;
/// What stands between a name and a title in one text.
const BETWEEN: &[&str] = &[", ", " – ", " — ", " - ", " | ", ": "];

/// An element with text and no element with text inside of it.
struct Leaf {
    index: usize,
    text: String,
    /// The kinds of the element and of the one that it stands in.
    kind: String,
}

/// A name and its title.
struct Card {
    name: String,
    title: String,
    index: usize,
    kind: String,
}

/// The people whom the page at `url` shows in blocks that repeat, in order, and all texts that are names.
pub fn shown(tree: &Tree, url: &Url) -> (Vec<TeamMember>, Vec<String>) {
    let leaves = leaves(tree);
    let names = leaves.iter().map(|leaf| &leaf.text).filter(|text| is_name(text)).cloned().collect();
    let mut cards: Vec<Card> = (0..leaves.len()).filter_map(|at| card(tree, &leaves, at)).collect();
    let mut kinds: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for card in &cards {
        let (all, of_people) = kinds.entry(card.kind.clone()).or_default();
        *all += 1;
        *of_people += usize::from(card.name.split_whitespace().any(is_name_of_people));
    }
    // Lists of names are of English-speaking countries above all: a third of a team is found in them anywhere.
    let is_team = |(all, of_people): &(usize, usize)| *all >= TEAM_MIN && of_people * 3 >= *all;
    cards.retain(|card| kinds.get(&card.kind).is_some_and(is_team));
    let ends = cards.iter().skip(1).map(|card| card.index).chain([tree.len()]);
    let members = cards.iter().zip(ends).filter_map(|(card, end)| {
        let profile_url = profile(tree, card.index, end, url);
        member(&card.name, &card.title, profile_url)
    });
    (members.collect(), names)
}

/// Whether the address is that of a person on a network.
pub fn is_profile(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    (host == "linkedin.com" || host.ends_with(".linkedin.com")) && url.path().starts_with("/in/")
}

fn leaves(tree: &Tree) -> Vec<Leaf> {
    let mut has_text_inside = vec![false; tree.len()];
    let is_text = |index: usize| {
        let is_shown = tree.element(index).is_some_and(|element| !matches!(element.name.as_str(), "script" | "style"));
        is_shown && tree.text_bytes(index) > 0
    };
    for index in (0..tree.len()).rev() {
        if let (true, Some(parent)) = (is_text(index), tree.element(index).and_then(|element| element.parent)) {
            has_text_inside[parent] = true;
        }
    }
    let leaf = |index: usize| {
        // A name that is a link is written in the same element as one that is none.
        let around = std::iter::successors(Some(index), |index| {
            let element = tree.element(*index).filter(|element| INLINE.contains(&element.name.as_str()))?;
            element.parent.filter(|parent| tree.text_bytes(*parent) == tree.text_bytes(*index))
        });
        let outermost = around.last().unwrap_or(index);
        Leaf { index: outermost, text: tree.text(index), kind: kind(tree, outermost) }
    };
    let of_text = (0..tree.len()).filter(|index| is_text(*index) && !has_text_inside[*index]);
    of_text.take_while(|_| reading::goes_on()).take(LEAVES_MAX).map(leaf).collect()
}

/// The names of the element and of the one that it stands in, with the first of their classes.
fn kind(tree: &Tree, index: usize) -> String {
    let word = |index: usize| {
        let element = tree.element(index)?;
        let class =
            element.attribute("class").and_then(|classes| cut(classes, CLASS_BYTES_MAX).split_whitespace().next());
        Some(format!("{}.{}", element.name, class.unwrap_or_default()))
    };
    let parent = tree.element(index).and_then(|element| element.parent);
    format!("{}>{}", parent.and_then(word).unwrap_or_default(), word(index).unwrap_or_default())
}

fn card(tree: &Tree, leaves: &[Leaf], at: usize) -> Option<Card> {
    let leaf = &leaves[at];
    if is_of_others(tree, leaf.index) {
        return None;
    }
    let is_post = |text: &str| text.len() <= TITLE_BYTES_MAX && is_title(text);
    let card = |name: &str, title: &str, way: &str| {
        let (name, title, kind) = (name.to_owned(), title.to_owned(), format!("{way} {}", leaf.kind));
        Some(Card { name, title, index: leaf.index, kind })
    };
    if !is_name(&leaf.text) {
        let parts = BETWEEN.iter().find_map(|between| leaf.text.split_once(between));
        let (name, title) = parts.filter(|(name, title)| is_name(name) && is_post(title))?;
        return card(name, title, "within");
    }
    if let Some(title) = beside(tree, leaf, leaves.get(at + 1)).filter(|text| is_post(text)) {
        return card(&leaf.text, &title, "beside");
    }
    let behind = leaves[at + 1..].iter().take(TITLE_WITHIN).take_while(|next| next.kind != leaf.kind);
    let title = behind.map(|next| &next.text).find(|text| is_post(text))?;
    card(&leaf.text, title, "behind")
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
    text.len() <= NAME_BYTES_MAX && person_name(text).is_some_and(|name| name.last.is_some()) && !is_title(text)
}

/// What stands behind the leaf in the element around it, in no element of its own: `<p><b>Ada Byron</b><br>Engineer</p>`.
fn beside(tree: &Tree, leaf: &Leaf, next: Option<&Leaf>) -> Option<String> {
    let parent = tree.element(leaf.index)?.parent?;
    let bytes_beside = tree.text_bytes(parent) - tree.text_bytes(leaf.index);
    let is_last = next.is_none_or(|next| next.index >= tree.end_of(parent));
    if !is_last || bytes_beside > TITLE_BYTES_MAX || !tree.begins_with(parent, leaf.index) {
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
