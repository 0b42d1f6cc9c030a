//! Posts in headlines: which words name one, where it begins and where it ends.

use crate::extraction::headlines::companies::{company_at, company_before};
use crate::extraction::headlines::lexicon::Class;
use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::{Word, joined, place_of};
use crate::text::folding::folded;

/// What stands between a person and the post.
static AS: Phrases<u8> = Phrases::new(
    "1: do cargo de | del cargo de | el cargo de | o cargo de | cargo de | el puesto de | puesto de | le poste de | du poste de \
     | il ruolo di | dal ruolo di | l'incarico di | la carica di | dalla carica di | as its next | as its first | as its new | as its | as the company's | as our new | as the new | as the next | \
     as the first | as first-ever | as the | as new | as incoming | as next | as first | as a | as an | as their | as \
     | to the role of | to the position of | to the newly created role of | to the newly created position of | to \
     newly created role of | to new role of | to role of | to position of | to serve as its | to serve as the | to \
     serve as | to be its | to be its new | to be | to become | to its | to the company's | to the | to join its | to \
     join the | to join | to | its new | its next | its first | its | into role of | in role of | for the role of | \
     zum neuen | zur neuen | in den | in die | zum | zur | zu | als neuen | als neue | als | nuevo | nueva | nouveau \
     | nouvelle | for its next | for the | for | au poste de | comme nouveau | comme nouvelle | comme | en tant que | en \
     qualite de | a la tete de | como su nuevo | como su nueva | como nuevo | como nueva | como primer | como | al frente de | \
     zu ihren neuen | zu ihrem neuen | zu seinem neuen | zu seiner neuen | zu ihrer neuen | einen neuen | eine neue | un nouveau | une nouvelle | un nuevo | una nueva | op als | aan als | aan tot | binnen als | \
     para a | para o | para | a la | a | al | alla | como novo | como nova | come | come nuovo | quale | alla carica di | the | tot",
);
/// What stands before a post and is none of it.
const ARTICLES: &[&str] = &[
    "new", "next", "its", "our", "a", "an", "the", "neuer", "neue", "neuen", "nouveau", "nouvelle", "nuevo", "nueva",
    "nuovo", "nuova", "novo", "nova", "nieuwe", "son", "sa", "sein", "seinen", "seine", "ihren", "ihre", "seu", "sua",
    "suo",
];
/// Words of one post.
const WORDS_MAX: usize = 14;
/// What stands between a post and what is led, or its company.
const LINKS: &[&str] =
    &["of", "for", "de", "del", "des", "do", "da", "das", "dos", "du", "der", "di", "della", "dei", "delle", "van"];
/// Posts that firms have as well as people.
const OF_FIRMS: &[&str] = &[
    "adviser", "advisor", "member", "manager", "administrator", "lead", "leader", "agent", "counsel", "producer",
    "publisher", "developer", "owner", "specialist", "architect", "analyst", "lead manager", "lead agency",
    "lead auditor", "lead advisor", "strategic partner", "technology partner", "media partner", "exclusive partner",
    "official partner", "preferred partner", "financial advisor", "financial adviser", "strategic advisor", "partner",
    "nominated adviser", "managing agent", "market leader", "lider", "socio",
];

/// What firms, friends of a brand and guests are engaged as.
pub const ENGAGED: &[&str] = &[
    "adviser", "advisers", "advisor", "advisors", "agency", "agent", "ambassador", "auditor", "auditors", "contractor",
    "counsel", "distributor", "host", "partner", "representative", "speaker", "spokesperson", "sponsor", "supplier",
    "underwriter", "consultant", "accountant", "accountants", "firm",
];

/// Whether firms have a post of this title as well as people.
pub fn is_of_firms(title: &str) -> bool {
    let title = folded(title);
    // "adviser for the sale".
    OF_FIRMS.contains(&title.split(" for ").next().unwrap_or(&title))
}

