//! The paths of robots.txt (RFC 9309, 2.2.2 and 2.2.3): `*` stands for anything, `$` for the end.
//!
//! Duty: whether a path fits, in time that is linear in both. Never here: which of several rules decides.

use hex::FromHex;
use percent_encoding::percent_encode_byte;

/// A path of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: Box<str>,
    is_whole: bool,
}

impl Pattern {
    /// The pattern that `text` is.
    pub fn new(text: &str) -> Self {
        let (text, is_whole) = text.strip_suffix('$').map_or((text, false), |text| (text, true));
        // What stands for itself is written as `normalised` writes it, and `*` is kept.
        let parts: Vec<String> = text.split('*').map(normalised).collect();
        Self { text: parts.join("*").into(), is_whole }
    }

    /// Its length in bytes, by which rules are weighed.
    pub const fn len(&self) -> usize {
        self.text.len() + self.is_whole as usize
    }

    /// Whether `path`, normalised, fits. Each part is looked for behind the one before it, so nothing is tried twice.
    pub fn fits(&self, path: &str) -> bool {
        let mut parts = self.text.split('*');
        let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
        let mut last = None;
        for part in parts {
            if let Some(before) = last.replace(part) {
                let Some(at) = find(rest, before) else { return false };
                rest = &rest[at..];
            }
        }
        match (last, self.is_whole) {
            (None, false) => true,
            (None, true) => rest.is_empty(),
            (Some(last), false) => find(rest, last).is_some(),
            (Some(last), true) => rest.ends_with(last),
        }
    }
}

/// Where the first `part` of `text` ends.
fn find(text: &str, part: &str) -> Option<usize> {
    text.find(part).map(|at| at + part.len())
}

/// `path` in the one form in which paths are compared: what may stand for itself does, all else is escaped, and so are
/// `*` and `$`, which stand for something else in a pattern.
pub fn normalised(path: &str) -> String {
    let mut normalised = String::with_capacity(path.len());
    let bytes = path.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        let escaped = escaped.and_then(|digits| <[u8; 1]>::from_hex(digits).ok());
        match escaped {
            Some([byte]) if is_unreserved(byte) => normalised.push(char::from(byte)),
            Some([byte]) => normalised.push_str(percent_encode_byte(byte)),
            None if byte.is_ascii_graphic() && !matches!(byte, b'*' | b'$') => normalised.push(char::from(byte)),
            None => normalised.push_str(percent_encode_byte(byte)),
        }
        at += if escaped.is_some() { 3 } else { 1 };
    }
    normalised
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Pattern, normalised};

    /// The definition, letter by letter, with every way that `*` can be taken.
    fn fits_by_definition(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|at| fits_by_definition(rest, &path[at..])),
            [letter, rest @ ..] => path.first() == Some(letter) && fits_by_definition(rest, &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn fitting_agrees_with_the_definition(pattern in "/[ab*]{0,8}\\$?", path in "/[ab]{0,10}") {
            let fits = Pattern::new(&pattern).fits(&normalised(&path));
            prop_assert_eq!(fits, fits_by_definition(pattern.as_bytes(), path.as_bytes()));
        }

        #[test]
        fn what_is_normalised_stays_as_it_is(path in ".{0,40}") {
            let once = normalised(&path);
            prop_assert_eq!(normalised(&once), once);
        }
    }

    #[test]
    fn stars_and_ends_that_are_escaped_stand_for_themselves() {
        assert!(Pattern::new("/a%2A").fits(&normalised("/a*")));
        assert!(!Pattern::new("/a%2A").fits(&normalised("/ab")));
        assert!(Pattern::new("/a%24b").fits(&normalised("/a$b")));
        assert!(Pattern::new("/a$b").fits(&normalised("/a$b")), "an end that is not at the end is a letter");
    }
}
