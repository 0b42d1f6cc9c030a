//! Source files for feeds of an operator's own choice (decision 7.1): what the wires that are built in are read by, with
//! another address.
//!
//! Duty: the text of the files, and the feeds that a list of them names. Never here: where the files are kept.

use chrono::NaiveDate;
use serde_json::Value;
use toml::{Table, Value as Toml};
use url::Url;

use crate::engines::wire;
use crate::format::wire_format::WireFormat;
use domain::closed;

/// How late news may appear in a feed of which nothing is known.
const LAG: &str = "1d";
/// Longer identifiers are hard to read.
const ID_CHARS_MAX: usize = 40;
/// How deep the folders of a list of feeds may lie in each other.
const FOLDERS_MAX: usize = 8;

closed! {
    /// What a feed is read for.
    FeedUse {
        /// Mentions of companies and of keywords.
        Mentions = "mentions",
        /// Hires, promotions and moves of people.
        People = "people",
        /// Funding rounds.
        Funding = "funding",
    }
}

/// A feed that an operator chose.
#[derive(Clone, Debug)]
pub struct OwnFeed {
    /// Where it is.
    pub url: Url,
    /// What it is called in findings.
    pub name: String,
    /// Whether it is a sitemap of news rather than RSS, Atom or JSON.
    pub is_news_sitemap: bool,
}

/// A source file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFile {
    /// The identifier of its source.
    pub source_id: String,
    /// What is in it.
    pub text: String,
}

impl FeedUse {
    /// The built-in files that read a wire for this, by what their identifiers end with.
    const fn templates(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Mentions => &[
                ("mentions", include_str!("builtin/mentions/prnewswire.toml")),
                ("keyword", include_str!("builtin/mentions/prnewswire_keyword.toml")),
            ],
            Self::People => &[("people", include_str!("builtin/announcements/prnewswire_people.toml"))],
            Self::Funding => &[("funding", include_str!("builtin/announcements/prnewswire_funding.toml"))],
        }
    }
}

impl OwnFeed {
    /// The feed at `url`, called like its host where no name is given.
    pub fn new(url: Url, name: Option<String>, is_news_sitemap: bool) -> Self {
        let host = url.host_str().unwrap_or_default();
        let name = name.unwrap_or_else(|| host.strip_prefix("www.").unwrap_or(host).to_owned());
        Self { url, name, is_news_sitemap }
    }

    /// The files that read it for all radars, with the day on which the operator chose it.
    ///
    /// # Errors
    /// A file that is built in cannot be read or written as TOML.
    pub fn files(&self, uses: &[FeedUse], today: NaiveDate) -> Result<Vec<OwnFile>, OwnFeedError> {
        let templates = uses.iter().flat_map(|of_feed| of_feed.templates());
        templates.map(|(ending, text)| self.file(ending, text, today)).collect()
    }

    fn file(&self, ending: &str, template: &str, today: NaiveDate) -> Result<OwnFile, OwnFeedError> {
        let source_id = format!("{}_{ending}", self.id());
        let mut file: Table = template.parse()?;
        for key in ["also", "test"] {
            file.remove(key);
        }
        let text = |value: &str| Toml::String(value.to_owned());
        file.insert("id".to_owned(), text(&source_id));
        file.insert("name".to_owned(), text(&self.name));
        file.insert("lag".to_owned(), text(LAG));
        let terms = [
            ("licence", text("chosen by the operator, who answers for its terms; robots.txt is obeyed")),
            ("url", text(&self.url.origin().ascii_serialization())),
            ("checked", text(&today.to_string())),
        ];
        file.insert(
            "terms".to_owned(),
            Toml::Table(terms.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()),
        );
        set(&mut file, "request", "url", Some(text(self.url.as_str())));
        // Those who write news are no companies.
        set(&mut file, "matching", "authors", None);
        for key in ["author.company_name", "company_name"].into_iter().filter(|_| ending != "funding") {
            set(&mut file, "map", key, None);
        }
        set(&mut file, "map", "source_name", Some(constant(&self.name)));
        if file["map"].get("mention_channel").is_some() {
            set(&mut file, "map", "mention_channel", Some(constant("news")));
            set(&mut file, "map", "author.profile_type", Some(constant("contact")));
        }
        let written = if self.is_news_sitemap { of_sitemap(&mut file)? } else { toml::to_string(&file)? };
        Ok(OwnFile { source_id, text: written })
    }

