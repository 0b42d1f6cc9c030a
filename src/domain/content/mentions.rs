//! Mentions on the web, of a company or of a keyword.

use super::ContentLayout;
use super::key::Shape::{Instant, Text};
use super::key::{Key, key};
use super::shared::{AUTHOR, COMPANY, EVIDENCE};

const MENTION: &[Key] = &[
    key("mention_content", Text, "The words that mention it.", "This is a sample of a mention of Example Company."),
    key("mention_url", Text, "The address of the mention.", "https://example.com/news/1"),
    key("mention_channel", Text, "The kind of place that mentions it.", "news"),
    key("mention_posted_at", Instant, "When the mention was published.", "2026-01-15T12:00:00Z"),
    AUTHOR,
];

pub(super) const COMPANY_MENTIONS: ContentLayout = ContentLayout {
    groups: &[MENTION, EVIDENCE],
    address: "mention_url",
    required: &["mention_content"],
    dated_by: Some("mention_posted_at"),
    role_title: None,
};

pub(super) const INDUSTRY_MENTIONS: ContentLayout =
    ContentLayout { groups: &[MENTION, COMPANY, EVIDENCE], ..COMPANY_MENTIONS };
