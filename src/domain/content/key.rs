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
    /// What it holds in a sample: a number as JSON writes it, texts with `, ` between them; the examples of an object are those of
    /// its keys.
    example: &'static str,
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

/// A key of this name, with what it means and an example.
pub(super) const fn key(name: &'static str, shape: Shape, description: &'static str, example: &'static str) -> Key {
    Key { name, shape, description, example }
}

impl Key {
    /// The keys of the object that it holds; none for other shapes.
    pub const fn nested(&self) -> &'static [Self] {
        match self.shape {
            Shape::Object(keys) | Shape::Always(keys) => keys,
            _ => &[],
        }
    }

    /// What it holds in a sample.
    pub fn example(&self) -> Value {
        match self.shape {
            Shape::Text | Shape::Date | Shape::Instant | Shape::Word(_) => Value::from(self.example),
            Shape::Number => self.example.parse().map_or(Value::Null, Value::Number),
            Shape::Texts => self.example.split(", ").collect(),
            Shape::Object(keys) | Shape::Always(keys) => Value::Object(examples(keys)),
        }
    }
}

/// The examples of `keys`, by name.
pub(super) fn examples<'a>(keys: impl IntoIterator<Item = &'a Key>) -> Map<String, Value> {
    keys.into_iter().map(|key| (key.name.to_owned(), key.example())).collect()
}
