//! Reads the text of an expression into its tree.

use std::iter::Peekable;
use std::str::CharIndices;

use super::words::Words;
use super::{Node, Term};
use crate::domain::field_limits::{TITLE_EXPRESSION_DEPTH_MAX, TITLE_EXPRESSION_MAX, TITLE_EXPRESSION_TERMS_MAX};

/// Why a text is no expression. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TitleError {
    /// Nothing but white space.
    #[error("must not be empty")]
    Empty,
    /// More than [`TITLE_EXPRESSION_MAX`] characters.
    #[error("must be at most 1000 characters")]
    TooLong,
    /// More than [`TITLE_EXPRESSION_TERMS_MAX`] terms.
    #[error("column {column}: must have at most 64 terms")]
    TooManyTerms {
        /// Where the first term too many begins.
        column: usize,
    },
    /// More than [`TITLE_EXPRESSION_DEPTH_MAX`] open parentheses and negations.
    #[error("column {column}: must be nested at most 16 deep")]
    TooDeep {
        /// Where the first level too many begins.
        column: usize,
    },
    /// A term that follows a term.
    #[error(
        "column {column}: expected AND or OR in upper case before '{term}'; put terms of several words in double quotes"
    )]
    MissingOperator {
        /// Where the second term begins.
        column: usize,
        /// The second term.
        term: String,
    },
    /// An operator or a closing parenthesis where a term should be.
    #[error("column {column}: expected a term, found '{found}'")]
    ExpectedTerm {
        /// Where the wrong word begins.
        column: usize,
        /// The wrong word.
        found: &'static str,
    },
    /// The text ends where a term should be.
    #[error("column {column}: expected a term, found the end")]
    UnexpectedEnd {
        /// One past the last character.
        column: usize,
    },
    /// An operand that is followed by `NOT` or `(` without an operator.
    #[error("column {column}: expected AND or OR before '{found}'")]
    ExpectedOperator {
        /// Where the wrong word begins.
        column: usize,
        /// The wrong word.
        found: &'static str,
    },
    /// A closing parenthesis that closes nothing.
    #[error("column {column}: this parenthesis closes nothing")]
    UnopenedParenthesis {
        /// Where it stands.
        column: usize,
    },
    /// An opening parenthesis that is not closed.
    #[error("column {column}: this parenthesis is not closed")]
    UnclosedParenthesis {
        /// Where it stands.
        column: usize,
    },
    /// A quote without its partner.
    #[error("column {column}: this double quote is not closed")]
    UnclosedQuote {
        /// Where it stands.
        column: usize,
    },
    /// Two quotes with nothing between.
    #[error("column {column}: a quoted term must not be empty")]
    EmptyTerm {
        /// Where the first quote stands.
        column: usize,
    },
    /// A control character, which no title holds.
    #[error("column {column}: must not contain control characters")]
    ControlCharacter {
        /// Where it stands.
        column: usize,
    },
}

pub(super) fn parse(text: &str) -> Result<Node, TitleError> {
    if text.trim().is_empty() {
        return Err(TitleError::Empty);
    }
    let length = text.chars().count();
    if length > TITLE_EXPRESSION_MAX {
        return Err(TitleError::TooLong);
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: tokens.into_iter().peekable(), end_column: length + 1, terms: 0, depth: 0 };
    let tree = parser.or()?;
    match parser.tokens.next() {
        None => Ok(tree),
        Some((column, Token::Close)) => Err(TitleError::UnopenedParenthesis { column }),
        Some((column, Token::Term(term))) => Err(TitleError::MissingOperator { column, term }),
        Some((column, token)) => Err(TitleError::ExpectedOperator { column, found: token.name() }),
    }
}

/// Whether a term reads back as itself without quotes.
pub(super) fn is_bare_word(term: &str) -> bool {
    !matches!(term, "AND" | "OR" | "NOT") && !term.contains(ends_word)
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
}

fn ends_word(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | '"')
}

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, TitleError> {
    let mut tokens = Vec::new();
    let mut characters = text.char_indices().peekable();
    let mut column = 1;
    while let Some(&(from, character)) = characters.peek() {
        let start = column;
        let token = match character {
            '(' | ')' => {
                characters.next();
                column += 1;
                if character == '(' { Token::Open } else { Token::Close }
            }
            '"' => {
                characters.next();
                let phrase = take_while(text, &mut characters, &mut column, |character| character != '"')?;
                if characters.next().is_none() {
                    return Err(TitleError::UnclosedQuote { column: start });
                }
                column += 2;
                let phrase = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
                if phrase.is_empty() {
                    return Err(TitleError::EmptyTerm { column: start });
                }
                Token::Term(phrase)
            }
            _ if character.is_whitespace() => {
                characters.next();
                column += 1;
                continue;
            }
            _ => match take_while(text, &mut characters, &mut column, |character| !ends_word(character))? {
                "AND" => Token::And,
                "OR" => Token::Or,
                "NOT" => Token::Not,
                word => Token::Term(word.to_owned()),
            },
        };
        debug_assert!(characters.peek().is_none_or(|&(to, _)| to > from), "every token takes a character");
        tokens.push((start, token));
    }
    Ok(tokens)
}

