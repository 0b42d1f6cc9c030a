//! The boolean expression over job titles (Spec 2.7, decision 2.3).

/// A parsed expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TitleExpression {
    text: String,
}

impl TitleExpression {
    /// Takes a text that was checked when it was stored.
    pub fn from_stored(text: String) -> Self {
        Self { text }
    }

    /// The expression as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether `title` satisfies the expression.
    pub fn matches(&self, title: &str) -> bool {
        title.contains(&self.text)
    }
}
