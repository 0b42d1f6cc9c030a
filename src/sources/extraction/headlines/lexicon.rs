//! What single words are to the readers of headlines: one table, so that a word is looked up once.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::rows;
use domain::closed;

closed! {
    /// What a word may be.
    Class {
        /// It may stand before a name.
        Title = "title",
        /// It may stand behind a name.
        Suffix = "suffix",
        /// A part of family names that begins small.
        Particle = "particle",
        /// No person is called so: what companies, places and posts are made of.
        NoName = "no_name",
        /// A post that is complete in this word, and behind which `of` leads to the company.
        Whole = "whole",
        /// A post that goes on with what is led.
        Rank = "rank",
        /// What a post has before or behind its rank.
        Part = "part",
        /// It ends a post.
        EndOfPost = "end_of_post",
        /// Names of companies end with it, and posts begin with it.
        CompanyEnd = "company_end",
        /// It stands before a company's name, and is none of it.
        Descriptor = "descriptor",
        /// It tells what a company is where its name follows, and ends a name where nothing does.
        Kind = "kind",
        /// It tells what a company is, and names end with it as well.
        NameEnd = "name_end",
        /// No company is called so.
        NoCompany = "no_company",
        /// It tells what a company does: the name ends before it.
        Act = "act",
        /// It stands between a company and its verb.
        Adverb = "adverb",
        /// It follows the name of a company.
        AfterCompany = "after_company",
        /// It is announced of people who go.
        Departure = "departure",
        /// What somebody is to do, where no post is named.
        Doing = "doing",
        /// A word for somebody from a company: behind it comes the person.
        From = "from",
        /// It stands before a post and does not belong to it.
        BeforePost = "before_post",
        /// It may stand between a verb and the money or the round.
        Between = "between",
        /// Investors are called so.
        Investor = "investor",
        /// It collects money and is no company.
        Collector = "collector",
        /// A part of the world that a post is for.
        Region = "region",
        /// It stands between a verb and what it is about, and says nothing of it.
        Aside = "aside",
        /// A word of German, in which nouns begin with a capital as names do.
        German = "german",
        /// It describes a company where it is small, and is part of a name where it is not.
        SmallDescriptor = "small_descriptor",
        /// It stands for somebody who is not named.
        Pronoun = "pronoun",
    }
}

/// What posts end with that are one word in German: `Vertriebschef`.
const GERMAN_RANKS: &[&str] = &[
    "chef", "chefin", "direktor", "direktorin", "geschaftsfuhrer", "geschaftsfuhrerin", "leiter", "leiterin",
    "leitung", "vorstand", "vorstandin", "vorsitzende", "vorsitzenden", "vorsitzender", "intendant", "intendantin",
    "herausgeber", "herausgeberin", "redakteur", "redakteurin", "manager", "managerin", "sprecher", "sprecherin",
    "verantwortlicher", "verantwortliche", "prasident", "prasidentin", "directeur", "redacteur", "topman", "topvrouw",
    "baas", "berater", "beraterin",
];
/// What descriptors of companies end with: `Berlin-based`.
const DESCRIPTOR_ENDS: &[&str] = &[
    "-based", "-start-up", "-backed", "-focused", "-incubated", "-owned", "-founded", "-funded", "-led", "-powered",
    "-listed", "-headquartered", "-first", "-native", "-hit", "-old", "sbedrijf",
];

static LEXICON: LazyLock<HashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut lexicon = HashMap::new();
    for (class, words) in rows::<Class>(include_str!("lexicon.txt")) {
        words.split_whitespace().for_each(|word| *lexicon.entry(word).or_default() |= class.bit());
    }
    lexicon
});

impl Class {
    /// The class in a set of them.
    pub const fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// The set of what `word` is, which is folded.
pub fn classes_of(word: &str) -> u32 {
    let listed = |word: &str| LEXICON.get(word).copied().unwrap_or_default();
    let mut classes = listed(word);
    if let Some((_, end)) = word.rsplit_once('-') {
        let is_descriptor = DESCRIPTOR_ENDS.iter().any(|end| word.ends_with(end));
        // "drone-maker".
        classes |= listed(end) & Class::Descriptor.bit() | if is_descriptor { Class::Descriptor.bit() } else { 0 };
        // "interim-topman", "Ex-Acme-Chef".
        if listed(end) & (Class::Rank.bit() | Class::Whole.bit()) != 0 {
            classes |= if word.starts_with("ex-") { Class::From.bit() } else { Class::Rank.bit() };
        }
    }
    if GERMAN_RANKS.iter().any(|end| word.ends_with(end)) {
        classes |= Class::Rank.bit();
    }
    classes
}
