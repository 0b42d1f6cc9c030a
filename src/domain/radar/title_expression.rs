//! The boolean expression over job titles (Spec 2.7, decision 2.3).
//!
//! ```text
//! or   := and ("OR" and)*
//! and  := not ("AND" not)*
//! not  := "NOT" not | "(" or ")" | term
//! term := one bare word | a phrase in double quotes
//! ```

mod parser;
mod words;

use std::fmt;

pub use parser::TitleError;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleExpression {
    text: String,
    tree: Node,
}

/// `And` and `Or` have two children or more.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Or(Vec<Node>),
    And(Vec<Node>),
    Not(Box<Node>),
    Term(Term),
}

/// One word or phrase: as it was given, and in the form in which it is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Term {
    text: String,
    words: words::Words,
}

impl TitleExpression {
    /// Reads an expression.
    ///
    /// # Errors
    /// [`TitleError`] says what is wrong and in which column, counted in characters from 1.
    pub fn parse(text: &str) -> Result<Self, TitleError> {
        Self::from_stored(text.to_owned())
    }

    /// Reads an expression that was checked when it was stored.
    ///
    /// # Errors
    /// [`TitleError`] when the text is not what [`TitleExpression::parse`] once accepted.
    pub fn from_stored(text: String) -> Result<Self, TitleError> {
        let tree = parser::parse(&text)?;
        Ok(Self { text, tree })
    }

    /// The expression as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether `title` satisfies the expression: terms match on word boundaries, whatever their case.
    ///
    /// Takes time linear in the length of the title.
    pub fn matches(&self, title: &str) -> bool {
        self.tree.matches(&words::Words::of(title))
    }
}

impl Node {
    fn matches(&self, title: &words::Words) -> bool {
        match self {
            Self::Or(nodes) => nodes.iter().any(|node| node.matches(title)),
            Self::And(nodes) => nodes.iter().all(|node| node.matches(title)),
            Self::Not(node) => !node.matches(title),
            Self::Term(term) => title.contain(&term.words),
        }
    }

    /// How tightly the node binds; a child that binds less needs parentheses.
    fn precedence(&self) -> u8 {
        match self {
            Self::Or(_) => 0,
            Self::And(_) => 1,
            Self::Not(_) | Self::Term(_) => 2,
        }
    }

    fn print_list(out: &mut fmt::Formatter<'_>, nodes: &[Self], operator: &str, precedence: u8) -> fmt::Result {
        for (index, node) in nodes.iter().enumerate() {
            if index > 0 {
                write!(out, " {operator} ")?;
            }
            node.print_child(out, precedence)?;
        }
        Ok(())
    }

    fn print_child(&self, out: &mut fmt::Formatter<'_>, parent: u8) -> fmt::Result {
        if self.precedence() > parent || matches!(self, Self::Not(_) | Self::Term(_)) {
            write!(out, "{self}")
        } else {
            write!(out, "({self})")
        }
    }
}

/// Prints the tree with no more parentheses than it needs; reading it again gives the same tree.
impl fmt::Display for Node {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Or(nodes) => Self::print_list(out, nodes, "OR", 0),
            Self::And(nodes) => Self::print_list(out, nodes, "AND", 1),
            Self::Not(node) => {
                out.write_str("NOT ")?;
                node.print_child(out, 2)
            }
            Self::Term(term) if parser::is_bare_word(&term.text) => out.write_str(&term.text),
            Self::Term(term) => write!(out, "\"{}\"", term.text),
        }
    }
}

