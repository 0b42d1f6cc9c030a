//! The house rules, so that they do not decay: which room names what, sizes, forbidden calls, log messages, documents,
//! references to these.

#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests fail by a panic"
)]

#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/documents.rs"]
mod documents;
#[path = "tidy/references.rs"]
mod references;
#[path = "tidy/rules.rs"]
mod rules;
#[path = "tidy/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

use documents::{Document, documents};
use rules::{BANS, Ban, CRATES, FILE_LINES_MAX, FUNCTION_LINES_MAX, LONG_FILES, LONG_FUNCTIONS, ROOM_FILES_MAX, ROOMS};
use source::{SourceFile, files, texts};

#[track_caller]
fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn no_room_does_what_is_banned_there() {
    let files = files(&["src"]);
    assert!(files.len() > 10, "the sources were not found");
    let complaints: Vec<String> = BANS.iter().flat_map(|ban| breaches(ban, &files)).collect();
    assert_none(&complaints);
}

#[test]
fn no_room_names_a_room_that_it_may_not_know() {
    let complaints: Vec<String> = files(&["src"]).iter().flat_map(strangers).collect();
    assert_none(&complaints);
}

#[test]
fn no_modules_form_a_circle() {
    assert_none(&circles::circles(&files(&["src"])));
}

#[test]
fn files_and_functions_stay_short() {
    let files = files(&["src", "entity/src", "migration/src"]);
    assert_none(&oversize(&files, LONG_FILES, LONG_FUNCTIONS));
}

#[test]
fn rooms_stay_small() {
    assert_none(&crowded(&files(&["src"])));
}

#[test]
fn every_file_says_what_it_is_for() {
    let files = files(&["src", "entity/src", "migration/src", "tests", "examples"]);
    let silent = files.iter().filter(|file| !file.text.starts_with("//! ") && file.path != "src/main.rs");
    let complaints: Vec<String> =
        silent.map(|file| format!("{}: begins without a module comment", file.path)).collect();
    assert_none(&complaints);
}

#[test]
fn log_messages_are_lower_case_without_a_full_stop() {
    let complaints: Vec<String> = files(&["src"]).iter().flat_map(bad_log_messages).collect();
    assert_none(&complaints);
}

#[test]
fn every_path_in_the_documents_exists() {
    let paths = of_the_sources(paths_in);
    assert!(paths.len() > 400, "the paths were not found");
    let missing = paths.into_iter().filter(|(_, path)| !exists(path));
    let complaints: Vec<String> = missing.map(|(page, path)| format!("{page}: {path} does not exist")).collect();
    assert_none(&complaints);
}

#[test]
fn every_name_in_the_documents_is_in_its_file() {
    let names = of_the_sources(names_in);
    assert!(names.len() > 20, "the names were not found");
    let missing = names.into_iter().filter(|(_, (name, path))| !names_word(&read(path), name));
    let complaints: Vec<String> =
        missing.map(|(page, (name, path))| format!("{page}: no `{name}` in {path}")).collect();
    assert_none(&complaints);
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let documents = documents();
    let links: Vec<(&str, String)> =
        documents.iter().flat_map(|page| page.links().into_iter().map(|link| (page.path.as_str(), link))).collect();
    assert!(links.len() > 40, "the links were not found");
    let dead =
        links.iter().filter(|(_, link)| !exists(link)).map(|(page, link)| format!("{page}: {link} does not exist"));
    let is_bound = |page: &&Document| page.path == CONTENTS || links.contains(&(CONTENTS, page.path.clone()));
    let loose = documents.iter().filter(|page| page.path.starts_with("docs/") && !is_bound(page));
    let loose = loose.map(|page| format!("{}: is not in {CONTENTS}", page.path));
    assert_none(&dead.chain(loose).collect::<Vec<_>>());
}

