//! Which addresses on a site's pages may be its feeds, where feeds usually are, and which of them somebody keeps.

use std::collections::HashSet;

use serde_json::Value;
use url::Url;

use super::page::ReadPage;
use super::sections::Section;
use crate::engines::wire;
use crate::extraction::site::is_own;
use crate::format::wire_format::WireFormat;
use crate::text::canonical_url::{canonical, identity};
use crate::text::folding::{folded, folded_words};
use domain::EvidenceKind;

/// The media types of feeds.
const FEED_TYPES: &[&str] =
    &["application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"];
/// Endings of the paths of feeds.
const FEED_ENDINGS: &[&str] =
    &["/feed", "/rss", ".rss", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml", "/feed.json"];
/// Where feeds are when no page names them: below the home page, and below the blog's or the newsroom's page.
const USUAL_PATHS: &[&str] =
    &["/feed", "/rss.xml", "/feed.xml", "/atom.xml", "/blog/feed", "/blog/rss.xml", "/news/rss"];
const USUAL_PATHS_OF_SECTIONS: &[&str] = &["feed", "rss.xml"];

/// An address that may be a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The address.
    pub url: Url,
    /// The part of the site that it belongs to, where that is known.
    pub section: Option<Section>,
    /// How it was found.
    pub evidence: EvidenceKind,
    /// The page that names it.
    pub page: Url,
}

/// The feeds that pages name, those of the newsroom first, then those of the blog; each once. Pages come with the
/// section whose front page they are.
pub fn named_feeds(pages: &[ReadPage], section_of: impl Fn(&Url) -> Option<Section>) -> Vec<Candidate> {
    let (mut candidates, mut known) = (Vec::new(), HashSet::new());
    for page in pages {
        let of_page = section_of(&page.url);
        let alternates =
            page.head.links.iter().filter(|link| {
                (link.is("alternate") || link.is("feed")) && FEED_TYPES.contains(&link.media_type.as_str())
            });
        let alternates = alternates.map(|link| (&link.url, link.title.clone(), EvidenceKind::Alternate));
        let anchors = page.links.iter().filter(|link| is_feed_address(&link.url) && is_own(&link.url, &page.url));
        let anchors = anchors.map(|link| (&link.url, folded(&link.text), EvidenceKind::Link));
        for (url, title, evidence) in alternates.chain(anchors) {
            if !is_of_comments(url, &title) && known.insert(identity(url)) {
                let section = section_named(url, &title).or(of_page);
                candidates.push(Candidate { url: canonical(url), section, evidence, page: page.url.clone() });
            }
        }
    }
    candidates.sort_by_key(|candidate| (candidate.section.is_none(), candidate.section));
    candidates
}

/// Where feeds may be that no page names.
pub fn usual_feeds(home: &Url, sections: &[(Section, Url)]) -> Vec<Candidate> {
    let below = |url: &Url, path: &str| {
        let base = Url::parse(&format!("{}/", url.as_str().trim_end_matches('/'))).ok()?;
        base.join(path).ok()
    };
    let candidate = |url: Url, section: Option<Section>, page: &Url| Candidate {
        section: section.or_else(|| section_named(&url, "")),
        url,
        evidence: EvidenceKind::UsualPlace,
        page: page.clone(),
    };
    let of_sections = sections.iter().flat_map(|(section, page)| {
        let paths = USUAL_PATHS_OF_SECTIONS.iter().filter_map(move |path| below(page, path));
        paths.map(move |url| candidate(url, Some(*section), page))
    });
    let of_home = USUAL_PATHS.iter().filter_map(|path| home.join(path).ok()).map(|url| candidate(url, None, home));
    let mut usual: Vec<Candidate> = Vec::new();
    for candidate in of_sections.chain(of_home) {
        if !usual.iter().any(|known| known.url == candidate.url) {
            usual.push(candidate);
        }
    }
    usual
}

/// The fronts of `sections` that list their articles and that none of the feeds covers, be it the section's own or that of all.
pub fn lists_without_feed<'a>(
    pages: &[ReadPage],
    sections: &'a [(Section, Url)],
    fed: &[Option<Section>],
) -> Vec<&'a Url> {
    let is_covered = |section: Section| fed.contains(&None) || fed.contains(&Some(section));
    let is_list = |url: &Url| pages.iter().any(|page| page.url == *url && page.lists_articles);
    sections.iter().filter(|(section, url)| !is_covered(*section) && is_list(url)).map(|(_, url)| url).collect()
}

/// Whether a document is a feed that somebody keeps: one with a dated entry.
pub fn is_kept_feed(body: &[u8], content_type: Option<&str>) -> bool {
    let feed = wire::read(&WireFormat::Feed, body, content_type).unwrap_or_default();
    let is_dated = |entry: &Value| entry.get("published").or_else(|| entry.get("updated")).is_some();
    feed["entries"].as_array().is_some_and(|entries| entries.iter().any(is_dated))
}

