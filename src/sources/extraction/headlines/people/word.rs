//! A word of a headline, and what is known of it: each reader of moves asks the same of every word again and again.

use std::borrow::Borrow;
use std::cell::Cell;
use std::ops::Deref;

use super::post_words::is_of_posts_as;
use crate::extraction::headlines::companies;
use crate::extraction::headlines::names;
use crate::mentions;
use crate::text::folding::folded;
use outbound::reading;

/// A word; wherever a text is wanted, it is the word as it is written.
pub struct Word<'a> {
    /// As it stands in the headline.
    pub written: &'a str,
    /// Folded, without the signs around it and the mark of an owner.
    pub bare: String,
    /// A bit for each question that was asked.
    asked: Cell<u16>,
    /// The same bits, where the answer is yes.
    answers: Cell<u16>,
}

/// What is asked of words.
#[derive(Clone, Copy)]
pub enum Question {
    /// Whether posts are made of words like this one.
    OfPosts,
    /// Whether a post ends or begins with it.
    Rank,
    /// Whether it may stand inside a name.
    InName,
    /// The same, without the comma behind it.
    InNameBeforeComma,
    /// Whether it is a title before a name.
    Title,
    /// Whether it stands behind names.
    Suffix,
    /// Whether it tells what a company does.
    Act,
    /// Whether it ends a part of a headline.
    EndOfPart,
    /// Whether it may begin a name.
    First,
    /// Whether it may stand between the first and the last word of a name.
    Middle,
    /// Whether it may end a name.
    Last,
    /// Whether it may end a name behind a given name.
    LastBehindGiven,
    /// Whether names are not made of it.
    Plain,
    /// Whether it is a common word.
    Common,
    /// Whether it is more than a name, such as `Ex-Googler`.
    Prefixed,
}

impl<'a> Word<'a> {
    /// The word `written`.
    pub fn new(written: &'a str) -> Self {
        Self { written, bare: bare(written), asked: Cell::default(), answers: Cell::default() }
    }

    /// The words of a text.
    pub fn all_of(text: &'a str) -> impl Iterator<Item = Self> {
        text.split_whitespace().map(Self::new)
    }

    /// What `answer` tells the first time that `question` is asked.
    pub fn once(&self, question: Question, answer: impl FnOnce() -> bool) -> bool {
        let bit = 1 << question as u16;
        if self.asked.get() & bit == 0 {
            let answers = if answer() { bit } else { 0 };
            self.asked.set(self.asked.get() | bit);
            self.answers.set(self.answers.get() | answers);
        }
        self.answers.get() & bit != 0
    }

    /// Whether posts are made of words like this one.
    pub fn is_of_posts(&self) -> bool {
        self.once(Question::OfPosts, || is_of_posts_as(self.written, &self.bare))
    }

    /// Whether it may stand inside a name: with a capital, or small as `van` does.
    pub fn is_in_name(&self) -> bool {
        self.once(Question::InName, || names::is_name_word(self.written))
    }

    /// Whether it is a title before a name.
    pub fn is_title(&self) -> bool {
        self.once(Question::Title, || names::is_title_word(self.written))
    }

    /// Whether it stands behind a name: a degree or a generation.
    pub fn is_suffix(&self) -> bool {
        self.once(Question::Suffix, || names::is_suffix(self.written))
    }

    /// Whether it tells what a company does.
    pub fn is_act(&self) -> bool {
        self.once(Question::Act, || companies::is_act(self.written))
    }

    /// Whether it is a common word.
    pub fn is_common(&self) -> bool {
        self.once(Question::Common, || mentions::is_common(&self.bare))
    }

    /// Whether it is a common given name.
    pub fn is_given_name(&self) -> bool {
        mentions::is_given_name(&self.bare)
    }
}

impl Deref for Word<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.written
    }
}

impl Borrow<str> for Word<'_> {
    fn borrow(&self) -> &str {
        self.written
    }
}

/// `word` folded, without the signs around it and the mark of an owner.
pub fn bare(word: &str) -> String {
    reading::count(1);
    let mut word = folded(word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    if word.ends_with("'s") {
        word.truncate(word.len() - "'s".len());
    }
    word
}
