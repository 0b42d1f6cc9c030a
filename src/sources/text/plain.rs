//! Texts of sources made plain: HTML, escaped HTML and loose white space.
//!
//! Duty: markup to text that a person reads. Never here: what the text means.

use super::markup::{self, Keep, Piece};

/// How often escaped text is unescaped at most; two levels occur in practice.
const UNESCAPE_ROUNDS_MAX: usize = 3;

/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
];

/// Blocks that end where the next of their kind begins.
const NOT_NESTED: &[&str] = &["dd", "dt", "tr"];

/// Elements whose text nobody sees.
const UNSEEN: &[&str] = &["script", "style", "noscript", "template", "title"];

/// Elements that only format text.
pub const FORMATTING: &[&str] = &[
    "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u", "span", "mark", "sub",
    "sup",
];

/// The text of an HTML fragment, one line per block, list items marked with `- `.
pub fn plain_of_html(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return tidy(html);
    }
    let mut plain = Plain { text: String::with_capacity(html.len() / 2), ..Plain::default() };
    markup::walk(html, Keep::Names, |piece| match piece {
        Piece::Start(name, _) => plain.start(name),
        Piece::End(name) => plain.end(name),
        Piece::Text(text) if plain.unseen_depth == 0 => plain.text.push_str(text),
        Piece::Text(_) => {}
    });
    tidy(&plain.text)
}

/// Text that is being freed of its markup.
#[derive(Default)]
struct Plain {
    text: String,
    unseen_depth: usize,
    /// How many of each of the blocks are open.
    open: [usize; BLOCKS.len()],
}

impl Plain {
    fn start(&mut self, name: &str) {
        self.unseen_depth += usize::from(UNSEEN.contains(&name));
        let (block, paragraph) = (block(name), block("p"));
        if name != "br" && (block.is_some() || name == "li") {
            self.close(paragraph);
        }
        if NOT_NESTED.contains(&name) {
            self.close(block);
        }
        self.text.push_str(break_before(name));
        match (name, block) {
            ("br", _) | (_, None) => {}
            ("hr", _) => self.text.push('\n'),
            (_, Some(block)) => self.open[block] += 1,
        }
    }

    fn end(&mut self, name: &str) {
        if UNSEEN.contains(&name) {
            self.unseen_depth = self.unseen_depth.saturating_sub(1);
        }
        let (block, paragraph) = (block(name), block("p"));
        if block.is_some_and(|block| self.open[block] > 0) {
            self.close(paragraph.filter(|_| name != "p"));
            self.close(block);
        }
    }

    /// Ends a block, if one of its kind is open: an end tag that closes nothing breaks no line.
    fn close(&mut self, block: Option<usize>) {
        if let Some(open) = block.and_then(|block| self.open.get_mut(block)).filter(|open| **open > 0) {
            *open -= 1;
            self.text.push('\n');
        }
    }
}

fn block(name: &str) -> Option<usize> {
    BLOCKS.iter().position(|block| *block == name)
}

/// The text of HTML that was escaped, once or more, to travel inside another format.
///
/// Unescaping ends at the first real tag: what is escaped below it is text that talks about markup.
pub fn plain_of_escaped_html(escaped: &str) -> String {
    let mut html = escaped.to_owned();
    for _ in 0..UNESCAPE_ROUNDS_MAX {
        if html.contains('<') || !html.contains("&lt;") && !html.contains("&amp;") {
            break;
        }
        html = html_escape::decode_html_entities(&html).into_owned();
    }
    plain_of_html(&html)
}

/// The pieces of `text` between all of the `separators`.
pub fn split_at_all<'a>(text: &'a str, separators: &[&str]) -> Vec<&'a str> {
    let split =
        |pieces: Vec<&'a str>, separator: &&str| pieces.iter().flat_map(|piece| piece.split(*separator)).collect();
    separators.iter().fold(vec![text], split)
}

/// The same without U+0000, which no column of text on PostgreSQL takes.
pub fn without_nul(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// One line: every run of white space is one blank.
pub fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Lines without blanks at their ends, at most one empty line between two, none at the ends.
pub fn tidy(text: &str) -> String {
    let mut tidy = String::new();
    let mut is_behind_empty = false;
    for line in text.lines().map(one_line).filter(|line| line != "-") {
        if line.is_empty() {
            is_behind_empty = true;
            continue;
        }
        if !tidy.is_empty() {
            tidy.push_str(if is_behind_empty { "\n\n" } else { "\n" });
        }
        tidy.push_str(&line);
        is_behind_empty = false;
    }
    tidy
}

fn break_before(element: &str) -> &'static str {
    match element {
        "li" => "\n- ",
        "td" | "th" => " ",
        name if BLOCKS.contains(&name) => "\n",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{plain_of_escaped_html, plain_of_html, tidy};

    #[test]
    fn html_becomes_lines() {
        for (html, wanted) in [
            ("<p>Build <strong>ledgers</strong> &amp; tools.</p>", "Build ledgers & tools."),
            ("plain", "plain"),
            ("<ul><li>Norwegian</li><li>Patience</li></ul>", "- Norwegian\n- Patience"),
            ("<h2>Who</h2><p>We<br>are</p>", "Who\n\nWe\nare"),
            ("<script>alert(1)</script><p>Hi<style>p{}</style></p>", "Hi"),
            ("a&nbsp;b", "a b"),
            ("<p>cut in a <stro", "cut in a"),
            ("", ""),
        ] {
            assert_eq!(plain_of_html(html), wanted, "{html}");
        }
    }

    #[test]
    fn escaped_html_is_unescaped_down_to_its_first_tag() {
        for (escaped, wanted) in [
            (
                "&lt;p&gt;Build &lt;strong&gt;ledgers&lt;/strong&gt; &amp;amp; tools.&lt;/p&gt;",
                "Build ledgers & tools.",
            ),
            ("&amp;lt;p&amp;gt;Twice&amp;lt;/p&amp;gt;", "Twice"),
            ("&lt;p&gt;Use &amp;lt;b&amp;gt; tags&lt;/p&gt;", "Use <b> tags"),
            ("<p>Not escaped</p>", "Not escaped"),
            ("Research &amp; Development", "Research & Development"),
        ] {
            assert_eq!(plain_of_escaped_html(escaped), wanted, "{escaped}");
        }
    }

    #[test]
    fn blocks_are_told_apart_however_they_end() {
        for (html, wanted) in [
            ("<p>a<p>b", "a\n\nb"),
            ("<div><p>a</div>b", "a\n\nb"),
            ("<p>a<br>b", "a\nb"),
            ("a</div>b</x>c", "abc"),
            ("<p>a<hr>b", "a\n\nb"),
            ("<dl><dt>a<dd>b</dl>c", "a\nb\nc"),
            ("<noscript><p>x</p></noscript>a<template><p>y</template>b", "a\nb"),
        ] {
            assert_eq!(plain_of_html(html), wanted, "{html}");
        }
    }

    #[test]
    fn white_space_is_tidied() {
        assert_eq!(tidy("\n a \t b \n\n\n c\u{a0}\n\n"), "a b\n\nc");
    }
}
