//! Job openings, of a company or of an industry.

use super::ContentLayout;
use super::key::Shape::{Date, Text};
use super::key::{Key, key};
use super::shared::{COMPANY, COUNTRY};

const JOB: &[Key] = &[
    key("job_title", Text, "The title of the posting.", "Example Engineer"),
    key("job_url", Text, "The address of the posting.", "https://example.com/careers/example-engineer"),
    key("job_posted_at", Date, "When the job was posted.", "2026-01-15"),
    key("job_description", Text, "The posting as plain text.", "This is a sample of a job posting."),
    key("job_source", Text, "Where the posting was found.", "example"),
    COUNTRY,
];

pub(super) const COMPANY_JOB_OPENINGS: ContentLayout = ContentLayout {
    groups: &[JOB],
    address: "job_url",
    required: &["job_title"],
    dated_by: Some("job_posted_at"),
    role_title: Some("job_title"),
};

pub(super) const INDUSTRY_JOB_OPENINGS: ContentLayout =
    ContentLayout { groups: &[JOB, COMPANY], ..COMPANY_JOB_OPENINGS };
