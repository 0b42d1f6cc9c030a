//! Classes and roles of elements, as far as they are read: all that stands in an element asks for them again.

use super::Element;
use crate::bounds::cut;

/// As much of each is read, in bytes.
const BYTES_MAX: usize = 500;

impl Element {
    /// Its classes.
    pub fn classes(&self) -> &str {
        self.short("class")
    }

    /// The words of its classes.
    pub fn class_words(&self) -> impl Iterator<Item = &str> {
        words(self.classes())
    }

    /// The words of its roles.
    pub fn role_words(&self) -> impl Iterator<Item = &str> {
        words(self.short("role"))
    }

    fn short(&self, name: &str) -> &str {
        cut(self.attribute(name).unwrap_or_default(), BYTES_MAX)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphabetic())
}
