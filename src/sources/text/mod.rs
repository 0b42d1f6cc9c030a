//! Texts, dates and addresses of strangers in one form.

pub mod canonical_url;
pub mod company_name;
pub mod dates;
pub mod folding;
pub mod markup;
mod path_functions;
pub mod pattern;
pub mod plain;
