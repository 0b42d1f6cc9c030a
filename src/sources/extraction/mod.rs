//! Extraction: what documents of strangers hold, as plain owned values.
//!
//! Duty: bytes to pages, postings and addresses, pure and within the bounds of `super::bounds`. Never here: fetching, or
//! what is new.

pub mod accounts;
mod addresses;
pub mod articles;
pub mod head;
pub mod headlines;
pub mod job_posting;
pub mod json;
mod json_ld;
pub mod named_posting;
pub mod organization;
pub mod packed;
pub mod page;
pub mod selectors;
pub mod shown_postings;
pub mod site;
pub mod sitemap;
pub mod team;
pub mod tree;
