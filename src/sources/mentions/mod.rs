//! Whether a text mentions a company, and which names mean more than a company.
//!
//! Duty: pure rules, and the lists that they need. Never here: how the names of a company are found.

mod ambiguity;
mod company;
#[cfg(test)]
mod tests;
mod words;

pub use ambiguity::{Ambiguity, is_common, is_given_name, is_name_of_people, is_surname, is_word};
pub use company::{Evidence as MentionEvidence, Mentioned, hosts};

/// Whether `phrase` stands in `text` as whole words, in any case.
pub fn has_phrase(text: &str, phrase: &str) -> bool {
    words::Words::of(text).have(&words::Words::of(phrase))
}
