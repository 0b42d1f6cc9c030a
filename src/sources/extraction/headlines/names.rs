//! Names of people: titles and suffixes off, first and last name apart.
//!
//! Duty: pure rules. Which of two names is the family's is said only where it is certain.

use super::lexicon::{Class, classes_of};
use crate::text::folding::folded;
use outbound::reading;

/// A person's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonName {
    /// Without titles and suffixes.
    pub full: String,
    /// The given name; `None` for a single name.
    pub first: Option<String>,
    /// The family's name, with its particles.
    pub last: Option<String>,
}

/// Words of a name, without its titles and suffixes.
const WORDS_MAX: usize = 6;
/// Family names that stand first where the given name behind them has two syllables joined by a hyphen.
const FIRST_FAMILY_NAMES: &[&str] = &[
    "an", "bae", "chan", "chang", "chen", "cheng", "cho", "choi", "chung", "feng", "gao", "guo", "han", "he", "hong",
    "hu", "huang", "hwang", "jang", "jeon", "jeong", "jiang", "jung", "kang", "kim", "kwon", "lee", "li", "liang",
    "lim", "lin", "liu", "luo", "ma", "moon", "nguyen", "oh", "park", "ryu", "seo", "shin", "song", "sun", "tang",
    "tran", "wang", "wu", "xie", "xu", "yang", "yoon", "yu", "zhang", "zhao", "zheng", "zhou", "zhu",
];

/// Whether the word, which is folded, is a family name of East Asia.
pub fn is_short_family_name(word: &str) -> bool {
    FIRST_FAMILY_NAMES.contains(&word)
}

/// Reads `text` as the name of a person; `None` where it cannot be one.
pub fn person_name(text: &str) -> Option<PersonName> {
    let text = without_nickname(text.trim());
    let (words, is_reversed) = match text.split_once(", ") {
        Some((last, first)) if !is_degree(first.split_whitespace().next().unwrap_or_default(), last) => {
            (format!("{first} {last}"), true)
        }
        Some((name, _)) => (name.to_owned(), false),
        None => (text.clone(), false),
    };
    let mut words: Vec<&str> =
        words.split_whitespace().map(|word| word.trim_matches([',', '"', '“', '”', '(', ')'])).collect();
    while words.len() > 1 && is_title_word(words[0]) {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| is_suffix(word)) {
        words.pop();
    }
    if let [only] = words[..] {
        return of_one_word(only);
    }
    let is_name = (2..=WORDS_MAX).contains(&words.len()) && words.iter().all(|word| is_name_word(word));
    let has_capitals = begins_large(words.first()?) && begins_large(words.last()?);
    (is_name && has_capitals).then(|| divided(&words, is_reversed))
}

/// Whether the text begins with a title, as `Dr. Ada Byron` does.
pub fn is_addressed(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(first, _)| is_title_word(first))
}

/// Whether `word`, which is folded, is of a class.
fn is(word: &str, class: Class) -> bool {
    classes_of(word) & class.bit() != 0
}

/// Whether the word is a title before a name, or the rest of one, as in `Dr. rer. nat.`.
fn is_title_word(word: &str) -> bool {
    let is_abbreviation = word.ends_with('.') && word.starts_with(char::is_lowercase);
    is_abbreviation || is(&folded(word.trim_end_matches([',', '.'])), Class::Title)
}

/// Whether the word may stand inside a name: with a capital, or small as `van` does.
pub fn is_name_word(word: &str) -> bool {
    reading::count(1);
    let is_spelled = word.chars().all(|letter| letter.is_alphabetic() || "'’.-‐".contains(letter))
        && word.chars().any(char::is_alphabetic);
    let may_be = |lower: String| {
        !is(lower.trim_end_matches('.'), Class::NoName) && (begins_large(word) || is(&lower, Class::Particle))
    };
    is_spelled && may_be(folded(word))
}

/// Whether the word begins with a capital, or with one behind `d'` and the like.
pub fn begins_large(word: &str) -> bool {
    // "L'artiste".
    let is_article = |rest: &str| {
        rest.starts_with(['\'', '’']) && !rest.trim_start_matches(['\'', '’']).starts_with(char::is_uppercase)
    };
    word.starts_with(char::is_uppercase) && !word.strip_prefix(['L', 'D']).is_some_and(is_article)
        || word.trim_start_matches(['\'', '’', 'd', 'l', 's', 't']).starts_with(char::is_uppercase)
}

fn divided(words: &[&str], is_reversed: bool) -> PersonName {
    let full = words.join(" ");
    let name = |first: &[&str], last: &[&str]| {
        let part = |words: &[&str]| Some(words.join(" ")).filter(|part| !part.is_empty());
        PersonName { full: full.clone(), first: part(first), last: part(last) }
    };
    // "ZHANG Wei" and "Wei ZHANG": the family's name is the large one.
    let large: Vec<usize> = (0..words.len()).filter(|index| is_large(words[*index])).collect();
    match large[..] {
        [0] if words.len() == 2 && !words[0].contains('.') => return name(&words[1..], &words[..1]),
        [at] if at + 1 == words.len() => return name(&words[..at], &words[at..]),
        _ => {}
    }
    let is_two_syllables = |word: &str| {
        word.split_once('-').is_some_and(|(_, second)| second.chars().next().is_some_and(char::is_lowercase))
    };
    if let [family, given] = words
        && FIRST_FAMILY_NAMES.contains(&folded(family).as_str())
        && is_two_syllables(given)
        && !is_reversed
    {
        return name(&[given], &[family]);
    }
    // `Mac` and `San` with a capital are given names as often as not; the other particles are written either way.
    let is_particle = |word: &str| is(&folded(word), Class::Particle) && !matches!(word, "Mac" | "San" | "Do" | "An");
    // The family's name is the last word with the particles before it.
    let mut from = words.len() - 1;
    while from > 1 && is_particle(words[from - 1]) {
        from -= 1;
    }
    name(&words[..from], &words[from..])
}