/// Whether firms have a post that ends as this one does.
pub fn ends_as_of_firms(post: &Post) -> bool {
    let last = post.title.rsplit(' ').next().map(folded).unwrap_or_default();
    ENGAGED.contains(&last.as_str()) || is_of_firms(&last)
}

/// Whether `name` has a word that names of companies end with.
pub fn is_called_a_company(name: &str) -> bool {
    Word::all_of(name).iter().any(|word| word.is(Class::CompanyEnd))
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

/// How many of `words` lead to a post: `as its new`.
pub fn lead(words: &[Word<'_>]) -> usize {
    AS.length_at(words)
}

/// The post at the beginning of `words`, behind what leads to it; `None` where no post begins there.
pub fn post(words: &[Word<'_>]) -> Option<Post> {
    let led = lead(words);
    let (words_led, words) = words.split_at(led);
    let (own, company) = without_company(words);
    let is_article = |word: &&Word<'_>| word.written.ends_with("-based") || word.is_one_of(ARTICLES);
    let articles = words[own..].iter().take_while(is_article).count();
    let own = own + articles;
    let rest = &words[own..];
    // "to lead sales" names no post.
    if led == 1 && words_led[0].bare == "to" && rest.first().is_some_and(|word| word.is(Class::Doing)) {
        return None;
    }
    let (mut length, mut has_rank) = (0, false);
    while let Some(word) = rest.get(length).filter(|_| length < WORDS_MAX) {
        let (taken, behind) = (&rest[..length], &rest[length + 1..]);
        if !goes_on(taken, word, behind, has_rank) {
            break;
        }
        length += 1;
        has_rank = has_rank || word.is_rank();
        if word.ends_part() && !continues_behind_comma(word, behind, has_rank) {
            break;
        }
    }
    while length > 0 && is_small(&rest[length - 1]) {
        length -= 1;
    }
    let title = joined(&rest[..length]);
    let title = title.trim_end_matches([',', ';', ':', '.', '|', '-', '\'', '’']).trim().to_owned();
    let company =
        company.or_else(|| company_of(&rest[length..])).or_else(|| company_next(&rest[..length], &rest[length..]));
    let before = joined(&words[..own - articles]);
    (has_rank && title.len() > 1).then(|| Post { title, company, before, length: led + own + length })
}

impl Post {
    /// The post at a company that is known: then what stands before it names no other one.
    pub fn at(self, company: Option<&String>) -> Self {
        if company.is_none()
            || self.before.is_empty()
            || self.before.ends_with(['s', '\'', '’']) && self.before.contains(['\'', '’'])
        {
            return self;
        }
        Self { title: format!("{} {}", self.before, self.title), company: None, before: String::new(), ..self }
    }
}

/// Whether `word` belongs to the post of which `taken` are the first words.
fn goes_on(taken: &[Word<'_>], word: &Word<'_>, behind: &[Word<'_>], has_rank: bool) -> bool {
    if word.is_dash() {
        return false;
    }
    if word.is_one_of(LINKS) {
        return !taken.is_empty() && (!has_rank || leads_on(taken, behind));
    }
    if matches!(word.written, "&" | "/") || word.is_one_of(&["and", "und", "et", "y"]) {
        let next = behind.iter().find(|word| !word.is_one_of(&["new", "its", "the"]));
        // "Director of Coaching and Training": what is led goes on, unless a verb or somebody else follows.
        let is_led = place_of(taken, &["of", "for"]).is_some();
        let goes_on = |next: &Word<'_>| is_led && next.is_common() && !next.is_given_name() && !is_verb(next);
        let is_part = |next: &Word<'_>| next.is_of_posts() || !has_rank && next.is_common() || goes_on(next);
        return !taken.is_empty() && next.is_some_and(is_part);
    }
    if word.is(Class::EndOfPost) {
        return false;
    }
    // "Chief Dental Officer".
    let is_chief = |word: &Word<'_>| word.bare == "chief";
    let is_office = taken
        .last()
        .is_some_and(|last| is_chief(last) || taken.iter().rev().skip(1).take(2).any(is_chief) && !last.is_of_posts());
    if is_office && place_of(&behind[..behind.len().min(2)], &["officer"]).is_some() {
        return true;
    }
    // "CEO Jane Doe": behind the rank only what posts are made of.
    let is_after_rank = taken.last().is_some_and(Word::is_rank);
    !is_after_rank || word.is_of_posts() || word.is(Class::Region) || word.is_small() && word.is_common()
}

/// Whether `of` leads on to what is led, and not to the company.
fn leads_on(taken: &[Word<'_>], behind: &[Word<'_>]) -> bool {
    // "Publisher of The Daily", "chief for five years".
    let is_counted = |next: &Word<'_>| {
        ["one", "two", "three", "four", "five", "six", "ten"].contains(&next.bare.as_str())
            || next.core.starts_with(char::is_numeric)
    };
    if behind.first().is_some_and(|word| word.written == "The" || is_counted(word)) {
        return false;
    }
    let skipped = ["the", "its", "our", "their", "global", "all", "la", "le", "los"];
    let Some((last, next)) = taken.last().zip(behind.iter().find(|word| !word.is_one_of(&skipped))) else {
        return false;
    };
    let is_led = place_of(taken, &["of", "for"]).is_some();
    // The president of more than a word is one of a company.
    let is_whole = last.is(Class::Whole) || taken.len() == 1 && last.bare == "president" && behind.len() > 1;
    match (last.bare.as_str(), next.bare.as_str()) {
        ("board", next) => {
            matches!(next, "directors" | "trustees" | "advisors" | "advisers" | "managers" | "governors" | "regents")
        }
        ("chief", "staff") | ("chair" | "chairman" | "chairwoman" | "chairperson" | "member", "board") => true,
        _ if next.written.ends_with("'s") || next.written.ends_with("’s") => false,
        _ => {
            let is_led_now =
                next.is(Class::Rank) || next.is_common() && !is_company_like(behind) || is_field(taken, behind);
            next.is(Class::Part) && !is_company_like(behind) || !is_led && !is_whole && is_led_now
        }
    }
}

/// `Vice President of Semiconductor Engineering` leads what ends with a word of posts, and nothing goes on behind it.
fn is_field(taken: &[Word<'_>], behind: &[Word<'_>]) -> bool {
    let [.., last] = taken else { return false };
    let is_vice = place_of(taken, &["vice"]).is_some();
    let leads = is_vice || last.is_one_of(&["director", "head", "manager", "vp", "svp", "evp", "avp"]);
    let is_whole = behind.get(2).is_none_or(|next| next.is_small() || next.is(Class::EndOfPost));
    let is_part =
        |second: &Word<'_>| second.is(Class::Part) && !second.is(Class::CompanyEnd) && !second.is(Class::Region);
    leads && is_whole && behind.get(1).is_some_and(is_part)
}

/// `of Target Corporation` is a company however common its first word is.
fn is_company_like(behind: &[Word<'_>]) -> bool {
    let ends = ["group", "holdings", "bank", "bancorp", "university", "college", "partners", "authority"];
    let is_end = |word: &Word<'_>| word.is_form() || word.is_one_of(&ends);
    behind.iter().take(5).take_while(|word| word.written.starts_with(char::is_uppercase)).any(is_end)
}

/// `Vice President, Sales` goes on behind the comma; `CEO, Effective May 1` does not.
fn continues_behind_comma(word: &Word<'_>, behind: &[Word<'_>], has_rank: bool) -> bool {
    let is_part = |next: &Word<'_>| {
        next.is_of_posts() && !next.is(Class::EndOfPost) && !next.is_one_of(&["first", "new", "next"])
    };
    let is_listed = has_rank || behind.iter().take(3).any(Word::is_rank);
    word.written.ends_with(',') && word.is_of_posts() && behind.first().is_some_and(is_part) && is_listed
}

/// Whether `word` is a verb of a headline, such as `Outlines`.
fn is_verb(word: &Word<'_>) -> bool {
    word.is(Class::Act) || word.written.ends_with('s') && !word.written.ends_with("ss")
}

/// How many words of `words` name the company before the post begins: `Acme CEO`, `Acme's new CEO`.
fn without_company(words: &[Word<'_>]) -> (usize, Option<String>) {
    let Some(rank) = words.iter().take(9).position(Word::is_rank) else { return (0, None) };
    let is_owner = |word: &Word<'_>| word.written.ends_with("'s") || word.written.ends_with("’s");
    let owning = words[..rank].iter().position(is_owner);
    let own = owning.map_or_else(|| begin_of_post(words, rank), |at| at + 1);
    let named = &words[..own];
    let is_large = |letter: char| letter.is_uppercase() || letter.is_numeric();
    let is_name = !named.is_empty() && named.iter().all(|word| word.written.starts_with(is_large) || is_small(word));
    let company = if is_name { company_before(named) } else { None };
    (if company.is_some() || owning.is_some() { own } else { 0 }, company)
}

/// Where the post of a rank begins: with the last run of words that posts are made of.
fn begin_of_post(words: &[Word<'_>], rank: usize) -> usize {
    let is_high = words[rank].is(Class::Whole) || words[rank].is_one_of(&["chief", "president", "boss", "board"]);
    let is_part = |word: &&Word<'_>| {
        let is_plain = word.is_common() && (!is_high && !word.in_sentence || word.is_small());
        word.is_of_posts() || is_small(word) || word.is(Class::Title) || is_plain
    };
    let own = rank - words[..rank].iter().rev().take_while(is_part).count();
    // "Orrery Health CEO", "Emberline AI Vice President": the company is called so as well.
    let ends = words[own..rank].iter().take_while(|word| word.is(Class::CompanyEnd)).count();
    // "Acme India head": a part of the world belongs to the name before it.
    let regions = words[own..rank].iter().take_while(|word| word.is(Class::Region) && word.is_large()).count();
    if own > 0 && regions > 0 {
        return own + regions;
    }
    // "Acme State Health CEO": in a sentence posts are small.
    let is_named = |word: &Word<'_>| {
        word.is_large() && !word.is_one_of(&["acting", "deputy", "global", "group", "interim", "vice"])
    };
    if own > 0 && words[rank].is(Class::Whole) && words[own].in_sentence && words[own..rank].iter().all(is_named) {
        return rank;
    }
    let next = &words[own + ends];
    let is_high = next.is(Class::Whole) || next.is_one_of(&["chief", "president", "vice", "vp", "svp", "evp"]);
    if own > 0 && is_high { own + ends } else { own }
}

fn is_small(word: &Word<'_>) -> bool {
    matches!(word.written, "&" | "de" | "du" | "und" | "et" | "y" | "a" | "an" | "in")
        || word.is_one_of(&["of", "for", "and", "the"])
}

/// The company that follows a post in Dutch: `directeur Acme`, `nieuwe topman Acme`.
fn company_next(post: &[Word<'_>], behind: &[Word<'_>]) -> Option<String> {
    let ranks = [
        "baas", "bestuursvoorzitter", "commissaris", "directeur", "hoofdredacteur", "toezichthouder", "topman",
        "topvrouw", "voorzitter",
    ];
    let is_dutch = post.last().is_some_and(|rank| rank.is_one_of(&ranks) && !rank.ends_part());
    let is_name =
        behind.first().is_some_and(|next| next.is_large() && !next.is(Class::EndOfPost) && !next.is_given_name());
    if is_dutch && is_name { company_at(behind) } else { None }
}

/// The company behind a post: `of Acme`, `at Acme`.
fn company_of(behind: &[Word<'_>]) -> Option<String> {
    let leads = [
        "at", "of", "for", "bei", "chez", "von", "de", "del", "do", "in", "by", "der", "zu", "zur", "di", "da", "van",
        "bij", "della", "dos", "das",
    ];
    let at = place_of(&behind[..behind.len().min(2)], &leads)?;
    company_at(&behind[at + 1..])
}