#[test]
fn every_link_to_a_heading_leads_to_one() {
    let documents = documents();
    let anchors: BTreeMap<&str, Vec<String>> =
        documents.iter().map(|page| (page.path.as_str(), page.anchors())).collect();
    let links = documents.iter().flat_map(|page| page.anchored_links().into_iter().map(|link| (&page.path, link)));
    let links: Vec<_> = links.collect();
    assert!(links.len() > 10, "the links were not found");
    let dead = links.iter().filter(|(_, (path, anchor))| {
        path.ends_with(".md") && !anchors.get(path.as_str()).is_some_and(|of_page| of_page.contains(anchor))
    });
    assert_none(&dead.map(|(page, (path, anchor))| format!("{page}: {path} has no #{anchor}")).collect::<Vec<_>>());
}

#[test]
fn every_section_of_the_specification_can_be_tested_by_its_name() {
    let tests: String = files(&["src", "tests"]).iter().map(|file| read(&file.path)).collect();
    let sections: BTreeSet<String> = of_the_sources(sections_in).into_iter().map(|(_, section)| section).collect();
    assert!(sections.len() > 20, "the sections were not found");
    let has_test = |section: &String| {
        let pattern = format!(r"fn (\w+_)?spec_{}(_\w+)?\(|rows! \{{ spec_{0}:", section.replace('.', "_"));
        Regex::new(&pattern).expect("a pattern").is_match(&tests)
    };
    let complaints = sections.into_iter().filter(|section| !has_test(section));
    let complaints: Vec<String> = complaints.map(|section| format!("no test is named after Spec {section}")).collect();
    assert_none(&complaints);
}

#[test]
fn every_reference_leads_to_a_section_or_a_decision() {
    let texts = texts(references::PLACES);
    assert!(texts.len() > 500, "the texts were not found");
    let complaints = references::DOCUMENTS.iter().flat_map(|document| {
        let headings = references::headings(&read(document.path));
        assert!(headings.len() > 30, "the headings of {} were not found", document.path);
        let references = references::references(&texts, document);
        assert!(references.len() > 300, "the references to {} were not found", document.path);
        references::astray(&references, document, &headings)
    });
    assert_none(&complaints.collect::<Vec<_>>());
}

/// The table of contents of the book.
const CONTENTS: &str = "docs/SUMMARY.md";

/// What `find` finds in the documents that tell of the sources, with the document.
fn of_the_sources<T, F: IntoIterator<Item = T>>(find: impl Fn(&str) -> F) -> Vec<(String, T)> {
    let pages = documents().into_iter().filter(Document::tells_of_the_sources);
    pages.flat_map(|page| find(&page.text).into_iter().map(move |found| (page.path.clone(), found))).collect()
}

fn exists(path: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default()
}

fn breaches(ban: &Ban, files: &[SourceFile]) -> Vec<String> {
    let pattern = Regex::new(ban.pattern).expect("a pattern");
    let is_in = |path: &str, beginnings: &[&str]| beginnings.iter().any(|beginning| path.starts_with(beginning));
    let concerned = files.iter().filter(|file| is_in(&file.path, ban.within) && !is_in(&file.path, ban.except));
    let breach = |file: &SourceFile, found: regex::Match<'_>| {
        format!("{}:{}: `{}`: {}", file.path, file.line_of(found.start()), found.as_str(), ban.instead)
    };
    concerned.flat_map(|file| pattern.find_iter(&file.code).map(move |found| breach(file, found))).collect()
}

/// The room of a file: `store` for `src/store/commit/mod.rs` and for `src/store.rs`.
fn room_of(path: &str) -> &str {
    let rest = path.strip_prefix("src/").unwrap_or(path);
    rest.split(['/', '.']).next().unwrap_or(rest)
}

/// What may name every room.
const ABOVE_ALL: [&str; 3] = ["app", "lib", "main"];

