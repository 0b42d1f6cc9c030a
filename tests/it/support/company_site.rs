//! Sample company sites on loopback: those of the demo.

use radar::cli::demo::company_site::{CompanySite, Fetch};
use radar::cli::demo::sample_pages::{Company, Job};
use tokio::sync::mpsc;

/// Reports of fetches that may wait to be read.
const REPORTS_MAX: usize = 4096;

/// Starts the sites; every fetch is reported to the receiver.
pub fn start() -> (CompanySite, mpsc::Receiver<Fetch>) {
    let (reports, fetches) = mpsc::channel(REPORTS_MAX);
    (CompanySite::start(reports).expect("a port"), fetches)
}

/// A job as plain as can be.
pub fn job(company: &'static Company, id: u64, title: &str) -> Job {
    Job {
        company,
        id,
        title: title.to_owned(),
        department: "Engineering".to_owned(),
        city: "Oslo".to_owned(),
        country: "NO".to_owned(),
        posted_on: "2026-01-02".parse().expect("a date"),
        description: "A job.".to_owned(),
    }
}
