//! HTML made harmless to parse.
//!
//! Duty: what a hostile page could use to make the parser work for hours is left out: nesting without end, formatting
//! that is opened and never closed (which the standard makes a parser repeat in every block), tags of a million
//! attributes. Nothing that a reader or a link needs is lost. Never here: what a page says.

/// Elements open at once; browsers flatten what is deeper, too.
const DEPTH_MAX: usize = 512;
/// Blanks, slashes and quotes within one tag, which bound its attributes.
const SEPARATORS_MAX: usize = 500;

/// Elements that only format text.
const FORMATTING: &[&str] = &[
    "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u", "span", "mark", "sub",
    "sup",
];
/// Elements without an end, or whose end the parser supplies at the next one of their kind.
const NOT_NESTED: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr", "p",
    "li", "dt", "dd", "option", "tr", "td", "th", "thead", "tbody", "tfoot", "html", "head", "body",
];
/// Elements whose content is no markup.
const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp", "noembed", "noframes", "iframe"];

/// `html` without what only harms.
pub fn prune(html: &str) -> String {
    let mut pruned = String::with_capacity(html.len());
    let mut depth = 0_usize;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        pruned.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some(tag) = Tag::read(rest) else {
            pruned.push('<');
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.text.len()..];
        let is_nested = !NOT_NESTED.contains(&tag.name.as_str());
        let is_kept = !FORMATTING.contains(&tag.name.as_str())
            && tag.separators <= SEPARATORS_MAX
            && (tag.is_end || !is_nested || depth < DEPTH_MAX);
        if !is_kept {
            continue;
        }
        pruned.push_str(tag.text);
        if tag.is_end {
            depth = depth.saturating_sub(usize::from(is_nested));
        } else if RAW.contains(&tag.name.as_str()) {
            let end = end_of_raw(rest, &tag.name);
            pruned.push_str(&rest[..end]);
            rest = &rest[end..];
            depth += 1;
        } else {
            depth += usize::from(is_nested);
        }
    }
    pruned.push_str(rest);
    pruned
}

struct Tag<'a> {
    /// From `<` to `>`.
    text: &'a str,
    /// In lower case.
    name: String,
    is_end: bool,
    separators: usize,
}

impl<'a> Tag<'a> {
    /// The tag at the start of `html`; `None` if the `<` there begins none. A tag without an end takes the rest.
    fn read(html: &'a str) -> Option<Self> {
        let after = html.get(1..)?;
        let is_end = after.starts_with('/');
        let after = after.strip_prefix('/').unwrap_or(after);
        if !after.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return None;
        }
        let is_of_name = |letter: char| !letter.is_ascii_whitespace() && letter != '/' && letter != '>';
        let name = after.split(|letter| !is_of_name(letter)).next().unwrap_or_default().to_ascii_lowercase();
        let (length, separators) = extent(html);
        Some(Self { text: &html[..length], name, is_end, separators })
    }
}

/// Bytes of the tag at the start of `html`, and its separators. Quotes count only where a value may begin.
fn extent(html: &str) -> (usize, usize) {
    let (mut quote, mut separators, mut before) = (None, 0, b' ');
    for (at, byte) in html.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return (at + 1, separators),
            (None, b'"' | b'\'') if before == b'=' => {
                quote = Some(byte);
                separators += 1;
            }
            (None, b'"' | b'\'' | b'/') => separators += 1,
            (None, byte) if byte.is_ascii_whitespace() => {
                separators += 1;
                continue;
            }
            _ => {}
        }
        before = byte;
    }
    (html.len(), separators)
}

/// Where the end tag of the raw element `name` begins in `html`.
fn end_of_raw(html: &str, name: &str) -> usize {
    let mut from = 0;
    while let Some(at) = html[from..].find("</") {
        let start = from + at;
        let is_end = html.get(start + 2..start + 2 + name.len()).is_some_and(|end| end.eq_ignore_ascii_case(name));
        if is_end {
            return start;
        }
        from = start + 2;
    }
    html.len()
}

#[cfg(test)]
mod tests {
    use super::prune;

    #[test]
    fn what_a_reader_needs_stays() {
        for (html, pruned) in [
            ("<p>Build <strong>ledgers</strong> &amp; tools.</p>", "<p>Build ledgers &amp; tools.</p>"),
            ("<a href='x>y' title=\"a'b\">z</a>", "<a href='x>y' title=\"a'b\">z</a>"),
            ("a < b <3 </ c", "a < b <3 </ c"),
            ("<script>if (a<b) '<div>'</SCRIPT><div>", "<script>if (a<b) '<div>'</SCRIPT><div>"),
            ("x<!-- <div> -->y<!-- open", "xy"),
            ("<p>cut in a <strong ti", "<p>cut in a "),
            ("ünï<br/>cöde<", "ünï<br/>cöde<"),
            ("<a title=it's>x</a><b>y</b>", "<a title=it's>x</a>y"),
        ] {
            assert_eq!(prune(html), pruned, "{html}");
        }
    }

    #[test]
    fn what_only_harms_is_left_out() {
        let opened = |html: &str, tag: &str| prune(html).matches(tag).count();
        assert_eq!(opened(&"<div>".repeat(100_000), "<div>"), 512);
        assert_eq!(opened(&"<div></div>".repeat(1_000), "<div>"), 1_000);
        assert_eq!(opened(&"<font color=1>".repeat(1_000), "<font"), 0);
        assert_eq!(prune(&format!("<a {}>x", "y ".repeat(1_000))), "x");
        let long = format!("<div data-page='{}'>", "{\"a\": 1} ".repeat(10_000));
        assert_eq!(prune(&long), long);
    }
}
