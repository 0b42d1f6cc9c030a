//! HTML as a stream of tags and texts.
//!
//! Duty: one pass over the page, in time and memory that are linear in its length whatever it holds: no tree is built,
//! so there is nothing that nesting, tags left open or tags that close nothing could make large. Never here: what a
//! page says.

use std::mem;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use outbound::reading;

/// A piece of a page.
#[derive(Debug)]
pub enum Piece<'a> {
    /// A start tag; the name is in lower case.
    Start(&'a str, Attributes),
    /// An end tag, whether it closes anything or not.
    End(&'a str),
    /// Text. Between the tags of a script, a style sheet and the like it is all that
    /// stands there, as one piece.
    Text(&'a str),
}

/// The attributes of a tag that are kept; of several of one name the first.
#[derive(Debug, Default)]
pub struct Attributes(Vec<(String, String)>);

/// What an attribute takes in memory beside its texts.
const ATTRIBUTE_BYTES: usize = size_of::<(String, String)>() + 16;
/// Attributes of one tag that are kept.
const ATTRIBUTES_MAX: usize = 64;

impl Attributes {
    /// The value of the attribute `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// What they take in memory, about.
    pub fn bytes(&self) -> usize {
        self.0.iter().map(|(name, value)| ATTRIBUTE_BYTES + name.len() + value.len()).sum()
    }
}

/// What of tags is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Their names.
    Names,
    /// Their attributes, too.
    Attributes,
}

/// Hands the pieces of `html` to `take`, in order.
pub fn walk(html: &str, keep: Keep, mut take: impl FnMut(Piece<'_>)) {
    let mut tag = Tag::default();
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
        if !reading::goes_on() {
            return Some(());
        }
        match event {
            CallbackEvent::OpenStartTag { name } => tag.open(name),
            CallbackEvent::AttributeName { name } if keep == Keep::Attributes => tag.name_attribute(name),
            CallbackEvent::AttributeValue { value } => tag.set_attribute(value),
            CallbackEvent::CloseStartTag { .. } => {
                tag.is_open = false;
                take(Piece::Start(&tag.name, mem::take(&mut tag.attributes)));
            }
            CallbackEvent::EndTag { name } => take(Piece::End(&String::from_utf8_lossy(name))),
            CallbackEvent::String { value } => take(Piece::Text(&String::from_utf8_lossy(value))),
            CallbackEvent::AttributeName { .. }
            | CallbackEvent::Comment { .. }
            | CallbackEvent::Doctype { .. }
            | CallbackEvent::Error(_) => {}
        }
        None
    });
    emitter.naively_switch_states(true);
    // It goes on to the end, or to where nobody waits any more.
    Tokenizer::new_with_emitter(html, emitter).next();
}

/// The start tag that is being read.
#[derive(Default)]
struct Tag {
    name: String,
    is_open: bool,
    attributes: Attributes,
    /// Whether the next value belongs to the last of the attributes.
    is_naming: bool,
}

impl Tag {
    fn open(&mut self, name: &[u8]) {
        *self = Self { name: String::from_utf8_lossy(name).into_owned(), is_open: true, ..Self::default() };
    }

    /// End tags have attributes too, which mean nothing.
    fn name_attribute(&mut self, name: &[u8]) {
        let attributes = &mut self.attributes.0;
        self.is_naming = self.is_open
            && attributes.len() < ATTRIBUTES_MAX
            && !attributes.iter().any(|(known, _)| known.as_bytes() == name);
        if self.is_naming {
            attributes.push((String::from_utf8_lossy(name).into_owned(), String::new()));
        }
    }

    fn set_attribute(&mut self, value: &[u8]) {
        if let Some((_, kept)) = self.attributes.0.last_mut().filter(|_| self.is_naming) {
            *kept = String::from_utf8_lossy(value).into_owned();
        }
        self.is_naming = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{Keep, Piece, walk};

    fn pieces(html: &str) -> Vec<String> {
        let mut pieces = Vec::new();
        walk(html, Keep::Attributes, |piece| {
            pieces.push(match piece {
                Piece::Start(name, attributes) => format!("<{name} {:?}>", attributes.get("href")),
                Piece::End(name) => format!("</{name}>"),
                Piece::Text(text) => text.to_owned(),
            });
        });
        pieces
    }

    #[test]
    fn tags_texts_and_attributes_are_told_apart() {
        for (html, wanted) in [
            ("a<B HREF='x&amp;y'>c</B>", vec!["a", "<b Some(\"x&y\")>", "c", "</b>"]),
            ("<a href=1 href=2 href>", vec!["<a Some(\"1\")>"]),
            ("<a href>x</a href=2><i>", vec!["<a Some(\"\")>", "x", "</a>", "<i None>"]),
            ("<script>a<b>'</b>'</SCRIPT>c", vec!["<script None>", "a<b>'</b>'", "</script>", "c"]),
            ("<noscript><a></noscript>", vec!["<noscript None>", "<a>", "</noscript>"]),
            ("a < b &amp; <!-- <i> -->c &nbsp;<i", vec!["a < b & ", "c \u{a0}"]),
            ("", vec![]),
        ] {
            assert_eq!(pieces(html), wanted, "{html}");
        }
    }
}
