//! Newly founded companies.

use super::ContentLayout;
use super::key::Key;
use super::shared::{COMPANY, EVIDENCE};

const REGISTRATION: &[Key] = &[
    Key::text("registration_number", "The number in the register.", "000000000"),
    Key::text("jurisdiction", "The register's jurisdiction.", "NO"),
    Key::date("registered_at", "When the company was registered.", "2026-01-15"),
    Key::text("activity", "What the company does, in the register's words.", "Making examples"),
];

pub(super) const NEW_COMPANIES: ContentLayout = ContentLayout {
    groups: &[COMPANY, REGISTRATION, EVIDENCE],
    address: "source_url",
    required: &["company_name"],
    dated_by: Some("registered_at"),
    role_title: None,
};
