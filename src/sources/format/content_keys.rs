//! The keys of a finding's `content` (decision 6), as far as a source file may fill them.

use crate::domain::radar::radar_type::RadarType;

/// The keys of `radar_type` that a source file may map; empty where no file can make such findings.
pub const fn content_keys(radar_type: RadarType) -> &'static [&'static str] {
    match radar_type {
        RadarType::CompanyJobOpenings => {
            &["job_title", "job_url", "job_posted_at", "job_description", "job_source", "country"]
        }
        _ => &[],
    }
}
