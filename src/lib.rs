//! A self-hostable service that watches companies, people and industries on the public web and reports what is new.

pub mod clock;
pub mod domain;
pub mod outbound;
pub mod sources;
