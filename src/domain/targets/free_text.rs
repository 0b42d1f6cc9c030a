//! Reads the two free texts that name a target: `keyword` and `full_name` (Spec 2.7, 8.2).

use crate::field_limits::{FULL_NAME_MAX, KEYWORD_MAX, KEYWORD_MIN};

/// Why a text names no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FreeTextError {
    /// Fewer characters than the least.
    #[error("must be at least {0} characters")]
    TooShort(usize),
    /// More characters than the most.
    #[error("must be at most {0} characters")]
    TooLong(usize),
    /// Holds a character that is no text.
    #[error("must not contain control characters")]
    ControlCharacter,
}

/// Reads a keyword: at least three characters once the white space around it is cut.
pub fn keyword(text: &str) -> Result<String, FreeTextError> {
    checked(text, KEYWORD_MIN, KEYWORD_MAX)
}

/// Reads a person's name: at least one character once the white space around it is cut.
pub fn full_name(text: &str) -> Result<String, FreeTextError> {
    checked(text, 1, FULL_NAME_MAX)
}

fn checked(text: &str, least: usize, most: usize) -> Result<String, FreeTextError> {
    let text = text.trim();
    let length = text.chars().count();
    if length < least {
        return Err(FreeTextError::TooShort(least));
    }
    if length > most {
        return Err(FreeTextError::TooLong(most));
    }
    if text.contains(char::is_control) { Err(FreeTextError::ControlCharacter) } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{FreeTextError, full_name, keyword};

    #[test]
    fn spec_8_2_counts_characters_not_bytes() {
        assert_eq!(keyword("  green steel "), Ok("green steel".into()));
        assert_eq!(keyword("鉄鋼業"), Ok("鉄鋼業".into()));
        assert_eq!(keyword("鉄鋼"), Err(FreeTextError::TooShort(3)));
        assert_eq!(keyword(" ab "), Err(FreeTextError::TooShort(3)));
        assert_eq!(keyword(&"é".repeat(500)), Ok("é".repeat(500)));
        assert_eq!(keyword(&"é".repeat(501)), Err(FreeTextError::TooLong(500)));
        assert_eq!(keyword("gr\u{0}en"), Err(FreeTextError::ControlCharacter));
        assert_eq!(full_name("  "), Err(FreeTextError::TooShort(1)));
        assert_eq!(full_name(" Ada L "), Ok("Ada L".into()));
        assert_eq!(full_name(&"é".repeat(500)), Ok("é".repeat(500)));
        assert_eq!(full_name(&"é".repeat(501)), Err(FreeTextError::TooLong(500)));
    }

    proptest! {
        #[test]
        fn what_is_read_is_within_its_limits_and_reads_as_itself(text in "\\PC{0,12}|.{0,12}") {
            if let Ok(read) = keyword(&text) {
                prop_assert!((3..=500).contains(&read.chars().count()) && !read.contains('\0'));
                prop_assert_eq!(keyword(&read), Ok(read.clone()));
                prop_assert_eq!(full_name(&text), Ok(read));
            }
        }
    }
}
