//! People who join a company, are promoted, or change jobs.

use super::ContentLayout;
use super::key::Shape::{Always, Date, Text, Word};
use super::key::{Key, Shape, key};
use super::shared::{
    COMPANY_DOMAIN, COMPANY_NAME, COUNTRY, EVIDENCE, FIRST_NAME, LAST_NAME, PROFILE_URL, start_date, title,
};

const PERSON: &[Key] = &[key("full_name", Text, "The whole name.", "Erin Example"), FIRST_NAME, LAST_NAME, PROFILE_URL];

const NEW_HIRE: &[Key] = &[title("Head of Examples"), start_date("2026-02-01"), COUNTRY];

const PROMOTION: &[Key] = &[
    key("previous_title", Text, "The title before the promotion.", "Example Manager"),
    key("current_title", Text, "The title after the promotion.", "Head of Examples"),
    key("promotion_date", Date, "When the promotion took place.", "2026-02-01"),
    COUNTRY,
];

const MOVE: Shape = Word(&["departure", "promotion", "additional_role", "new_company_role"]);
const NEW_ROLE: Shape = Always(&role("Head of Examples", "2026-02-01", "2027-12-31"));
const PREVIOUS_ROLE: Shape = Always(&role("Example Manager", "2023-02-01", "2026-01-31"));
const JOB_CHANGE: &[Key] = &[
    key("change_type", MOVE, "The kind of move.", "promotion"),
    key("new_role", NEW_ROLE, "The position that was taken up; its keys are null where there is none.", ""),
    key("previous_role", PREVIOUS_ROLE, "The position that was left; its keys are null where there is none.", ""),
];

/// A position at a company.
const fn role(title_held: &'static str, first_day: &'static str, last_day: &'static str) -> [Key; 5] {
    [
        title(title_held),
        COMPANY_NAME,
        COMPANY_DOMAIN,
        start_date(first_day),
        key("end_date", Date, "The last day in the position.", last_day),
    ]
}

pub(super) const COMPANY_NEW_HIRES: ContentLayout = ContentLayout {
    groups: &[PERSON, NEW_HIRE, EVIDENCE],
    address: "source_url",
    required: &["full_name"],
    dated_by: Some("start_date"),
    role_title: Some("title"),
};

pub(super) const COMPANY_PROMOTIONS: ContentLayout = ContentLayout {
    groups: &[PERSON, PROMOTION, EVIDENCE],
    address: "source_url",
    required: &["full_name", "current_title"],
    dated_by: Some("promotion_date"),
    role_title: Some("current_title"),
};

pub(super) const CONTACT_JOB_CHANGES: ContentLayout = ContentLayout {
    groups: &[JOB_CHANGE, EVIDENCE],
    address: "source_url",
    required: &["change_type"],
    dated_by: None,
    role_title: None,
};
