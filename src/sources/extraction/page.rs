//! A web page taken apart: what it says of itself, its links, what it embeds, and its JSON-LD.
//!
//! Duty: bytes to plain owned values. Any bytes are a page, possibly an empty one; nothing here can fail or panic.

use std::borrow::Cow;

use encoding_rs::Encoding;
use serde_json::Value;
use url::Url;

use super::addresses::Addresses;
use super::head::Head;
use super::json::memory_of;
use super::tree::places::places;
use super::tree::{Element, Tree};
use crate::bounds::{EMBEDS_MAX, JSON_LD_MEMORY_MAX, LINK_TEXT_BYTES_MAX, LINKS_MAX, cut};
use crate::text::pattern::Pattern;
use crate::text::plain::one_line;
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
    /// Whether it stands in a menu, a footer or the like.
    pub is_around: bool,
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
    page_of(&Tree::beginning_of(&decode(body, content_type)), url)
}

/// The same of a page that was read into a tree.
pub fn page_of(tree: &Tree, url: &Url) -> HtmlPage {
    let base = tree.named("base").find_map(|(_, element)| element.attribute("href"));
    let base = base.and_then(|base| web_address::join(url, base)).unwrap_or_else(|| url.clone());
    let mut addresses = Addresses::of(&base);
    let links = links(tree, &mut addresses);
    let references = tree.elements().flat_map(|(index, element)| embedded(tree, index, element));
    let references = references.filter(|reference| reference.len() <= ADDRESS_BYTES_MAX).take(EMBEDS_MAX);
    let embeds = references.filter_map(|reference| addresses.join(&reference)).collect();
    HtmlPage { head: Head::of(tree, &base), links, embeds, json_ld: json_ld(tree) }
}

fn links(tree: &Tree, addresses: &mut Addresses<'_>) -> Vec<Link> {
    let anchors = tree.elements().filter_map(|(index, element)| Some((index, element, element.href()?)));
    let anchors = anchors.filter(|(_, element, _)| matches!(element.name.as_str(), "a" | "area"));
    let mut anchors = anchors.take(LINKS_MAX).peekable();
    let (mut links, places) = (Vec::new(), places(tree));
    while let Some((index, element, href)) = anchors.next() {
        // A link ends where the next begins, as the standard says.
        let text = tree.said_before(index, anchors.peek().map(|(next, ..)| *next));
        let labels = ["aria-label", "title"].iter().filter_map(|name| element.attribute(name));
        let said = [text.as_str()].into_iter().chain(labels).map(|part| cut(part, LINK_TEXT_BYTES_MAX));
        let said = one_line(&said.collect::<Vec<&str>>().join(" "));
        let is_around = places[index].is_around;
        links.extend(addresses.join(href).map(|url| Link { url, text: said, is_around }));
    }
    links
}

/// What an element embeds: a frame, a script, or the addresses in a script's text.
fn embedded<'a>(tree: &'a Tree, index: usize, element: &'a Element) -> Vec<Cow<'a, str>> {
    static ADDRESS: Pattern =
        Pattern::new(r#"https?:\\?/\\?/[A-Za-z0-9.-]+\.[a-z]{2,}[^\s"'`<>()\\,;]*(?:\\/[^\s"'`<>()\\,;]*)*"#);
    let attributes = |names: &[&str]| names.iter().filter_map(|name| element.attribute(name)).map(Cow::from).collect();
    match element.name.as_str() {
        "iframe" | "embed" | "frame" => attributes(&["src", "data-src"]),
        "script" if element.attribute("src").is_some() => attributes(&["src"]),
        "script" if !is_json_ld(element) => {
            let found = ADDRESS.regex().into_iter().flat_map(|address| address.find_iter(tree.raw_text(index)));
            found.take(EMBEDS_MAX).map(|found| found.as_str().replace('\\', "").into()).collect()
        }
        _ => Vec::new(),
    }
}

/// Each block of JSON-LD.
pub fn json_ld(tree: &Tree) -> Vec<Value> {
    let scripts = tree.named("script").filter(|(_, script)| is_json_ld(script) && script.attribute("src").is_none());
    let mut memory = JSON_LD_MEMORY_MAX;
    scripts.filter_map(|(index, _)| read_json_ld(tree.raw_text(index), &mut memory)).collect()
}

/// Sites wrap the block in comments, end it with a semicolon or leave raw line breaks inside its strings.
fn read_json_ld(script: &str, memory: &mut usize) -> Option<Value> {
    let script = script.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
    let script = script.trim_start_matches("//<![CDATA[").trim_start_matches("<![CDATA[").trim_end_matches("]]>");
    let script = script.trim_end_matches("//").trim().trim_end_matches(';');
    *memory = memory.checked_sub(memory_of(script.as_bytes()))?;
    let read = serde_json::from_str(script)
        .or_else(|_| serde_json::from_str(&script.replace(|letter: char| letter.is_ascii_control(), " ")));
    read.ok()
}

fn is_json_ld(script: &Element) -> bool {
    script.attribute("type").is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("application/ld+json"))
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
