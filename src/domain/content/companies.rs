//! Newly founded companies.

use super::ContentLayout;
use super::key::Shape::{Date, Text};
use super::key::{Key, key};
use super::shared::{COMPANY, EVIDENCE};

const REGISTRATION: &[Key] = &[
    key("registration_number", Text, "The number in the register.", "000000000"),
    key("jurisdiction", Text, "The register's jurisdiction.", "NO"),
    key("registered_at", Date, "When the company was registered.", "2026-01-15"),
    key("activity", Text, "What the company does, in the register's words.", "Making examples"),
];

pub(super) const NEW_COMPANIES: ContentLayout = ContentLayout {
    groups: &[COMPANY, REGISTRATION, EVIDENCE],
    address: "source_url",
    required: &["company_name"],
    dated_by: Some("registered_at"),
    role_title: None,
};
