//! What an answer of a source means.

/// What an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerClass {
    /// It lists something.
    Ok,
    /// It lists nothing.
    Empty,
    /// There is no such target.
    Dead,
    /// Fewer requests are asked for.
    Throttled,
    /// The credentials are wrong or missing, or access is refused.
    Auth,
    /// It is not what the source describes.
    ChangedShape,
    /// No answer, or one that passes by itself.
    Unavailable,
}

impl AnswerClass {
    /// The word for operators.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Empty => "empty",
            Self::Dead => "dead",
            Self::Throttled => "throttled",
            Self::Auth => "auth",
            Self::ChangedShape => "changed shape",
            Self::Unavailable => "unavailable",
        }
    }
}
