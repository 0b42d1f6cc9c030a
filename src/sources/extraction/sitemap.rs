//! Sitemaps (sitemaps.org): the addresses that a site lists of itself.
//!
//! Duty: XML to addresses, read as a stream. Never here: fetching, or which of the addresses matter.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};
use url::Url;

use super::addresses::Addresses;
use super::packed::{Packing, unpacked};
use crate::bounds::{SITEMAP_BYTES_MAX, SITEMAP_DEPTH_MAX, SITEMAP_ENTRIES_MAX};
use outbound::reading;
use outbound::web_address::ADDRESS_BYTES_MAX;

/// What a sitemap lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Pages.
    pub pages: Vec<Url>,
    /// Further sitemaps, if it is an index.
    pub children: Vec<Url>,
}

/// Reads the sitemap at `url`, which may be packed with gzip; `None` if `xml` is none.
pub fn read_sitemap(xml: &[u8], url: &Url) -> Option<Sitemap> {
    let plain = unpacked(Packing::Gzip, xml, SITEMAP_BYTES_MAX).ok()?;
    let text = String::from_utf8_lossy(plain.as_deref().unwrap_or(xml));
    // Some servers send blank lines or a byte order mark before the declaration, which strict XML forbids.
    let text = text.trim_start_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace());
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut listing = Listing::of(url);
    while listing.found.len() < SITEMAP_ENTRIES_MAX && reading::goes_on() {
        match reader.read_event().ok()? {
            Event::Start(tag) => listing.open(tag.local_name().as_ref())?,
            Event::End(_) => listing.close(),
            Event::Text(text) => listing.take(&text.xml10_content()),
            Event::CData(text) => listing.take(&text.xml10_content()),
            Event::GeneralRef(entity) => listing.take(&resolved(&entity)?),
            // Entities of a site's own are what makes XML dangerous to read.
            Event::DocType(_) => return None,
            Event::Eof => return if listing.depth == 0 { listing.finish() } else { None },
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
    listing.finish()
}

/// What has been read so far.
struct Listing<'a> {
    addresses: Addresses<'a>,
    depth: usize,
    /// Whether it lists further sitemaps, once that is known.
    is_index: Option<bool>,
    in_entry: bool,
    /// What the entry's first location holds, from its start tag on.
    location: Option<String>,
    in_location: bool,
    found: Vec<Url>,
}

impl<'a> Listing<'a> {
    fn of(url: &'a Url) -> Self {
        let addresses = Addresses::of(url);
        let (location, found) = (None, Vec::new());
        Self { addresses, depth: 0, is_index: None, in_entry: false, location, in_location: false, found }
    }

    /// `None` where this can be no sitemap.
    fn open(&mut self, name: &str) -> Option<()> {
        match self.depth {
            0 if matches!(name, "urlset" | "sitemapindex") => self.is_index = Some(name == "sitemapindex"),
            0 => return None,
            1 => self.in_entry = matches!(name, "url" | "sitemap"),
            2 if self.in_entry && name == "loc" && self.location.is_none() => {
                self.location = Some(String::new());
                self.in_location = true;
            }
            _ => {}
        }
        self.depth += 1;
        (self.depth <= SITEMAP_DEPTH_MAX).then_some(())
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.depth <= 2 {
            self.in_location = false;
        }
        if self.depth == 1 {
            let location = self.location.take();
            self.found.extend(location.and_then(|location| self.addresses.join(&location)));
        }
    }

    fn take(&mut self, text: &str) {
        // An address that is too long already is refused, however it goes on.
        if let Some(location) = self.location.as_mut().filter(|_| self.in_location && self.depth == 3)
            && location.trim_start().len() <= ADDRESS_BYTES_MAX
        {
            location.push_str(text);
        }
    }

    fn finish(self) -> Option<Sitemap> {
        let (children, pages) = if self.is_index? { (self.found, Vec::new()) } else { (Vec::new(), self.found) };
        Some(Sitemap { pages, children })
    }
}

/// The letters that a reference stands for, if it is one that every document may use.
fn resolved(entity: &BytesRef<'_>) -> Option<String> {
    match entity.resolve_char_ref().ok()? {
        Some(letter) => Some(letter.to_string()),
        None => resolve_predefined_entity(entity).map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::read_sitemap;
    use url::Url;

    fn url() -> Url {
        Url::parse("https://acme.example/sitemap.xml").unwrap()
    }

    fn pages(xml: &str) -> Vec<String> {
        read_sitemap(xml.as_bytes(), &url()).unwrap().pages.into_iter().map(String::from).collect()
    }

    #[test]
    fn pages_and_children_are_read() {
        let xml = "\n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
            <url><loc> https://acme.example/jobs/1 </loc><lastmod>2026-11-01</lastmod></url>\
            <url><loc>mailto:x@acme.example</loc></url><url/></urlset>";
        assert_eq!(pages(xml), ["https://acme.example/jobs/1"]);
        let index = "<sitemapindex><sitemap><loc>/jobs.xml</loc></sitemap></sitemapindex>";
        let sitemap = read_sitemap(index.as_bytes(), &url()).unwrap();
        assert_eq!(sitemap.children.iter().map(Url::as_str).collect::<Vec<_>>(), ["https://acme.example/jobs.xml"]);
        for other in ["", "<html></html>", "<urlset>", "\u{0}", "<!DOCTYPE x [<!ENTITY a \"b\">]><urlset/>"] {
            assert_eq!(read_sitemap(other.as_bytes(), &url()), None, "{other}");
        }
    }

    #[test]
    fn locations_are_read_in_every_spelling() {
        for (entry, page) in [
            ("<url><loc>/jobs?a=1&amp;b=2</loc></url>", "https://acme.example/jobs?a=1&b=2"),
            ("<url><loc>/jobs&#x2F;1</loc></url>", "https://acme.example/jobs/1"),
            ("<url><loc><![CDATA[/jobs?a&b]]></loc></url>", "https://acme.example/jobs?a&b"),
            ("<s:url xmlns:s='x'><s:loc>/jobs</s:loc></s:url>", "https://acme.example/jobs"),
            ("<url><i:image><i:loc>/i.png</i:loc></i:image><loc>/jobs</loc></url>", "https://acme.example/jobs"),
            ("<url><loc>/jobs</loc><loc>/other</loc></url>", "https://acme.example/jobs"),
            ("<url><lastmod>2026</lastmod>\n<loc>\n/jobs\n</loc>x</url>", "https://acme.example/jobs"),
            ("<!-- <url> --><url><loc>/jobs</loc></url><other><loc>/x</loc></other>", "https://acme.example/jobs"),
        ] {
            assert_eq!(pages(&format!("<urlset>{entry}</urlset>")), [page], "{entry}");
        }
    }
}
