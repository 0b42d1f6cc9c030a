//! Keys that several families have.

use super::key::Key;

pub(super) const COUNTRY: Key =
    Key::text("country", "The country, as the source names it or as an ISO 3166-1 alpha-2 code.", "NO");
pub(super) const FIRST_NAME: Key = Key::text("first_name", "The first name.", "Erin");
pub(super) const LAST_NAME: Key = Key::text("last_name", "The last name.", "Example");
pub(super) const PROFILE_URL: Key =
    Key::text("profile_url", "The address of the profile.", "https://example.com/people/erin-example");
pub(super) const COMPANY_NAME: Key = Key::text("company_name", "The name of the company.", "Example Company");
pub(super) const COMPANY_DOMAIN: Key = Key::text("company_domain", "The domain of the company.", "example.com");

/// Which company an industry's finding is about.
pub(super) const COMPANY: &[Key] = &[COMPANY_NAME, COMPANY_DOMAIN];

/// Where a finding was seen; beside the other keys of every type but job openings.
pub(super) const EVIDENCE: &[Key] = &[
    Key::text("source_url", "Evidence: where it was found.", "https://example.com/source"),
    Key::text("source_name", "Evidence: the name of the source.", "example"),
];

/// Who wrote something, or engaged with it.
pub(super) const AUTHOR: Key = Key::object(
    "author",
    "Who wrote it or, of an engagement, who engaged.",
    &[
        Key::word("profile_type", "Whether a person or a company.", &["contact", "company"], "contact"),
        Key::text("name", "The name that is shown.", "Erin Example"),
        FIRST_NAME,
        LAST_NAME,
        title("Chief Executive Officer"),
        PROFILE_URL,
        COMPANY_NAME,
        COMPANY_DOMAIN,
        COUNTRY,
    ],
);

/// Somebody's title.
pub(super) const fn title(example: &'static str) -> Key {
    Key::text("title", "The title of the position.", example)
}

/// The first day in a position.
pub(super) const fn start_date(example: &'static str) -> Key {
    Key::date("start_date", "The first day in the position.", example)
}