/// Prints the expression in its shortest form.
impl fmt::Display for TitleExpression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::words::{fold, is_word};
    use super::{Node, Term, TitleExpression, parser, words};
    use proptest::prelude::*;

    fn matches(expression: &str, title: &str) -> bool {
        TitleExpression::parse(expression).expect(expression).matches(title)
    }

    #[test]
    fn decision_2_3_terms_match_whole_words_in_any_case() {
        for (expression, title, wanted) in [
            ("engineer", "Senior ENGINEER (m/f)", true),
            ("engineer", "Engineering Manager", false),
            ("\"vice president\"", "Vice   President, Sales", true),
            ("\"vice president\"", "President, Vice", false),
            ("\"  vice   president \"", "vice president", true),
            ("C++", "C++ Developer", true),
            ("C++", "MC++ Developer", false),
            ("C", "C# Developer", true),
            (".NET", "ASP.NET Developer", true),
            (".NET", "Senior .Networker", false),
            ("R&D", "Head of r&d", true),
            ("ingénieur", "INGÉNIEUR logiciel", true),
            ("ingénieur", "Inge\u{301}nieur", false),
            ("Straßenbau", "STRASSENBAU", true),
            ("ΟΔΟΣ", "οδος", true),
            ("инженер", "Ведущий Инженер", true),
            ("инженер", "Инженерный отдел", false),
            ("工程师", "高级工程师", true),
            ("エンジニア", "シニアエンジニア", true),
            ("วิศวกร", "หัวหน้าวิศวกร", true),
            ("工程", "工厂程序", false),
            ("a", "a\u{301} la carte", false),
            ("\"a a\"", "aa a a", true),
            ("engineer", "", false),
        ] {
            assert_eq!(matches(expression, title), wanted, "{expression} on {title}");
        }
    }

    #[test]
    fn spec_2_7_operators_bind_as_the_grammar_says() {
        for (expression, title, wanted) in [
            ("a OR b AND c", "a", true),
            ("(a OR b) AND c", "a", false),
            ("a AND NOT b", "a b", false),
            ("NOT a OR b", "b a", true),
            ("NOT (a OR b)", "c", true),
            ("NOT NOT a", "a", true),
            ("(a)AND(b)", "b a", true),
            ("and", "and", true),
            ("\"OR\"", "this or that", true),
        ] {
            assert_eq!(matches(expression, title), wanted, "{expression} on {title}");
        }
    }

    #[test]
    fn keeps_the_text_as_given_and_reads_it_back() {
        let expression = TitleExpression::parse(" ( (cto) )  OR  \"head of  it\" ").expect("an expression");
        assert_eq!(expression.as_str(), " ( (cto) )  OR  \"head of  it\" ");
        assert_eq!(expression.to_string(), "cto OR \"head of it\"");
        assert_eq!(TitleExpression::from_stored(expression.as_str().to_owned()), Ok(expression));
    }

    fn term(text: &str) -> Node {
        Node::Term(Term { text: text.to_owned(), words: words::Words::of(text) })
    }

    fn tree() -> impl Strategy<Value = Node> {
        let leaf = prop_oneof![
            prop::sample::select(vec!["a", "b", "ab", "a b", "b.a", "AND", "é+", "(x", "+", "b b"]).prop_map(term),
            "[abé+.工]{1,3}".prop_map(|text| term(&text)),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 2..4).prop_map(Node::Or),
                prop::collection::vec(inner.clone(), 2..4).prop_map(Node::And),
                inner.prop_map(|node| Node::Not(Box::new(node))),
            ]
        })
    }

    /// The definition, read literally: an occurrence of the folded term whose ends split no word.
    fn naive(node: &Node, title: &[char]) -> bool {
        match node {
            Node::Or(nodes) => nodes.iter().any(|node| naive(node, title)),
            Node::And(nodes) => nodes.iter().all(|node| naive(node, title)),
            Node::Not(node) => !naive(node, title),
            Node::Term(term) => {
                let term = folded(&term.text);
                let splits = |at: usize| at > 0 && at < title.len() && is_word(title[at - 1]) && is_word(title[at]);
                (0..=title.len().saturating_sub(term.len())).any(|from| {
                    let to = from + term.len();
                    title.get(from..to) == Some(&term[..]) && !splits(from) && !splits(to)
                })
            }
        }
    }

    fn folded(text: &str) -> Vec<char> {
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().flat_map(fold).collect()
    }

    proptest! {
        #[test]
        fn printing_and_reading_are_inverse(tree in tree()) {
            let printed = tree.to_string();
            match parser::parse(&printed) {
                Ok(read) => prop_assert_eq!(read, tree),
                // Trees may exceed the limits; nothing else may go wrong.
                Err(error) => {
                    use parser::TitleError::{TooDeep, TooManyTerms};
                    let is_limit = matches!(error, TooManyTerms { .. } | TooDeep { .. });
                    prop_assert!(is_limit, "{printed}: {error}");
                }
            }
        }

        #[test]
        fn matching_agrees_with_the_definition(tree in tree(), title in "[abAéE+. \u{301}工]{0,12}") {
            prop_assert_eq!(tree.matches(&words::Words::of(&title)), naive(&tree, &folded(&title)));
        }

        #[test]
        fn never_panics(text in "[ab\"() NOTANDOR]{0,60}|.{0,60}", title in ".{0,30}") {
            if let Ok(expression) = TitleExpression::parse(&text) {
                expression.matches(&title);
            }
        }
    }
}
