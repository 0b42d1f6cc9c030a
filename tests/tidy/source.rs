//! Source files as the house rules see them: without comments, without the insides of texts, without tests.
//!
//! Everything that is cut out is replaced by blanks, so that places in the file stay what they are.

use std::ops::Range;
use std::path::{Path, PathBuf};

use regex::Regex;

/// One Rust file of the project.
pub struct SourceFile {
    /// Path from the top of the project, with `/`.
    pub path: String,
    /// The text with its test modules blanked out.
    pub text: String,
    /// The same with comments and the insides of texts blanked out.
    pub code: String,
    /// Lines of its test modules.
    test_lines: usize,
}

/// One function.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub lines: usize,
}

impl SourceFile {
    /// A file that is not on the disk.
    pub fn of(path: &str, whole: &str) -> Self {
        let (mut text, mut code, mut test_lines) = (whole.to_owned(), blank(whole), 0);
        for module in test_modules(&code) {
            test_lines += code[module.clone()].matches('\n').count();
            text = blank_range(&text, &module);
            code = blank_range(&code, &module);
        }
        Self { path: path.to_owned(), text, code, test_lines }
    }

    /// Lines without the tests.
    pub fn lines(&self) -> usize {
        self.text.lines().count() - self.test_lines
    }

    /// The number of the line that holds the byte at `place`, from 1.
    pub fn line_of(&self, place: usize) -> usize {
        self.code[..place].matches('\n').count() + 1
    }

    /// Every function with its length, from its name to its last brace.
    pub fn functions(&self) -> Vec<Function> {
        let mut functions = Vec::new();
        for (place, _) in self.code.match_indices("fn ") {
            let is_word = !self.code[..place].ends_with(|before: char| before.is_alphanumeric() || before == '_');
            let name: String =
                self.code[place + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !is_word || name.is_empty() {
                continue;
            }
            if let Some(end) = body_end(&self.code[place..]) {
                let lines = self.code[place..place + end].matches('\n').count() + 1;
                functions.push(Function { name, lines });
            }
        }
        functions
    }
}

/// Every file of `folders` that is part of the program; files of tests are left out.
pub fn files(folders: &[&str]) -> Vec<SourceFile> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in folders {
        collect(&top.join(folder), &["rs"], &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| {
        let relative = path.strip_prefix(top).expect("inside").to_string_lossy().replace('\\', "/");
        let whole = std::fs::read_to_string(&path).expect("readable");
        (!is_test_file(&relative)).then(|| SourceFile::of(&relative, &whole))
    };
    paths.into_iter().filter_map(read).collect()
}

/// Endings of the files that people of the project write.
const WRITTEN: &[&str] = &["md", "patch", "rs", "sql", "toml", "tsv", "txt", "yml"];

/// Path and text of every written file in `places`, folders or single files; those of tests are among them.
pub fn texts(places: &[&str]) -> Vec<(String, String)> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for place in places.iter().map(|place| top.join(place)) {
        if place.is_dir() { collect(&place, WRITTEN, &mut paths) } else { paths.push(place) }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let relative = path.strip_prefix(top).expect("inside").to_string_lossy().replace('\\', "/");
        (relative, String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned())
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, endings, paths);
        } else if path.extension().is_some_and(|extension| endings.iter().any(|ending| extension == *ending)) {
            paths.push(path);
        }
    }
}

fn is_test_file(path: &str) -> bool {
    path.starts_with("src/") && path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// Where the test modules stand that are written out in this file, with the line after them. A declaration such as
/// `#[cfg(test)] mod tests;` is a line like any other.
fn test_modules(code: &str) -> Vec<Range<usize>> {
    let pattern = Regex::new(r"#\[cfg\(test\)\]\s*(#\[[^\]]*\]\s*)*(pub(\([^)]*\))? )?mod \w+ \{").expect("a pattern");
    let module = |found: regex::Match<'_>| {
        let length = body_end(&code[found.start()..])?;
        let end = found.start() + length;
        Some(found.start()..end + usize::from(code[end..].starts_with('\n')))
    };
    pattern.find_iter(code).filter_map(module).collect()
}

/// The same text with blanks at `range`; line breaks stay.
fn blank_range(text: &str, range: &Range<usize>) -> String {
    let inside = text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    text[..range.start].chars().chain(inside).chain(text[range.end..].chars()).collect()
}

/// The end of a function's body, counted from its `fn`; `None` for a declaration without one.
fn body_end(code: &str) -> Option<usize> {
    let (mut parentheses, mut braces) = (0usize, 0usize);
    for (place, character) in code.char_indices() {
        match character {
            '(' | '[' => parentheses += 1,
            ')' | ']' => parentheses = parentheses.saturating_sub(1),
            ';' if parentheses == 0 && braces == 0 => return None,
            '{' => braces += 1,
            '}' if braces <= 1 => return Some(place + 1),
            '}' => braces -= 1,
            _ => {}
        }
    }
    None
}

