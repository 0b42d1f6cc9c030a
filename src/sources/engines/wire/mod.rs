//! Wire formats: the bytes of an answer as one JSON value, through which the paths of source files lead.
//!
//! Duty: one bounded pass over bytes of strangers for each format. Never here: what the values mean.

mod csv;
mod feed;
mod html;
mod xml;

use serde_json::{Value, json};
use url::Url;

use crate::bounds::{ITEMS_MAX, JSON_MEMORY_MAX};
use crate::extraction::articles::articles;
use crate::extraction::json::{JsonError, memory_of, read_json};
use crate::extraction::packed::PackedError;
use crate::extraction::page::decode;
use crate::extraction::tree::Tree;
use crate::format::wire_format::WireFormat;

/// Why an answer cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// It is no JSON, or too much of it.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// It is no XML.
    #[error("no XML: {0}")]
    Xml(String),
    /// It is XML or JSON, but no feed.
    #[error("no RSS, Atom or JSON Feed")]
    NoFeed,
    /// It is a web page that lists no articles.
    #[error("the page lists no articles")]
    NoArticles,
    /// It is a web page in place of what was asked for.
    #[error("a web page stands in its place")]
    Page,
    /// It is packed and cannot be unpacked.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// It would take too much time or memory.
    #[error("it holds too much")]
    TooLarge,
    /// The element that holds the JSON is not there.
    #[error("the page holds no such element")]
    NoElement,
}

/// Reads `body`, which was found at `url`: articles are told from other links by the address of the page that lists them.
pub fn read_at(format: &WireFormat, body: &[u8], content_type: Option<&str>, url: &Url) -> Result<Value, WireError> {
    match format {
        WireFormat::Articles => articles_of(&decode(body, content_type), url),
        _ => read(format, body, content_type),
    }
}

/// Reads `body`, wherever it was found.
pub fn read(format: &WireFormat, body: &[u8], content_type: Option<&str>) -> Result<Value, WireError> {
    match format {
        WireFormat::Json => json(body),
        WireFormat::JsonLines => json_lines(body),
        WireFormat::Xml => xml::read(body, content_type),
        WireFormat::Feed => feed::read(body, content_type),
        WireFormat::Articles => Err(WireError::NoArticles),
        WireFormat::Html(rows) => html::rows(&decode(body, content_type), rows).ok_or(WireError::TooLarge),
        WireFormat::JsonInHtml(selector) => {
            let script = html::script(&decode(body, content_type), selector)?.ok_or(WireError::NoElement)?;
            Ok(read_json(script.trim().trim_end_matches(';').as_bytes(), JSON_MEMORY_MAX)?)
        }
        WireFormat::Csv(rows) => csv::read(&decode(body, content_type), rows),
    }
    .map_err(|error| match format {
        WireFormat::Articles | WireFormat::Html(_) | WireFormat::JsonInHtml(_) => error,
        // What was asked for is no page, but a page came: the reason is not its syntax.
        _ if is_page(body) => WireError::Page,
        _ => error,
    })
}

/// The articles of a page under the names that the entries of a feed have.
fn articles_of(page: &str, url: &Url) -> Result<Value, WireError> {
    let tree = Tree::read(page).ok_or(WireError::TooLarge)?;
    let found = articles(&tree, url);
    if found.is_empty() {
        return Err(WireError::NoArticles);
    }
    let entries = found.iter().map(|article| {
        json!({"id": article.url.as_str(), "link": article.url.as_str(), "title": article.title, "summary": article.summary,
               "published": article.published_on.map(|day| day.to_string())})
    });
    Ok(json!({"entries": entries.collect::<Vec<_>>()}))
}

/// Whether `body` begins like a web page.
fn is_page(body: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&body[..body.len().min(512)]).trim_start().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn json(body: &[u8]) -> Result<Value, WireError> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    Ok(read_json(body, JSON_MEMORY_MAX)?)
}

/// A list of the values on the lines; a line that is cut off at the end is left out.
fn json_lines(body: &[u8]) -> Result<Value, WireError> {
    let mut memory = JSON_MEMORY_MAX;
    let mut values = Vec::new();
    let lines = body.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let mut lines = lines.take(ITEMS_MAX).peekable();
    while let Some(line) = lines.next() {
        memory = memory.checked_sub(memory_of(line)).ok_or(WireError::TooLarge)?;
        match serde_json::from_slice(line) {
            Ok(value) => values.push(value),
            Err(error) if error.is_eof() && lines.peek().is_none() && !values.is_empty() => {}
            Err(error) => return Err(JsonError::Syntax(error).into()),
        }
    }
    Ok(Value::Array(values))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{json_lines, read};
    use crate::format::wire_format::WireFormat;

    #[test]
    fn lines_of_json_are_a_list() {
        assert_eq!(json_lines(b"{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":").unwrap(), json!([{"a": 1}, {"a": 2}]));
        assert!(json_lines(b"{\"a\":1}\nx\n{}").is_err());
        assert_eq!(json_lines(b"").unwrap(), Value::Array(Vec::new()));
    }

    #[test]
    fn a_page_in_place_of_an_answer_is_named() {
        for format in [WireFormat::Json, WireFormat::JsonLines, WireFormat::Feed] {
            let error = read(&format, b" <!DOCTYPE html><html>Just a moment...</html>", None).unwrap_err();
            assert_eq!(error.to_string(), "a web page stands in its place", "{}", format.as_str());
        }
    }
}
