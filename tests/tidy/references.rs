//! References to sections of the contract and to decisions: each leads to a heading with its number.
//!
//! Prose says `Spec 2.5`, `Spec 4.6 to 4.9` or `decisions 5.2, 5.7 and 5.8`; names of tests say `spec_2_5` and `decision_5_8`.
//! A whole chapter, such as `Spec 7`, is a heading as well.

use std::collections::BTreeSet;

use regex::Regex;

/// A document with numbered headings, and how it is referred to.
pub struct Document {
    /// Its path.
    pub path: &'static str,
    /// The word before its numbers in prose: a regular expression.
    prose: &'static str,
    /// The word before its numbers in names.
    name: &'static str,
}

/// What the contract promises, and what is decided where it is silent.
pub const DOCUMENTS: [Document; 2] = [
    Document { path: "docs/contract.md", prose: "Spec", name: "spec" },
    Document { path: "docs/decisions.md", prose: "[Dd]ecisions?", name: "decision" },
];

/// Where references stand: folders and files.
pub const PLACES: &[&str] = &[
    "src", "tests", "benches", "entity", "migration", "config", "docs", "README.md", "ARCHITECTURE.md", "CHANGELOG.md",
];

/// Blanks, among them a line break and the mark of the comment that goes on after it.
const BLANKS: &str = r"\s+(?:(?://[/!]?|#|--)\s*)?";
const NUMBER: &str = r"\d+(?:\.\d+)?";

/// The numbers of all headings: `2.5` for `### 2.5 Balance`, `7` for `## 7. Errors`.
pub fn headings(text: &str) -> BTreeSet<String> {
    let pattern = Regex::new(&format!(r"(?m)^#+ ({NUMBER})\.? ")).expect("a pattern");
    pattern.captures_iter(text).map(|captures| captures[1].to_owned()).collect()
}

/// A place that refers to a number.
pub struct Reference {
    place: String,
    number: String,
}

/// Every reference to `document` in `texts`, which are paths with what is in them.
pub fn references(texts: &[(String, String)], document: &Document) -> Vec<Reference> {
    let separator = format!(r"(?:,{BLANKS}(?:and{BLANKS}|section{BLANKS})?|{BLANKS}(?:and|to){BLANKS})");
    let list = format!(r"\b{}(?:,?{BLANKS}section)?{BLANKS}({NUMBER}(?:{separator}{NUMBER})*)", document.prose);
    let list = Regex::new(&list).expect("a pattern");
    let name = Regex::new(&format!(r"(?:\b|_){}_(\d+)(?:_(\d+))?", document.name)).expect("a pattern");
    let of_text = |(path, text): &(String, String)| {
        let numbers = in_prose(text, &list).into_iter().chain(in_names(text, &name));
        let line_of = |at: usize| text[..at].matches('\n').count() + 1;
        let reference = |(at, number)| Reference { place: format!("{path}:{}", line_of(at)), number };
        numbers.map(reference).collect::<Vec<_>>()
    };
    texts.iter().flat_map(of_text).collect()
}

/// A complaint for each reference to a number that is not among the `headings` of `document`.
pub fn astray(references: &[Reference], document: &Document, headings: &BTreeSet<String>) -> Vec<String> {
    let astray = references.iter().filter(|reference| !headings.contains(&reference.number));
    let complain = |Reference { place, number }: &Reference| {
        format!("{place}: {} {number} is no heading of {}", document.name, document.path)
    };
    astray.map(complain).collect()
}

/// The numbers in prose, each with where it stands.
fn in_prose(text: &str, list: &Regex) -> Vec<(usize, String)> {
    let number = Regex::new(NUMBER).expect("a pattern");
    let mut numbers = Vec::new();
    for list in list.captures_iter(text).filter_map(|captures| captures.get(1)) {
        let mut last: Option<regex::Match<'_>> = None;
        for found in number.find_iter(list.as_str()) {
            let at = list.start() + found.start();
            let between = last.map(|last| (last.as_str(), &list.as_str()[last.end()..found.start()]));
            let first = between.filter(|(_, words)| words.contains("to")).map(|(first, _)| first);
            let skipped = first.map_or_else(Vec::new, |first| numbers_between(first, found.as_str()));
            numbers.extend(skipped.into_iter().chain([found.as_str().to_owned()]).map(|number| (at, number)));
            last = Some(found);
        }
    }
    numbers
}

