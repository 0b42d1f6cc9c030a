//! The documents: which there are, and where their links lead.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use regex::Regex;

/// Folders that are built or made by a run.
const MADE_BY_RUNS: &[&str] = &[".git", "target", "data", "node_modules"];

/// One Markdown file of the project.
pub struct Document {
    /// Path from the top of the project, with `/`.
    pub path: String,
    pub text: String,
}

impl Document {
    /// Whether what it says of the sources holds now: that of a changelog held once.
    pub fn tells_of_the_sources(&self) -> bool {
        let is_page = self.path.starts_with("docs/");
        is_page || ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"].contains(&self.path.as_str())
    }

    /// Where its links to other files of the project lead, as paths from the top.
    pub fn links(&self) -> Vec<String> {
        self.places().into_iter().filter(|(path, _)| *path != self.path).map(|(path, _)| path).collect()
    }

    /// Where its links to headings lead: the path of a document from the top, and the anchor in it.
    pub fn anchored_links(&self) -> Vec<(String, String)> {
        self.places().into_iter().filter_map(|(path, anchor)| Some((path, anchor?))).collect()
    }

    /// The anchors of its headings, as mdBook and GitHub make them.
    pub fn anchors(&self) -> Vec<String> {
        let fence = Regex::new(r"(?ms)^```.*?^```").expect("a pattern");
        let text = fence.replace_all(&self.text, "");
        text.lines().filter(|line| line.starts_with('#')).map(|line| anchor(line.trim_start_matches('#'))).collect()
    }

    /// Where its links within the project lead.
    fn places(&self) -> Vec<(String, Option<String>)> {
        let pattern = Regex::new(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)").expect("a pattern");
        let linked = pattern.captures_iter(&self.text).filter(|link| {
            !link[0].contains("://")
                && !link[1].starts_with("mailto:")
                && (link.get(2).is_some() || !link[1].is_empty())
        });
        let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        let place = |link: regex::Captures<'_>| {
            let path = if link[1].is_empty() { self.path.clone() } else { without_dots(&folder.join(&link[1])) };
            (path, link.get(2).map(|anchor| anchor.as_str().to_owned()))
        };
        linked.map(place).collect()
    }
}

/// Every Markdown file that is not built or made by a run, in the order of their paths.
pub fn documents() -> Vec<Document> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(top, &mut paths);
    paths.sort();
    let read = |path: PathBuf| Document {
        path: path.strip_prefix(top).expect("inside").to_string_lossy().replace('\\', "/"),
        text: std::fs::read_to_string(&path).expect("readable"),
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_ours = path.file_name().and_then(OsStr::to_str).is_some_and(|name| !MADE_BY_RUNS.contains(&name));
        if path.is_dir() && is_ours {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|one| one.is_alphanumeric() || one.is_whitespace() || "_-".contains(*one));
    kept.map(|one| if one.is_whitespace() { '-' } else { one }).collect::<String>().to_lowercase()
}

fn without_dots(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => drop(parts.pop()),
            Component::CurDir => {}
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::Document;

    #[test]
    fn links_lead_from_the_folder_of_their_document() {
        let text = "[a](b.md), [c](../d/e.rs#f), [g](https://h.example/i.md), [j](#k), `l[m](n)`\n[o](../../p.md)";
        let document = Document { path: "docs/page.md".into(), text: text.into() };
        assert_eq!(document.links(), ["docs/b.md", "d/e.rs", "docs/n", "../p.md"]);
    }

    #[test]
    fn anchors_are_those_of_headings() {
        let text = "# A `b` of (c)?\n\n[d](#a-b-of-c) [e](f.md#g)\n\n```sh\n# no heading\n```\n\n## 2.5 Two words\n";
        let document = Document { path: "docs/page.md".into(), text: text.into() };
        assert_eq!(document.anchors(), ["a-b-of-c", "25-two-words"]);
        let to = |path: &str, anchor: &str| (path.to_owned(), anchor.to_owned());
        assert_eq!(document.anchored_links(), [to("docs/page.md", "a-b-of-c"), to("docs/f.md", "g")]);
    }
}
