//! Names of companies: the legal forms that registers write behind them and newspapers leave away.
//!
//! Duty: the one list of legal forms. Whether a company's name is like another one is said by those who compare names.

use unicode_normalization::UnicodeNormalization as _;

/// Forms that are hardly ever words of their own.
const PLAIN_FORMS: &[&str] = &[
    "ab", "ag", "asa", "bv", "corp", "corporation", "gmbh", "inc", "incorporated", "kgaa", "llc", "llp", "ltd", "nv",
    "oyj", "pbc", "plc", "pte", "pty", "pvt", "sarl", "spa",
];
/// Forms that are words as well, or ends of names that registers add.
const OTHER_FORMS: &[&str] = &[
    "aktiengesellschaft", "as", "bhd", "co", "company", "dac", "doo", "ehf", "eirl", "gbr", "group", "hf", "holding",
    "holdings", "kft", "kg", "kk", "lp", "limited", "ltda", "ou", "oy", "sa", "sab", "sas", "sca", "se", "sl", "sp",
    "sro", "srl", "ug", "zoo",
];

/// Whether `word` is the last word of registered names, such as `Inc.`
pub fn is_legal_form(word: &str) -> bool {
    let word = letters(word);
    PLAIN_FORMS.contains(&word.as_str()) || OTHER_FORMS.contains(&word.as_str())
}

/// Whether `word` is a legal form wherever it stands: `Holding`, `Group` and `Limited` are words as well.
pub fn is_plain_legal_form(word: &str) -> bool {
    PLAIN_FORMS.contains(&letters(word).as_str())
}

/// `name` as people use it: without the legal form at its end.
pub fn without_legal_form(name: &str) -> &str {
    let mut rest = name.trim();
    while let Some((before, last)) = rest.rsplit_once([' ', '\u{a0}']) {
        let is_form = is_legal_form(last) || matches!(last, "&" | "+" | "and");
        if !is_form || before.trim().is_empty() {
            break;
        }
        rest = before.trim_end_matches([',', ' ', '\u{a0}']);
    }
    rest
}

/// The letters and digits of `text`, without case and accents.
pub(super) fn letters(text: &str) -> String {
    // Most names are plain, and every word of a headline may be a form.
    if text.is_ascii() {
        return text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    }
    text.nfkd().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_legal_form, is_plain_legal_form, without_legal_form};

    #[test]
    fn legal_forms_are_cut_from_the_end_only() {
        for (name, wanted) in [
            ("Acme, Inc.", "Acme"),
            ("Acme Tools GmbH & Co. KG", "Acme Tools"),
            ("Acme Holdings Ltd", "Acme"),
            ("Quarrelake A.S.", "Quarrelake"),
            ("AB Volvo", "AB Volvo"),
            ("Inc.", "Inc."),
            ("Group", "Group"),
            ("Acme", "Acme"),
            ("", ""),
        ] {
            assert_eq!(without_legal_form(name), wanted, "{name}");
        }
    }

    #[test]
    fn some_forms_are_words_as_well() {
        for (word, is_form, is_plain) in [
            ("Inc.", true, true),
            ("A/S", true, false),
            ("GmbH", true, true),
            ("Group", true, false),
            ("limited", true, false),
            ("robotics", false, false),
        ] {
            assert_eq!((is_legal_form(word), is_plain_legal_form(word)), (is_form, is_plain), "{word}");
        }
    }
}
