//! The people on a company's team page, with their titles.
//!
//! Duty: a page to names and titles, from JSON-LD or from blocks that repeat; strict, since each person who is read wrongly
//! is a finding that nobody made. Pure and bounded. Never here: who is new, or who has left.

mod cards;
mod links;
mod persons;
mod signs;

use std::collections::HashSet;

use url::Url;

pub use links::team_links;

use super::headlines::{PersonName, person_name};
use super::named_posting::is_job_title;
use super::page::{decode, json_ld};
use super::tree::Tree;
use crate::bounds::{TITLE_BYTES_MAX, cut};
use crate::classification::is_known_title;
use crate::text::folding::{folded_line, folded_words};
use crate::text::pattern::WordSet;
use crate::text::plain::one_line;
use outbound::reading;

/// A page with fewer people is no team page.
pub const TEAM_MIN: usize = 2;
/// People of one page that are read.
const TEAM_MAX: usize = 500;
/// Names of one page that are remembered.
const NAMES_MAX: usize = 1_000;
/// What looking at one title takes, in steps.
const TITLE_STEPS: usize = 100;
/// Words that are cut short at the end of a title.
const CUT_SHORT: &[&str] = &[" Co.", " Corp.", " Dept.", " Inc.", " Ltd."];
/// Words of a title.
const TITLE_WORDS_MAX: usize = 14;

/// Words for those who sit on boards or help a team; in offers of work they mean something else.
static OF_TEAMS: WordSet = WordSet::new(
    "administrateur administratrice associata bestyrelsesmedlem bestuurslid bestuurder beirat beiratin beiratsmitglied \
     coach commissaris conseiller conseillere consejera consejero conselheira conselheiro consigliera consigliere \
     delegada delegado delegata delegato delegue deleguee dirigeant dirigeante expert experte expertin expresidenta \
     expresidente fellow ledamot liaison member membra membre membro mentor miembro mitglied obfrau obmann organiser \
     organizer styreleder styremedlem trustee vocal vorstandsmitglied",
);

/// Somebody on a team page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMember {
    /// The name.
    pub name: PersonName,
    /// The title.
    pub title: String,
    /// Where the page leads for more about the person: a profile on a network, or a page of the site.
    pub profile_url: Option<Url>,
}

/// What a page says of a team.
#[derive(Clone, Debug, Default)]
pub struct TeamPage {
    /// The people with a title, in order, each once; nobody where there are fewer than [`TEAM_MIN`].
    pub members: Vec<TeamMember>,
    /// Names on the page, as [`person_key`] writes them, of whomever.
    pub names: Vec<String>,
    /// The words of the page, folded, with a blank around each.
    words: String,
}

impl TeamPage {
    /// Reads the page at `url`.
    pub fn read(body: &[u8], content_type: Option<&str>, url: &Url) -> Self {
        let Some(tree) = Tree::read(&decode(body, content_type)) else { return Self::default() };
        let described = each_once(persons::described(&json_ld(&tree), url));
        let (shown, names) = cards::shown(&tree, url);
        let members = if described.len() >= TEAM_MIN { described } else { each_once(shown) };
        let members = Some(members).filter(|members| members.len() >= TEAM_MIN).unwrap_or_default();
        let names = names.iter().filter_map(|name| person_name(name)).map(|name| person_key(&name));
        Self { members, names: names.take(NAMES_MAX).collect(), words: folded_line(tree.whole_text()) }
    }

    /// Whether the person with this key is named anywhere on the page, with a title or without.
    pub fn has_name(&self, key: &str) -> bool {
        self.words.contains(&format!(" {key} ")) || self.members.iter().any(|member| person_key(&member.name) == key)
    }
}

/// By what a person of one company is known again.
pub fn person_key(name: &PersonName) -> String {
    folded_words(&name.full).join(" ")
}

fn each_once(members: Vec<TeamMember>) -> Vec<TeamMember> {
    let mut seen = HashSet::new();
    members.into_iter().filter(|member| seen.insert(person_key(&member.name))).take(TEAM_MAX).collect()
}

/// A person with this name and title; `None` where either is not what it should be.
fn member(name: &str, title: &str, profile_url: Option<Url>) -> Option<TeamMember> {
    let title = one_line(cut(title, TITLE_BYTES_MAX));
    let title = title.trim_matches(|letter: char| letter.is_whitespace() || ",;:|–—-".contains(letter)).to_owned();
    if !is_like_title(&title) {
        return None;
    }
    let name = person_name(name).filter(|name| name.last.is_some())?;
    Some(TeamMember { name, title, profile_url })
}

/// Whether the text names a post.
fn is_title(text: &str) -> bool {
    // All vocabularies are looked through.
    is_like_title(text) && reading::take(TITLE_STEPS) && is_known_title(text)
}

/// Whether the text, which is no name, names a post or those who have one.
fn is_post(text: &str) -> bool {
    let is_of_team = || folded_words(text).iter().any(|word| OF_TEAMS.contains(word));
    is_title(text) || is_like_title(text) && (is_job_title(text) || is_of_team())
}

/// Whether the text has the shape of a post, and is no sentence.
fn is_like_title(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let is_short = (1..=TITLE_WORDS_MAX).contains(&words) && !is_sentence(text);
    // Who has a post at another company is quoted, advises or invests.
    let is_elsewhere = text.contains('@') || text.split_whitespace().any(|word| matches!(word, "at" | "bei" | "chez"));
    is_short && !is_elsewhere && text.chars().any(char::is_alphabetic)
}

/// Whether the text ends like a sentence, and not with a word that is cut short.
fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?']) && !CUT_SHORT.iter().any(|word| text.ends_with(word))
}

#[cfg(test)]
mod tests;
