//! A web page taken apart: what it says of itself, its links, what it embeds, and its JSON-LD.
//!
//! Duty: bytes to plain owned values. Any bytes are a page, possibly an empty one; nothing here can fail or panic.

use std::borrow::Cow;

use encoding_rs::Encoding;
use serde_json::Value;
use url::Url;

use super::addresses::Addresses;
use super::head::{Head, HeadReader};
use super::json::memory_of;
use crate::bounds::{EMBEDS_MAX, JSON_LD_MEMORY_MAX, LINK_TEXT_BYTES_MAX, LINKS_MAX, cut};
use crate::text::markup::{self, Attributes, Piece};
use crate::text::pattern::Pattern;
use crate::text::plain::{FORMATTING, one_line};
use outbound::web_address::{self, ADDRESS_BYTES_MAX};

/// Where a `<meta charset>` must stand (HTML standard).
const META_CHARSET_WITHIN: usize = 1_024;

/// An anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where it leads, absolute, http or https.
    pub url: Url,
    /// What it says, with its label for screen readers.
    pub text: String,
}

/// What the sources need of an HTML page.
#[derive(Clone, Debug, Default)]
pub struct HtmlPage {
    /// What it says of itself.
    pub head: Head,
    /// The anchors, in order.
    pub links: Vec<Link>,
    /// Frames, scripts, and addresses that stand inside inline scripts.
    pub embeds: Vec<Url>,
    /// Each JSON-LD block.
    pub json_ld: Vec<Value>,
}

/// Takes the page at `url` apart; `content_type` is the header's value.
pub fn read_page(body: &[u8], content_type: Option<&str>, url: &Url) -> HtmlPage {
    let mut reader = PageReader { json_ld_memory: JSON_LD_MEMORY_MAX, ..PageReader::default() };
    markup::walk(&decode(body, content_type), |piece| {
        reader.head.take(piece);
        match piece {
            Piece::Start(name, attributes) => reader.start(name, attributes),
            Piece::End(name) => reader.end(name),
            Piece::Text(text) => reader.text(text),
        }
    });
    reader.finish(url)
}

/// Reads a page piece by piece. What its addresses are relative to is known only at the end.
#[derive(Default)]
struct PageReader {
    head: HeadReader,
    base: Option<String>,
    links: Vec<RawLink>,
    /// Whether the last of the links is open still.
    in_link: bool,
    embeds: Vec<String>,
    /// Whether the text of a script is read.
    in_script: bool,
    /// Whether that script is JSON-LD.
    in_json_ld: bool,
    json_ld: Vec<Value>,
    json_ld_memory: usize,
}

struct RawLink {
    href: String,
    text: String,
    labels: String,
}

