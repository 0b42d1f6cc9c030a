//! What an answer of a source means.

use crate::domain::closed;

closed! {
    /// What an answer means.
    AnswerClass {
        /// It lists something.
        Ok = "ok",
        /// It lists nothing.
        Empty = "empty",
        /// There is no such target.
        Dead = "dead",
        /// Fewer requests are asked for.
        Throttled = "throttled",
        /// The credentials are wrong or missing, or access is refused.
        Auth = "auth",
        /// It is not what the source describes.
        ChangedShape = "changed shape",
        /// No answer, or one that passes by itself.
        Unavailable = "unavailable",
    }
}
