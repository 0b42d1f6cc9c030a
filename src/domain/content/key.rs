//! One key of a finding's content: its name, what it holds, what that means, and an example.

use serde_json::{Map, Value};

/// A key of a finding's content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// The name on the wire.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// What it means, as a sentence for customers.
    pub description: &'static str,
    example: Example,
}

/// What a key holds when it is not null.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Any text.
    Text,
    /// A number.
    Number,
    /// `YYYY-MM-DD`.
    Date,
    /// An instant.
    Instant,
    /// A list of texts.
    Texts,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An object, or null.
    Object(&'static [Key]),
    /// An object that is never null itself.
    Always(&'static [Key]),
}

/// What the key holds in a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Example {
    Text(&'static str),
    /// The number as JSON writes it.
    Number(&'static str),
    Texts(&'static [&'static str]),
    /// An object of the examples of its keys.
    OfKeys,
}

impl Key {
    /// A key that holds any text.
    pub(super) const fn text(name: &'static str, description: &'static str, example: &'static str) -> Self {
        Self { name, shape: Shape::Text, description, example: Example::Text(example) }
    }

    /// A key that holds a number; the example as JSON writes it.
    pub(super) const fn number(name: &'static str, description: &'static str, example: &'static str) -> Self {
        Self { name, shape: Shape::Number, description, example: Example::Number(example) }
    }

    /// A key that holds a day.
    pub(super) const fn date(name: &'static str, description: &'static str, example: &'static str) -> Self {
        Self { name, shape: Shape::Date, description, example: Example::Text(example) }
    }

    /// A key that holds an instant.
    pub(super) const fn instant(name: &'static str, description: &'static str, example: &'static str) -> Self {
        Self { name, shape: Shape::Instant, description, example: Example::Text(example) }
    }

    /// A key that holds a list of texts.
    pub(super) const fn texts(name: &'static str, description: &'static str, example: &'static [&'static str]) -> Self {
        Self { name, shape: Shape::Texts, description, example: Example::Texts(example) }
    }

    /// A key that holds one of `words`.
    pub(super) const fn word(
        name: &'static str,
        description: &'static str,
        words: &'static [&'static str],
        example: &'static str,
    ) -> Self {
        Self { name, shape: Shape::Word(words), description, example: Example::Text(example) }
    }

    /// A key that holds an object, or null.
    pub(super) const fn object(name: &'static str, description: &'static str, keys: &'static [Self]) -> Self {
        Self { name, shape: Shape::Object(keys), description, example: Example::OfKeys }
    }

    /// A key that always holds an object.
    pub(super) const fn always(name: &'static str, description: &'static str, keys: &'static [Self]) -> Self {
        Self { name, shape: Shape::Always(keys), description, example: Example::OfKeys }
    }

    /// The keys of the object that it holds; none for other shapes.
    pub const fn nested(&self) -> &'static [Self] {
        match self.shape {
            Shape::Object(keys) | Shape::Always(keys) => keys,
            _ => &[],
        }
    }

    /// What it holds in a sample.
    pub fn example(&self) -> Value {
        match self.example {
            Example::Text(text) => Value::from(text),
            Example::Number(number) => number.parse().map_or(Value::Null, Value::Number),
            Example::Texts(texts) => texts.iter().copied().collect(),
            Example::OfKeys => Value::Object(examples(self.nested())),
        }
    }
}

/// The examples of `keys`, by name.
pub(super) fn examples<'a>(keys: impl IntoIterator<Item = &'a Key>) -> Map<String, Value> {
    keys.into_iter().map(|key| (key.name.to_owned(), key.example())).collect()
}
