//! What a page says of itself: its title, its metadata, and the addresses that it names as its own.
//!
//! Duty: pieces of markup to plain owned values, within bounds. Never here: what of it is true.

use url::Url;

use super::addresses::Addresses;
use crate::bounds::{LINE_BYTES_MAX, cut};
use crate::text::markup::{Attributes, Piece};
use crate::text::plain::one_line;
use outbound::web_address::ADDRESS_BYTES_MAX;

/// `<link>` and `<meta>` elements that are read, of each.
const ELEMENTS_MAX: usize = 500;

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
}

impl Head {
    /// The content of the first `<meta>` of this name or property that is not empty.
    pub fn meta(&self, name: &str) -> Option<&str> {
        self.metas.iter().find(|(known, _)| known == name).map(|(_, content)| content.as_str())
    }
}

/// Reads the head of a page piece by piece.
#[derive(Default)]
pub struct HeadReader {
    title: String,
    in_title: bool,
    metas: Vec<(String, String)>,
    links: Vec<RawLink>,
}

struct RawLink {
    href: String,
    rel: String,
    media_type: String,
    title: String,
}

impl HeadReader {
    /// Takes a piece.
    pub fn take(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Start(name, attributes) => self.start(name, attributes),
            Piece::End("title") => self.in_title = false,
            Piece::Text(text) if self.in_title => {
                self.title.push_str(cut(text, LINE_BYTES_MAX.saturating_sub(self.title.len())));
            }
            Piece::End(_) | Piece::Text(_) => {}
        }
    }

    fn start(&mut self, name: &str, attributes: &Attributes) {
        match name {
            // Drawings have titles, too.
            "title" if self.title.is_empty() => self.in_title = true,
            "meta" => self.take_meta(attributes),
            "link" => self.take_link(attributes),
            "a" if attributes.get("rel").is_some_and(is_me) => self.take_link(attributes),
            _ => {}
        }
    }

    fn take_meta(&mut self, attributes: &Attributes) {
        let name = attributes.get("property").or_else(|| attributes.get("name"));
        let content = attributes.get("content").map(|content| one_line(cut(content, LINE_BYTES_MAX)));
        if let (Some(name), Some(content)) = (name, content)
            && !content.is_empty()
            && name.len() <= LINE_BYTES_MAX
            && self.metas.len() < ELEMENTS_MAX
        {
            self.metas.push((name.trim().to_ascii_lowercase(), content));
        }
    }

    fn take_link(&mut self, attributes: &Attributes) {
        let text = |name: &str| cut(attributes.get(name).unwrap_or_default(), LINE_BYTES_MAX).to_ascii_lowercase();
        let Some(href) = attributes.get("href").filter(|href| href.len() <= ADDRESS_BYTES_MAX) else { return };
        if self.links.len() < ELEMENTS_MAX {
            let (rel, media_type, title) = (text("rel"), text("type"), text("title"));
            self.links.push(RawLink { href: href.to_owned(), rel, media_type, title });
        }
    }

    /// What was read; addresses are relative to `base`.
    pub fn finish(self, base: &Url) -> Head {
        let mut addresses = Addresses::of(base);
        let links = self.links.into_iter().filter_map(|RawLink { href, rel, media_type, title }| {
            let media_type = media_type.split(';').next().unwrap_or_default().trim().to_owned();
            let rel = rel.split_ascii_whitespace().map(str::to_owned).collect();
            Some(RelLink { rel, media_type, title, url: addresses.join(&href)? })
        });
        Head { title: one_line(&self.title), links: links.collect(), metas: self.metas }
    }
}

fn is_me(rel: &str) -> bool {
    rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("me"))
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