/// Takes characters while `wanted` holds, and moves `column` by their number.
fn take_while<'a>(
    text: &'a str,
    characters: &mut Peekable<CharIndices<'a>>,
    column: &mut usize,
    wanted: impl Fn(char) -> bool,
) -> Result<&'a str, TitleError> {
    let from = characters.peek().map_or(text.len(), |&(index, _)| index);
    while let Some((_, character)) = characters.next_if(|&(_, character)| wanted(character)) {
        if character.is_control() && !character.is_whitespace() {
            return Err(TitleError::ControlCharacter { column: *column });
        }
        *column += 1;
    }
    let to = characters.peek().map_or(text.len(), |&(index, _)| index);
    Ok(&text[from..to])
}

struct Parser<I: Iterator<Item = (usize, Token)>> {
    tokens: Peekable<I>,
    end_column: usize,
    terms: usize,
    depth: usize,
}

impl<I: Iterator<Item = (usize, Token)>> Parser<I> {
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
            return Err(TitleError::UnexpectedEnd { column: self.end_column });
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
                    Some((column, Token::Term(term))) => Err(TitleError::MissingOperator { column, term }),
                    Some((column, token)) => Err(TitleError::ExpectedOperator { column, found: token.name() }),
                    None => Err(TitleError::UnclosedParenthesis { column }),
                }
            }
            Token::And | Token::Or | Token::Close => Err(TitleError::ExpectedTerm { column, found: token.name() }),
        }
    }

    fn term(&mut self, column: usize, text: String) -> Result<Node, TitleError> {
        self.terms += 1;
        if self.terms > TITLE_EXPRESSION_TERMS_MAX {
            return Err(TitleError::TooManyTerms { column });
        }
        let words = Words::of(&text);
        Ok(Node::Term(Term { text, words }))
    }

    /// Bounds the recursion of this parser, of the printer and of the matcher.
    fn descend(&mut self, column: usize) -> Result<(), TitleError> {
        self.depth += 1;
        if self.depth > TITLE_EXPRESSION_DEPTH_MAX { Err(TitleError::TooDeep { column }) } else { Ok(()) }
    }
}

fn one_or(mut nodes: Vec<Node>, many: fn(Vec<Node>) -> Node) -> Node {
    match nodes.pop() {
        Some(only) if nodes.is_empty() => only,
        last => {
            nodes.extend(last);
            many(nodes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TitleError, parse};

    #[test]
    fn decision_2_3_errors_name_the_column() {
        for (text, error) in [
            ("  ", TitleError::Empty),
            ("vice president", TitleError::MissingOperator { column: 6, term: "president".into() }),
            ("é or b", TitleError::MissingOperator { column: 3, term: "or".into() }),
            ("foo\"bar\"", TitleError::MissingOperator { column: 4, term: "bar".into() }),
            ("(a b)", TitleError::MissingOperator { column: 4, term: "b".into() }),
            ("a (b)", TitleError::ExpectedOperator { column: 3, found: "(" }),
            ("a NOT b", TitleError::ExpectedOperator { column: 3, found: "NOT" }),
            ("a AND OR b", TitleError::ExpectedTerm { column: 7, found: "OR" }),
            ("AND a", TitleError::ExpectedTerm { column: 1, found: "AND" }),
            ("()", TitleError::ExpectedTerm { column: 2, found: ")" }),
            ("a AND", TitleError::UnexpectedEnd { column: 6 }),
            ("NOT", TitleError::UnexpectedEnd { column: 4 }),
            ("a)", TitleError::UnopenedParenthesis { column: 2 }),
            ("a OR (b", TitleError::UnclosedParenthesis { column: 6 }),
            ("a OR \"b", TitleError::UnclosedQuote { column: 6 }),
            ("\"\"", TitleError::EmptyTerm { column: 1 }),
            ("a AND \" \"", TitleError::EmptyTerm { column: 7 }),
            ("a\u{0}", TitleError::ControlCharacter { column: 2 }),
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
        assert_eq!(parse(&terms(65)), Err(TitleError::TooManyTerms { column: 64 * 5 + 1 }));
        let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
        assert!(parse(&nested(16)).is_ok());
        assert_eq!(parse(&nested(17)), Err(TitleError::TooDeep { column: 17 }));
        assert_eq!(parse(&format!("{}a", "NOT ".repeat(17))), Err(TitleError::TooDeep { column: 65 }));
    }

    #[test]
    fn a_message_reads_well() {
        let message = parse("vice president").map_err(|error| error.to_string());
        let wanted = "column 6: expected AND or OR in upper case before 'president'; put terms of several words in double quotes";
        assert_eq!(message, Err(wanted.to_owned()));
    }
}
