//! Why a source file cannot be used.

/// Why a source file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceFileError {
    /// The file or its folder cannot be read.
    #[error("source file {file}: cannot be read: {error}")]
    Unreadable {
        /// Which file or folder.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// Not TOML, an unknown key, or a value of the wrong kind.
    #[error("source file {file}: line {line}, `{text}`: {problem}")]
    Syntax {
        /// Which file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The text of that line, which holds the key.
        text: String,
        /// What is wrong.
        problem: String,
    },
    /// A value that breaks a rule.
    #[error("source file {file}: `{key}` {problem}")]
    Rule {
        /// Which file.
        file: String,
        /// Which key.
        key: String,
        /// What is wrong.
        problem: String,
    },
}

/// A rule that a value breaks; the file's name is added where it is known.
pub(super) struct Broken {
    /// Which key.
    pub(super) key: String,
    /// What is wrong.
    pub(super) problem: String,
}

/// Reports that `key` breaks a rule.
pub(super) fn broken(key: impl Into<String>, problem: impl Into<String>) -> Broken {
    Broken { key: key.into(), problem: problem.into() }
}

impl SourceFileError {
    /// The syntax error that `error` reports in the text of `file`.
    pub(super) fn syntax(file: &str, text: &str, error: &toml::de::Error) -> Self {
        let start = error.span().map_or(0, |span| span.start).min(text.len());
        let line = text.get(..start).map_or(0, |before| before.matches('\n').count());
        Self::Syntax {
            file: file.into(),
            line: line + 1,
            text: text.lines().nth(line).unwrap_or_default().trim().into(),
            problem: error.message().into(),
        }
    }
}
