//! Reads the text of an expression into its tree.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::Node;
use super::words::Words;
use crate::field_limits::{TITLE_EXPRESSION_DEPTH_MAX, TITLE_EXPRESSION_MAX, TITLE_EXPRESSION_TERMS_MAX};

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TitleError {
    /// Nothing but white space.
    #[error("must not be empty")]
    Empty,
    /// More than [`TITLE_EXPRESSION_MAX`] characters.
    #[error("must be at most 1000 characters")]
    TooLong,
    /// Something is wrong at one place.
    #[error("column {column}: {problem}")]
    At {
        /// Where it begins, in characters from 1.
        column: usize,
        /// What is wrong there.
        problem: TitleProblem,
    },
}

/// What is wrong at one place of an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TitleProblem {
    /// More than [`TITLE_EXPRESSION_TERMS_MAX`] terms: the first too many.
    #[error("must have at most 64 terms")]
    TooManyTerms,
    /// More than [`TITLE_EXPRESSION_DEPTH_MAX`] open parentheses and negations: the first too many.
    #[error("must be nested at most 16 deep")]
    TooDeep,
    /// A term that follows a term.
    #[error("expected AND or OR in upper case before '{0}'; put terms of several words in double quotes")]
    MissingOperator(String),
    /// An operator or a closing parenthesis where a term should be.
    #[error("expected a term, found '{0}'")]
    ExpectedTerm(&'static str),
    /// The text ends where a term should be.
    #[error("expected a term, found the end")]
    UnexpectedEnd,
    /// An operand that is followed by `NOT` or `(` without an operator.
    #[error("expected AND or OR before '{0}'")]
    ExpectedOperator(&'static str),
    /// A closing parenthesis that closes nothing.
    #[error("this parenthesis closes nothing")]
    UnopenedParenthesis,
    /// An opening parenthesis that is not closed.
    #[error("this parenthesis is not closed")]
    UnclosedParenthesis,
    /// A quote without its partner.
    #[error("this double quote is not closed")]
    UnclosedQuote,
    /// Two quotes with nothing between.
    #[error("a quoted term must not be empty")]
    EmptyTerm,
    /// A control character, which no title holds.
    #[error("must not contain control characters")]
    ControlCharacter,
}

impl TitleProblem {
    const fn at<T>(self, column: usize) -> Result<T, TitleError> {
        Err(TitleError::At { column, problem: self })
    }
}

pub(super) fn parse(text: &str) -> Result<Node, TitleError> {
    if text.trim().is_empty() {
        return Err(TitleError::Empty);
    }
    let characters: Vec<char> = text.chars().collect();
    if characters.len() > TITLE_EXPRESSION_MAX {
        return Err(TitleError::TooLong);
    }
    let tokens = tokens(&characters)?;
    let end_column = characters.len() + 1;
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), end_column, terms: 0, depth: 0 };
    let tree = parser.or()?;
    match parser.tokens.next() {
        None => Ok(tree),
        Some((column, Token::Close)) => TitleProblem::UnopenedParenthesis.at(column),
        Some((column, token)) => token.without_operator().at(column),
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    And,
    Or,
    Not,
    Open,
    Close,
    Term(String),
}

impl Token {
    fn name(&self) -> &'static str {
        match self {
            Self::And => "AND",
            Self::Or => "OR",
            Self::Not => "NOT",
            Self::Open => "(",
            Self::Close => ")",
            Self::Term(_) => "a term",
        }
    }

    /// What is wrong when it follows an operand.
    fn without_operator(self) -> TitleProblem {
        match self {
            Self::Term(term) => TitleProblem::MissingOperator(term),
            token => TitleProblem::ExpectedOperator(token.name()),
        }
    }
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | '"')
}

/// The tokens, each with its column.
fn tokens(characters: &[char]) -> Result<Vec<(usize, Token)>, TitleError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let column = at + 1;
        at += 1;
        let token = match character {
            '(' => Token::Open,
            ')' => Token::Close,
            '"' => {
                let phrase = text_until(characters, at, |character| character == '"')?;
                at += phrase.chars().count() + 1;
                if at > characters.len() {
                    return TitleProblem::UnclosedQuote.at(column);
                }
                match phrase.split_whitespace().collect::<Vec<_>>().join(" ") {
                    phrase if phrase.is_empty() => return TitleProblem::EmptyTerm.at(column),
                    phrase => Token::Term(phrase),
                }
            }
            _ if character.is_whitespace() => continue,
            _ => {
                let word = text_until(characters, at - 1, ends_word)?;
                at += word.chars().count() - 1;
                match word.as_str() {
                    "AND" => Token::And,
                    "OR" => Token::Or,
                    "NOT" => Token::Not,
                    _ => Token::Term(word),
                }
            }
        };
        tokens.push((column, token));
    }
    Ok(tokens)
}

/// The text from there to the first character that `ends` it.
fn text_until(characters: &[char], from: usize, ends: impl Fn(char) -> bool) -> Result<String, TitleError> {
    let text = || characters.iter().copied().skip(from).take_while(|character| !ends(*character));
    match text().position(|character| character.is_control() && !character.is_whitespace()) {
        Some(index) => TitleProblem::ControlCharacter.at(from + index + 1),
        None => Ok(text().collect()),
    }
}

