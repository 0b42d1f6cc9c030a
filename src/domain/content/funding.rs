//! Funding rounds.

use super::ContentLayout;
use super::key::Key;
use super::shared::{COMPANY, EVIDENCE};

const FUNDING: &[Key] = &[
    Key::text("round", "The funding round.", "Series A"),
    Key::number("amount", "The amount raised, in units of `currency`.", "5000000"),
    Key::text("currency", "The currency, as an ISO 4217 code where the source gives one.", "USD"),
    Key::date("announced_at", "When it was announced.", "2026-01-15"),
    Key::texts("investors", "Who invested.", &["Example Ventures", "Example Capital"]),
];

pub(super) const FUNDING_ROUNDS: ContentLayout = ContentLayout {
    groups: &[COMPANY, FUNDING, EVIDENCE],
    address: "source_url",
    required: &["company_name"],
    dated_by: Some("announced_at"),
    role_title: None,
};
