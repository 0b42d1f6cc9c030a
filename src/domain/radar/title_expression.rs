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

pub use parser::{TitleError, TitleProblem};
use words::Words;

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
    /// One word or phrase.
    Term(Words),
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
        self.tree.matches(&Words::of(title))
    }
}

impl Node {
    fn matches(&self, title: &Words) -> bool {
        match self {
            Self::Or(nodes) => nodes.iter().any(|node| node.matches(title)),
            Self::And(nodes) => nodes.iter().all(|node| node.matches(title)),
            Self::Not(node) => !node.matches(title),
            Self::Term(term) => title.contain(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt;

    use super::words::{fold, is_word};
    use super::{Node, TitleExpression, Words, parser};
    use proptest::prelude::*;

    /// A tree as people write it; it prints with no more parentheses than it needs.
    #[derive(Clone, Debug)]
    enum Written {
        Or(Vec<Written>),
        And(Vec<Written>),
        Not(Box<Written>),
        Term(String),
    }

    impl Written {
        fn tree(&self) -> Node {
            match self {
                Self::Or(all) => Node::Or(all.iter().map(Self::tree).collect()),
                Self::And(all) => Node::And(all.iter().map(Self::tree).collect()),
                Self::Not(one) => Node::Not(Box::new(one.tree())),
                Self::Term(text) => Node::Term(Words::of(text)),
            }
        }

        /// How tightly it binds; a child that binds less needs parentheses.
        fn precedence(&self) -> u8 {
            match self {
                Self::Or(_) => 0,
                Self::And(_) => 1,
                Self::Not(_) | Self::Term(_) => 2,
            }
        }

        fn as_child(&self, parent: u8) -> String {
            if self.precedence() > parent || self.precedence() == 2 { self.to_string() } else { format!("({self})") }
        }
    }

    impl fmt::Display for Written {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            let list = |all: &[Self], operator: &str| {
                all.iter().map(|one| one.as_child(self.precedence())).collect::<Vec<_>>().join(operator)
            };
            match self {
                Self::Or(all) => out.write_str(&list(all, " OR ")),
                Self::And(all) => out.write_str(&list(all, " AND ")),
                Self::Not(one) => write!(out, "NOT {}", one.as_child(2)),
                Self::Term(text) => {
                    let is_operator = matches!(text.as_str(), "AND" | "OR" | "NOT");
                    let is_bare =
                        !is_operator && !text.contains(|one: char| one.is_whitespace() || "()\"".contains(one));
                    if is_bare { out.write_str(text) } else { write!(out, "\"{text}\"") }
                }
            }
        }
    }

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
        let terms = ["cto", "head of it"].map(|text| Node::Term(Words::of(text)));
        assert_eq!(expression.tree, Node::Or(terms.to_vec()));
        assert_eq!(TitleExpression::from_stored(expression.as_str().to_owned()), Ok(expression));
    }

    fn term(text: &str) -> Written {
        Written::Term(text.to_owned())
    }

    fn tree() -> impl Strategy<Value = Written> {
        let leaf = prop_oneof![
            prop::sample::select(vec!["a", "b", "ab", "a b", "b.a", "AND", "é+", "(x", "+", "b b"]).prop_map(term),
            "[abé+.工]{1,3}".prop_map(|text| term(&text)),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 2..4).prop_map(Written::Or),
                prop::collection::vec(inner.clone(), 2..4).prop_map(Written::And),
                inner.prop_map(|node| Written::Not(Box::new(node))),
            ]
        })
    }

    /// The definition, read literally: an occurrence of the folded term whose ends split no word.
    fn naive(node: &Written, title: &[char]) -> bool {
        match node {
            Written::Or(nodes) => nodes.iter().any(|node| naive(node, title)),
            Written::And(nodes) => nodes.iter().all(|node| naive(node, title)),
            Written::Not(node) => !naive(node, title),
            Written::Term(term) => {
                let term = folded(term);
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
                Ok(read) => prop_assert_eq!(read, tree.tree()),
                // Trees may exceed the limits; nothing else may go wrong.
                Err(error) => {
                    use parser::TitleError::At;
                    use parser::TitleProblem::{TooDeep, TooManyTerms};
                    let is_limit = matches!(error, At { problem: TooManyTerms | TooDeep, .. });
                    prop_assert!(is_limit, "{printed}: {error}");
                }
            }
        }

        #[test]
        fn matching_agrees_with_the_definition(tree in tree(), title in "[abAéE+. \u{301}工]{0,12}") {
            prop_assert_eq!(tree.tree().matches(&Words::of(&title)), naive(&tree, &folded(&title)));
        }

        #[test]
        fn never_panics(text in "[ab\"() NOTANDOR]{0,60}|.{0,60}", title in ".{0,30}") {
            if let Ok(expression) = TitleExpression::parse(&text) {
                expression.matches(&title);
            }
        }
    }
}
