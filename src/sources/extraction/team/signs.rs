//! What stands with a name and tells whose it is: classes, and addresses.
//!
//! Duty: elements to signs. Never here: which text is a name or a title.

use url::Url;

use crate::extraction::tree::Tree;
use crate::text::folding::folded_words;
use outbound::web_address;

/// Elements around a name that are looked at.
pub const AROUND_MAX: usize = 8;
/// Elements behind a name in which addresses are looked for.
const ADDRESS_WITHIN: usize = 60;
/// Words of the classes of blocks whose people are not of the team: customers who are quoted, authors of articles.
const OF_OTHERS: &[&str] = &["testimonial", "review", "quote", "customer", "client", "author", "byline"];
/// Words of the classes of blocks whose people are of the team, even where they are written like authors or customers.
const OF_TEAM: &[&str] = &[
    "board", "equipe", "equipo", "executive", "leader", "leadership", "management", "mitarbeiter", "personnel",
    "staff", "team",
];

/// Whether classes around a name, or that of its title, say that it stands in a team; `None` where it is one of others, or
/// stands in a quotation.
pub fn is_in_team(tree: &Tree, name: usize, title: Option<usize>) -> Option<bool> {
    let around = std::iter::successors(Some(name), |index| tree.element(*index)?.parent).take(AROUND_MAX);
    let elements = around.chain(title).filter_map(|index| tree.element(index));
    let (mut is_of_others, mut is_of_team) = (false, false);
    for element in elements.filter(|element| !matches!(element.name.as_str(), "body" | "html")) {
        if matches!(element.name.as_str(), "blockquote" | "q") {
            return None;
        }
        for word in element.class_words() {
            let word = word.to_ascii_lowercase();
            let word = word.strip_suffix('s').unwrap_or(&word);
            is_of_others |= OF_OTHERS.contains(&word);
            is_of_team |= OF_TEAM.contains(&word);
        }
    }
    (is_of_team || !is_of_others).then_some(is_of_team)
}

/// The profile to which the card leads that begins at `index` and ends before `end`: on a network, or where the name leads.
pub fn profile(tree: &Tree, index: usize, end: usize, url: &Url) -> Option<Url> {
    let address = |index: usize| {
        let element = tree.element(index).filter(|element| element.name == "a")?;
        web_address::join(url, element.attribute("href")?)
    };
    let mut behind = (index..end.min(index + ADDRESS_WITHIN)).filter_map(address);
    let inside = index..tree.end_of(index);
    let around = std::iter::successors(Some(index), |index| tree.element(*index)?.parent).take(3);
    behind.find(is_profile).or_else(|| inside.chain(around).filter_map(address).find(|address| address != url))
}

/// Whether the address is that of a person on a network.
pub fn is_profile(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    (host == "linkedin.com" || host.ends_with(".linkedin.com")) && url.path().starts_with("/in/")
}

/// Whether the card leads to an address for mail that bears the last word of the name.
pub fn has_mail(tree: &Tree, index: usize, end: usize, name: &str) -> bool {
    let last = folded_words(name).pop().filter(|last| last.len() > 2);
    let mut addresses = (index..end.min(index + ADDRESS_WITHIN)).filter_map(|index| tree.element(index)?.href());
    last.is_some_and(|last| addresses.any(|href| href.starts_with("mailto:") && href.to_lowercase().contains(&last)))
}

/// The kind of an element without that of the one around it, where its class tells it from others.
pub fn own_kind(kind: &str) -> &str {
    kind.rsplit_once('>').filter(|(_, own)| !own.ends_with('.')).map_or(kind, |(_, own)| own)
}
