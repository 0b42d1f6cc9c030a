//! `radar admin radar …`, `radar admin source …` and `radar admin clock …`.

use clap::Subcommand;
use serde_json::json;

use super::request::{Request, segment};
use crate::config::duration;

#[derive(Debug, Subcommand)]
pub(super) enum RadarCommand {
    /// Internal state, timer, feeds, last polls and last error of a radar
    Show {
        /// Radar id
        radar: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum SourceCommand {
    /// Every source, with its terms, its state and its health
    List,
    /// The same of one source
    Show {
        /// Source id
        source: String,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum ClockCommand {
    /// Show the simulated instant
    Show,
    /// Move the clock forward, and wait until the service is quiet there
    Advance {
        /// How far, such as 30d or 90s
        #[arg(value_parser = seconds)]
        duration: u64,
    },
}

impl RadarCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        let RadarCommand::Show { radar } = self;
        Request::get(format!("/operator/v1/radars/{}", segment(radar)))
    }
}

impl SourceCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        const SOURCES: &str = "/operator/v1/sources";
        match self {
            Self::List => Request::get(SOURCES.to_owned()),
            Self::Show { source } => Request::get(format!("{SOURCES}/{}", segment(source))),
        }
    }
}

impl ClockCommand {
    /// The request that the command stands for.
    pub(super) fn request(&self) -> Request {
        match self {
            Self::Show => Request::get("/operator/v1/clock".to_owned()),
            Self::Advance { duration } => {
                Request::post("/operator/v1/clock/advance".to_owned(), json!({ "seconds": duration }))
            }
        }
    }
}

/// Whole seconds of a duration such as `30d`.
fn seconds(text: &str) -> Result<u64, &'static str> {
    let duration = duration::parse(text).ok_or("must be a duration such as 30d or 90s")?;
    if duration.subsec_nanos() == 0 { Ok(duration.as_secs()) } else { Err("must be whole seconds") }
}
