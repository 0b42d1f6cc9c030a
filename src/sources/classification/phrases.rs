//! Finding phrases in a text by whole words, in any script.

/// The words of `text` in lower case: runs of letters and digits, with `+` and `#` kept (`c++`, `c#`).
pub fn words(text: &str) -> Vec<String> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '+' | '#');
    // Apostrophes and dots within a word do not part it: `V.P.` is `vp`, `Sr.` is `sr`.
    let text = text.to_lowercase().replace(['\'', '’', '.'], "");
    text.split(|letter| !is_of_word(letter)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether `phrase` stands in `words`: its words in a row, where `*` at an end of one stands for any letters there.
/// With `=` before it, it must be all there is.
pub fn contains(words: &[String], phrase: &str) -> bool {
    if let Some(whole) = phrase.strip_prefix('=') {
        return words.len() == whole.split(' ').count() && contains(words, whole);
    }
    let length = phrase.split(' ').count();
    words.windows(length).any(|window| phrase.split(' ').zip(window).all(|(pattern, word)| fits(word, pattern)))
}

fn fits(word: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => word.ends_with(end),
        (None, Some(start)) => word.starts_with(start),
        (None, None) => word == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::{contains, words};

    #[test]
    fn phrases_are_found_by_whole_words() {
        for (text, phrase, found) in [
            ("Senior Account-Executive, Nordics", "account executive", true),
            ("Accountant", "account", false),
            ("Accountant", "account*", true),
            ("Softwareentwickler (m/w/d)", "*entwickler", true),
            ("Chargé d’affaires", "daffaires", true),
            ("Sr. C++ Engineer", "sr", true),
            ("Sr. C++ Engineer", "c++", true),
            ("ΜΗΧΑΝΙΚΌΣ ΛΟΓΙΣΜΙΚΟΎ", "λογισμικού", true),
            ("Product", "=product", true),
            ("Product Sales", "=product", false),
            ("", "a", false),
        ] {
            assert_eq!(contains(&words(text), phrase), found, "{text} / {phrase}");
        }
    }
}
