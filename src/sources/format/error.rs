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
    #[error("source file {file}: line {line}: `{key}` {problem}")]
    Rule {
        /// Which file.
        file: String,
        /// The line of the key or, where the key is missing, of its table; from 1.
        line: usize,
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

/// Reports that `key` breaks a rule, if there is a problem with it.
pub(super) fn unbroken(key: &str, problem: Option<impl Into<String>>) -> Result<(), Broken> {
    problem.map_or(Ok(()), |problem| Err(broken(key, problem)))
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

/// The line of `key` in `text`, with dots between the names of tables; that of its table where the key is not there.
pub(super) fn line_of(text: &str, key: &str) -> usize {
    let (mut table, mut nearest) = (String::new(), (0, 1));
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let here = if let Some(name) = line.strip_prefix('[') {
            table = name.trim_start_matches('[').split(']').next().unwrap_or_default().trim().to_owned();
            table.clone()
        } else if let Some((name, _)) = line.split_once('=') {
            let name = name.trim().trim_matches('"');
            if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") }
        } else {
            continue;
        };
        let is_part = key.strip_prefix(here.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if is_part && here.len() > nearest.0 {
            nearest = (here.len(), index + 1);
        }
    }
    nearest.1
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn keys_are_found_on_their_line() {
        let text = "id = \"a\"\n\n[map]\njob_title = 1\n\"author.name\" = 2\n[request.headers]\nx = 3\n[[test]]\n";
        for (key, line) in [
            ("id", 1),
            ("map.job_title", 4),
            ("map.author.name", 5),
            ("map.job_url", 3),
            ("request.headers.x", 7),
            ("request.headers", 6),
            ("test", 8),
            ("reason", 1),
        ] {
            assert_eq!(line_of(text, key), line, "{key}");
        }
    }
}