/// Blanks out comments and the insides of texts; quotes stay, and so does every place.
fn blank(whole: &str) -> String {
    let bytes = whole.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let (from, to) = match &bytes[at..] {
            [b'/', b'/', ..] => (at, end_of_line(bytes, at)),
            [b'/', b'*', ..] => (at, end_of_comment(bytes, at)),
            [b'"', ..] => text_inside(bytes, at + 1),
            [b'r', b'"' | b'#', ..] if !is_word_before(bytes, at) => match raw_text_inside(bytes, at) {
                Some(inside) => inside,
                None => (at, at),
            },
            [b'\'', b'\\', ..] => (at + 1, find(bytes, at + 3, b"'")),
            [b'\'', ..] => character_inside(whole, at),
            _ => (at, at),
        };
        for byte in &mut out[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        let was_text = to > from && matches!(bytes.get(to), Some(b'"' | b'\''));
        at = if was_text { to + 1 } else { to.max(at + 1) };
        if from == to && matches!(bytes[at - 1], b'"') && bytes.get(at) == Some(&b'"') {
            at += 1;
        }
    }
    String::from_utf8(out).expect("whole characters are blanked")
}

fn is_word_before(bytes: &[u8], at: usize) -> bool {
    at > 0 && (bytes[at - 1].is_ascii_alphanumeric() && bytes[at - 1] != b'b' || bytes[at - 1] == b'_')
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    find(bytes, at, b"\n")
}

fn end_of_comment(bytes: &[u8], at: usize) -> usize {
    (find(bytes, at + 2, b"*/") + 2).min(bytes.len())
}

/// From after the opening quote up to the closing one.
fn text_inside(bytes: &[u8], from: usize) -> (usize, usize) {
    let mut at = from;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (from, at.min(bytes.len()))
}

fn raw_text_inside(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    let from = at + 1 + hashes + 1;
    if bytes.get(from - 1) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    Some((from, find(bytes, from, &close)))
}

/// A quote that is closed after one character is a character, any other begins a lifetime.
fn character_inside(whole: &str, at: usize) -> (usize, usize) {
    let mut characters = whole[at + 1..].char_indices();
    match (characters.next(), characters.next()) {
        (Some((_, first)), Some((width, '\''))) if first != '\'' => (at + 1, at + 1 + width),
        _ => (at, at),
    }
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> usize {
    let from = from.min(bytes.len());
    bytes[from..].windows(wanted.len()).position(|window| window == wanted).map_or(bytes.len(), |place| from + place)
}

#[cfg(test)]
mod tests {
    use super::{Function, SourceFile, blank};

    #[test]
    fn comments_and_the_insides_of_texts_are_blanked() {
        for (whole, code) in [
            ("let a = 1; // b.unwrap()", "let a = 1;              "),
            ("a /* x\ny */ b", "a     \n     b"),
            (r#"f("a \" b", c)"#, r#"f("      ", c)"#),
            (r##"f(r#"a "b" c"#, d)"##, r##"f(r#"       "#, d)"##),
            (r#"f("", '"', x)"#, r#"f("", ' ', x)"#),
            ("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
            (r"['\'', '\\', 'é']", r"['  ', '  ', '  ']"),
            (r#"b"x" + br"y""#, r#"b" " + br" ""#),
        ] {
            assert_eq!(blank(whole), code, "{whole}");
        }
    }

    #[test]
    fn test_modules_do_not_count_wherever_they_stand() {
        for (whole, lines, functions) in [
            ("fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n", 2, 1),
            ("fn a() {}\n#[cfg(test)]\npub(in crate::a) mod tests {}\n", 1, 1),
            ("#[cfg(test)]\nuse x;\nfn a() {}\n", 3, 1),
            ("fn a() {}\n#[cfg(test)]\n#[expect(b, reason = \"c\")]\nmod tests {\n    fn d() {}\n}\n", 1, 1),
            ("#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn a() {}\nfn c() {}\n", 2, 2),
            ("mod b;\n#[cfg(test)]\nmod tests;\nmod c;\n\nfn a() {}\nfn d() {}\n", 7, 2),
        ] {
            let file = SourceFile::of("src/a.rs", whole);
            assert_eq!((file.lines(), file.functions().len()), (lines, functions), "{whole}");
        }
        let file = SourceFile::of("src/a.rs", "#[cfg(test)]\nmod tests { \"é\" }\nlet é = a.unwrap();\n");
        assert!(file.code.contains("unwrap"), "what follows the tests is looked at");
        assert_eq!(file.line_of(file.code.find("unwrap").expect("a place")), 3);
    }

    #[test]
    fn functions_are_measured_from_their_name_to_their_last_brace() {
        let file = SourceFile::of(
            "src/a.rs",
            "trait T {\n    fn none(&self);\n}\nfn long(\n    a: [u8; 2],\n) {\n    if a { \"}\" }\n}\nfn short() {}\n",
        );
        let function = |name: &str, lines| Function { name: name.to_owned(), lines };
        assert_eq!(file.functions(), [function("long", 5), function("short", 1)]);
    }
}
