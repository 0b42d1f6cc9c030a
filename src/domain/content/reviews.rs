//! Reviews of a company as an employer.

use super::ContentLayout;
use super::key::Key;
use super::shared::EVIDENCE;

const REVIEW: &[Key] = &[
    Key::text("review_content", "The words of the review.", "This is a sample of a review."),
    Key::text("review_url", "The address of the review.", "https://example.com/reviews/1"),
    Key::text("review_source", "Where the review was found.", "example"),
    Key::number("review_rating", "The rating, on the scale of the source.", "4.5"),
    Key::date("reviewed_at", "When the review was written.", "2026-01-15"),
];

pub(super) const COMPANY_REVIEWS: ContentLayout = ContentLayout {
    groups: &[REVIEW, EVIDENCE],
    address: "review_url",
    required: &[],
    dated_by: Some("reviewed_at"),
    role_title: None,
};
