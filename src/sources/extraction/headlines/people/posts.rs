//! Posts in headlines: which words name one, where it begins and where it ends.

use super::post_words::{AS, COMPANY_ENDS, DOING, ENDS, GERMAN_ENDS, OF_FIRMS, PARTS, RANKS, WHOLE};
use super::words::{bare, company_at, ends_part, is_one_of, owner};
use crate::extraction::headlines::companies::{company_before, is_act, is_form, is_owner};
use crate::extraction::headlines::names::is_title_word;
use crate::mentions::{is_common, is_given_name};
use crate::text::folding::folded;

/// Words of one post.
const WORDS_MAX: usize = 14;

/// Whether firms have a post of this title as well as people.
pub fn is_of_firms(title: &str) -> bool {
    let title = folded(title);
    // "adviser for the sale".
    let own = title.split(" for ").next().unwrap_or(&title);
    OF_FIRMS.contains(own.replace(' ', "-").as_str())
}

/// Whether `name` has a word that names of companies end with.
pub fn is_called_a_company(name: &str) -> bool {
    name.split(' ').any(|word| COMPANY_ENDS.contains(&bare(word)))
}

/// A post at the beginning of some words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// Its title.
    pub title: String,
    /// The company that is named with it: `Acme CEO`, `CEO of Acme`.
    pub company: Option<String>,
    /// The words before it, where they may name the company or belong to the title: `Acme CEO`, `Second Vice President`.
    pub before: String,
    /// How many words it takes.
    pub length: usize,
}

/// Whether a post ends or begins with the word.
pub fn is_rank(word: &str) -> bool {
    is_rank_of(word, &bare(word))
}

fn is_rank_of(word: &str, bare: &str) -> bool {
    let is_family_name = matches!(word.get(..3), Some("Cho" | "Cao"));
    let is_german = || GERMAN_ENDS.iter().any(|end| bare.ends_with(end));
    !is_family_name && (WHOLE.contains(bare) || RANKS.contains(bare) || is_german())
}

/// Whether posts are made of words like this one.
pub fn is_of_posts(word: &str) -> bool {
    let bare = bare(word);
    PARTS.contains(&bare) || is_rank_of(word, &bare)
}

/// How many of `words` lead to a post: `as its new`.
pub fn lead(words: &[&str]) -> usize {
    AS.at(words).map_or(0, |lead| lead.length)
}

/// The post at the beginning of `words`, behind what leads to it; `None` where no post begins there.
pub fn post(words: &[&str]) -> Option<Post> {
    let led = lead(words);
    let (words_led, words) = words.split_at(led);
    let (own, company) = without_company(words);
    let is_article =
        |word: &&&str| word.ends_with("-based") || is_one_of(word, &["new", "next", "its", "our", "a", "an", "the"]);
    let articles = words[own..].iter().take_while(is_article).count();
    let own = own + articles;
    let rest = &words[own..];
    // "to lead sales" names no post.
    if led == 1 && is_one_of(words_led[0], &["to"]) && rest.first().is_some_and(|word| is_one_of(word, DOING)) {
        return None;
    }
    let (mut taken, mut has_rank): (Vec<&str>, bool) = (Vec::new(), false);
    while let Some(word) = rest.get(taken.len()).copied().filter(|_| taken.len() < WORDS_MAX) {
        if !goes_on(&taken, word, &rest[taken.len() + 1..], has_rank) {
            break;
        }
        taken.push(word);
        has_rank = has_rank || is_rank(word);
        if ends_part(word) && !continues_behind_comma(word, &rest[taken.len()..], has_rank) {
            break;
        }
    }
    while taken.last().is_some_and(|word| is_small(word)) {
        taken.pop();
    }
    let title = taken.join(" ");
    let title = title.trim_end_matches([',', ';', ':', '.', '|', '-', '\'', '’']).trim().to_owned();
    let company = company.or_else(|| company_of(&rest[taken.len()..]));
    let before = words[..own - articles].join(" ");
    (has_rank && title.len() > 1).then(|| Post { title, company, before, length: led + own + taken.len() })
}

impl Post {
    /// The post at a company that is known: then what stands before it names no other one.
    pub fn at(self, company: Option<&String>) -> Self {
        if company.is_none() || self.before.is_empty() || is_owner(&self.before) {
            return self;
        }
        Self { title: format!("{} {}", self.before, self.title), company: None, before: String::new(), ..self }
    }
}

/// Whether `word` belongs to the post of which `taken` are the first words.
fn goes_on(taken: &[&str], word: &str, behind: &[&str], has_rank: bool) -> bool {
    let small = bare(word);
    if word == "-" || word == "|" {
        return false;
    }
    if matches!(small.as_str(), "of" | "for" | "de" | "del" | "des" | "du" | "der") {
        return !taken.is_empty() && (!has_rank || leads_on(taken, behind));
    }
    if matches!(word, "&" | "/") || matches!(small.as_str(), "and" | "und" | "et" | "y") {
        let next = behind.iter().find(|word| !is_one_of(word, &["new", "its", "the"]));
        // "Director of Coaching and Training": what is led goes on, unless a verb or somebody else follows.
        let is_led = taken.iter().any(|word| is_one_of(word, &["of", "for"]));
        let goes_on = |next: &str| is_led && is_common(&bare(next)) && !is_given_name(&bare(next)) && !is_verb(next);
        let is_part = |next: &str| is_of_posts(next) || !has_rank && is_common(&bare(next)) || goes_on(next);
        return !taken.is_empty() && next.is_some_and(|next| is_part(next));
    }
    if ENDS.contains(small.as_str()) {
        return false;
    }
    // "Chief Dental Officer".
    let is_office = taken.last().is_some_and(|last| is_one_of(last, &["chief"]))
        || taken.iter().rev().skip(1).take(2).any(|word| is_one_of(word, &["chief"]))
            && !is_of_posts(taken[taken.len() - 1]);
    if is_office && behind.iter().take(2).any(|word| is_one_of(word, &["officer"])) {
        return true;
    }
    // "CEO Jane Doe": behind the rank only what posts are made of.
    let is_after_rank = taken.last().is_some_and(|last| is_rank(last));
    !is_after_rank || is_of_posts(word) || word.starts_with(char::is_lowercase) && is_common(&small)
}

