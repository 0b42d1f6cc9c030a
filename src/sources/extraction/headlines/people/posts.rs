//! Posts in headlines: which words name one, where it begins and where it ends.

use super::phrases::Phrases;
use super::post_words::{COMPANY_ENDS, DOING, ENDS, OF_FIRMS, PARTS, RANKS, WHOLE, is_rank_as};
use super::word::{Question, Word, bare};
use super::words::{company_at, ends_part, is_one_of, owner};
use crate::extraction::headlines::companies::{company_before, is_form, is_owner};
use crate::text::folding::folded;

/// What stands between a person and the post.
static AS: Phrases<()> = Phrases::new(&[(
    (),
    "\
    as its next|as its first|as its new|as its|as the company's|as our new|as the new|as the next|\
    as the first|as first-ever|as the|as new|as incoming|as next|as first|as a|as an|as their|as|to the role of|\
    to the position of|to the newly created role of|to the newly created position of|\
    to newly created role of|to new role of|to role of|to position of|to serve as its|to serve as the|\
    to serve as|to be its|to be its new|to be|to become|to its|to the company's|to the|to join its|\
    to join the|to join|to|its new|its next|its first|its|into role of|in role of|for the role of|zum neuen|\
    zur neuen|in den|in die|zum|zur|zu|als neuen|als neue|als|nuevo|nueva|nouveau|nouvelle|for its next|for the|for|au poste de|comme|en tant que|como nuevo|como nueva|como|the",
)]);
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
pub fn is_rank(word: &Word<'_>) -> bool {
    word.once(Question::Rank, || is_rank_as(word, &word.bare))
}

