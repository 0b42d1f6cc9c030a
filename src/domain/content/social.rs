//! Social posts of companies, executives and contacts, and what others do with such posts.

use super::ContentLayout;
use super::key::Shape::{Instant, Text, Word};
use super::key::{Key, key};
use super::shared::{AUTHOR, EVIDENCE};

const POST_URL: Key = key("post_url", Text, "The address of the post.", "https://example.com/posts/1");
const POST_POSTED_AT: Key = key("post_posted_at", Instant, "When the post was published.", "2026-01-15T12:00:00Z");

const POST: &[Key] = &[
    key("post_content", Text, "The words of the post.", "This is a sample of a post."),
    POST_URL,
    key("post_channel", Text, "The network.", "example"),
    POST_POSTED_AT,
];

const ENGAGEMENT: &[Key] = &[
    key("engagement_type", Word(&["like", "comment", "repost", "quote"]), "The kind of engagement.", "comment"),
    key("engagement_content", Text, "The words of a comment or quote.", "This is a sample of a comment."),
    key("engaged_at", Instant, "When somebody engaged.", "2026-01-15T12:30:00Z"),
    POST_URL,
    POST_POSTED_AT,
    AUTHOR,
];

/// Without an author: what identifies a contact never travels.
pub(super) const CONTACT_POSTS: ContentLayout = ContentLayout {
    groups: &[POST, EVIDENCE],
    address: "post_url",
    required: &[],
    dated_by: Some("post_posted_at"),
    role_title: None,
};

pub(super) const COMPANY_POSTS: ContentLayout = ContentLayout { groups: &[POST, &[AUTHOR], EVIDENCE], ..CONTACT_POSTS };

pub(super) const EXECUTIVE_POSTS: ContentLayout = ContentLayout { role_title: Some("author.title"), ..COMPANY_POSTS };

pub(super) const ENGAGEMENTS: ContentLayout = ContentLayout {
    groups: &[ENGAGEMENT, EVIDENCE],
    address: "post_url",
    required: &["engagement_type"],
    dated_by: Some("engaged_at"),
    role_title: None,
};
