//! `radar demo`: sample companies and a customer's receiver, as one can watch them.
//!
//! Duty: the parts that stand outside the service. They share no code with what they check.

pub mod company_site;
pub mod receiver;
pub mod sample_pages;