/// How many of `words` lead to a post: `as its new`.
pub fn lead(words: &[Word<'_>]) -> usize {
    AS.at(words).map_or(0, |lead| lead.length)
}

/// The post at the beginning of `words`, behind what leads to it; `None` where no post begins there.
pub fn post(words: &[Word<'_>]) -> Option<Post> {
    let led = lead(words);
    let (words_led, words) = words.split_at(led);
    let (own, company) = without_company(words);
    let is_article = |word: &&Word<'_>| {
        word.ends_with("-based") || is_one_of(word, &["new", "next", "its", "our", "a", "an", "the"])
    };
    let articles = words[own..].iter().take_while(is_article).count();
    let own = own + articles;
    let rest = &words[own..];
    // "to lead sales" names no post.
    if led == 1 && is_one_of(&words_led[0], &["to"]) && rest.first().is_some_and(|word| is_one_of(word, DOING)) {
        return None;
    }
    let (mut length, mut has_rank) = (0, false);
    while let Some(word) = rest.get(length).filter(|_| length < WORDS_MAX) {
        let (taken, behind) = (&rest[..length], &rest[length + 1..]);
        if !goes_on(taken, word, behind, has_rank) {
            break;
        }
        length += 1;
        has_rank = has_rank || is_rank(word);
        if ends_part(word) && !continues_behind_comma(word, behind, has_rank) {
            break;
        }
    }
    while length > 0 && is_small(&rest[length - 1]) {
        length -= 1;
    }
    let title = rest[..length].join(" ");
    let title = title.trim_end_matches([',', ';', ':', '.', '|', '-', '\'', '’']).trim().to_owned();
    let company = company.or_else(|| company_of(&rest[length..]));
    let before = words[..own - articles].join(" ");
    (has_rank && title.len() > 1).then(|| Post { title, company, before, length: led + own + length })
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
fn goes_on(taken: &[Word<'_>], word: &Word<'_>, behind: &[Word<'_>], has_rank: bool) -> bool {
    let small = word.bare.as_str();
    if matches!(word.written, "-" | "|") {
        return false;
    }
    if matches!(small, "of" | "for" | "de" | "del" | "des" | "du" | "der") {
        return !taken.is_empty() && (!has_rank || leads_on(taken, behind));
    }
    if matches!(word.written, "&" | "/") || matches!(small, "and" | "und" | "et" | "y") {
        let next = behind.iter().find(|word| !is_one_of(word, &["new", "its", "the"]));
        // "Director of Coaching and Training": what is led goes on, unless a verb or somebody else follows.
        let is_led = taken.iter().any(|word| is_one_of(word, &["of", "for"]));
        let goes_on = |next: &Word<'_>| is_led && next.is_common() && !next.is_given_name() && !is_verb(next);
        let is_part = |next: &Word<'_>| next.is_of_posts() || !has_rank && next.is_common() || goes_on(next);
        return !taken.is_empty() && next.is_some_and(is_part);
    }
    if ENDS.contains(small) {
        return false;
    }
    // "Chief Dental Officer".
    let is_office = taken.last().is_some_and(|last| is_one_of(last, &["chief"]))
        || taken.iter().rev().skip(1).take(2).any(|word| is_one_of(word, &["chief"]))
            && !taken[taken.len() - 1].is_of_posts();
    if is_office && behind.iter().take(2).any(|word| is_one_of(word, &["officer"])) {
        return true;
    }
    // "CEO Jane Doe": behind the rank only what posts are made of.
    let is_after_rank = taken.last().is_some_and(is_rank);
    !is_after_rank || word.is_of_posts() || word.starts_with(char::is_lowercase) && word.is_common()
}

/// Whether `of` leads on to what is led, and not to the company.
fn leads_on(taken: &[Word<'_>], behind: &[Word<'_>]) -> bool {
    let last = taken.last().map_or("", |word| &word.bare);
    let skipped = ["the", "its", "our", "their", "global", "all", "la", "le", "los"];
    let Some(next) = behind.iter().find(|word| !is_one_of(word, &skipped)) else { return false };
    let is_whole = WHOLE.contains(last);
    let is_led = taken.iter().any(|word| is_one_of(word, &["of", "for"]));
    // The president of more than a word is one of a company.
    let is_whole = is_whole || taken.len() == 1 && last == "president" && behind.len() > 1;
    if last == "board" {
        return is_one_of(next, &["directors", "trustees", "advisors", "advisers", "managers", "governors", "regents"]);
    }
    let is_office = matches!(
        (last, next.bare.as_str()),
        ("chief", "staff") | ("chair" | "chairman" | "chairwoman" | "chairperson" | "member", "board")
    );
    is_office
        || owner(next).is_none()
            && (PARTS.contains(&next.bare)
                || !is_led && !is_whole && (RANKS.contains(&next.bare) || next.is_common() && !is_company_like(behind)))
}

/// `of Target Corporation` is a company however common its first word is.
fn is_company_like(behind: &[Word<'_>]) -> bool {
    let ends = ["group", "holdings", "bank", "bancorp", "university", "college", "partners"];
    let is_end = |word: &Word<'_>| is_form(word) || is_one_of(word, &ends);
    behind.iter().take(5).take_while(|word| word.starts_with(char::is_uppercase)).any(is_end)
}

/// `Vice President, Sales` goes on behind the comma; `CEO, Effective May 1` does not.
fn continues_behind_comma(word: &Word<'_>, behind: &[Word<'_>], has_rank: bool) -> bool {
    let Some(next) = behind.first() else { return false };
    let is_part = next.is_of_posts() && !ENDS.contains(&next.bare) && !is_one_of(next, &["first", "new", "next"]);
    let is_listed = has_rank || behind.iter().take(3).any(is_rank);
    word.ends_with(',') && word.is_of_posts() && is_part && is_listed
}

/// Whether `word` is a verb of a headline, such as `Outlines`.
fn is_verb(word: &Word<'_>) -> bool {
    word.is_act() || word.ends_with('s') && !word.ends_with("ss")
}

/// How many words of `words` name the company before the post begins: `Acme CEO`, `Acme's new CEO`.
fn without_company(words: &[Word<'_>]) -> (usize, Option<String>) {
    let Some(rank) = words.iter().take(9).position(is_rank) else { return (0, None) };
    let owning = words[..rank].iter().position(|word| owner(word).is_some());
    let own = match owning {
        Some(at) => at + 1,
        None => {
            // The post begins with the last run of words that posts are made of.
            let is_high =
                WHOLE.contains(&words[rank].bare) || is_one_of(&words[rank], &["chief", "president", "boss", "board"]);
            let is_part = |word: &&Word<'_>| {
                let is_plain = word.is_common() && (!is_high || word.starts_with(char::is_lowercase));
                word.is_of_posts() || is_small(word) || word.is_title() || is_plain
            };
            let own = rank - words[..rank].iter().rev().take_while(is_part).count();
            // "Orrery Health CEO", "Emberline AI Vice President": the company is called so as well.
            let ends = words[own..rank].iter().take_while(|word| COMPANY_ENDS.contains(&word.bare)).count();
            let next = &words[own + ends];
            let is_high =
                WHOLE.contains(&next.bare) || is_one_of(next, &["chief", "president", "vice", "vp", "svp", "evp"]);
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

fn is_small(word: &Word<'_>) -> bool {
    matches!(word.written, "of" | "for" | "and" | "&" | "de" | "du" | "the" | "und" | "et" | "y" | "a" | "an" | "in")
        || matches!(word.bare.as_str(), "of" | "for" | "and" | "the")
}

/// The company behind a post: `of Acme`, `at Acme`.
fn company_of(behind: &[Word<'_>]) -> Option<String> {
    let leads = ["at", "of", "for", "bei", "chez", "von", "de", "del", "in", "by", "der", "zu", "zur"];
    let at = behind.iter().take(2).position(|word| is_one_of(word, &leads))?;
    company_at(&behind[at + 1..])
}