    /// What the address is made of, as identifiers are.
    fn id(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        let address = format!("{}{}", host.strip_prefix("www.").unwrap_or(host), self.url.path());
        let words = address.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let id = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
        id.chars().take(ID_CHARS_MAX).collect::<String>().trim_end_matches('_').to_owned()
    }
}

/// Sets or takes away a key of a table, where the file has the table.
fn set(file: &mut Table, table: &str, key: &str, value: Option<Toml>) {
    let Some(Toml::Table(table)) = file.get_mut(table) else { return };
    match value {
        Some(value) => table.insert(key.to_owned(), value),
        None => table.remove(key),
    };
}

fn constant(text: &str) -> Toml {
    Toml::Table([("const".to_owned(), Toml::String(text.to_owned()))].into_iter().collect())
}

/// The same file for a sitemap of news, whose entries call everything otherwise.
fn of_sitemap(file: &mut Table) -> Result<String, OwnFeedError> {
    file.insert("kind".to_owned(), Toml::String("xml".to_owned()));
    set(file, "items", "list", Some(Toml::String("$.urlset.url".to_owned())));
    set(file, "items", "empty_if", Some(Toml::String("$.urlset".to_owned())));
    let names = [
        ("$.published", "$.news.publication_date"),
        ("$.title", "$.news.title"),
        ("$.link", "$.loc"),
        ("$.id", "$.loc"),
    ];
    let written = toml::to_string(file)?;
    Ok(names.iter().fold(written, |text, (of_feed, of_sitemap)| {
        text.replace(&format!("\"{of_feed}\""), &format!("\"{of_sitemap}\""))
    }))
}

/// The feeds that an OPML document names, with their names.
///
/// # Errors
/// It is no XML.
pub fn feeds_of_opml(document: &[u8]) -> Result<Vec<OwnFeed>, OwnFeedError> {
    let read = wire::read(&WireFormat::Xml, document, None).map_err(|error| OwnFeedError::Opml(error.to_string()))?;
    let mut feeds = Vec::new();
    add_outlines(&read["opml"]["body"]["outline"], FOLDERS_MAX, &mut feeds);
    Ok(feeds)
}

fn add_outlines(outlines: &Value, folders_left: usize, feeds: &mut Vec<OwnFeed>) {
    let list = outlines.as_array().map_or(std::slice::from_ref(outlines), Vec::as_slice);
    for outline in list {
        let attribute = |name: &str| outline.get(name).and_then(Value::as_str).map(str::to_owned);
        let url = attribute("@xmlUrl").and_then(|url| Url::parse(&url).ok());
        let name = attribute("@title").or_else(|| attribute("@text"));
        feeds.extend(url.map(|url| OwnFeed::new(url, name, false)));
        if let Some(inner) = outline.get("outline").filter(|_| folders_left > 0) {
            add_outlines(inner, folders_left - 1, feeds);
        }
    }
}

