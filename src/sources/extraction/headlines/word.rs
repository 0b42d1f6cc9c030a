//! A word of a headline, and what is known of it: it is folded and looked up once, however often it is asked about.

use std::borrow::Cow;
use std::cell::Cell;

use super::lexicon::{Class, classes_of};
use crate::mentions;
use crate::text::folding::folded;
use domain::content::company_name::is_plain_legal_form;
use outbound::reading;

/// Words of a headline that are read.
const WORDS_MAX: usize = 100;
/// Labels of a newspaper before a headline: `RPT-UPDATE 2-Acme names`.
const LABELS_MAX: usize = 3;

/// A word.
pub struct Word<'a> {
    /// As it stands in the headline.
    pub written: &'a str,
    /// Without the signs around it and the mark of an owner.
    pub core: &'a str,
    /// The core, folded.
    pub bare: String,
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
        Self { written, core, bare, classes, asked: Default::default() }
    }

    /// The words of a text, as far as they are read.
    pub fn all_of(text: &'a str) -> Vec<Self> {
        text.split_whitespace().take(WORDS_MAX).map(Self::new).collect()
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

    /// Whether it is one of `list`, whose words are folded.
    pub fn is_one_of(&self, list: &[&str]) -> bool {
        list.contains(&self.bare.as_str())
    }

    /// Whether a post ends or begins with it.
    pub fn is_rank(&self) -> bool {
        let is_family_name = matches!(self.core, "Cho" | "Cao");
        (self.is(Class::Whole) || self.is(Class::Rank)) && !is_family_name
    }

    /// Whether posts are made of words like this one.
    pub fn is_of_posts(&self) -> bool {
        self.is(Class::Part) || self.is_rank()
    }

    /// Whether it is a common word.
    pub fn is_common(&self) -> bool {
        self.once(Question::Common, || mentions::is_common(&self.bare))
    }

    /// Whether it is a common given name.
    pub fn is_given_name(&self) -> bool {
        let is_double = || self.bare.contains('-') && self.bare.split('-').all(is_given_name);
        self.once(Question::GivenName, || is_given_name(&self.bare) || is_double())
    }

    /// Whether it is a common family name.
    pub fn is_surname(&self) -> bool {
        self.once(Question::Surname, || mentions::is_surname(&self.bare))
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

/// Whether `name`, folded, is a common given name.
pub fn is_given_name(name: &str) -> bool {
    mentions::is_given_name(name) || classes_of(name) & Class::Given.bit() != 0
}

/// The words as they are written, with a blank between two.
pub fn joined(words: &[Word<'_>]) -> String {
    words.iter().map(|word| word.written).collect::<Vec<_>>().join(" ")
}

/// Where one of `list` stands first.
pub fn place_of(words: &[Word<'_>], list: &[&str]) -> Option<usize> {
    words.iter().position(|word| word.is_one_of(list))
}

/// A headline without what only newspapers put around it.
pub fn cleaned(headline: &str) -> String {
    let mut text = String::with_capacity(headline.len());
    let mut depth = 0_usize;
    for letter in headline.chars() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            '®' | '™' => {}
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    // `Robert "Bob" Stone` is Robert Stone; other quotes only lose their marks.
    let marks = ['“', '”', '"'];
    let is_nickname = |word: &&str| word.starts_with(marks) && word.ends_with(marks) && word.chars().count() > 2;
    let words = text.split_whitespace().filter(|word| !is_nickname(word)).map(of_compound);
    let text = with_signs(words).replace(marks, "");
    let text = text.replace(" : ", ": ").replace('—', " - ").replace(" – ", " - ");
    // "BRIEF-Acme names", "UPDATE 2-Acme names".
    let labels = ["BRIEF", "UPDATE", "RPT", "CORRECTED", "EXCLUSIVE", "MOVES", "REFILE", "WRAPUP"];
    let is_label = |label: &str| {
        labels.iter().any(|word| label.trim_start().starts_with(word)) && !label.contains(char::is_lowercase)
    };
    let mut text = text.trim();
    for _ in 0..LABELS_MAX {
        let Some((_, rest)) = text.split_once('-').filter(|(label, _)| is_label(label)) else { break };
        text = rest.trim();
    }
    text.to_owned()
}

/// A headline all in small letters with the capitals of a title, by which names are recognised.
pub fn in_capitals(headline: String) -> String {
    let small = [
        "a", "and", "as", "at", "by", "for", "from", "in", "of", "on", "the", "to", "und", "von", "zu", "zum", "zur",
        "de", "di", "da",
    ];
    let word = |word: &str| {
        let mut letters = word.chars();
        match letters.next().filter(|_| !small.contains(&word)) {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => word.to_owned(),
        }
    };
    if headline.contains(char::is_uppercase) {
        return headline;
    }
    headline.split_whitespace().map(word).collect::<Vec<String>>().join(" ")
}

/// What stands behind a hyphen that an index of news sets apart from its word: `AI - powered`, `start - up`.
const BEHIND_HYPHEN: &[&str] = &[
    "backed", "based", "driven", "enabled", "figure", "focused", "founded", "funded", "grade", "led", "native",
    "owned", "powered", "stage",
];
/// What stands before such a hyphen; nothing longer is looked up.
const BEFORE_HYPHEN: &[&str] = &["co", "cross", "ex", "multi", "non", "pre", "spin", "start"];
const BEFORE_HYPHEN_BYTES_MAX: usize = 16;

/// The words with blanks between them, but for signs that an index of news sets apart: `$11 . 5M`, `Acme , Inc .`.
fn with_signs<'a>(words: impl Iterator<Item = Cow<'a, str>>) -> String {
    let mut text = String::new();
    // Where the last word begins, which may have grown by signs.
    let mut last_from = 0;
    let mut is_open = true;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let before = &text[last_from..];
        let next = words.peek().map_or("", |next| next.as_ref());
        let is_mark = matches!(word.as_ref(), "." | "," | ":" | ";" | "?" | "!" | "%" | ".:");
        let is_point = matches!(word.as_ref(), "." | ",")
            && before.ends_with(|letter: char| letter.is_ascii_digit())
            && next.starts_with(|letter: char| letter.is_ascii_digit());
        let is_hyphen = word == "-"
            && next.starts_with(char::is_alphabetic)
            && (before.len() <= BEFORE_HYPHEN_BYTES_MAX && BEFORE_HYPHEN.contains(&folded(before).as_str())
                || BEHIND_HYPHEN.contains(&folded(next).as_str()));
        if !is_open && !is_mark && !is_hyphen {
            text.push(' ');
            last_from = text.len();
        }
        // A compound that was taken apart has a blank in it.
        last_from = word.rfind(' ').map_or(last_from, |at| text.len() + at + 1);
        text.push_str(&word);
        is_open = is_point || is_hyphen;
    }
    text
}

/// What a post begins with before a hyphen.
const BEFORE_POST: &[&str] = &["co", "ex", "ko", "mit", "multi", "non", "self", "sub", "vice", "vize"];

/// `Acme-Chef` is `Acme Chef`.
fn of_compound(word: &str) -> Cow<'_, str> {
    let is_company = |name: &str| {
        let name = folded(name);
        let is_of_posts = classes_of(&name) & (Class::Part.bit() | Class::Rank.bit() | Class::Whole.bit()) != 0;
        !is_of_posts && !BEFORE_POST.contains(&name.as_str())
    };
    let is_post = |post: &str| classes_of(&folded(post)) & (Class::Rank.bit() | Class::Whole.bit()) != 0;
    match word.split_once('-').filter(|(company, _)| company.starts_with(|letter: char| !letter.is_lowercase())) {
        Some((company, post)) if is_post(post.trim_end_matches([',', ':', ';'])) && is_company(company) => {
            Cow::Owned(format!("{company} {post}"))
        }
        _ => Cow::Borrowed(word),
    }
}

#[cfg(test)]
mod tests {
    use super::cleaned;

    #[test]
    fn signs_that_an_index_sets_apart_come_back_to_their_words() {
        for (headline, wanted) in [
            ("Orqa raises €12 . 7m Series A", "Orqa raises €12.7m Series A"),
            ("Acme , Inc . raises over $20 , 000", "Acme, Inc. raises over $20,000"),
            ("Pre - Series B of an AI - powered start - up", "Pre-Series B of an AI-powered start-up"),
            ("Acme names Ada Byron CEO - Tech.eu", "Acme names Ada Byron CEO - Tech.eu"),
            ("Acme raises $5M, led by Quarry", "Acme raises $5M, led by Quarry"),
        ] {
            assert_eq!(cleaned(headline), wanted);
        }
    }
}
