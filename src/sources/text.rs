//! Texts of sources made plain: HTML, escaped HTML and loose white space.
//!
//! Duty: markup to text that a person reads. Never here: what the text means.

use scraper::{Html, Node};

use super::prune::prune;

/// How often escaped text is unescaped at most; two levels occur in practice.
const UNESCAPE_ROUNDS_MAX: usize = 3;

/// Elements that stand on lines of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tr",
    "ul",
];

/// Elements whose text nobody sees.
const UNSEEN: &[&str] = &["script", "style", "noscript", "template", "head", "title"];

/// The text of an HTML fragment, one line per block, list items marked with `- `.
pub fn plain_of_html(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return tidy(html);
    }
    let fragment = Html::parse_fragment(&prune(html));
    let mut text = String::with_capacity(html.len() / 2);
    let mut unseen_depth = 0_usize;
    for edge in fragment.tree.root().traverse() {
        match edge {
            ego_tree::iter::Edge::Open(node) => match node.value() {
                Node::Text(words) if unseen_depth == 0 => text.push_str(words),
                Node::Element(element) => {
                    if UNSEEN.contains(&element.name()) {
                        unseen_depth += 1;
                    }
                    text.push_str(break_before(element.name()));
                }
                _ => {}
            },
            ego_tree::iter::Edge::Close(node) => {
                if let Node::Element(element) = node.value() {
                    if UNSEEN.contains(&element.name()) {
                        unseen_depth = unseen_depth.saturating_sub(1);
                    }
                    if element.name() != "br" && BLOCKS.contains(&element.name()) {
                        text.push('\n');
                    }
                }
            }
        }
    }
    tidy(&text)
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

/// One line: every run of white space is one blank.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines without blanks at their ends, at most one empty line between two, none at the ends.
pub fn tidy(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = one_line(line);
        let is_empty_bullet = line == "-";
        if is_empty_bullet || line.is_empty() && lines.last().is_none_or(String::is_empty) {
            continue;
        }
        lines.push(line);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
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
    fn a_deep_page_does_not_break_the_stack() {
        let html = "<div>".repeat(100_000) + "deep";
        assert_eq!(plain_of_html(&html), "deep");
    }

    #[test]
    fn white_space_is_tidied() {
        assert_eq!(tidy("\n a \t b \n\n\n c\u{a0}\n\n"), "a b\n\nc");
    }
}
