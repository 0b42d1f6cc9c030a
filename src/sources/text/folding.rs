//! Letters without case and accents, for comparing what people write.

use std::borrow::Cow;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The words of `text`, folded: what stands between all that is neither letter nor digit.
pub fn folded_words(text: &str) -> Vec<String> {
    let text = folded(text);
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The same words with a blank around each, as one text in which they can be looked for.
pub fn folded_line(text: &str) -> String {
    let mut line = String::from(" ");
    for word in folded(text).split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()) {
        line.push_str(word);
        line.push(' ');
    }
    line
}

/// `text` in lower case and without accents: `Zürich` and `ZURICH` are both `zurich`.
pub fn folded(text: &str) -> String {
    // Most texts are plain, and are folded again and again.
    if text.is_ascii() {
        let folded = text.to_ascii_lowercase();
        return if folded.contains('`') { folded.replace('`', "'") } else { folded };
    }
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '`' => folded.push('\''),
            letter if letter.is_ascii() => folded.push(letter.to_ascii_lowercase()),
            letter => decompose_canonical(letter, |part| push_folded(&mut folded, part)),
        }
    }
    folded
}

fn push_folded(folded: &mut String, letter: char) {
    for letter in letter.to_lowercase().filter(|_| !is_combining_mark(letter)) {
        match letter {
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ı' => folded.push('i'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            '\u{307}' => {}
            '’' | '‘' | '`' => folded.push('\''),
            letter => folded.push(letter),
        }
    }
}

/// `text` in ASCII, for expressions that are slow on anything else: letters without accents, other ones as `_`, signs of
/// currencies as `$`, dashes and quotes in their plain form.
pub fn plain_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if letter.is_ascii() => plain.push(letter),
            '’' | '‘' => plain.push('\''),
            '–' | '—' => plain.push('-'),
            '€' | '£' | '¥' | '₹' => plain.push('$'),
            letter if letter.is_alphanumeric() => {
                let mut one = String::new();
                decompose_canonical(letter, |part| push_folded(&mut one, part));
                plain.extend(one.chars().map(|letter| if letter.is_ascii() { letter } else { '_' }));
            }
            letter if is_combining_mark(letter) => {}
            letter if letter.is_whitespace() => plain.push(' '),
            _ => plain.push('~'),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization as _;

    use super::{folded, plain_ascii};

    #[test]
    fn case_and_accents_do_not_matter() {
        for (text, wanted) in [
            ("Zürich", "zurich"),
            ("ŁÓDŹ", "lodz"),
            ("Tromsø", "tromso"),
            ("Gießen", "giessen"),
            ("İstanbul", "istanbul"),
            ("Chargé d’affaires", "charge d'affaires"),
            ("東京", "東京"),
            ("", ""),
        ] {
            assert_eq!(folded(text), wanted, "{text}");
        }
    }

    #[test]
    fn a_plain_text_is_ascii_and_keeps_its_words() {
        for (text, wanted) in [
            ("Acme raises $5M", "Acme raises $5M"),
            ("lève 5 M€ – l’été", "leve 5 M$ - l'ete"),
            ("Я raise\u{a0}東京!", "_ raise __!"),
            ("“e\u{301}”", "~e~"),
        ] {
            assert_eq!(plain_ascii(text), wanted, "{text}");
        }
    }

    proptest! {
        #[test]
        fn letters_are_folded_alike_however_they_are_composed(text in "\\PC{0,40}") {
            prop_assert_eq!(folded(&text), folded(&text.nfd().collect::<String>()));
            prop_assert!(plain_ascii(&text).is_ascii());
        }
    }
}
