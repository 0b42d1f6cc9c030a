//! Whether a document is a feed that somebody keeps: RSS, Atom or JSON Feed with at least one dated entry.
//!
//! Duty: text to yes or no, read as a stream. Never here: what the entries say.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::json::read_json;
use crate::bounds::JSON_LD_MEMORY_MAX;

/// Pieces of a document that are read before it is given up.
const PIECES_MAX: usize = 20_000;
/// The outermost elements of feeds.
const ROOTS: &[&str] = &["rss", "feed", "RDF"];
/// The elements of entries.
const ENTRIES: &[&str] = &["item", "entry"];
/// The elements of an entry that date it.
const DATES: &[&str] = &["pubDate", "published", "updated", "issued", "modified", "date"];

/// Whether `text` is a feed with a dated entry.
pub fn is_kept_feed(text: &str) -> bool {
    let text = text.trim_start_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace());
    if text.starts_with('{') { is_json_feed(text) } else { is_xml_feed(text).unwrap_or(false) }
}

fn is_json_feed(text: &str) -> bool {
    let Ok(feed) = read_json(text.as_bytes(), JSON_LD_MEMORY_MAX) else { return false };
    let is_feed = feed["version"].as_str().is_some_and(|version| version.contains("jsonfeed.org/"));
    let is_dated = |item: &Value| ["date_published", "date_modified"].iter().any(|key| item[*key].is_string());
    is_feed && feed["items"].as_array().is_some_and(|items| items.iter().any(is_dated))
}

/// `None` where the document ends or breaks first.
fn is_xml_feed(text: &str) -> Option<bool> {
    let mut reader = Reader::from_str(text);
    let (mut has_root, mut in_entry, mut in_date) = (false, false, false);
    for _ in 0..PIECES_MAX {
        match reader.read_event().ok()? {
            Event::Start(tag) => {
                let name = tag.local_name();
                let name: &str = name.as_ref();
                if !has_root && !ROOTS.contains(&name) {
                    return Some(false);
                }
                has_root = true;
                in_entry |= ENTRIES.contains(&name);
                in_date = in_entry && DATES.contains(&name);
            }
            Event::Text(text) if in_date && !text.xml10_content().trim().is_empty() => return Some(true),
            Event::CData(text) if in_date && !text.xml10_content().trim().is_empty() => return Some(true),
            Event::End(_) => in_date = false,
            Event::Eof => return None,
            _ => {}
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::is_kept_feed;

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
            ("<rdf:RDF xmlns:rdf='r'><item><dc:date>2026-11-12</dc:date></item></rdf:RDF>", true),
            ("<rss><channel><item><pubDate><![CDATA[Thu, 12 Nov 2026]]></pubDate>", true),
            (r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"date_published":"2026-11-12"}]}"#, true),
            ("<rss><channel><pubDate>x</pubDate></channel></rss>", false),
            ("<rss><channel><item><title>undated</title></item></channel></rss>", false),
            ("<rss><channel><item><pubDate> </pubDate></item></channel></rss>", false),
            ("<html><body><item><date>x</date></item></body></html>", false),
            (r#"{"items":[{"date_published":"2026-11-12"}]}"#, false),
            (r#"{"version":"https://jsonfeed.org/version/1","items":[]}"#, false),
            ("", false),
            ("<rss><", false),
        ] {
            assert_eq!(is_kept_feed(text), is_feed, "{text}");
        }
    }

    #[test]
    fn a_document_without_end_is_given_up() {
        let endless = format!("<rss>{}<item><pubDate>x</pubDate></item></rss>", "<a/>".repeat(30_000));
        assert!(!is_kept_feed(&endless));
    }
}
