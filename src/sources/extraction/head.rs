//! What a page says of itself: its title, its metadata, and the addresses that it names as its own.
//!
//! Duty: elements to plain owned values, within bounds. Never here: what of it is true.

use url::Url;

use super::addresses::Addresses;
use super::tree::{Element, Tree};
use crate::bounds::{LINE_BYTES_MAX, cut};
use crate::text::plain::one_line;

/// `<link>` and `<meta>` elements that are read, of each.
const ELEMENTS_MAX: usize = 500;

/// Headings that are read, and the longest, in bytes.
const HEADINGS_MAX: usize = 3;
const HEADING_BYTES_MAX: usize = 200;

/// A `<link>`, or an anchor with `rel=me`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelLink {
    /// The words of `rel`, in lower case.
    pub rel: Vec<String>,
    /// The media type in lower case; empty where none is given.
    pub media_type: String,
    /// The title.
    pub title: String,
    /// Where it leads.
    pub url: Url,
}

impl RelLink {
    /// Whether it stands in this relation to the page.
    pub fn is(&self, rel: &str) -> bool {
        self.rel.iter().any(|word| word == rel)
    }
}

/// What a page says of itself.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// The title, on one line.
    pub title: String,
    /// Names or properties in lower case, with their content.
    metas: Vec<(String, String)>,
    /// Its related addresses, in order.
    pub links: Vec<RelLink>,
    /// Its first headings of the two highest levels.
    pub headings: Vec<String>,
}

impl Head {
    /// What `tree` says; addresses are relative to `base`.
    pub fn of(tree: &Tree, base: &Url) -> Self {
        let title = tree.named("title").next().map(|(index, _)| cut(tree.raw_text(index), LINE_BYTES_MAX));
        let mut addresses = Addresses::of(base);
        let links = tree.elements().filter(|(_, element)| is_related(element));
        let links = links.filter_map(|(_, element)| Some((element, element.href()?))).take(ELEMENTS_MAX);
        let is_heading = |(index, element): &(usize, &Element)| {
            matches!(element.name.as_str(), "h1" | "h2") && (1..=HEADING_BYTES_MAX).contains(&tree.text_bytes(*index))
        };
        let headings = tree.elements().filter(is_heading).take(HEADINGS_MAX);
        Self {
            title: title.map(one_line).unwrap_or_default(),
            metas: tree.named("meta").filter_map(|(_, element)| meta(element)).take(ELEMENTS_MAX).collect(),
            links: links.filter_map(|(element, href)| Some(rel_link(element, addresses.join(href)?))).collect(),
            headings: headings.map(|(index, _)| tree.text(index)).collect(),
        }
    }

    /// The content of the first `<meta>` of this name or property that is not empty.
    pub fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|(known, _)| known == name).map(|(_, content)| content.as_str())
    }
}

/// Whether an element relates the page to an address.
fn is_related(element: &Element) -> bool {
    let is_me = |rel: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("me"));
    element.name == "link" || element.name == "a" && element.attribute("rel").is_some_and(is_me)
}

fn rel_link(element: &Element, url: Url) -> RelLink {
    let text = |name: &str| cut(element.attribute(name).unwrap_or_default(), LINE_BYTES_MAX).to_ascii_lowercase();
    RelLink {
        rel: text("rel").split_ascii_whitespace().map(str::to_owned).collect(),
        media_type: text("type").split(';').next().unwrap_or_default().trim().to_owned(),
        title: text("title"),
        url,
    }
}

/// The name or property of a `<meta>`, and its content.
fn meta(element: &Element) -> Option<(String, String)> {
    let name = element.attribute("property").or_else(|| element.attribute("name"))?;
    let content = one_line(cut(element.attribute("content")?, LINE_BYTES_MAX));
    let is_said = !content.is_empty() && name.len() <= LINE_BYTES_MAX;
    is_said.then(|| (name.trim().to_ascii_lowercase(), content))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use crate::extraction::page::read_page;

    #[test]
    fn a_page_says_what_it_is() {
        let html = r#"<html><head><base href="/en/"><title>Acme &ndash;
            tools</title><meta property="og:site_name" content=" Acme "><META NAME="Twitter:Site" content="@acme">
            <meta name="description" content=""><link rel="ALTERNATE feed" type="application/rss+xml; charset=utf-8" title="News" href="feed.xml">
            <link rel="me" href="https://social.example/@acme"><link rel="alternate"></head>
            <body><svg><title>Logo</title></svg><a rel="noopener Me" href="https://bsky.app/profile/acme.example">b</a>
            <a rel="nofollow" href="/x">x</a></body></html>"#;
        let head = read_page(html.as_bytes(), None, &Url::parse("https://acme.example/x").unwrap()).head;
        assert_eq!(head.title, "Acme – tools");
        assert_eq!(head.meta("og:site_name"), Some("Acme"));
        assert_eq!(head.meta("twitter:site"), Some("@acme"));
        assert_eq!(head.meta("description"), None);
        let links: Vec<(&str, bool)> = head.links.iter().map(|link| (link.url.as_str(), link.is("me"))).collect();
        assert_eq!(
            links,
            [
                ("https://acme.example/en/feed.xml", false),
                ("https://social.example/@acme", true),
                ("https://bsky.app/profile/acme.example", true)
            ]
        );
        assert_eq!((head.links[0].media_type.as_str(), head.links[0].title.as_str()), ("application/rss+xml", "news"));
        assert!(head.links[0].is("alternate") && head.links[0].is("feed"));
    }

    #[test]
    fn any_bytes_have_a_head() {
        for body in [&b""[..], b"\xff\xfe", b"<title", b"<link rel=me href='http://['>", b"<meta><title></title>"] {
            let head = read_page(body, None, &Url::parse("https://acme.example/").unwrap()).head;
            assert!(head.title.is_empty() && head.links.is_empty() && head.meta("x").is_none());
        }
    }
}