/// What a room of the service names although it may not.
fn strangers(file: &SourceFile) -> Vec<String> {
    let room = room_of(&file.path);
    if CRATES.contains(&room) || ABOVE_ALL.contains(&room) {
        return Vec::new();
    }
    let Some((_, known)) = ROOMS.iter().find(|(other, _)| *other == room) else {
        return vec![format!("{}: is in no room of the table", file.path)];
    };
    let pattern = Regex::new(&format!(r"\bcrate::(\w+)|(?:^|[^\w:])({})::", CRATES.join("|"))).expect("a pattern");
    let named = pattern.captures_iter(&file.code).filter_map(|captures| captures.get(1).or(captures.get(2)));
    let strange = named.filter(|name| {
        let is_room = ROOMS.iter().any(|(other, _)| *other == name.as_str()) || ["app"].contains(&name.as_str());
        (is_room || CRATES.contains(&name.as_str())) && name.as_str() != room && !known.contains(&name.as_str())
    });
    let complain =
        |name: regex::Match<'_>| format!("{}:{}: names {}", file.path, file.line_of(name.start()), name.as_str());
    strange.map(complain).collect()
}

fn oversize(files: &[SourceFile], long_files: &[(&str, usize)], long_functions: &[(&str, &str, usize)]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut check = |what: String, lines: usize, limit: usize, exemption: Option<usize>| match exemption {
        Some(_) if lines <= limit => complaints.push(format!("{what} has {lines} lines: remove its exemption")),
        Some(most) if lines > most => complaints.push(format!("{what} has grown from {most} to {lines} lines")),
        None if lines > limit => complaints.push(format!("{what} has {lines} lines, {limit} are allowed")),
        _ => {}
    };
    for file in files {
        let exemption = long_files.iter().find(|(path, _)| *path == file.path).map(|(_, lines)| *lines);
        check(file.path.clone(), file.lines(), FILE_LINES_MAX, exemption);
        for function in file.functions() {
            let is_it = |entry: &&(&str, &str, usize)| entry.0 == file.path && entry.1 == function.name;
            let exemption = long_functions.iter().find(is_it).map(|(_, _, lines)| *lines);
            check(format!("{}: {}", file.path, function.name), function.lines, FUNCTION_LINES_MAX, exemption);
        }
    }
    let exempt = long_files.iter().map(|(path, _)| *path).chain(long_functions.iter().map(|(path, _, _)| *path));
    let gone = exempt.filter(|path| files.iter().all(|file| file.path != *path));
    complaints.extend(gone.map(|path| format!("{path} is exempt but gone")));
    complaints
}

fn crowded(files: &[SourceFile]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, usize> = BTreeMap::new();
    let beside_the_door =
        files.iter().filter_map(|file| file.path.rsplit_once('/')).filter(|(_, name)| *name != "mod.rs");
    beside_the_door.for_each(|(room, _)| *rooms.entry(room).or_default() += 1);
    let crowded = rooms.into_iter().filter(|(_, count)| *count > ROOM_FILES_MAX);
    crowded.map(|(room, count)| format!("{room} has {count} files, {ROOM_FILES_MAX} are allowed")).collect()
}

fn bad_log_messages(file: &SourceFile) -> Vec<String> {
    let macros = Regex::new(r"\b(?:trace|debug|info|warn|error)!\(").expect("a pattern");
    let messages = macros.find_iter(&file.code).flat_map(|found| texts_among_arguments(file, found.end()));
    let is_bad = |message: &&str| message.starts_with(|first: char| first.is_uppercase()) || message.ends_with('.');
    messages.filter(|message| is_bad(message)).map(|message| format!("{}: \"{message}\"", file.path)).collect()
}

/// The texts that are arguments themselves, not values of fields, of a call whose arguments begin at `from`.
fn texts_among_arguments(file: &SourceFile, from: usize) -> Vec<&str> {
    let (mut texts, mut depth, mut before) = (Vec::new(), 0usize, '(');
    let mut characters = file.code[from..].char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            '"' => {
                let close = characters.by_ref().find(|(_, other)| *other == '"').map_or(place, |(close, _)| close);
                if depth == 0 && matches!(before, '(' | ',') {
                    texts.push(&file.text[from + place + 1..from + close]);
                }
            }
            _ => {}
        }
        if !character.is_whitespace() {
            before = character;
        }
    }
    texts
}

