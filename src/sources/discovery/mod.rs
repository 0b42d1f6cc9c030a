//! The search for sources of a company, from its domain alone (decisions 1.3, 7.5).
//!
//! Duty: home page, careers pages, boards that these lead to, postings on the pages, then the sitemap; the first that
//! proves itself is taken. Never here: a token guessed from the domain, which would attach another company's board.

mod evidence;
mod fault;
mod proof;
mod search;

use std::sync::Arc;

#[cfg(test)]
pub(super) use evidence::{Evidence, Wanted};
pub use fault::SetUpFault;
use search::Search;

use crate::domain::radar::radar_type::RadarType;
use crate::domain::targets::DomainName;
use crate::outbound::fetch::Web;
use crate::sources::format::catalog::Catalog;
use crate::sources::format::source::SourceKind;
use crate::sources::found::FeedKey;

/// Looks for the sources of the company at `domain` that serve `radar_type`; never an empty list.
///
/// # Errors
/// See [`SetUpFault`].
pub async fn discover(
    web: &Web,
    catalog: &Arc<Catalog>,
    radar_type: RadarType,
    domain: &DomainName,
) -> Result<Vec<FeedKey>, SetUpFault> {
    if radar_type != RadarType::CompanyJobOpenings {
        return Err(SetUpFault::NoSource(format!("no source of {radar_type} can be found from a domain")));
    }
    if !catalog.serving(radar_type).any(|source| !matches!(source.kind(), SourceKind::Push)) {
        return Err(SetUpFault::NoSource(format!("no source of {radar_type} is enabled")));
    }
    Search::new(web, catalog, radar_type, domain).run().await
}