/// Names in scripts without blanks: the first character is the family's in Chinese and Korean.
fn of_one_word(word: &str) -> Option<PersonName> {
    let letters: Vec<char> = word.chars().collect();
    let is_han = letters.iter().all(|letter| matches!(letter, '\u{4e00}'..='\u{9fff}'));
    let is_hangul = letters.iter().all(|letter| matches!(letter, '\u{ac00}'..='\u{d7af}'));
    let is_divided = is_hangul && (2..=4).contains(&letters.len()) || is_han && (2..=3).contains(&letters.len());
    let (last, first) = letters.split_first()?;
    is_divided.then(|| PersonName {
        full: word.to_owned(),
        first: Some(first.iter().collect()),
        last: Some(last.to_string()),
    })
}

/// Whether all letters of the word, which has several, are capitals.
fn is_large(word: &str) -> bool {
    let letters = || word.chars().filter(|letter| letter.is_alphabetic());
    letters().count() > 1 && letters().all(char::is_uppercase)
}

/// Whether the word behind a name and a comma is no given name: degrees are written in capitals where the name is not.
fn is_degree(word: &str, name: &str) -> bool {
    is_suffix(word) || is_large(word) && !is_large(name)
}

/// Whether the word stands behind a name: a degree or a generation.
fn is_suffix(word: &str) -> bool {
    let word = folded(word.trim_matches([',', '.', ';']));
    is(&word, Class::Suffix) || word.contains('.') && is(&word.replace('.', ""), Class::Suffix)
}

/// `Robert "Bob" Stone` and `Robert (Bob) Stone` are Robert Stone.
fn without_nickname(text: &str) -> String {
    let pairs = [('"', '"'), ('“', '”'), ('(', ')')];
    let inside = pairs.iter().find_map(|(open, close)| {
        let from = text.find(*open).filter(|from| *from > 0)?;
        let to = from + open.len_utf8() + text[from + open.len_utf8()..].find(*close)?;
        Some((from, to + close.len_utf8()))
    });
    match inside {
        Some((from, to)) => format!("{} {}", text[..from].trim(), text[to..].trim()).trim().to_owned(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::person_name;

    #[test]
    fn names_are_divided_where_that_can_be_told() {
        for (text, full, first, last) in [
            ("Ada Byron", "Ada Byron", "Ada", "Byron"),
            ("Dr. Ada Byron", "Ada Byron", "Ada", "Byron"),
            ("Prof. Dr. Ada M. Byron, Ph.D.", "Ada M. Byron", "Ada M.", "Byron"),
            ("Dr. rer. nat. Ada Byron", "Ada Byron", "Ada", "Byron"),
            ("Ada Byron, DO, FNP-BC", "Ada Byron", "Ada", "Byron"),
            ("BYRON, ADA", "ADA BYRON", "ADA", "BYRON"),
            ("Robert \"Bob\" Stone Jr.", "Robert Stone", "Robert", "Stone"),
            ("Robert (Bob) Stone III", "Robert Stone", "Robert", "Stone"),
            ("Byron, Ada", "Ada Byron", "Ada", "Byron"),
            ("Ludwig van der Berg", "Ludwig van der Berg", "Ludwig", "van der Berg"),
            ("Maria de la Cruz", "Maria de la Cruz", "Maria", "de la Cruz"),
            ("Jean-Luc d'Arcy", "Jean-Luc d'Arcy", "Jean-Luc", "d'Arcy"),
            ("Kim Jong-hoon", "Kim Jong-hoon", "Jong-hoon", "Kim"),
            ("ZHANG Wei", "ZHANG Wei", "Wei", "ZHANG"),
            ("Wei ZHANG", "Wei ZHANG", "Wei", "ZHANG"),
            ("Wei Zhang", "Wei Zhang", "Wei", "Zhang"),
            ("J. R. Stone", "J. R. Stone", "J. R.", "Stone"),
            ("Siobhán O’Neil", "Siobhán O’Neil", "Siobhán", "O’Neil"),
            ("李明", "李明", "明", "李"),
            ("김민수", "김민수", "민수", "김"),
        ] {
            let name = person_name(text).unwrap_or_else(|| panic!("{text} is a name"));
            assert_eq!(
                (name.full.as_str(), name.first.as_deref(), name.last.as_deref()),
                (full, Some(first), Some(last))
            );
        }
    }

    #[test]
    fn what_is_no_name_is_none() {
        for text in [
            "",
            "Ada",
            "ada byron",
            "Goldman Partners",
            "Chief Executive",
            "Acme Inc.",
            "40 Under 40",
            "New York City",
            "Board of Trustees",
            "Ada Byron and Grace Hopper",
            "The Quarry",
            "Bank of Lund",
            "Ada 7 Byron",
            "Ada Byron Mary Anne Clara Joan Stone",
        ] {
            assert_eq!(person_name(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_parts_of_a_name_stand_in_it(text in "\\PC{0,40}") {
            if let Some(name) = person_name(&text) {
                for part in name.first.iter().chain(&name.last) {
                    prop_assert!(name.full.contains(part.as_str()), "{:?}", name);
                }
            }
        }
    }
}
