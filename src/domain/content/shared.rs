//! Keys that several families have.

use super::key::Shape::{Date, Object, Text, Word};
use super::key::{Key, key};

pub(super) const COUNTRY: Key =
    key("country", Text, "The country, as the source names it or as an ISO 3166-1 alpha-2 code.", "NO");
pub(super) const FIRST_NAME: Key = key("first_name", Text, "The first name.", "Erin");
pub(super) const LAST_NAME: Key = key("last_name", Text, "The last name.", "Example");
pub(super) const PROFILE_URL: Key =
    key("profile_url", Text, "The address of the profile.", "https://example.com/people/erin-example");
pub(super) const COMPANY_NAME: Key = key("company_name", Text, "The name of the company.", "Example Company");
pub(super) const COMPANY_DOMAIN: Key = key("company_domain", Text, "The domain of the company.", "example.com");

/// Which company an industry's finding is about.
pub(super) const COMPANY: &[Key] = &[COMPANY_NAME, COMPANY_DOMAIN];

/// Where a finding was seen; beside the other keys of every type but job openings.
pub(super) const EVIDENCE: &[Key] = &[
    key("source_url", Text, "Evidence: where it was found.", "https://example.com/source"),
    key("source_name", Text, "Evidence: the name of the source.", "example"),
];

/// Who wrote something, or engaged with it.
pub(super) const AUTHOR: Key = key("author", Object(PROFILE), "Who wrote it or, of an engagement, who engaged.", "");
const PROFILE: &[Key] = &[
    key("profile_type", Word(&["contact", "company"]), "Whether a person or a company.", "contact"),
    key("name", Text, "The name that is shown.", "Erin Example"),
    FIRST_NAME,
    LAST_NAME,
    title("Chief Executive Officer"),
    PROFILE_URL,
    COMPANY_NAME,
    COMPANY_DOMAIN,
    COUNTRY,
];

/// Somebody's title.
pub(super) const fn title(example: &'static str) -> Key {
    key("title", Text, "The title of the position.", example)
}

/// The first day in a position.
pub(super) const fn start_date(example: &'static str) -> Key {
    key("start_date", Date, "The first day in the position.", example)
}