/// What `first` to `last` means beside these two: 4.7 and 4.8 for 4.6 and 4.9.
fn numbers_between(first: &str, last: &str) -> Vec<String> {
    let split = |number: &str| number.rsplit_once('.').map(|(chapter, row)| (format!("{chapter}."), row.to_owned()));
    let (chapter, first) = split(first).unwrap_or((String::new(), first.to_owned()));
    let (other, last) = split(last).unwrap_or((String::new(), last.to_owned()));
    match (first.parse::<u32>(), last.parse::<u32>()) {
        (Ok(first), Ok(last)) if chapter == other => {
            (first + 1..last).map(|number| format!("{chapter}{number}")).collect()
        }
        _ => Vec::new(),
    }
}

/// The numbers in names, each with where it stands.
fn in_names(text: &str, name: &Regex) -> Vec<(usize, String)> {
    let number = |captures: regex::Captures<'_>| {
        let chapter = captures.get(1)?;
        let row = captures.get(2).map(|row| format!(".{}", row.as_str())).unwrap_or_default();
        Some((chapter.start(), format!("{}{row}", chapter.as_str())))
    };
    name.captures_iter(text).filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENTS, Document, Reference, astray, headings, references};

    fn found_in(text: &str, document: &Document) -> Vec<Reference> {
        references(&[("src/a.rs".to_owned(), text.to_owned())], document)
    }

    #[test]
    fn numbers_of_headings_are_those_of_every_level() {
        let found =
            headings("# Law\n## 2. Resources\n### 2.5 Money, 4.1 and all\n\n2.7 Input\n| 4.9 | x |\n### 2.10 `A`\n");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["2", "2.10", "2.5"]);
    }

    #[test]
    fn every_way_to_refer_is_found() {
        let [contract, decisions] = DOCUMENTS;
        for (text, document, expected) in [
            ("/// A rate (Spec 8.1, rule 4).", &contract, vec!["8.1"]),
            ("Spec 2.5, 3; decision 1.3", &contract, vec!["2.5", "3"]),
            ("Spec 2.5, 3; decision 1.3", &decisions, vec!["1.3"]),
            ("Spec 4.6 to 4.9, 6 and 7.", &contract, vec!["4.6", "4.7", "4.8", "4.9", "6", "7"]),
            ("/// (Spec 2.5,\n/// 2.7; Spec\n//! 4.1 and\n# 4.2)", &contract, vec!["2.5", "2.7", "4.1", "4.2"]),
            ("(decisions, section 6) Decision 5.3: 10", &decisions, vec!["6", "5.3"]),
            ("decisions section 5; decisions 3.6, section 6", &decisions, vec!["5", "3.6", "6"]),
            ("fn spec_4_6_limit_50() fn a_spec_7_errors()", &contract, vec!["4.6", "7"]),
            ("fn spec_2_4_and_decision_3_6_bytes()", &decisions, vec!["3.6"]),
            ("rows! { spec_2_7: &[] }", &contract, vec!["2.7"]),
            ("decisions[0], Decision<2>, respec_1 and Specs 4", &contract, vec![]),
            ("decisions[0], Decision<2>, indecision 4", &decisions, vec![]),
        ] {
            let found: Vec<String> = found_in(text, document).into_iter().map(|reference| reference.number).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_reference_without_its_heading_is_reported_with_its_line() {
        let headings = headings("### 2.5 Money\n");
        let found = found_in("// Spec 2.5\n// (Spec 2.5,\n// 4.1)\nfn spec_7() {}", &DOCUMENTS[0]);
        let at = |line: u32, number: &str| format!("src/a.rs:{line}: spec {number} is no heading of docs/contract.md");
        assert_eq!(astray(&found, &DOCUMENTS[0], &headings), [at(3, "4.1"), at(4, "7")]);
    }
}
