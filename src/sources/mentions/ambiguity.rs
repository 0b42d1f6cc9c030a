//! Which names of companies also mean something else, so that a text with the name may speak of other things.
//!
//! Duty: pure rules over lists of common English words, given names and surnames (made by `tools/words.py`).

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::Words;
use crate::text::folding::folded;
use domain::closed;
use domain::content::company_name::without_legal_form;

/// Letters of a name that is too short to mean one thing.
const SHORT: usize = 2;
/// Names of up to so many letters must be written with their capitals.
const NEARLY_SHORT: usize = 4;

static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("words.txt").lines().collect());
static GIVEN_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("given_names.txt").lines().collect());
static SURNAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("surnames.txt").lines().collect());

/// Endings that are cut from a word, and what may stand in their place; `tools/words.py` has the same.
const ENDINGS: &[(&str, &[&str])] = &[
    ("s", &[""]),
    ("es", &[""]),
    ("ies", &["y"]),
    ("ed", &["", "e"]),
    ("ied", &["y"]),
    ("ing", &["", "e"]),
    ("er", &["", "e"]),
    ("ers", &["", "e"]),
    ("est", &["", "e"]),
    ("ly", &[""]),
    ("ness", &[""]),
];
/// What is left of a word whose ending is cut, at least.
const STEM_MIN: usize = 3;

/// Whether many people bear this word as a given name or surname.
pub fn is_name_of_people(word: &str) -> bool {
    let word = folded(word);
    GIVEN_NAMES.contains(word.as_str()) || SURNAMES.contains(word.as_str())
}

/// How much of a sign a name alone is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ambiguity {
    /// It means the company, however it is written.
    Distinct,
    /// It means the company where it is written as a name.
    AsWritten,
    /// It also means something else.
    Ambiguous(Cause),
}

closed! {
    /// What an ambiguous name also is.
    Cause {
        /// One or two letters.
        Short = "short",
        /// A common word.
        CommonWord = "common_word",
        /// A given name.
        GivenName = "given_name",
        /// A surname.
        Surname = "surname",
    }
}

impl Ambiguity {
    /// How ambiguous `name` is, without its legal form.
    pub fn of(name: &str) -> Self {
        let words = Words::of(without_legal_form(name));
        let words: Vec<&str> = words.all().iter().map(|word| word.folded.as_str()).collect();
        match words[..] {
            [] => Self::Ambiguous(Cause::Short),
            ["the", word] | [word] => of_word(word),
            _ if words.iter().all(|word| is_everyday(word)) => Self::AsWritten,
            _ => Self::Distinct,
        }
    }

    /// What an ambiguous name also is, in a word for operators; `None` for others.
    pub const fn cause(self) -> Option<&'static str> {
        match self {
            Self::Distinct | Self::AsWritten => None,
            Self::Ambiguous(cause) => Some(cause.as_str()),
        }
    }
}

fn of_word(word: &str) -> Ambiguity {
    let letters = word.chars().count();
    match word {
        _ if letters <= SHORT => Ambiguity::Ambiguous(Cause::Short),
        word if is_common(word) => Ambiguity::Ambiguous(Cause::CommonWord),
        word if GIVEN_NAMES.contains(word) => Ambiguity::Ambiguous(Cause::GivenName),
        word if SURNAMES.contains(word) => Ambiguity::Ambiguous(Cause::Surname),
        _ if letters <= NEARLY_SHORT => Ambiguity::AsWritten,
        _ => Ambiguity::Distinct,
    }
}

/// Whether `word`, folded, is a common given name.
pub fn is_given_name(word: &str) -> bool {
    GIVEN_NAMES.contains(word)
}

/// Whether `word`, folded, is an English word as it stands, not only by its stem.
pub fn is_word(word: &str) -> bool {
    WORDS.contains(word)
}

/// Whether `word`, folded, is a common surname.
pub fn is_surname(word: &str) -> bool {
    SURNAMES.contains(word)
}

/// Whether `word`, folded, is a common English word or a form of one.
pub fn is_common(word: &str) -> bool {
    let is_form = |(ending, others): &(&str, &[&str])| {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= STEM_MIN) else { return false };
        let is_word = |other: &&str| match *other {
            "" => WORDS.contains(stem),
            other => WORDS.contains(format!("{stem}{other}").as_str()),
        };
        others.iter().any(is_word)
    };
    WORDS.contains(word) || ENDINGS.iter().any(is_form)
}

/// Whether a word of a longer name says nothing by itself.
fn is_everyday(word: &str) -> bool {
    let is_number = word.chars().all(|letter| letter.is_numeric() || "&+$".contains(letter));
    is_number || word.len() == 1 || is_common(word) || GIVEN_NAMES.contains(word) || SURNAMES.contains(word)
}

#[cfg(test)]
mod tests {
    use super::{Ambiguity, Cause};

    #[test]
    fn names_are_ambiguous_by_what_else_they_are() {
        let word = Ambiguity::Ambiguous(Cause::CommonWord);
        let short = Ambiguity::Ambiguous(Cause::Short);
        for (name, wanted) in [
            ("Notion", word),
            ("Apple", word),
            ("Apple Inc.", word),
            ("Square", word),
            ("Stripe", word),
            ("Stripes", word),
            ("Rippling", word),
            ("Monday", word),
            ("The Gap", word),
            ("Target Corporation", word),
            ("Amazon", word),
            ("Oscar", Ambiguity::Ambiguous(Cause::GivenName)),
            ("Wendy", Ambiguity::Ambiguous(Cause::GivenName)),
            ("Johnson", Ambiguity::Ambiguous(Cause::Surname)),
            ("3M", short),
            ("HP", short),
            ("", short),
            ("Figma", Ambiguity::Distinct),
            ("Datadog", Ambiguity::Distinct),
            ("Ørsted", Ambiguity::Distinct),
            ("Deutsche Bahn", Ambiguity::Distinct),
            ("Square Enix", Ambiguity::Distinct),
            ("Best Buy", Ambiguity::AsWritten),
            ("General Electric", Ambiguity::AsWritten),
            ("AT&T", Ambiguity::AsWritten),
            ("AMD", Ambiguity::AsWritten),
            ("IKEA", Ambiguity::AsWritten),
        ] {
            assert_eq!(Ambiguity::of(name), wanted, "{name}");
        }
    }
}
