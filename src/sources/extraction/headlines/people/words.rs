//! Words of a headline: where a phrase stands, and which company they name.

use crate::sources::extraction::headlines::names::is_title_word;
use crate::sources::text::company_name::without_legal_form;
use crate::sources::text::folding::folded;

/// What ends a post, or the name of a company.
pub const POST_ENDS: &[&str] = &[
    "at",
    "of",
    "for",
    "following",
    "after",
    "amid",
    "effective",
    "to",
    "from",
    "replacing",
    "succeeding",
    "who",
    "in",
    "on",
    "with",
    "as",
    "bei",
    "de",
    "del",
    "chez",
    "en",
    "until",
    "by",
    "over",
    "and",
    "ahead",
];

/// Where the words of `phrase` stand in a row, in any case.
pub fn find(words: &[&str], phrase: &str) -> Option<usize> {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let is_same = |(word, wanted): (&&str, &&str)| bare(word) == folded(wanted);
    words.windows(phrase.len()).position(|here| here.iter().zip(&phrase).all(is_same))
}

/// `word` folded, without the signs around it.
pub fn bare(word: &str) -> String {
    folded(word.trim_matches(|letter: char| !letter.is_alphanumeric()))
}

/// Whether `word` is one of `list`.
pub fn is_one_of(word: &str, list: &[&str]) -> bool {
    let bare = bare(word);
    list.iter().any(|known| folded(known) == bare)
}

/// The words behind the first of `leads`, until something else begins.
pub fn behind<'a, 'b>(words: &'a [&'b str], leads: &[&str]) -> Option<&'a [&'b str]> {
    let at = words.iter().position(|word| is_one_of(word, leads))?;
    Some(until_end(&words[at + 1..]))
}

/// The words until something else begins.
pub fn until_end<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let end = words.iter().position(|word| is_one_of(word, POST_ENDS)).unwrap_or(words.len());
    let comma = words.iter().position(|word| word.ends_with([',', ';'])).map_or(words.len(), |at| at + 1);
    &words[..end.min(comma)]
}

/// The company behind the last `of`, `at` or `for`.
pub fn company_behind(words: &[&str]) -> Option<String> {
    let leads = ["at", "of", "for", "bei", "chez", "von", "de", "en", "from"];
    let at = words.iter().rposition(|word| is_one_of(word, &leads))?;
    name_of(until_end(&words[at + 1..]))
}

/// The company that the subject of a headline names.
pub fn company(words: &[&str]) -> Option<String> {
    let from = words.iter().rposition(|word| word.ends_with(':')).map_or(0, |at| at + 1);
    let words = &words[from..];
    let end = words.iter().position(|word| word.ends_with(',')).map_or(words.len(), |at| at + 1);
    let start = words.iter().position(|word| {
        word.chars().any(|letter| letter.is_uppercase() || letter.is_numeric())
            && !word.to_lowercase().ends_with("-based")
    })?;
    name_of(words.get(start..end)?)
}

/// The name of a company at the beginning of `words`.
pub fn name_of(words: &[&str]) -> Option<String> {
    let is_part = |word: &&&str| {
        word.chars().any(|letter| letter.is_uppercase() || letter.is_numeric())
            || matches!(**word, "&" | "of" | "de" | "the" | "and")
    };
    let words: Vec<&str> = words.iter().take_while(is_part).copied().collect();
    let name = words.join(" ");
    let name =
        name.trim_matches([',', ';', ':', '.', '"', '“', '”', '(', ')']).trim_end_matches("'s").trim_end_matches("’s");
    let name = without_legal_form(name);
    let is_name = (1..=7).contains(&name.split_whitespace().count())
        && name.chars().any(char::is_uppercase)
        && !is_title_word(name);
    is_name.then(|| name.to_owned())
}
