//! How the rows of `rounds.txt` are read, and what the phrases of `marks.txt` say of a headline.

use crate::extraction::headlines::phrases::Phrases;
use domain::closed;

closed! {
    /// Who stands before the phrase of a row, and what behind it.
    Shape {
        /// `Acme raises ...`: it means a round by itself.
        Raising = "raising",
        /// `Acme secures ...`: where the words of a round follow, or what the money is for.
        Taking = "taking",
        /// `Acme announces ...`: with the words of a round alone.
        Telling = "telling",
        /// `Acme emerges with ...`: a company shows itself with money of investors.
        Appearing = "appearing",
        /// `Quarry Capital leads the Series A of Acme`, `Quarry Capital invests in Acme`.
        Investing = "investing",
        /// `Acme ouvre son capital à Quarry`: the phrase itself says that there was a round.
        Stating = "stating",
        /// `$10M for Acme`.
        Given = "given",
    }
}

closed! {
    /// What a phrase says of a headline.
    Mark {
        /// Only a round has it.
        Round = "round",
        /// Money of investors is called so, and other money as well.
        Money = "money",
        /// It is raised, closed or won besides.
        Other = "other",
        /// It gives grants and contracts.
        Government = "government",
        /// Money is collected for it, and it is no business.
        Cause = "cause",
        /// A fund, rather than a company with funding.
        Fund = "fund",
        /// Who raises money for a fund.
        Investor = "investor",
        /// A round is called so.
        Called = "called",
        /// A kind of investment that is a round where somebody gives it.
        Kind = "kind",
        /// What a company is worth.
        Value = "value",
        /// Money that the company gives.
        Invests = "invests",
        /// Money of a round, told plainly.
        Plain = "plain",
        /// Who gave the money follows.
        Giver = "giver",
        /// The money is hoped for, or was raised long ago.
        NotYet = "not_yet",
        /// Prices are raised, and public offerings have one.
        Priced = "priced",
        /// Investors have got shares that are not sold to all.
        Placed = "placed",
        /// A round beside debt: what its words say of debt counts for nothing.
        Mixed = "mixed",
    }
}

impl Mark {
    /// The mark in a set of them.
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The rows by which rounds are read.
pub static ROWS: Phrases<Shape> = Phrases::new(include_str!("rounds.txt"));
/// What marks a headline.
pub static MARKS: Phrases<Mark> = Phrases::new(include_str!("marks.txt"));
/// How a headline begins that tells of many rounds, or of something about them.
pub const OTHER_BEGINNINGS: &[&str] = &[
    "how", "why", "what", "did", "when", "who", "where", "here's", "here", "inside", "meet", "top", "best", "weekly",
    "these", "those", "list", "opinion", "podcast", "video", "watch", "listen", "interview", "q&a", "analysis",
    "explained", "live", "vc", "deal", "deals", "roundup", "round", "rounds",
];
/// What is counted where a headline begins with a number: `10 startups`.
pub const COUNTED: &[&str] = &[
    "startup", "startups", "company", "companies", "ways", "things", "tips", "lessons", "reasons", "best", "indian",
    "european", "african",
];
/// Verbs of who gets something.
pub const GOT: &[&str] =
    &["gets", "got", "gains", "receives", "received", "wins", "won", "obtains", "recibe", "recoit", "adds"];
/// What stands before the round by which a company is worth more.
pub const WITH: &[&str] = &[
    "with", "after", "following", "avec", "apres", "suite", "nach", "mit", "met", "na", "tras", "con", "com", "apos",
    "dopo", "durch",
];
/// What such a round is called besides.
pub const INVESTMENTS: &[&str] =
    &["raise", "funding", "investment", "inversion", "investimento", "investissement", "investition", "investering"];
/// Verbs of money that nobody earns, behind which nothing more need be said.
pub const SECURED: &[&str] =
    &["secures", "secured", "obtem", "obtiene", "obtient", "ottiene", "erhalt", "lands", "nabs", "bags"];
/// How verbs begin by which rounds end.
pub const CLOSING: &[&str] =
    &["schlies", "boucl", "clot", "finalis", "cierra", "cerro", "chiude", "fecha", "rondt", "complet"];
