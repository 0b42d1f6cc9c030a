//! Funding rounds.

use super::ContentLayout;
use super::key::Shape::{Date, Number, Text, Texts};
use super::key::{Key, key};
use super::shared::{COMPANY, EVIDENCE};

const FUNDING: &[Key] = &[
    key("round", Text, "The funding round.", "Series A"),
    key("amount", Number, "The amount raised, in units of `currency`.", "5000000"),
    key("currency", Text, "The currency, as an ISO 4217 code where the source gives one.", "USD"),
    key("announced_at", Date, "When it was announced.", "2026-01-15"),
    key("investors", Texts, "Who invested.", "Example Ventures, Example Capital"),
];

pub(super) const FUNDING_ROUNDS: ContentLayout = ContentLayout {
    groups: &[COMPANY, FUNDING, EVIDENCE],
    address: "source_url",
    required: &["company_name"],
    dated_by: Some("announced_at"),
    role_title: None,
};
