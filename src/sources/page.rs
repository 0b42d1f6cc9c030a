//! A web page taken apart: its links, what it embeds, and its JSON-LD.
//!
//! Duty: bytes to plain owned values. Any bytes are a page, possibly an empty one; nothing here can fail or panic.

use std::sync::LazyLock;

use encoding_rs::Encoding;
use regex::Regex;
use scraper::{ElementRef, Html};
use serde_json::Value;
use url::Url;

use super::prune::prune;
use super::text::one_line;

/// Links beyond this number are not read: such a page is a directory, not a company's.
const LINKS_MAX: usize = 5_000;
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
    /// The anchors, in order.
    pub links: Vec<Link>,
    /// Frames, scripts, and addresses that stand inside inline scripts.
    pub embeds: Vec<Url>,
    /// Each JSON-LD block.
    pub json_ld: Vec<Value>,
}

/// Takes the page at `url` apart; `content_type` is the header's value.
pub fn read_page(body: &[u8], content_type: Option<&str>, url: &Url) -> HtmlPage {
    let html = Html::parse_document(&prune(&decode(body, content_type)));
    let base = html
        .root_element()
        .descendent_elements()
        .find(|element| element.value().name() == "base")
        .and_then(|element| url.join(element.attr("href")?).ok());
    let base = base.as_ref().unwrap_or(url);
    let mut page = HtmlPage::default();
    for element in html.root_element().descendent_elements() {
        match element.value().name() {
            "a" | "area" if page.links.len() < LINKS_MAX => page.links.extend(link(element, base)),
            "iframe" | "embed" | "frame" => {
                page.embeds.extend(["src", "data-src"].iter().filter_map(|name| web_url(base, element.attr(name)?)))
            }
            "script" => read_script(element, base, &mut page),
            _ => {}
        }
    }
    page
}

/// `reference` as an absolute http or https URL.
pub fn web_url(base: &Url, reference: &str) -> Option<Url> {
    let url = base.join(reference.trim()).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

fn link(element: ElementRef<'_>, base: &Url) -> Option<Link> {
    let url = web_url(base, element.attr("href")?)?;
    let labels = ["aria-label", "title"].iter().filter_map(|name| element.attr(name));
    let text = element.text().chain(labels).collect::<Vec<_>>().join(" ");
    Some(Link { url, text: one_line(&text) })
}

fn read_script(element: ElementRef<'_>, base: &Url, page: &mut HtmlPage) {
    static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"https?:\\?/\\?/[A-Za-z0-9.-]+\.[a-z]{2,}[^\s"'`<>()\\,;]*(?:\\/[^\s"'`<>()\\,;]*)*"#).ok()
    });
    if let Some(source) = element.attr("src") {
        page.embeds.extend(web_url(base, source));
        return;
    }
    let script: String = element.text().collect();
    let is_json_ld =
        element.attr("type").is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("application/ld+json"));
    if is_json_ld {
        page.json_ld.extend(read_json_ld(&script));
    } else if let Some(address) = &*ADDRESS {
        let room = LINKS_MAX.saturating_sub(page.embeds.len());
        let addresses = address.find_iter(&script).take(room);
        page.embeds.extend(addresses.filter_map(|found| web_url(base, &found.as_str().replace('\\', ""))));
    }
}

/// Sites wrap the block in comments, end it with a semicolon or leave raw line breaks inside its strings.
fn read_json_ld(script: &str) -> Option<Value> {
    let script = script.trim().trim_start_matches("<!--").trim_end_matches("-->").trim();
    let script = script.trim_start_matches("//<![CDATA[").trim_start_matches("<![CDATA[").trim_end_matches("]]>");
    let script = script.trim_end_matches("//").trim().trim_end_matches(';');
    serde_json::from_str(script)
        .or_else(|_| serde_json::from_str(&script.replace(|letter: char| letter.is_ascii_control(), " ")))
        .ok()
}

/// The text of `body`: byte order mark, then header, then `<meta charset>`, then UTF-8.
pub fn decode(body: &[u8], content_type: Option<&str>) -> String {
    let in_header = content_type.and_then(charset);
    let in_page = || charset(&String::from_utf8_lossy(&body[..body.len().min(META_CHARSET_WITHIN)]));
    let encoding = in_header.or_else(in_page).unwrap_or(encoding_rs::UTF_8);
    encoding.decode(body).0.into_owned()
}

fn charset(text: &str) -> Option<&'static Encoding> {
    let text = text.to_ascii_lowercase();
    let (_, rest) = text.split_once("charset=")?;
    let label: String = rest
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || "-_".contains(*letter))
        .collect();
    Encoding::for_label(label.as_bytes())
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