struct Parser {
    tokens: Peekable<IntoIter<(usize, Token)>>,
    end_column: usize,
    terms: usize,
    depth: usize,
}

impl Parser {
    fn or(&mut self) -> Result<Node, TitleError> {
        let mut nodes = vec![self.and()?];
        while self.tokens.next_if(|(_, token)| *token == Token::Or).is_some() {
            nodes.push(self.and()?);
        }
        Ok(one_or(nodes, Node::Or))
    }

    fn and(&mut self) -> Result<Node, TitleError> {
        let mut nodes = vec![self.not()?];
        while self.tokens.next_if(|(_, token)| *token == Token::And).is_some() {
            nodes.push(self.not()?);
        }
        Ok(one_or(nodes, Node::And))
    }

    fn not(&mut self) -> Result<Node, TitleError> {
        let Some((column, token)) = self.tokens.next() else {
            return TitleProblem::UnexpectedEnd.at(self.end_column);
        };
        match token {
            Token::Term(text) => self.term(column, text),
            Token::Not => {
                self.descend(column)?;
                let node = self.not()?;
                self.depth -= 1;
                Ok(Node::Not(Box::new(node)))
            }
            Token::Open => {
                self.descend(column)?;
                let node = self.or()?;
                self.depth -= 1;
                match self.tokens.next() {
                    Some((_, Token::Close)) => Ok(node),
                    Some((column, token)) => token.without_operator().at(column),
                    None => TitleProblem::UnclosedParenthesis.at(column),
                }
            }
            Token::And | Token::Or | Token::Close => TitleProblem::ExpectedTerm(token.name()).at(column),
        }
    }

    fn term(&mut self, column: usize, text: String) -> Result<Node, TitleError> {
        self.terms += 1;
        if self.terms > TITLE_EXPRESSION_TERMS_MAX {
            return TitleProblem::TooManyTerms.at(column);
        }
        Ok(Node::Term(Words::of(&text)))
    }

    /// Bounds the recursion of this parser, of the printer and of the matcher.
    fn descend(&mut self, column: usize) -> Result<(), TitleError> {
        self.depth += 1;
        if self.depth > TITLE_EXPRESSION_DEPTH_MAX { TitleProblem::TooDeep.at(column) } else { Ok(()) }
    }
}

fn one_or(mut nodes: Vec<Node>, many: fn(Vec<Node>) -> Node) -> Node {
    if nodes.len() == 1 { nodes.swap_remove(0) } else { many(nodes) }
}

#[cfg(test)]
mod tests {
    use super::TitleProblem::*;
    use super::{TitleError, TitleProblem, parse};

    fn at(column: usize, problem: TitleProblem) -> TitleError {
        TitleError::At { column, problem }
    }

    #[test]
    fn decision_2_3_errors_name_the_column() {
        for (text, error) in [
            ("  ", TitleError::Empty),
            ("vice president", at(6, MissingOperator("president".into()))),
            ("é or b", at(3, MissingOperator("or".into()))),
            ("foo\"bar\"", at(4, MissingOperator("bar".into()))),
            ("(a b)", at(4, MissingOperator("b".into()))),
            ("a (b)", at(3, ExpectedOperator("("))),
            ("a NOT b", at(3, ExpectedOperator("NOT"))),
            ("a AND OR b", at(7, ExpectedTerm("OR"))),
            ("AND a", at(1, ExpectedTerm("AND"))),
            ("()", at(2, ExpectedTerm(")"))),
            ("a AND", at(6, UnexpectedEnd)),
            ("NOT", at(4, UnexpectedEnd)),
            ("a)", at(2, UnopenedParenthesis)),
            ("a OR (b", at(6, UnclosedParenthesis)),
            ("a OR \"b", at(6, UnclosedQuote)),
            ("\"\"", at(1, EmptyTerm)),
            ("a AND \" \"", at(7, EmptyTerm)),
            ("a\u{0}", at(2, ControlCharacter)),
        ] {
            assert_eq!(parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn decision_2_3_the_limits_hold_exactly() {
        assert!(parse(&"é".repeat(1000)).is_ok());
        assert_eq!(parse(&"é".repeat(1001)), Err(TitleError::TooLong));
        let terms = |count: usize| vec!["a"; count].join(" OR ");
        assert!(parse(&terms(64)).is_ok());
        assert_eq!(parse(&terms(65)), Err(at(64 * 5 + 1, TooManyTerms)));
        let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(16)).is_ok());
        assert_eq!(parse(&nested(17)), Err(at(17, TooDeep)));
        assert_eq!(parse(&format!("{}a", "NOT ".repeat(17))), Err(at(65, TooDeep)));
    }

    #[test]
    fn a_message_reads_well() {
        let message = parse("vice president").map_err(|error| error.to_string());
        let wanted = "column 6: expected AND or OR in upper case before 'president'; put terms of several words in double quotes";
        assert_eq!(message, Err(wanted.to_owned()));
    }
}
