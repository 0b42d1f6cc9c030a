//! XML as a JSON value: elements by local name, attributes after `@`, text of an element that has more as `#text`.
//! An element that stands several times becomes a list.

use std::borrow::Cow;

use encoding_rs::Encoding;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::{Map, Value};

use super::WireError;
use crate::bounds::{JSON_MEMORY_MAX, XML_DEPTH_MAX};
use crate::extraction::json::{OBJECT_BYTES, VALUE_BYTES};
use crate::extraction::page::decode;
use crate::text::pattern::Pattern;
use outbound::reading;

/// Where the declaration must stand.
const DECLARATION_WITHIN: usize = 200;

/// Reads a document: an object with the root element.
pub fn read(body: &[u8], content_type: Option<&str>) -> Result<Value, WireError> {
    let text = text_of(body, content_type);
    // Some servers send blank lines or a byte order mark before the declaration, which strict XML forbids.
    let text = text.trim_start_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace());
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut tree = Tree { open: vec![Node::default()], memory: JSON_MEMORY_MAX };
    while reading::goes_on() {
        match reader.read_event().map_err(|error| WireError::Xml(error.to_string()))? {
            Event::Start(tag) => tree.open(&tag)?,
            Event::End(_) => tree.close(),
            Event::Text(text) => tree.take(&text.xml10_content())?,
            Event::CData(text) => tree.take(&text.xml10_content())?,
            // Entities of a document's own stand for nothing: they are what makes XML dangerous to read.
            Event::GeneralRef(entity) => match entity.resolve_char_ref() {
                Ok(Some(letter)) => tree.take(letter.encode_utf8(&mut [0; 4]))?,
                _ => tree.take(&named_letters(&entity))?,
            },
            Event::Eof => break,
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    tree.finish()
}

/// The letters that XML or HTML has a name for: feeds use those of HTML without declaring them.
fn named_letters(name: &str) -> String {
    let written = format!("&{name};");
    let read = html_escape::decode_html_entities(&written);
    if read == written { String::new() } else { read.into_owned() }
}

/// The text of `body`: as the declaration says, where it stands, or else as for pages.
fn text_of<'a>(body: &'a [u8], content_type: Option<&str>) -> Cow<'a, str> {
    let start = String::from_utf8_lossy(&body[..body.len().min(DECLARATION_WITHIN)]);
    static DECLARED: Pattern = Pattern::new(r#"^\s*<\?xml[^>]*?encoding=["']([^"']*)"#);
    let declared = DECLARED.captures(&start).and_then(|found| Encoding::for_label(found[1].as_bytes()));
    match declared {
        Some(encoding) => encoding.decode(body).0,
        None => decode(body, content_type),
    }
}

/// What the first child or attribute of an element takes beside itself.
const fn of_first(is_first: bool) -> usize {
    if is_first { OBJECT_BYTES } else { 0 }
}

/// The elements that are open, the outermost first; below all of them stands what holds the root.
struct Tree {
    open: Vec<Node>,
    memory: usize,
}

#[derive(Default)]
struct Node {
    name: String,
    children: Map<String, Value>,
    text: String,
}

impl Tree {
    fn open(&mut self, tag: &BytesStart<'_>) -> Result<(), WireError> {
        if self.open.len() > XML_DEPTH_MAX {
            return Err(WireError::TooLarge);
        }
        let mut node = Node { name: tag.local_name().as_ref().to_owned(), ..Node::default() };
        let is_first = self.open.last().is_some_and(|parent| parent.children.is_empty());
        self.pay(of_first(is_first) + VALUE_BYTES + 2 * node.name.len())?;
        for attribute in tag.attributes().with_checks(false).flatten() {
            let name = format!("@{}", attribute.key.local_name().as_ref());
            let value = html_escape::decode_html_entities(attribute.value.as_ref()).into_owned();
            self.pay(of_first(node.children.is_empty()) + VALUE_BYTES + name.len() + value.len())?;
            node.children.entry(name).or_insert(Value::String(value));
        }
        self.open.push(node);
        Ok(())
    }

    fn close(&mut self) {
        let Some(node) = self.open.pop() else { return };
        let Some(parent) = self.open.last_mut() else { return };
        let Node { name, mut children, text } = node;
        let value = match (children.is_empty(), text.trim()) {
            (true, text) => Value::String(text.to_owned()),
            (false, "") => Value::Object(children),
            (false, text) => {
                children.insert("#text".to_owned(), Value::String(text.to_owned()));
                Value::Object(children)
            }
        };
        match parent.children.get_mut(&name) {
            None => drop(parent.children.insert(name, value)),
            Some(Value::Array(several)) => several.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }

    fn take(&mut self, text: &str) -> Result<(), WireError> {
        self.pay(text.len())?;
        if let Some(node) = self.open.last_mut() {
            node.text.push_str(text);
        }
        Ok(())
    }

    fn pay(&mut self, bytes: usize) -> Result<(), WireError> {
        self.memory = self.memory.checked_sub(bytes).ok_or(WireError::TooLarge)?;
        Ok(())
    }

    fn finish(mut self) -> Result<Value, WireError> {
        match (self.open.pop(), self.open.is_empty()) {
            (Some(below), true) if !below.children.is_empty() => Ok(Value::Object(below.children)),
            (_, true) => Err(WireError::Xml("there is no element".to_owned())),
            (_, false) => Err(WireError::Xml("it breaks off".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    #[test]
    fn elements_are_read_by_local_name() {
        let xml = "\n<?xml version=\"1.0\"?><!-- x --><a:jobs xmlns:a='x' total='2 &amp; 3'><job id='1'>One &lt;b&gt; &nbsp;<![CDATA[<i>]]></job>\
            <job><t:title>Two</t:title></job><empty/></a:jobs>";
        let wanted = json!({"jobs": {"@a": "x", "@total": "2 & 3",
            "job": [{"@id": "1", "#text": "One <b> \u{a0}<i>"}, {"title": "Two"}], "empty": ""}});
        assert_eq!(read(xml.as_bytes(), None).unwrap(), wanted);
    }

    #[test]
    fn the_declared_encoding_counts() {
        let xml = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>K\xf6ln</a>";
        assert_eq!(read(xml, None).unwrap(), json!({"a": "Köln"}));
    }

    #[test]
    fn what_breaks_off_or_is_dangerous_is_refused() {
        for xml in ["", "<a>", "<a><b></a>", "text", "<a>".repeat(100_000).as_str()] {
            assert!(read(xml.as_bytes(), None).is_err(), "{}", &xml[..xml.len().min(20)]);
        }
        let bomb = "<!DOCTYPE a [<!ENTITY b \"xxxxxxxx\"><!ENTITY c \"&b;&b;&b;&b;\">]><a>&c;&c;</a>";
        assert_eq!(read(bomb.as_bytes(), None).unwrap(), json!({"a": ""}));
    }
}
