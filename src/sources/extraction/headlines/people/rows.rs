//! How the rows of `moves.txt` are read: what stands before and behind their phrases.

use std::str::FromStr;

use super::Move;
use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::Word;
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
        /// A person, and what they are at the head of: `Ada Byron takes the helm at Acme`.
        Heads = "heads",
        /// A post, and behind it who takes it: `New CFO at Acme: Ada Byron`.
        New = "new",
        /// A label of such news, and behind it a person and a post: `Personalie: Ada Byron, CFO bei Acme`.
        Label = "label",
        /// A person and a post, before a verb at the end: `Ada Byron in den Vorstand von Acme berufen`.
        Ends = "ends",
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

/// What news of those who lead companies has, beside verbs and names.
pub static MANAGEMENT: Phrases<u8> = Phrases::new(
    "1: career beat | people moves | on the move | fuhrungswechsel | chefwechsel | stabwechsel | wechsel an der spitze | wechsel im vorstand | personalie | \
     personalien | vorstand | vorstande | geschaftsfuhrung | geschaftsleitung | nachfolge | releve | \
     changement a la tete | changement de direction | relevo | cambio en la cupula | nombramiento | nombramientos | \
     cambio al vertice | cambi al vertice | troca no comando | troca de comando | troca de ceo | leadership | \
     succession | management | executive | executives | agencia | empresa | companhia | azienda | gruppo | \
     societa | unternehmen | konzern | groupe | entreprise | bedrijf | the company | directiewissel | \
     bestuurswissel | topwissel",
);
/// Verbs that are names of people where they begin with a capital letter, as in German headlines verbs never do.
const NAMES_TOO: &[&str] = &["holt"];
/// Words that lead to whom a company takes only where it strengthens something with them.
const WITH: &[&str] = &["with", "mit", "con", "avec", "com", "met"];
/// What companies do to teams and boards with whom they take.
const STRENGTHEN: &[&str] = &[
    "amplia", "baut", "bolsters", "boosts", "builds", "deepens", "enhances", "erweitert", "expands", "grows",
    "rafforza", "reforca", "refuerza", "renforce", "strengthens", "verstarkt", "versterkt", "potenzia", "fortalece",
    "bekommt", "erganzt", "complete",
];
/// Words before which that stands.
const STRENGTHENED_WITHIN: usize = 8;

/// Whether the phrase `text`, which stands at a place of `words`, is a verb there.
pub fn is_verb_at(words: &[Word<'_>], at: usize, text: &str) -> bool {
    // "strengthens its team with".
    let is_strengthened = || words[..at].iter().rev().take(STRENGTHENED_WITHIN).any(|word| word.is_one_of(STRENGTHEN));
    (!NAMES_TOO.contains(&text) || words[at].is_small()) && (!WITH.contains(&text) || is_strengthened())
}
