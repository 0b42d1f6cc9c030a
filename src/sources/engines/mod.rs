//! Engines: how a source of each kind is asked, and what of its answers is new.
//!
//! Duty: requests of one feed, and their answers as items. Never here: anything about one particular source, or a write
//! to the store.

pub mod announcements;
mod article_list;
mod asking;
pub mod list;
pub mod list_reader;
pub mod mapping;
mod page_at;
pub mod pages;
pub mod posting_findings;
pub mod posting_pages;
pub mod reading;
mod team_changes;
pub mod team_page;
pub mod wire;
