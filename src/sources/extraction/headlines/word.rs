//! A word of a headline, and what is known of it: it is folded and looked up once, however often it is asked about.

use std::cell::Cell;

use super::known_names::{is_family_name, is_given_name, is_only_a_family_name};
use super::lexicon::{Class, classes_of};
use crate::mentions;
use crate::text::folding::folded;
use domain::content::company_name::is_plain_legal_form;
use outbound::reading;

/// Words of a headline that are read.
const WORDS_MAX: usize = 100;

/// A word.
pub struct Word<'a> {
    /// As it stands in the headline.
    pub written: &'a str,
    /// Without the signs around it and the mark of an owner.
    pub core: &'a str,
    /// The core, folded.
    pub bare: String,
    /// Whether it stands in a headline in which only names begin with a capital.
    pub in_sentence: bool,
    classes: u32,
    /// Of its questions, which were asked and which were answered with yes.
    asked: [Cell<u16>; 2],
}

/// What is asked of words, and found out at the first time.
#[derive(Clone, Copy)]
pub enum Question {
    /// Whether it is a common word.
    Common,
    /// Whether it is a common given name.
    GivenName,
    /// Whether it is a common family name.
    Surname,
    /// Whether it may stand inside a name.
    InName,
    /// The same, without what stands behind it.
    CoreInName,
    /// Whether names have it.
    Likely,
}

impl<'a> Word<'a> {
    /// The word `written`.
    pub fn new(written: &'a str) -> Self {
        reading::count(1);
        let core = written.trim_matches(|letter: char| !letter.is_alphanumeric());
        let core = core.strip_suffix("'s").or(core.strip_suffix("’s")).unwrap_or(core);
        let bare = folded(core);
        let classes = classes_of(&bare);
        Self { written, core, bare, in_sentence: false, classes, asked: Default::default() }
    }

    /// The words of a text, as far as they are read.
    pub fn all_of(text: &'a str) -> Vec<Self> {
        let mut words: Vec<Self> = text.split_whitespace().take(WORDS_MAX).map(Self::new).collect();
        let is_german = || words.iter().any(|word| word.is(Class::German));
        let in_sentence = words.iter().any(Self::is_small_in_titles) && !is_german();
        words.iter_mut().for_each(|word| word.in_sentence = in_sentence);
        words
    }

    /// Whether titles, which begin words with capitals, would not have it small: `appoints`, but not `after`.
    fn is_small_in_titles(&self) -> bool {
        self.core.len() > 4
            && self.core.chars().all(char::is_lowercase)
            && !self.is_one_of(&["about", "after", "against", "among", "before", "between", "their", "under", "until"])
    }

    /// What `answer` tells the first time that `question` is asked.
    pub fn once(&self, question: Question, answer: impl FnOnce() -> bool) -> bool {
        let [asked, answers] = &self.asked;
        let bit = 1 << question as u16;
        if asked.get() & bit == 0 {
            // An answer may ask others.
            let answer = if answer() { bit } else { 0 };
            asked.set(asked.get() | bit);
            answers.set(answers.get() | answer);
        }
        answers.get() & bit != 0
    }

    /// Whether it is of a class.
    pub fn is(&self, class: Class) -> bool {
        self.classes & class.bit() != 0
    }

    /// Whether it tells what a company is, before its name; `Academia Portuguesa` is one.
    pub fn describes_company(&self) -> bool {
        let is_of_name = self.is(Class::SmallDescriptor) && self.in_sentence && self.is_large();
        self.is(Class::Descriptor) && !is_of_name
    }

    /// Whether it is one of `list`, whose words are folded.
    pub fn is_one_of(&self, list: &[&str]) -> bool {
        list.contains(&self.bare.as_str())
    }

    /// Whether a post ends or begins with it.
    pub fn is_rank(&self) -> bool {
        // Small it is a preposition.
        let is_italian_ceo = matches!(self.core, "AD" | "a.d");
        let is_family_name = matches!(self.core, "Caio" | "Cao" | "Cho");
        (self.is(Class::Whole) || self.is(Class::Rank) || is_italian_ceo) && !is_family_name
    }

    /// Whether posts are made of words like this one.
    pub fn is_of_posts(&self) -> bool {
        self.is(Class::Part) || self.is_rank()
    }

    /// Whether it is a common word.
    pub fn is_common(&self) -> bool {
        self.once(Question::Common, || {
            mentions::is_word(&self.bare) || mentions::is_common(&self.bare) && !is_only_a_family_name(&self.bare)
        })
    }

    /// Whether it is a common given name.
    pub fn is_given_name(&self) -> bool {
        let is_double = || self.bare.contains('-') && self.bare.split('-').all(is_given_name);
        self.once(Question::GivenName, || is_given_name(&self.bare) || is_double())
    }

    /// Whether it is a common family name.
    pub fn is_surname(&self) -> bool {
        self.once(Question::Surname, || is_family_name(&self.bare))
    }

    /// Whether it begins with a capital or a figure, or has one.
    pub fn is_large(&self) -> bool {
        self.written.chars().any(|letter| letter.is_uppercase() || letter.is_numeric())
    }

    /// Whether it begins with a small letter.
    pub fn is_small(&self) -> bool {
        self.written.starts_with(char::is_lowercase)
    }

    /// `Acme's`, `Quarrylakes'`.
    pub fn is_owner(&self) -> bool {
        let word = self.written.trim_end_matches([',', ';', ':', '.']);
        ["'s", "’s", "s'", "s’"].iter().any(|ending| word.ends_with(ending))
    }

    /// A legal form, which people leave away. `Group` and `Holdings` are parts of names in headlines, `Limited` is not.
    pub fn is_form(&self) -> bool {
        let word = self.written.trim_end_matches([',', ';', ':']);
        is_plain_legal_form(word) || matches!(word.trim_end_matches('.'), "Limited" | "LIMITED" | "LP" | "L.P" | "SE")
    }

    /// Whether it stands between two parts of a headline.
    pub fn is_dash(&self) -> bool {
        matches!(self.written, "-" | "–" | "—" | "|")
    }

    /// Whether it ends a part of a headline.
    pub fn ends_part(&self) -> bool {
        let is_abbreviation = || {
            let known =
                ["inc", "ltd", "corp", "co", "dr", "mr", "ms", "mrs", "jr", "sr", "prof", "u.s", "st", "d.c", "n.a"];
            let is_of_letters = self.written.trim_end_matches('.').split('.').all(|part| part.chars().count() == 1);
            self.is_one_of(&known) || self.is_initial() || is_of_letters
        };
        self.is_dash()
            || self.written.ends_with([',', ';', ':', '|'])
            || self.written.ends_with('.') && !is_abbreviation()
    }

    /// `J.` of a name.
    pub fn is_initial(&self) -> bool {
        let letters = self.written.trim_end_matches('.');
        self.written.ends_with('.') && letters.chars().count() <= 2 && letters.chars().all(char::is_uppercase)
    }
}

/// The words as they are written, with a blank between two.
pub fn joined(words: &[Word<'_>]) -> String {
    words.iter().map(|word| word.written).collect::<Vec<_>>().join(" ")
}

/// Where one of `list` stands first.
pub fn place_of(words: &[Word<'_>], list: &[&str]) -> Option<usize> {
    words.iter().position(|word| word.is_one_of(list))
}
