//! The text of a headline without what newspapers and their indexes put around and into it.

use std::borrow::Cow;

use super::lexicon::{Class, classes_of};
use crate::text::folding::folded;

/// Labels of a newspaper before a headline: `RPT-UPDATE 2-Acme names`.
const LABELS_MAX: usize = 3;

/// A headline without what only newspapers put around it.
pub fn cleaned(headline: &str) -> String {
    let mut text = String::with_capacity(headline.len());
    let mut depth = 0_usize;
    // What is opened and never closed hides nothing.
    let closed_to = headline.rfind([')', ']', '>']).unwrap_or(0);
    for (at, letter) in headline.char_indices() {
        match letter {
            '(' | '[' | '<' if at < closed_to => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            '®' | '™' | '(' | '[' | '<' => {}
            // "Banken:Ada Byron wird".
            letter if depth == 0 && letter.is_uppercase() && text.ends_with(':') => text.extend([' ', letter]),
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    // `Robert "Bob" Stone` is Robert Stone; other quotes only lose their marks.
    let marks = ['“', '”', '"'];
    let is_nickname = |word: &&str| word.starts_with(marks) && word.ends_with(marks) && word.chars().count() > 2;
    let words = text.split_whitespace().filter(|word| !is_nickname(word)).map(of_compound);
    let text = with_signs(words).replace(marks, "");
    let text = text.replace(" : ", ": ").replace('—', " - ").replace(" – ", " - ");
    // "BRIEF-Acme names", "UPDATE 2-Acme names".
    let labels = ["BRIEF", "UPDATE", "RPT", "CORRECTED", "EXCLUSIVE", "MOVES", "REFILE", "WRAPUP"];
    let is_label = |label: &str| {
        labels.iter().any(|word| label.trim_start().starts_with(word)) && !label.contains(char::is_lowercase)
    };
    let mut text = text.trim();
    // Some newspapers end headlines as sentences.
    let is_word = |last: &str| last.chars().count() > 4 && !last.contains('.');
    let ends_with_word = |sentence: &&str| sentence.rsplit(' ').next().is_some_and(is_word);
    if let Some(sentence) = text.strip_suffix('.').filter(ends_with_word) {
        text = sentence;
    }
    for _ in 0..LABELS_MAX {
        let Some((_, rest)) = text.split_once('-').filter(|(label, _)| is_label(label)) else { break };
        text = rest.trim();
    }
    text.to_owned()
}

/// Words that titles write small.
const SMALL: &[&str] = &[
    "a", "and", "as", "at", "by", "for", "from", "in", "of", "on", "the", "to", "und", "von", "zu", "zum", "zur", "de",
    "di", "da",
];

/// A headline all in large letters with the capitals of a title; what is as short as `IBM` may be an abbreviation.
pub fn from_capitals(headline: String) -> String {
    let of_word = |word: &str| {
        let is_long = word.chars().filter(|letter| letter.is_alphabetic()).count() > 3;
        let small = word.to_lowercase();
        if SMALL.contains(&small.as_str()) {
            small
        } else if is_long {
            capitalised(&small)
        } else {
            word.to_owned()
        }
    };
    if headline.contains(char::is_lowercase) { headline } else { of_words(&headline, of_word) }
}

/// A headline all in small letters with the capitals of a title, by which names are recognised.
pub fn in_capitals(headline: String) -> String {
    let of_word = |word: &str| if SMALL.contains(&word) { word.to_owned() } else { capitalised(word) };
    if headline.contains(char::is_uppercase) { headline } else { of_words(&headline, of_word) }
}

fn of_words(headline: &str, of_word: impl Fn(&str) -> String) -> String {
    headline.split_whitespace().map(of_word).collect::<Vec<String>>().join(" ")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What stands behind a hyphen that an index of news sets apart from its word: `AI - powered`, `start - up`.
const BEHIND_HYPHEN: &[&str] = &[
    "backed", "based", "driven", "enabled", "figure", "focused", "founded", "funded", "grade", "led", "native",
    "owned", "powered", "stage",
];
/// What stands before such a hyphen; nothing longer is looked up.
const BEFORE_HYPHEN: &[&str] = &["co", "cross", "ex", "multi", "non", "pre", "spin", "start"];
const BEFORE_HYPHEN_BYTES_MAX: usize = 16;

/// The words with blanks between them, but for signs that an index of news sets apart: `$11 . 5M`, `Acme , Inc .`.
fn with_signs<'a>(words: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut text = String::new();
    // Where the last word begins, which may have grown by signs.
    let mut last_from = 0;
    let mut is_open = true;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let before = &text[last_from..];
        let next = words.peek().map_or("", |next| next.as_ref());
        let is_mark = matches!(word.as_ref(), "." | "," | ":" | ";" | "?" | "!" | "%" | ".:");
        let is_point = matches!(word.as_ref(), "." | ",")
            && before.ends_with(|letter: char| letter.is_ascii_digit())
            && next.starts_with(|letter: char| letter.is_ascii_digit());
        let is_hyphen = word == "-"
            && next.starts_with(char::is_alphabetic)
            && (before.len() <= BEFORE_HYPHEN_BYTES_MAX && BEFORE_HYPHEN.contains(&folded(before).as_str())
                || BEHIND_HYPHEN.contains(&folded(next).as_str()));
        if !is_open && !is_mark && !is_hyphen {
            text.push(' ');
            last_from = text.len();
        }
        // A compound that was taken apart has a blank in it.
        last_from = word.rfind(' ').map_or(last_from, |at| text.len() + at + 1);
        text.push_str(&word);
        is_open = is_point || is_hyphen;
    }
    text
}

/// What a post begins with before a hyphen.
const BEFORE_POST: &[&str] = &["co", "ex", "ko", "mit", "multi", "non", "self", "sub", "vice", "vize"];

/// `Acme-Chef` is `Acme Chef`.
fn of_compound(word: &str) -> Cow<'_, str> {
    let is_company = |name: &str| {
        let name = folded(name);
        let of_posts = [Class::Part, Class::Rank, Class::Whole, Class::Region];
        let is_of_posts = of_posts.iter().any(|class| classes_of(&name) & class.bit() != 0);
        !is_of_posts && !BEFORE_POST.contains(&name.as_str())
    };
    let is_post = |post: &str| classes_of(&folded(post)) & (Class::Rank.bit() | Class::Whole.bit()) != 0;
    match word.split_once('-').filter(|(company, _)| company.starts_with(|letter: char| !letter.is_lowercase())) {
        Some((company, post)) if is_post(post.trim_end_matches([',', ':', ';'])) && is_company(company) => {
            Cow::Owned(format!("{company} {post}"))
        }
        _ => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::cleaned;

    #[test]
    fn signs_that_an_index_sets_apart_come_back_to_their_words() {
        for (headline, wanted) in [
            ("Orqa raises €12 . 7m Series A", "Orqa raises €12.7m Series A"),
            ("Acme , Inc . raises over $20 , 000", "Acme, Inc. raises over $20,000"),
            ("Pre - Series B of an AI - powered start - up", "Pre-Series B of an AI-powered start-up"),
            ("Acme names Ada Byron CEO - Tech.eu", "Acme names Ada Byron CEO - Tech.eu"),
            ("Acme raises $5M, led by Quarry", "Acme raises $5M, led by Quarry"),
        ] {
            assert_eq!(cleaned(headline), wanted);
        }
    }
}