/// Paths in backticks, as far as they name one thing.
fn paths_in(text: &str) -> Vec<String> {
    let pattern =
        Regex::new(r"`((?:src|tests|entity|migration|config|benches|clients|docs|examples|packaging|tools|\.ci|\.github)/[\w./-]*)`")
            .expect("a pattern");
    pattern.captures_iter(text).map(|captures| captures[1].to_owned()).collect()
}

/// What stands in backticks before "in" and a path: a name, and where it is.
fn names_in(text: &str) -> Vec<(String, String)> {
    let pattern = Regex::new(r"`(?:\w+::)*(\w+)`\s+in\s+`((?:src|tests|entity|migration|config|benches)/[\w./-]*)`");
    let pattern = pattern.expect("a pattern");
    pattern.captures_iter(text).map(|captures| (captures[1].to_owned(), captures[2].to_owned())).collect()
}

fn names_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|other| other == word)
}

/// The sections of the specification in the first column of tables whose first column is headed by "Spec".
fn sections_in(text: &str) -> BTreeSet<String> {
    let table = Regex::new(r"(?m)^\| Spec \|.*\n(?:\|.*\n)*").expect("a pattern");
    let row = Regex::new(r"(?m)^\| (\d[\d., ]*) \|").expect("a pattern");
    let rows = table.find_iter(text).flat_map(|table| row.captures_iter(table.as_str()));
    let cells = rows.map(|captures| captures[1].to_owned());
    cells.flat_map(|cell| cell.split(", ").map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        Ban, SourceFile, bad_log_messages, breaches, crowded, names_in, names_word, oversize, paths_in, sections_in,
        strangers,
    };

    #[test]
    fn a_ban_is_found_in_code_and_only_where_it_holds() {
        let ban = Ban { pattern: r"\.unwrap\(\)", within: &["src/"], except: &["src/clock/"], instead: "no" };
        let code = "fn a() {\n    b.unwrap(); // c.unwrap()\n}\n#[cfg(test)]\nmod tests { fn d() { e.unwrap(); } }\n";
        let files = ["src/a.rs", "src/clock/lib.rs", "tests/a.rs"].map(|path| SourceFile::of(path, code));
        assert_eq!(breaches(&ban, &files), ["src/a.rs:2: `.unwrap()`: no"]);
    }

    #[test]
    fn every_pattern_finds_what_it_is_for() {
        for (path, code) in [
            ("src/actors/a.rs", "context.run_later(d, f)"),
            ("src/actors/a.rs", "tokio::time::sleep(d).await"),
            ("src/actors/a.rs", "use tokio::time::{sleep, timeout};"),
            ("src/actors/a.rs", "tokio::time::timeout(d, f)"),
            ("src/domain/a.rs", "Uuid::new_v4()"),
            ("src/sources/a.rs", "awc::Client::new()"),
            ("src/web/a.rs", "let _ = x;"),
            ("src/web/a.rs", "#[allow(dead_code)]"),
        ] {
            let file = [SourceFile::of(path, code)];
            assert!(super::BANS.iter().any(|ban| !breaches(ban, &file).is_empty()), "{path}: {code}");
        }
        for (path, code) in [
            ("src/outbound/a.rs", "tokio::time::timeout(d, f)"),
            ("src/web/a.rs", "result.expect_status(\"x\"); // panic!"),
            ("src/domain/a.rs", "use chrono::Utc;"),
        ] {
            let file = [SourceFile::of(path, code)];
            assert!(super::BANS.iter().all(|ban| breaches(ban, &file).is_empty()), "{path}: {code}");
        }
    }

    #[test]
    fn a_stranger_is_a_room_that_may_not_be_known() {
        let code = "use crate::cli::Cli;\nuse domain::money;\nuse crate::web::Call;\nuse outbound::fetch;\nlet x = a::outbound::b;\n";
        assert_eq!(
            strangers(&SourceFile::of("src/api/a.rs", code)),
            ["src/api/a.rs:1: names cli", "src/api/a.rs:4: names outbound"]
        );
        assert!(strangers(&SourceFile::of("src/app.rs", code)).is_empty());
        assert!(strangers(&SourceFile::of("src/store/a.rs", code)).is_empty(), "the compiler sees to it");
        assert_eq!(strangers(&SourceFile::of("src/new.rs", "")), ["src/new.rs: is in no room of the table"]);
    }

    #[test]
    fn sizes_are_a_ratchet() {
        let long = |lines: usize| SourceFile::of("src/a.rs", &"// x\n".repeat(lines));
        assert!(oversize(&[long(300)], &[], &[]).is_empty());
        assert_eq!(oversize(&[long(301)], &[], &[]), ["src/a.rs has 301 lines, 300 are allowed"]);
        assert!(oversize(&[long(301)], &[("src/a.rs", 310)], &[]).is_empty());
        assert_eq!(oversize(&[long(311)], &[("src/a.rs", 310)], &[]), ["src/a.rs has grown from 310 to 311 lines"]);
        assert_eq!(oversize(&[long(9)], &[("src/a.rs", 310)], &[]), ["src/a.rs has 9 lines: remove its exemption"]);
        assert_eq!(oversize(&[], &[("src/a.rs", 310)], &[]), ["src/a.rs is exempt but gone"]);
        let function = SourceFile::of("src/a.rs", &format!("fn f() {{\n{}}}\n", "x();\n".repeat(59)));
        assert_eq!(oversize(&[function], &[], &[]), ["src/a.rs: f has 61 lines, 60 are allowed"]);
    }

    #[test]
    fn a_room_has_few_files_beside_its_door() {
        let room = |count: usize| -> Vec<SourceFile> {
            let files = (0..count).map(|number| SourceFile::of(&format!("src/a/{number}.rs"), ""));
            files.chain([SourceFile::of("src/a/mod.rs", ""), SourceFile::of("src/a/b/c.rs", "")]).collect()
        };
        assert!(crowded(&room(15)).is_empty());
        assert_eq!(crowded(&room(16)), ["src/a has 16 files, 15 are allowed"]);
    }

    #[test]
    fn only_the_message_of_a_log_line_is_checked() {
        let code = r#"
            tracing::info!(name = "Acme.", "Started");
            tracing::warn!(error = %error, kind = text("Up."), "slow.");
            info!(target: "x", count, "all well");
        "#;
        assert_eq!(
            bad_log_messages(&SourceFile::of("src/a.rs", code)),
            ["src/a.rs: \"Started\"", "src/a.rs: \"slow.\""]
        );
    }

    #[test]
    fn paths_in_backticks_are_found() {
        let text = "See `src/store/commit/mod.rs`, `tests/it/`, `src/sources/*.toml` and `cargo test`.";
        assert_eq!(paths_in(text), ["src/store/commit/mod.rs", "tests/it/"]);
    }

    #[test]
    fn names_in_backticks_are_found_with_their_files() {
        let text = "`decide` in `src/a.rs` decides, `b::c` in\n`tests/d.rs` does not.";
        let found = names_in(text);
        assert_eq!(found, [("decide".into(), "src/a.rs".into()), ("c".into(), "tests/d.rs".into())]);
        assert!(names_word("pub fn decide(", "decide") && !names_word("fn decided(", "decide"));
    }

    #[test]
    fn sections_are_those_of_the_first_column() {
        let spec = "| Spec | Rule |\n|---|---|\n| 2.4 | records | 3.1 |\n| 4.2, 4.3 | creating |\n| Who? | 5.1 |\n";
        let found = sections_in(&format!("{spec}\n| Decision |\n|---|\n| 6.1 |\n"));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["2.4", "4.2", "4.3"]);
    }
}
