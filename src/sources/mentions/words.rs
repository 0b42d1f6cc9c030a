//! A text as words, so that a phrase is found only on word boundaries, in any script.

use std::ops::Range;

use crate::text::folding::folded;
use crate::text::pattern::LETTERS_PER_STEP;
use outbound::reading;

/// Words of one text that are looked at.
const WORDS_MAX: usize = 20_000;
/// What may stand between two words of one name, beside white space.
const JOINTS: &str = "-‐‑–'’.·/";

/// A run of letters and digits, or one sign that names are made with; in scripts that are written without blanks, one
/// character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// As it is written.
    pub written: &'a str,
    /// Without case and accents.
    pub folded: String,
    /// What stands between the word before and this one.
    pub gap: &'a str,
}

/// A text as words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words<'a>(Vec<Word<'a>>);

impl<'a> Words<'a> {
    /// The words of `text`.
    pub fn of(text: &'a str) -> Self {
        reading::count(text.len() / LETTERS_PER_STEP + 1);
        let mut words: Vec<Word<'a>> = Vec::new();
        let (mut start, mut end_of_last) = (None, 0);
        for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
            if words.len() >= WORDS_MAX {
                break;
            }
            let is_inside = is_of_word(letter) && !stands_alone(letter);
            if is_inside {
                start.get_or_insert(at);
                continue;
            }
            if let Some(start) = start.take() {
                push(&mut words, text, end_of_last, start..at);
                end_of_last = at;
            }
            if stands_alone(letter) {
                let end = at + letter.len_utf8();
                push(&mut words, text, end_of_last, at..end);
                end_of_last = end;
            }
        }
        Self(words)
    }

    /// All of them, in order.
    pub fn all(&self) -> &[Word<'a>] {
        &self.0
    }

    /// Where the words of `phrase` stand in a row, with nothing between them but joints and what stands there in `phrase`.
    pub fn places(&self, phrase: &Words<'_>) -> impl Iterator<Item = Range<usize>> {
        let is_joined = |(word, wanted): (&Word<'_>, &Word<'_>)| is_joint(word.gap) || word.gap == wanted.gap;
        let is_here =
            move |words: &[Word<'_>]| is_same(words, &phrase.0) && words.iter().zip(&phrase.0).skip(1).all(is_joined);
        let windows = self.0.windows(phrase.0.len().max(1)).enumerate();
        windows.filter(move |(_, words)| is_here(words)).map(|(at, words)| at..at + words.len())
    }

    /// Whether `phrase` stands here.
    pub fn have(&self, phrase: &Words<'_>) -> bool {
        self.places(phrase).next().is_some()
    }

    /// Whether most words begin with capitals, as in a headline: then a capital says nothing about a word.
    pub fn is_headline(&self) -> bool {
        let long = self.0.iter().filter(|word| word.written.chars().count() >= 4);
        let (capitals, all) =
            long.fold((0, 0), |(capitals, all), word| (capitals + usize::from(word.is_capitalised()), all + 1));
        all >= 3 && capitals * 10 >= all * 7
    }
}

impl Word<'_> {
    /// Whether it begins with a capital or a digit.
    pub fn is_capitalised(&self) -> bool {
        self.written.chars().next().is_some_and(|letter| letter.is_uppercase() || letter.is_numeric())
    }

    /// Whether it has capitals and no small letters.
    pub fn is_all_capitals(&self) -> bool {
        self.written.chars().any(char::is_uppercase) && !self.written.chars().any(char::is_lowercase)
    }
}

/// Whether the words are the same but for case and accents.
pub fn is_same(words: &[Word<'_>], others: &[Word<'_>]) -> bool {
    words.iter().map(|word| &word.folded).eq(others.iter().map(|word| &word.folded))
}

fn push<'a>(words: &mut Vec<Word<'a>>, text: &'a str, end_of_last: usize, word: Range<usize>) {
    let gap = &text[end_of_last..word.start];
    let written = &text[word];
    words.push(Word { written, folded: folded(written), gap });
}

/// Whether the words around `gap` may belong to one name: white space, or one sign without white space.
fn is_joint(gap: &str) -> bool {
    let mut signs = gap.chars();
    match (signs.next(), signs.next()) {
        (None, _) => true,
        (Some(sign), None) if JOINTS.contains(sign) => true,
        _ => gap.chars().all(char::is_whitespace),
    }
}

/// Letters, digits and the marks that belong to the letter before them.
fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '\u{300}'..='\u{36f}' | '_')
}

/// Signs that are words of names, and the characters of scripts that are written without blanks.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '&' | '+' | '$'
        | '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Words;

    #[test]
    fn phrases_are_found_on_word_boundaries_in_any_script() {
        for (text, phrase, is_there) in [
            ("Green Steel is here", "green steel", true),
            ("(green   steel)", "Green Steel", true),
            ("green-steel", "green steel", true),
            ("evergreen steel", "green steel", false),
            ("green steelworks", "green steel", false),
            ("green. Steel", "green steel", false),
            ("green, steel", "green steel", false),
            ("Green, steel", "green, steel", true),
            ("Yahoo! Japan buys", "Yahoo! Japan", true),
            ("Yahoo! Japan buys", "Yahoo Japan", false),
            ("Acme's plan", "acme", true),
            ("Macy’s opens", "Macy's", true),
            ("AT&T buys", "AT&T", true),
            ("AT & T buys", "AT&T", true),
            ("at the T", "AT&T", false),
            ("Orsted baut", "Ørsted", true),
            ("Zürich gewinnt", "zurich", true),
            ("トヨタ自動車が発表", "トヨタ", true),
            ("Яндекс купил", "яндекс", true),
            ("", "acme", false),
            ("acme", "", false),
        ] {
            assert_eq!(Words::of(text).have(&Words::of(phrase)), is_there, "{text} / {phrase}");
        }
    }

    #[test]
    fn headlines_are_told_from_sentences() {
        for (text, is_headline) in [
            ("Acme Names New Chief Executive", true),
            ("ACME NAMES NEW CHIEF EXECUTIVE", true),
            ("Acme names a new chief executive", false),
            ("Acme", false),
        ] {
            assert_eq!(Words::of(text).is_headline(), is_headline, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_word_of_a_text_stands_in_it(text in "\\PC{0,60}") {
            let words = Words::of(&text);
            for word in words.all() {
                prop_assert!(words.have(&Words::of(word.written)), "{:?}", word);
            }
            prop_assert_eq!(words.have(&words), !words.all().is_empty());
        }
    }
}
