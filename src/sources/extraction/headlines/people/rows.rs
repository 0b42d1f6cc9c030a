//! How the rows of `moves.txt` are read: what stands before and behind their phrases.

use std::str::FromStr;

use super::Move;
use crate::extraction::headlines::phrases::Phrases;
use domain::{UnknownWord, closed};

closed! {
    /// What stands before and behind the phrase of a row.
    Shape {
        /// A company, and whom it takes: `Acme names Ada Byron CFO`, `Acme appoints new CFO Ada Byron`.
        Takes = "takes",
        /// The same, where the verb means people alone, so that no post needs to be named: `Acme poaches Ada Byron`.
        Hires = "hires",
        /// A company, and whom it loses: `Acme fires CEO Ada Byron`.
        Loses = "loses",
        /// A person, and the company that they come to: `Ada Byron joins Acme as CFO from Quarry`.
        Joins = "joins",
        /// A person, and the post that they take: `Ada Byron named CFO of Acme`.
        Becomes = "becomes",
        /// A person, and somebody whose post they take: `Ada Byron succeeds Grace Hopper as CEO of Acme`.
        Follows = "follows",
        /// A person, and the post or company that they leave: `Acme CEO Ada Byron steps down`.
        Leaves = "leaves",
    }
}

/// What a row means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// How it is read.
    pub shape: Shape,
    /// What the person does.
    pub kind: Move,
}

impl FromStr for Row {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (shape, kind) = text.split_once(' ').unwrap_or_default();
        Ok(Self { shape: shape.parse()?, kind: kind.parse()? })
    }
}

/// The rows.
pub static ROWS: Phrases<Row> = Phrases::new(include_str!("moves.txt"));
/// Verbs that are names of people where they begin with a capital letter, as in German headlines verbs never do.
pub const NAMES_TOO: &[&str] = &["holt"];
