//! Pages in good order, of which a stream reads what a tree reads.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use scraper::{Html, Selector};
use url::Url;

use crate::extraction::page::read_page;
use crate::text::plain::plain_of_html;

const WORDS: &[&str] = &["a", "b c", "Köln &amp; Umland", " ", "1 &lt; 2"];

/// Pages whose tags are all in order.
fn orderly_html() -> impl Strategy<Value = String> {
    let word = select(WORDS).prop_map(str::to_owned);
    word.prop_recursive(5, 40, 5, |inner| {
        let inside = vec(inner, 0..5).prop_map(|parts| parts.concat());
        (select(&["div", "section", "ul", "b", "span", "em"][..]), any::<bool>(), 0..50_u8, inside).prop_map(
            |(tag, is_link, number, inside)| match is_link && !inside.contains("<a ") {
                true => format!("<a href='/jobs/{number}'>{inside}</a>"),
                false => format!("<{tag}>{inside}</{tag}>"),
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_reads_what_a_tree_reads(html in orderly_html()) {
        let selector = Selector::parse("a").unwrap();
        let tree = Html::parse_document(&html);
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let expected: Vec<(String, String)> = tree
            .select(&selector)
            .map(|link| (link.attr("href").unwrap().to_owned(), letters(&link.text().collect::<String>())))
            .collect();
        let page = read_page(html.as_bytes(), None, &Url::parse("https://acme.example/careers").unwrap());
        let read: Vec<(String, String)> =
            page.links.iter().map(|link| (link.url.path().to_owned(), letters(&link.text))).collect();
        prop_assert_eq!(read, expected);
        let whole: String = tree.root_element().text().collect();
        prop_assert_eq!(letters(&plain_of_html(&html)), letters(&whole));
    }
}
