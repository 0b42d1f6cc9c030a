pub mod company_site;
pub mod receiver;
pub mod sample_pages;
mod timeline;
