//! Words of a headline: where a phrase stands, and which company they name.

use super::phrases::Phrases;
use super::word::{Question, Word, bare};
use crate::extraction::headlines::companies::{company_before, is_form};
use crate::mentions::is_common;
use crate::text::folding::folded;
use outbound::reading;

/// Words of a company before a colon.
const LABEL_MAX: usize = 4;

/// A headline without what only newspapers put around it.
pub fn cleaned(headline: &str) -> String {
    let mut text = String::with_capacity(headline.len());
    let mut depth = 0_usize;
    for letter in headline.chars() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '®' | '™' => {}
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    let text = without_nicknames(&text).split(' ').map(of_compound).collect::<Vec<_>>().join(" ");
    let text = text.replace(" : ", ": ").replace(" – ", " - ").replace(" — ", " - ").replace('—', " - ");
    // "BRIEF-Acme names", "UPDATE 2-Acme names".
    let bare = match text.split_once('-') {
        Some((label, rest)) if is_label(label) => rest.to_owned(),
        _ => text,
    };
    bare.trim().to_owned()
}

/// `Acme-Chef` is `Acme Chef`.
fn of_compound(word: &str) -> String {
    let posts = ["chef", "chefin", "co-chef", "co-chefin", "finanzchef", "finanzchefin", "vorstand", "finanzvorstand"];
    match word.split_once('-') {
        Some((company, post)) if posts.contains(&folded(post).as_str()) && !company.is_empty() && company != "Co" => {
            format!("{company} {post}")
        }
        _ => word.to_owned(),
    }
}

/// `Robert "Bob" Stone` is Robert Stone; other quotes only lose their marks.
fn without_nicknames(text: &str) -> String {
    let marks = ['“', '”', '"'];
    let is_nickname = |word: &&str| word.starts_with(marks) && word.ends_with(marks) && word.chars().count() > 2;
    let words = text.split_whitespace().filter(|word| !is_nickname(word));
    words.collect::<Vec<_>>().join(" ").replace(marks, "")
}

fn is_label(label: &str) -> bool {
    let letters = label.chars().filter(|letter| letter.is_alphabetic());
    let words = ["BRIEF", "UPDATE", "RPT", "CORRECTED", "EXCLUSIVE", "MOVES", "REFILE"];
    letters.clone().count() > 0
        && letters.clone().all(char::is_uppercase)
        && words.iter().any(|word| label.trim_start().starts_with(word))
}

/// Where `as` stands among the first words, in one of the languages of headlines.
pub fn place_of_as(words: &[Word<'_>]) -> Option<usize> {
    static AS: Phrases<()> = Phrases::new(&[((), "as|als|comme|como|en tant que")]);
    (0..words.len()).find(|at| AS.at(&words[*at..]).is_some())
}

/// Whom `text` names as the owner of what follows: `Acme's`.
pub fn owner(text: &str) -> Option<&str> {
    text.strip_suffix("'s").or(text.strip_suffix("’s"))
}

/// Whether `word` is one of `list`, whose words are folded.
pub fn is_one_of(word: &Word<'_>, list: &[&str]) -> bool {
    reading::count(1);
    list.contains(&word.bare.as_str())
}

/// Whether `word` ends a part of a headline.
pub fn ends_part(word: &Word<'_>) -> bool {
    let is_end = || word.ends_with([',', ';', ':', '|', '.']) && !is_initial(word) && !is_abbreviation(word);
    word.once(Question::EndOfPart, || is_end() || word.written == "-")
}

/// `J.` of a name.
pub fn is_initial(word: &str) -> bool {
    let letters = word.trim_end_matches('.');
    word.ends_with('.') && letters.chars().count() <= 2 && letters.chars().all(char::is_uppercase)
}

fn is_abbreviation(word: &Word<'_>) -> bool {
    let abbreviations =
        ["inc", "ltd", "corp", "co", "dr", "mr", "ms", "mrs", "jr", "sr", "prof", "u.s", "st", "d.c", "n.a"];
    is_one_of(word, &abbreviations) && !word.ends_with([',', ';', ':'])
}

/// The company behind the last `of`, `at`, `for` and the like.
pub fn company_behind(words: &[Word<'_>]) -> Option<String> {
    let leads = ["at", "of", "for", "bei", "chez", "von", "de", "en"];
    let at = words.iter().position(|word| is_one_of(word, &leads))?;
    company_at(&words[at + 1..])
}

/// The company that a headline names before a colon: `Acme: Ada Byron steps down`.
pub fn company_labelled(words: &[Word<'_>]) -> Option<String> {
    let at = words.iter().take(LABEL_MAX).position(|word| word.ends_with(':'))?;
    let label = words[..=at].join(" ");
    let label = label.trim_end_matches([':', ' ']);
    company_before(label).filter(|name| !is_common(&bare(name)))
}

/// The company at the beginning of `words`.
pub fn company_at(words: &[Word<'_>]) -> Option<String> {
    let words = match words {
        [first, rest @ ..] if is_one_of(first, &["the", "its", "der", "la", "le"]) => rest,
        words => words,
    };
    let is_name = |word: &str| word.chars().any(|letter| letter.is_uppercase() || letter.is_numeric());
    let is_part = |word: &str| is_name(word) || matches!(word, "&" | "of" | "de" | "the" | "and" | "for" | "du" | "+");
    let mut end = 0;
    while let Some(word) =
        words.get(end).filter(|word| is_part(word) && !super::verbs::AFTER_COMPANY.contains(&word.bare))
    {
        end += 1;
        // "Acme's" owns what follows, and "Acme," is complete, but for "Acme, Inc.".
        let has_form = words.get(end).is_some_and(|next| is_form(next));
        if owner(word).is_some() || ends_part(word) && !has_form {
            break;
        }
    }
    let end = words[..end].iter().rposition(|word| is_name(word)).map_or(0, |last| last + 1);
    let name = words[..end].join(" ");
    let name = name.trim_end_matches(['\'', '’']);
    company_before(owner(name).unwrap_or(name))
}
