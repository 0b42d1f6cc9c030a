//! `radar sources add-feed`: source files for feeds of the operator's own choice, in `sources.dir`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::json;
use url::Url;

use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use clock::Clock;
use config::Config;
use sources::{Catalog, FeedUse, OwnFeed, feeds_of_opml};

/// Which feeds, and what for.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("feeds").required(true).args(["url", "opml"])))]
pub struct Arguments {
    /// The address of an RSS, Atom or JSON feed, or of a sitemap of news
    url: Option<Url>,
    /// Add every feed that this OPML file names
    #[arg(long)]
    opml: Option<PathBuf>,
    /// What they are read for
    #[arg(long = "for", value_delimiter = ',', default_value = "mentions,people,funding")]
    uses: Vec<FeedUse>,
    /// What the feed is called in findings; by default its host
    #[arg(long, conflicts_with = "opml")]
    name: Option<String>,
    /// The address is that of a sitemap of news
    #[arg(long, conflicts_with = "opml")]
    news_sitemap: bool,
}

/// Writes the files. A file that is there already stays as it is.
///
/// # Errors
/// [`Failure`] where there is no folder for them, the list cannot be read, or the files are no sources.
pub(super) fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<()> {
    let folder = config.sources.dir.as_deref();
    let folder = folder.ok_or_else(|| Failure::of("sources.dir", "is not set: there is no folder for source files"))?;
    let today = Clock::system().now().date_naive();
    let (mut added, mut kept) = (Vec::new(), Vec::new());
    for feed in feeds(arguments)? {
        let files = feed.files(&arguments.uses, today).map_err(|error| Failure::of(&feed.url, error))?;
        for file in files {
            let path = folder.join(format!("{}.toml", file.source_id));
            let list = if write_new(&path, &file.text)? { &mut added } else { &mut kept };
            list.push(path.display().to_string());
        }
    }
    Catalog::load(Some(folder)).map_err(|error| Failure::of("sources.dir", error))?;
    output::show(&json!({ "data": { "added": added, "kept": kept } }), as_json)
}

fn feeds(arguments: &Arguments) -> Result<Vec<OwnFeed>> {
    match (&arguments.opml, &arguments.url) {
        (Some(path), _) => {
            let wrong = |problem: String| Failure::of(path.display(), problem);
            let list = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
            feeds_of_opml(&list).map_err(|error| wrong(error.to_string()))
        }
        (None, Some(url)) => Ok(vec![OwnFeed::new(url.clone(), arguments.name.clone(), arguments.news_sitemap)]),
        (None, None) => Ok(Vec::new()),
    }
}

/// Whether the file was written: what an operator may have changed is not.
fn write_new(path: &Path, text: &str) -> Result<bool> {
    let wrong = |error: std::io::Error| Failure::of(path.display(), error);
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(wrong),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(wrong(error)),
    }
}