fn is_feed_address(url: &Url) -> bool {
    let path = url.path().trim_end_matches('/').to_ascii_lowercase();
    FEED_ENDINGS.iter().any(|ending| path.ends_with(ending))
}

fn is_of_comments(url: &Url, title: &str) -> bool {
    let path = url.path().to_ascii_lowercase();
    path.contains("/comments") || folded(title).contains("comment")
}

/// The section that an address or a title names.
fn section_named(url: &Url, title: &str) -> Option<Section> {
    let words = folded_words(&format!("{} {title}", url.path()));
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if has(&["press", "newsroom", "news", "releases", "presse", "media"]) {
        return Some(Section::Newsroom);
    }
    has(&["blog"]).then_some(Section::Blog)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{is_kept_feed, named_feeds, usual_feeds};
    use crate::discovery::profile::page::ReadPage;
    use crate::discovery::profile::sections::Section;
    use crate::extraction::page::read_page;
    use domain::EvidenceKind;

    fn page(address: &str, html: &str) -> ReadPage {
        let url = Url::parse(address).unwrap();
        let read = read_page(html.as_bytes(), None, &url);
        ReadPage { head: read.head, links: read.links, described: Default::default(), url, lists_articles: false }
    }

    #[test]
    fn feeds_are_ordered_by_section_and_comments_are_left_out() {
        let home = page(
            "https://acme.example/",
            r#"<link rel="alternate" type="application/rss+xml" title="Acme" href="/all.xml">
            <link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed">
            <link rel="alternate" type="application/json" href="/wp-json"><link rel="alternate" hreflang="de" href="/de">
            <link rel="alternate" type="application/atom+xml" title="Acme blog" href="https://feeds.example/acme?utm_source=x">
            <a href="/company/press.rss">RSS</a><a href="https://other.example/feed">Their feed</a>"#,
        );
        let news = page("https://acme.example/n", r#"<link rel="alternate" type="application/rss+xml" href="/n.xml">"#);
        let section_of = |url: &Url| (url.path() == "/n").then_some(Section::Newsroom);
        let found = named_feeds(&[home, news], section_of);
        let found: Vec<_> = found.iter().map(|feed| (feed.url.as_str(), feed.section, feed.evidence)).collect();
        let (newsroom, blog) = (Some(Section::Newsroom), Some(Section::Blog));
        assert_eq!(
            found,
            [
                ("https://acme.example/company/press.rss", newsroom, EvidenceKind::Link),
                ("https://acme.example/n.xml", newsroom, EvidenceKind::Alternate),
                ("https://feeds.example/acme", blog, EvidenceKind::Alternate),
                ("https://acme.example/all.xml", None, EvidenceKind::Alternate),
            ]
        );
    }

    #[test]
    fn usual_places_begin_with_those_of_the_sections() {
        let url = |text: &str| Url::parse(text).unwrap();
        let sections = [(Section::Blog, url("https://blog.acme.example/en"))];
        let usual = usual_feeds(&url("https://acme.example/x/"), &sections);
        let addresses: Vec<&str> = usual.iter().map(|feed| feed.url.as_str()).take(3).collect();
        let wanted =
            ["https://blog.acme.example/en/feed", "https://blog.acme.example/en/rss.xml", "https://acme.example/feed"];
        assert_eq!(addresses, wanted);
        assert_eq!(usual[0].section, Some(Section::Blog));
    }

    #[test]
    fn feeds_with_dated_entries_are_told_from_other_documents() {
        for (text, is_feed) in [
            (
                "<?xml version='1.0'?><rss><channel><pubDate>x</pubDate><item><title>a</title><pubDate>Thu, 12 Nov 2026</pubDate></item></channel></rss>",
                true,
            ),
            (
                "\u{feff}\n<feed xmlns='http://www.w3.org/2005/Atom'><updated>x</updated><entry><updated>2026-11-12</updated></entry></feed>",
                true,
            ),
            ("<rdf:RDF xmlns:rdf='r'><channel/><item><dc:date>2026-11-12</dc:date></item></rdf:RDF>", true),
            ("<rss><channel><item><pubDate><![CDATA[Thu, 12 Nov 2026]]></pubDate></item></channel></rss>", true),
            (r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"date_published":"2026-11-12"}]}"#, true),
            ("<rss><channel><item><pubDate>Thu, 12 Nov 2026</pubDate>", false),
            ("<rss><channel><pubDate>x</pubDate></channel></rss>", false),
            ("<rss><channel><item><title>undated</title></item></channel></rss>", false),
            ("<rss><channel><item><pubDate> </pubDate></item></channel></rss>", false),
            ("<html><body><item><date>x</date></item></body></html>", false),
            (r#"{"items":[{"date_published":"2026-11-12"}]}"#, false),
            (r#"{"version":"https://jsonfeed.org/version/1","items":[]}"#, false),
            ("", false),
            ("<rss><", false),
        ] {
            assert_eq!(is_kept_feed(text.as_bytes(), None), is_feed, "{text}");
        }
    }
}
