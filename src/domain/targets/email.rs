//! Reads an e-mail address (Spec 2.7).

use crate::field_limits::{EMAIL_LOCAL_PART_MAX, EMAIL_MAX};
use crate::targets::Email;
use crate::targets::domain_name::ascii_host;

/// Why a text is no e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    /// Nothing but white space.
    #[error("must not be empty")]
    Empty,
    /// Not of the form `name@example.com`.
    #[error("must be an e-mail address such as name@example.com")]
    Malformed,
    /// Longer than [`EMAIL_MAX`].
    #[error("must be at most 254 characters")]
    TooLong,
}

impl Email {
    /// Reads `name@domain`; the domain becomes ASCII lower case, the name stays as it is.
    ///
    /// Quoted names and address literals are refused: no source knows a person by one.
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(EmailError::Empty);
        }
        if text.chars().count() > EMAIL_MAX {
            return Err(EmailError::TooLong);
        }
        let parts = text.rsplit_once('@').filter(|(name, _)| is_local_part(name));
        let (name, host) = parts.ok_or(EmailError::Malformed)?;
        let host = ascii_host(host).ok().filter(|host| host.contains('.')).ok_or(EmailError::Malformed)?;
        let email = format!("{name}@{host}");
        if email.chars().count() > EMAIL_MAX { Err(EmailError::TooLong) } else { Ok(Self::from_stored(email)) }
    }
}

fn is_local_part(name: &str) -> bool {
    let is_allowed = |character: char| character.is_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(character);
    name.chars().count() <= EMAIL_LOCAL_PART_MAX
        && name.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_allowed))
}

#[cfg(test)]
mod tests {
    use super::{Email, EmailError};
    use proptest::prelude::*;

    #[test]
    fn reads_addresses() {
        for (text, email) in [
            ("ada@example.com", "ada@example.com"),
            (" Ada.L+news@EXAMPLE.com. ", "Ada.L+news@example.com"),
            ("josé@bücher.de", "josé@xn--bcher-kva.de"),
        ] {
            assert_eq!(Email::parse(text).as_ref().map(Email::as_str), Ok(email), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_none() {
        let long_name = format!("{}@example.com", "a".repeat(65));
        for text in [
            "ada", "@example.com", "ada@", "ada@localhost", "ada@192.0.2.1", "ada@[192.0.2.1]", "a@b@example.com",
            ".ada@example.com", "a..b@example.com", "a b@example.com", "\"a b\"@example.com", "ada@exa mple.com",
            &long_name,
        ] {
            assert_eq!(Email::parse(text), Err(EmailError::Malformed), "{text}");
        }
        assert_eq!(Email::parse(" "), Err(EmailError::Empty));
        let host = format!("{}com", "abcdefgh.".repeat(27));
        assert_eq!(Email::parse(&format!("ada.lovelace@{host}")), Err(EmailError::TooLong));
    }

    proptest! {
        #[test]
        fn never_panics_and_holds_the_limit(text in ".{0,60}|[a-zé.@\u{0}]{0,20}@[a-zé.@-]{0,20}") {
            if let Ok(email) = Email::parse(&text) {
                prop_assert!(email.as_str().chars().count() <= 254 && !email.as_str().contains(char::is_control));
            }
        }

        #[test]
        fn reading_twice_changes_nothing(text in "[a-zA-Z.+é]{1,10}@[a-zA-Zü.-]{1,20}") {
            if let Ok(once) = Email::parse(&text) {
                prop_assert_eq!(Email::parse(once.as_str()), Ok(once));
            }
        }
    }
}