/// Why no file can be made of a feed.
#[derive(Debug, thiserror::Error)]
pub enum OwnFeedError {
    /// A built-in file is no TOML.
    #[error("a built-in file cannot be read: {0}")]
    Template(#[from] toml::de::Error),
    /// The file cannot be written down.
    #[error("the file cannot be written: {0}")]
    Written(#[from] toml::ser::Error),
    /// The list is no OPML.
    #[error("the list cannot be read: {0}")]
    Opml(String),
}

#[cfg(test)]
mod tests {
    use super::{FeedUse, OwnFeed, feeds_of_opml};
    use crate::{Catalog, read_answer};
    use chrono::NaiveDate;

    const RSS: &str = "<rss><channel><item><guid>https://news.example/1</guid><link>https://news.example/1</link>\
        <title>Quarrelake Appoints Ines Varga as Chief Financial Officer</title><pubDate>Thu, 19 Nov 2026 13:00:00 GMT</pubDate></item>\
        <item><guid>https://news.example/2</guid><link>https://news.example/2</link><title>Quarrelake raises $30M Series B</title>\
        <pubDate>Thu, 19 Nov 2026 14:00:00 GMT</pubDate></item></channel></rss>";
    const SITEMAP: &str = "<urlset xmlns:news='n'><url><loc>https://news.example/1</loc><news:news><news:title>Quarrelake Appoints \
        Ines Varga as Chief Financial Officer</news:title><news:publication_date>2026-11-19T13:00:00Z</news:publication_date></news:news></url>\
        <url><loc>https://news.example/2</loc><news:news><news:title>Quarrelake raises $30M Series B</news:title>\
        <news:publication_date>2026-11-19T14:00:00Z</news:publication_date></news:news></url></urlset>";

    #[test]
    fn a_feed_or_a_sitemap_of_news_is_read_for_all_that_it_was_chosen_for() {
        let (today, now) = (NaiveDate::from_ymd_opt(2026, 11, 20).unwrap(), "2026-11-20T00:00:00Z".parse().unwrap());
        for (address, is_news_sitemap, answer) in
            [("https://www.news.example/feed/", false, RSS), ("https://news.example/news.xml", true, SITEMAP)]
        {
            let folder = tempfile::tempdir().unwrap();
            let feed = OwnFeed::new(address.parse().unwrap(), Some("The News".to_owned()), is_news_sitemap);
            let files = feed.files(FeedUse::ALL, today).unwrap();
            for file in &files {
                std::fs::write(folder.path().join(format!("{}.toml", file.source_id)), &file.text).unwrap();
            }
            let catalog = Catalog::load_with(Some(folder.path()), &|_| None).unwrap_or_else(|error| panic!("{error}"));
            let of_acme = "domain=quarrelake.example&name=Quarrelake";
            for (file, token, key, values) in [
                (&files[0], of_acme, "mention_url", &["https://news.example/1", "https://news.example/2"][..]),
                (&files[1], "quarrelake", "mention_url", &["https://news.example/1", "https://news.example/2"]),
                (&files[2], of_acme, "full_name", &["Ines Varga"]),
                (&files[3], "", "company_name", &["Quarrelake"]),
            ] {
                let source = catalog.get(&file.source_id).unwrap();
                assert!(source.is_enabled() && source.terms.is_some() && source.name == "The News");
                let items = read_answer(source, token, answer.as_bytes(), now).unwrap();
                let found: Vec<&str> = items.iter().filter_map(|item| item.content[key].as_str()).collect();
                assert_eq!(found, values, "{}", file.text);
                assert!(items.iter().all(|item| item.content["source_name"] == "The News"));
            }
        }
    }

    #[test]
    fn the_feeds_of_a_list_are_found_in_its_folders() {
        let opml = r#"<opml version="2.0"><body><outline text="Folder"><outline title="A" xmlUrl="https://a.example/feed"/>
            <outline text="B" xmlUrl="https://b.example/rss"/></outline><outline text="None" htmlUrl="https://c.example/"/>
            <outline xmlUrl="https://www.d.example/x.xml"/></body></opml>"#;
        let feeds = feeds_of_opml(opml.as_bytes()).unwrap();
        let found: Vec<(&str, &str)> = feeds.iter().map(|feed| (feed.name.as_str(), feed.url.as_str())).collect();
        let wanted = [
            ("A", "https://a.example/feed"),
            ("B", "https://b.example/rss"),
            ("d.example", "https://www.d.example/x.xml"),
        ];
        assert_eq!(found, wanted);
        assert!(feeds_of_opml(b"<opml><body").is_err());
    }
}
