//! Circles of modules: two neighbours in one folder, each of which names the other or something inside of it.
//!
//! A module and those inside of it may name each other. Neighbours are compared with all that is inside of them, so a circle
//! through three folders is found where these folders meet.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use crate::rules::CRATES;
use crate::source::SourceFile;

/// What a file names: the neighbour's name, and where this is first seen.
type Edges = BTreeMap<(String, String), String>;

/// One complaint for each group of neighbours that depend on each other.
pub fn circles(files: &[SourceFile]) -> Vec<String> {
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module_of(&file.path)).collect();
    let mut folders: BTreeMap<Vec<String>, Edges> = BTreeMap::new();
    for file in files {
        let from = module_of(&file.path);
        for named in named_in(&file.code, &from) {
            let to = known(&named, &modules);
            let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
                let seen = format!("{} names {}", file.path, named.join("::"));
                let edges = folders.entry(from[..shared].to_vec()).or_default();
                edges.entry((one.clone(), other.clone())).or_insert(seen);
            }
        }
    }
    folders.values().flat_map(complaints).collect()
}

/// The module of a file: `store::commit` for `src/store/commit/mod.rs`, nothing for `src/lib.rs`.
fn module_of(path: &str) -> Vec<String> {
    let path = path.strip_prefix("src/").unwrap_or(path);
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.split('/').filter(|part| !["mod", "lib", "main"].contains(part)).map(str::to_owned).collect()
}

/// The module that a path leads into: its longest beginning that is a file.
fn known(path: &[String], modules: &BTreeSet<Vec<String>>) -> Vec<String> {
    (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|path| modules.contains(path)).unwrap_or_default()
}

/// The paths that begin with `crate`, `self` or `super`, from the crate on.
fn named_in(code: &str, module: &[String]) -> Vec<Vec<String>> {
    let beginning = Regex::new(r"\b(?:crate|self|super)::").expect("a pattern");
    let mut paths = Vec::new();
    for found in beginning.find_iter(code) {
        let is_inside = code[..found.start()].ends_with("::");
        if !is_inside {
            expand(&code[found.start()..], &[], &mut paths);
        }
    }
    paths.into_iter().map(|path| absolute(path, module)).collect()
}

/// Reads a path, or a tree of paths in braces; answers the rest of the code.
fn expand<'a>(code: &'a str, before: &[String], paths: &mut Vec<Vec<String>>) -> &'a str {
    let (mut path, mut rest) = (before.to_vec(), code);
    loop {
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if length > 0 {
            path.push(rest[..length].to_owned());
            rest = &rest[length..];
        } else if let Some(inside) = rest.strip_prefix('{') {
            rest = inside.trim_start();
            while !rest.is_empty() && !rest.starts_with('}') {
                rest = expand(rest, &path, paths);
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                rest = rest[end..].trim_start_matches(',').trim_start();
            }
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        match rest.strip_prefix("::") {
            Some(more) => rest = more,
            None => {
                paths.push(path);
                return rest;
            }
        }
        if rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_' && c != '{') {
            paths.push(path);
            return rest;
        }
    }
}

fn absolute(path: Vec<String>, module: &[String]) -> Vec<String> {
    // In a room that is a crate, `crate` is that room.
    let top = module.iter().take(1).filter(|room| CRATES.contains(&room.as_str()));
    let mut whole: Vec<String> = if path[0] == "crate" { top.cloned().collect() } else { module.to_vec() };
    for part in path {
        match part.as_str() {
            "crate" | "self" => {}
            "super" => drop(whole.pop()),
            _ => whole.push(part),
        }
    }
    whole
}

/// Names each edge that lies on a circle.
fn complaints(edges: &Edges) -> Vec<String> {
    let on_circle = edges.iter().filter(|((one, other), _)| reaches(edges, other, one));
    on_circle.map(|((one, other), seen)| format!("{one} and {other} are in a circle: {seen}")).collect()
}

fn reaches(edges: &Edges, from: &str, to: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(here) = open.pop() {
        if here == to {
            return true;
        }
        let next = edges.keys().filter(|(one, _)| one == here).map(|(_, other)| other.as_str());
        open.extend(next.filter(|next| seen.insert(next)));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{SourceFile, circles, named_in};

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        circles(&files.iter().map(|(path, code)| SourceFile::of(path, code)).collect::<Vec<_>>())
    }

    #[test]
    fn neighbours_that_name_each_other_are_a_circle() {
        let two = [("src/a/mod.rs", ""), ("src/a/b.rs", "use super::c::C;"), ("src/a/c.rs", "use crate::a::b::B;")];
        assert_eq!(
            found(&two),
            ["b and c are in a circle: src/a/b.rs names a::c::C", "c and b are in a circle: src/a/c.rs names a::b::B"]
        );
        assert_eq!(found(&two[..2]), [""; 0]);
    }

    #[test]
    fn what_is_inside_of_a_neighbour_counts_as_the_neighbour() {
        let three = [
            ("src/a/mod.rs", ""),
            ("src/a/x.rs", "use crate::b::{self, y::Y};"),
            ("src/b/mod.rs", ""),
            ("src/b/y.rs", "fn y() {\n    crate::c::z();\n}"),
            ("src/c.rs", "use crate::{a::x::X as Other, d};"),
            ("src/d.rs", "// crate::a"),
        ];
        assert_eq!(found(&three).len(), 3, "{:?}", found(&three));
    }

    #[test]
    fn parents_and_children_may_name_each_other() {
        let family = [
            ("src/a/mod.rs", "mod b;\nuse b::B;\nuse self::c::C;"),
            ("src/a/b.rs", "use super::A;"),
            ("src/a/c.rs", "use crate::a::{A, b::B};\n#[cfg(test)]\nmod tests { use crate::a::c::C; }"),
        ];
        assert_eq!(found(&family), [""; 0]);
    }

    #[test]
    fn paths_of_a_room_that_is_a_crate_begin_in_that_room() {
        let two = [("src/store/a.rs", "use crate::b::B;"), ("src/store/b.rs", "use crate::a::A;"), ("src/b.rs", "")];
        assert_eq!(found(&two).len(), 2, "{:?}", found(&two));
    }

    #[test]
    fn trees_of_paths_are_read_whole() {
        let module = ["a".to_owned(), "b".to_owned()];
        let named = named_in("use crate::{x::{Y, z::*}, w as v}; super::super::u::t(self::s)", &module);
        let named: Vec<String> = named.iter().map(|path| path.join("::")).collect();
        assert_eq!(named, ["x::Y", "x::z", "w", "u::t", "a::b::s"]);
    }
}
