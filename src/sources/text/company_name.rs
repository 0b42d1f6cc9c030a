//! Names of companies: whether another name, a handle or a domain is like one.

use super::folding::folded;
use domain::content::company_name::without_legal_form;

/// What handles and domains have before or behind the name.
const BEFORE: &[&str] = &["get", "go", "hello", "hey", "join", "meet", "my", "team", "the", "try", "use", "we", "with"];
const BEHIND: &[&str] = &[
    "ag", "ai", "app", "apps", "co", "com", "corp", "de", "dev", "eu", "fr", "global", "gmbh", "group", "health", "hq",
    "inc", "io", "labs", "llc", "ltd", "nordic", "no", "official", "online", "se", "software", "team", "tech", "tv",
    "uk", "us", "usa", "web",
];
/// Words of a name that are looked at.
const NAME_WORDS_MAX: usize = 12;
/// Names that long are found inside other names by no accident.
const TELLING_LENGTH: usize = 5;

/// The letters and digits of `text`, folded.
pub fn letters(text: &str) -> String {
    folded(text).chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// How alike two names are: the company's own, a handle, or the first label of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// They have nothing to do with each other.
    None,
    /// One holds the other, or is made of its initials.
    Related,
    /// They are the same but for what handles and domains add.
    Same,
}

/// How alike `one` and `other` are.
pub fn likeness(one: &str, other: &str) -> Likeness {
    let (first, second) = (letters(without_legal_form(one)), letters(without_legal_form(other)));
    if first.len() < 2 || second.len() < 2 {
        return Likeness::None;
    }
    if first == second || forms(&first).iter().any(|form| forms(&second).contains(form)) {
        return Likeness::Same;
    }
    let (short, long) = if first.len() <= second.len() { (&first, &second) } else { (&second, &first) };
    let is_part = short.len() >= TELLING_LENGTH && long.contains(short.as_str());
    let is_initials = |name: &str, letters: &str| letters.len() >= 3 && initials(name) == *letters;
    let is_related = is_initials(one, &second) || is_initials(other, &first);
    let is_related = is_related || has_words(one, &second) || has_words(other, &first);
    if is_part || is_related { Likeness::Related } else { Likeness::None }
}

/// The word with which both a name and a domain of several words begin: that of Quarry Drives at `quarry-engines.com`.
pub fn first_in_common(name: &str, domain: &str) -> Option<String> {
    let first = letters(name.split_whitespace().next()?);
    let is_common = letters(domain.split(['.', '-']).next()?) == first;
    (is_common && first.len() >= TELLING_LENGTH).then_some(first)
}

/// Whether words of `name` in a row spell `letters`.
fn has_words(name: &str, letters: &str) -> bool {
    let words: Vec<String> = name.split(|letter: char| !letter.is_alphanumeric()).map(self::letters).collect();
    let words = &words[..words.len().min(NAME_WORDS_MAX)];
    let spells = |from: usize| (from + 1..=words.len()).any(|to| words[from..to].concat() == *letters);
    letters.len() >= 3 && (0..words.len()).any(spells)
}

/// What a name is once what handles and domains add is cut: itself, without one word before, without one behind.
fn forms(letters: &str) -> Vec<&str> {
    let is_left = |rest: &&str| rest.chars().count() >= 2;
    let mut forms = vec![letters];
    forms.extend(BEFORE.iter().filter_map(|word| letters.strip_prefix(word)).filter(is_left));
    for form in forms.clone() {
        forms.extend(BEHIND.iter().filter_map(|word| form.strip_suffix(word)).filter(is_left));
    }
    forms
}

fn initials(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    folded(&words.filter_map(|word| word.chars().next()).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Likeness, likeness};

    #[test]
    fn handles_and_domains_are_compared_with_names() {
        for (one, other, wanted) in [
            ("Acme", "acme", Likeness::Same),
            ("Acme, Inc.", "AcmeHQ", Likeness::Same),
            ("getacme", "Acme", Likeness::Same),
            ("Acme", "acme_io", Likeness::Same),
            ("Ørsted", "orsted", Likeness::Same),
            ("Quarrelake", "quarrelakebergen", Likeness::Related),
            ("Quarrelake Robotics", "quarrelake", Likeness::Related),
            ("International Sand Makers", "ism", Likeness::Related),
            ("Acme Tools", "acme", Likeness::Related),
            ("The Best Buy Company", "bestbuy", Likeness::Same),
            ("Best Buy of Bergen", "bestbuy", Likeness::Related),
            ("Acme", "webflow", Likeness::None),
            ("Acme", "acmeticulous", Likeness::None),
            ("Sand", "thousands", Likeness::None),
            ("", "acme", Likeness::None),
        ] {
            assert_eq!(likeness(one, other), wanted, "{one} {other}");
            assert_eq!(likeness(other, one), wanted, "{other} {one}");
        }
    }
}
