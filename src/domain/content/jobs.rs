//! Job openings, of a company or of an industry.

use super::ContentLayout;
use super::key::Key;
use super::shared::{COMPANY, COUNTRY};

const JOB: &[Key] = &[
    Key::text("job_title", "The title of the posting.", "Example Engineer"),
    Key::text("job_url", "The address of the posting.", "https://example.com/careers/example-engineer"),
    Key::date("job_posted_at", "When the job was posted.", "2026-01-15"),
    Key::text("job_description", "The posting as plain text.", "This is a sample of a job posting."),
    Key::text("job_source", "Where the posting was found.", "example"),
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