impl PageReader {
    fn start(&mut self, name: &str, attributes: &Attributes) {
        // Words on both sides of an element are apart, unless it only formats them.
        if !FORMATTING.contains(&name) {
            self.text(" ");
        }
        match name {
            "base" if self.base.is_none() => self.base = attributes.get("href").map(str::to_owned),
            "a" | "area" => self.open_link(name, attributes),
            "iframe" | "embed" | "frame" => {
                ["src", "data-src"].iter().filter_map(|name| attributes.get(name)).for_each(|src| self.embed(src));
            }
            "script" => match attributes.get("src") {
                Some(src) => self.embed(src),
                None => (self.in_script, self.in_json_ld) = (true, is_json_ld(attributes)),
            },
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "a" => self.in_link = false,
            "script" => self.in_script = false,
            name if !FORMATTING.contains(&name) => self.text(" "),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_script && self.in_json_ld {
            self.read_json_ld(text);
        } else if self.in_script {
            self.find_addresses(text);
        } else if let Some(link) = self.links.last_mut().filter(|_| self.in_link) {
            link.text.push_str(cut(text, LINK_TEXT_BYTES_MAX.saturating_sub(link.text.len())));
        }
    }

    /// A link ends where the next begins, as the standard says.
    fn open_link(&mut self, name: &str, attributes: &Attributes) {
        self.in_link = false;
        let Some(href) = attributes.get("href").filter(|href| href.len() <= ADDRESS_BYTES_MAX) else { return };
        if self.links.len() < LINKS_MAX {
            let labels = ["aria-label", "title"].iter().filter_map(|name| attributes.get(name));
            let labels: Vec<&str> = labels.map(|label| cut(label, LINK_TEXT_BYTES_MAX)).collect();
            self.links.push(RawLink { href: href.to_owned(), text: String::new(), labels: labels.join(" ") });
            self.in_link = name == "a";
        }
    }

    fn embed(&mut self, reference: &str) {
        if self.embeds.len() < EMBEDS_MAX && reference.len() <= ADDRESS_BYTES_MAX {
            self.embeds.push(reference.to_owned());
        }
    }

    fn find_addresses(&mut self, script: &str) {
        static ADDRESS: Pattern =
            Pattern::new(r#"https?:\\?/\\?/[A-Za-z0-9.-]+\.[a-z]{2,}[^\s"'`<>()\\,;]*(?:\\/[^\s"'`<>()\\,;]*)*"#);
        if let Some(address) = ADDRESS.regex() {
            let room = EMBEDS_MAX.saturating_sub(self.embeds.len());
            address.find_iter(script).take(room).for_each(|found| self.embed(&found.as_str().replace('\\', "")));
        }
    }

    /// Sites wrap the block in comments, end it with a semicolon or leave raw line breaks inside its strings.
    fn read_json_ld(&mut self, script: &str) {
        let script = script.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
        let script = script.trim_start_matches("//<![CDATA[").trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        let script = script.trim_end_matches("//").trim().trim_end_matches(';');
        let Some(left) = self.json_ld_memory.checked_sub(memory_of(script.as_bytes())) else { return };
        self.json_ld_memory = left;
        let read = serde_json::from_str(script)
            .or_else(|_| serde_json::from_str(&script.replace(|letter: char| letter.is_ascii_control(), " ")));
        self.json_ld.extend(read.ok());
    }

    fn finish(self, url: &Url) -> HtmlPage {
        let base = self.base.and_then(|base| web_address::join(url, &base)).unwrap_or_else(|| url.clone());
        let mut addresses = Addresses::of(&base);
        let links = self.links.into_iter().filter_map(|RawLink { href, text, labels }| {
            Some(Link { url: addresses.join(&href)?, text: one_line(&format!("{text} {labels}")) })
        });
        let links = links.collect();
        let embeds = self.embeds.iter().filter_map(|reference| addresses.join(reference)).collect();
        HtmlPage { head: self.head.finish(&base), links, embeds, json_ld: self.json_ld }
    }
}

fn is_json_ld(attributes: &Attributes) -> bool {
    attributes.get("type").is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("application/ld+json"))
}

/// The text of `body`: byte order mark, then header, then `<meta charset>`, then UTF-8.
pub fn decode<'a>(body: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    let in_header = content_type.and_then(charset);
    let in_page = || charset(&String::from_utf8_lossy(&body[..body.len().min(META_CHARSET_WITHIN)]));
    let encoding = in_header.or_else(in_page).unwrap_or(encoding_rs::UTF_8);
    encoding.decode(body).0
}

fn charset(text: &str) -> Option<&'static Encoding> {
    static CHARSET: Pattern = Pattern::new(r#"(?i-u)charset=["']*([a-z0-9_-]*)"#);
    Encoding::for_label(CHARSET.captures(text)?[1].as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{decode, read_page};
    use url::Url;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn links_embeds_and_json_ld_are_read() {
        let html = r#"<html><head><base href="/en/"><script src="//boards.greenhouse.io/embed/job_board/js?for=acme"></script>
            <script>window.x = {"url":"https:\/\/jobs.lever.co\/acme\/1?a=b","n":1}</script>
            <script type="application/ld+json">{"@type":"JobPosting","title":"raw
            break"};</script><script type="application/ld+json">{broken</script></head>
            <body><a href="careers" aria-label="Jobs">Join <b>us</b></a><a href="mailto:a@b.example">x</a>
            <iframe src="https://jobs.ashbyhq.com/acme?embed=js"></iframe></body></html>"#;
        let page = read_page(html.as_bytes(), None, &url("https://acme.example/x"));
        assert_eq!(page.links.len(), 1);
        assert_eq!(page.links[0].url.as_str(), "https://acme.example/en/careers");
        assert_eq!(page.links[0].text, "Join us Jobs");
        let embeds: Vec<&str> = page.embeds.iter().map(Url::as_str).collect();
        assert_eq!(
            embeds,
            [
                "https://boards.greenhouse.io/embed/job_board/js?for=acme",
                "https://jobs.lever.co/acme/1?a=b",
                "https://jobs.ashbyhq.com/acme?embed=js"
            ]
        );
        assert_eq!(page.json_ld.len(), 1);
    }

    #[test]
    fn a_declared_charset_is_honoured() {
        let latin_1 = b"<meta charset='iso-8859-1'>K\xf6ln";
        assert!(decode(latin_1, None).ends_with("Köln"));
        assert_eq!(decode(b"K\xf6ln", Some("text/html; charset=ISO-8859-1")), "Köln");
        assert_eq!(decode("Köln".as_bytes(), Some("text/html")), "Köln");
    }

    #[test]
    fn any_bytes_are_a_page() {
        for body in [&b""[..], b"\xff\xfe\x00", b"<a href='http://['>x</a>", b"<script", b"{\"json\":1}"] {
            assert!(read_page(body, Some("text/html; charset=bogus"), &url("https://acme.example/")).links.is_empty());
        }
    }
}
