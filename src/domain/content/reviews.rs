//! Reviews of a company as an employer.

use super::ContentLayout;
use super::key::Shape::{Date, Number, Text};
use super::key::{Key, key};
use super::shared::EVIDENCE;

const REVIEW: &[Key] = &[
    key("review_content", Text, "The words of the review.", "This is a sample of a review."),
    key("review_url", Text, "The address of the review.", "https://example.com/reviews/1"),
    key("review_source", Text, "Where the review was found.", "example"),
    key("review_rating", Number, "The rating, on the scale of the source.", "4.5"),
    key("reviewed_at", Date, "When the review was written.", "2026-01-15"),
];

pub(super) const COMPANY_REVIEWS: ContentLayout = ContentLayout {
    groups: &[REVIEW, EVIDENCE],
    address: "review_url",
    required: &[],
    dated_by: Some("reviewed_at"),
    role_title: None,
};
