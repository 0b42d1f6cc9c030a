//! Letters without case and accents, for comparing what people write.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

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
    let mut folded = String::with_capacity(text.len());
    for letter in text.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
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
    folded
}

#[cfg(test)]
mod tests {
    use super::folded;

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
}
