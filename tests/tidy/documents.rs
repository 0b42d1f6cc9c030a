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
        let pattern = Regex::new(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)").expect("a pattern");
        let linked = pattern.captures_iter(&self.text).map(|captures| captures[1].to_owned());
        let inside = linked.filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
        let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        inside.map(|link| without_dots(&folder.join(link))).collect()
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
}