/// Whether `of` leads on to what is led, and not to the company.
fn leads_on(taken: &[&str], behind: &[&str]) -> bool {
    let last = taken.last().map(|word| bare(word)).unwrap_or_default();
    let skipped = ["the", "its", "our", "their", "global", "all", "la", "le", "los"];
    let Some(next) = behind.iter().find(|word| !is_one_of(word, &skipped)) else { return false };
    let (word, is_whole) = (bare(next), WHOLE.contains(last.as_str()));
    let is_led = taken.iter().any(|word| is_one_of(word, &["of", "for"]));
    // The president of more than a word is one of a company.
    let is_whole = is_whole || taken.len() == 1 && last == "president" && behind.len() > 1;
    if last == "board" {
        return is_one_of(next, &["directors", "trustees", "advisors", "advisers", "managers", "governors", "regents"]);
    }
    let is_office = matches!(
        (last.as_str(), word.as_str()),
        ("chief", "staff") | ("chair" | "chairman" | "chairwoman" | "chairperson" | "member", "board")
    );
    is_office
        || owner(next).is_none()
            && (PARTS.contains(word.as_str())
                || !is_led
                    && !is_whole
                    && (RANKS.contains(word.as_str()) || is_common(&word) && !is_company_like(behind)))
}

/// `of Target Corporation` is a company however common its first word is.
fn is_company_like(behind: &[&str]) -> bool {
    let ends = ["group", "holdings", "bank", "bancorp", "university", "college", "partners"];
    let is_end = |word: &&str| is_form(word) || is_one_of(word, &ends);
    behind.iter().take(5).take_while(|word| word.starts_with(char::is_uppercase)).any(is_end)
}

/// `Vice President, Sales` goes on behind the comma; `CEO, Effective May 1` does not.
fn continues_behind_comma(word: &str, behind: &[&str], has_rank: bool) -> bool {
    let next = behind.first().copied().unwrap_or_default();
    let is_part =
        is_of_posts(next) && !ENDS.contains(bare(next).as_str()) && !is_one_of(next, &["first", "new", "next"]);
    let is_listed = has_rank || behind.iter().take(3).any(|word| is_rank(word));
    word.ends_with(',') && is_of_posts(word) && is_part && is_listed
}

/// Whether `word` is a verb of a headline, such as `Outlines`.
fn is_verb(word: &str) -> bool {
    is_act(word) || word.ends_with('s') && !word.ends_with("ss")
}

/// How many words of `words` name the company before the post begins: `Acme CEO`, `Acme's new CEO`.
fn without_company(words: &[&str]) -> (usize, Option<String>) {
    let Some(rank) = words.iter().take(9).position(|word| is_rank(word)) else { return (0, None) };
    let owning = words[..rank].iter().position(|word| owner(word).is_some());
    let own = match owning {
        Some(at) => at + 1,
        None => {
            // The post begins with the last run of words that posts are made of.
            let is_high = WHOLE.contains(bare(words[rank]).as_str())
                || is_one_of(words[rank], &["chief", "president", "boss", "board"]);
            let is_part = |word: &&&str| {
                let is_plain = is_common(&bare(word)) && (!is_high || word.starts_with(char::is_lowercase));
                is_of_posts(word) || is_small(word) || is_title_word(word) || is_plain
            };
            let own = rank - words[..rank].iter().rev().take_while(is_part).count();
            // "Orrery Health CEO", "Emberline AI Vice President": the company is called so as well.
            let ends = words[own..rank].iter().take_while(|word| COMPANY_ENDS.contains(&bare(word))).count();
            let next = words.get(own + ends).copied().unwrap_or_default();
            let is_high = WHOLE.contains(bare(next).as_str())
                || is_one_of(next, &["chief", "president", "vice", "vp", "svp", "evp"]);
            if own > 0 && is_high { own + ends } else { own }
        }
    };
    let named = &words[..own];
    let is_large = |letter: char| letter.is_uppercase() || letter.is_numeric();
    let is_name = !named.is_empty() && named.iter().all(|word| word.starts_with(is_large) || is_small(word));
    let name = named.join(" ");
    let company = is_name.then(|| company_before(owner(&name).unwrap_or(&name))).flatten();
    (if company.is_some() || owning.is_some() { own } else { 0 }, company)
}

fn is_small(word: &str) -> bool {
    matches!(word, "of" | "for" | "and" | "&" | "de" | "du" | "the" | "und" | "et" | "y" | "a" | "an" | "in")
        || matches!(bare(word).as_str(), "of" | "for" | "and" | "the")
}

/// The company behind a post: `of Acme`, `at Acme`.
fn company_of(behind: &[&str]) -> Option<String> {
    let leads = ["at", "of", "for", "bei", "chez", "von", "de", "del", "in", "by", "der", "zu", "zur"];
    let at = behind.iter().take(2).position(|word| is_one_of(word, &leads))?;
    company_at(&behind[at + 1..])
}
