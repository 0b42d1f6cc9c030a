//! Sitemaps (sitemaps.org): the addresses that a site lists of itself.
//!
//! Duty: XML to addresses. Never here: fetching, or which of the addresses matter.

use roxmltree::Document;
use url::Url;

/// Addresses of one sitemap that are read; the protocol allows no more.
const URLS_MAX: usize = 50_000;

/// What a sitemap lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sitemap {
    /// Pages.
    pub pages: Vec<Url>,
    /// Further sitemaps, if it is an index.
    pub children: Vec<Url>,
}

/// Reads the sitemap at `url`; `None` if `xml` is none.
pub fn read_sitemap(xml: &[u8], url: &Url) -> Option<Sitemap> {
    let text = String::from_utf8_lossy(xml);
    // Some servers send blank lines or a byte order mark before the declaration, which strict XML forbids.
    let document =
        Document::parse(text.trim_start_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace())).ok()?;
    let root = document.root_element();
    let entries = root.children().filter(|entry| matches!(entry.tag_name().name(), "url" | "sitemap"));
    let addresses = entries.filter_map(|entry| {
        let location = entry.children().find(|child| child.tag_name().name() == "loc")?.text()?;
        let address = url.join(location.trim()).ok()?;
        matches!(address.scheme(), "http" | "https").then_some(address)
    });
    let addresses = addresses.take(URLS_MAX).collect();
    match root.tag_name().name() {
        "urlset" => Some(Sitemap { pages: addresses, children: Vec::new() }),
        "sitemapindex" => Some(Sitemap { pages: Vec::new(), children: addresses }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::read_sitemap;
    use url::Url;

    #[test]
    fn pages_and_children_are_read() {
        let url = Url::parse("https://acme.example/sitemap.xml").unwrap();
        let pages = "\n<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
            <url><loc> https://acme.example/jobs/1 </loc><lastmod>2026-11-01</lastmod></url>\
            <url><loc>mailto:x@acme.example</loc></url><url/></urlset>";
        let sitemap = read_sitemap(pages.as_bytes(), &url).unwrap();
        assert_eq!(sitemap.pages.iter().map(Url::as_str).collect::<Vec<_>>(), ["https://acme.example/jobs/1"]);
        let index = "<sitemapindex><sitemap><loc>/jobs.xml</loc></sitemap></sitemapindex>";
        let sitemap = read_sitemap(index.as_bytes(), &url).unwrap();
        assert_eq!(sitemap.children.iter().map(Url::as_str).collect::<Vec<_>>(), ["https://acme.example/jobs.xml"]);
        for other in ["", "<html></html>", "<urlset>", "\u{0}", "<!DOCTYPE x [<!ENTITY a \"b\">]><urlset/>"] {
            assert_eq!(read_sitemap(other.as_bytes(), &url), None, "{other}");
        }
    }
}
