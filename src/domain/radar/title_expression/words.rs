//! Text cut into words, so that looking for a term on word boundaries is one substring search.

/// Stands between two tokens; no text holds it, because control characters count as white space here.
const SEPARATOR: char = '\u{1}';

/// A text in folded case as a list of tokens: a run of word characters, a run of white space (one blank), or any other
/// single character. A term stands in a title on word boundaries exactly when its tokens stand there in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words(String);

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let mut tokens = String::with_capacity(text.len() * 2 + 2);
        tokens.push(SEPARATOR);
        let mut in_word = false;
        let mut blank = false;
        for character in text.chars() {
            if character.is_whitespace() || character.is_control() {
                blank = true;
                continue;
            }
            for folded in fold(character) {
                if in_word && (blank || !is_word(folded)) {
                    tokens.push(SEPARATOR);
                }
                if blank && tokens.len() > 1 {
                    tokens.push(' ');
                    tokens.push(SEPARATOR);
                }
                blank = false;
                in_word = is_word(folded);
                tokens.push(folded);
                if !in_word {
                    tokens.push(SEPARATOR);
                }
            }
        }
        if in_word {
            tokens.push(SEPARATOR);
        }
        Self(tokens)
    }

    /// Whether `term` stands here on word boundaries; linear in the length of both.
    pub(super) fn contain(&self, term: &Self) -> bool {
        self.0.contains(&term.0)
    }
}

/// A character without its case. By way of the upper case, which joins what the lower case keeps apart (ß and ss, σ and ς).
pub(super) fn fold(character: char) -> impl Iterator<Item = char> {
    character.to_uppercase().flat_map(char::to_lowercase)
}

/// Letters, digits, the underscore, and the combining marks that belong to the letter before them. In scripts that are
/// written without blanks every character is a word of its own, or no term would ever be found inside a title.
pub(super) fn is_word(character: char) -> bool {
    (character.is_alphanumeric() || character == '_' || is_combining(character))
        && !is_written_without_blanks(character)
}

/// The blocks of combining marks for any script.
fn is_combining(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

/// Thai and Lao, Myanmar, Khmer, Hiragana and Katakana, Han.
fn is_written_without_blanks(character: char) -> bool {
    matches!(character,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn cuts_and_folds() {
        for (text, tokens) in [
            ("", "|"),
            ("  ", "|"),
            ("Vice  President", "|vice| |president|"),
            (" C++ (m/f) ", "|c|+|+| |(|m|/|f|)|"),
            ("a\u{1}b", "|a| |b|"),
            ("STRAßE", "|strasse|"),
            ("高级QA工程师", "|高|级|qa|工|程|师|"),
        ] {
            assert_eq!(Words::of(text).0.replace('\u{1}', "|"), tokens, "{text}");
        }
    }
}
