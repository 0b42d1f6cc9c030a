//! What strangers write, made up of the corpus beside this folder and of pieces of what they do write. Whatever it is, nobody
//! panics, what is held of it keeps the bounds, and the laws of its reader hold.
//!
//! `FUZZ_SECONDS` says how long each target goes on; without it each makes some hundred tries. `FUZZ_SEED` is the number
//! of the first try, so that one that failed comes first. A document that once failed belongs into the corpus.
//!
//! Built with the coverage of this crate (`tests/fuzz_guided` says how), tries that reach something new are changed further.

#![expect(clippy::disallowed_methods, reason = "fuzzing runs in real time")]

#[cfg(fuzz_coverage)]
mod coverage;
mod documents;
mod laws;
mod trees;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use documents::{Documents, corpus};
use laws::law_of;

use super::memory::{HELD_ANYWAY, HELD_PER_BYTE, held, zip};
use crate::dice::number_from;
use crate::readers::{Around, READERS, Read};

/// Tries of a target that is given no time.
const TRIES: u64 = 200;

macro_rules! targets {
    ($($name:ident,)+) => {
        const TARGETS: &[&str] = &[$(stringify!($name)),+];

        mod target {
            $(#[test]
            fn $name() {
                super::fuzz(stringify!($name));
            })+
        }
    };
}

targets! {
    address, announcement, articles, csv, date, directory, feed, filing, gzip, headline, html, json, json_in_html, json_ld, json_lines,
    json_path, kept_feed, mention, packed_tsv, page, person_name, place, plain_text, profile, robots, sitemap, sources,
    team_page, template, title, tsv, xml, zip,
}

#[test]
fn every_reader_is_a_target_and_has_a_corpus() {
    let mut names: Vec<&str> = READERS.iter().map(|(name, _)| *name).chain(["sources"]).collect();
    names.sort_unstable();
    let mut targets = TARGETS.to_vec();
    targets.sort_unstable();
    assert_eq!(targets, names);
    assert!(TARGETS.iter().all(|target| !corpus(target).is_empty()));
}

/// All sources that show lists, each reading the same answer.
fn sources(around: &Around, body: &[u8]) {
    around.lists().for_each(|source| around.read_by(source, body));
}

/// Tries the target of this name.
fn fuzz(target: &str) {
    let around = Around::new().unwrap();
    let read: Read = READERS.iter().find(|(name, _)| *name == target).map_or(sources, |(_, read)| *read);
    let law = law_of(target);
    #[cfg_attr(not(fuzz_coverage), expect(unused_mut, reason = "none are added without coverage"))]
    let mut documents = Documents::of(target);
    let try_one = |document: &[u8]| {
        law(&around, document);
        let held = held(&around, read, document);
        assert!(held <= HELD_ANYWAY + HELD_PER_BYTE * document.len(), "{held} bytes held for {}", document.len());
    };
    for document in corpus(target) {
        // What is made once and stays is not of this document.
        read(&around, &document);
        try_one(&document);
    }
    let (first, until) =
        (number_from("FUZZ_SEED", 1), Instant::now() + Duration::from_secs(number_from("FUZZ_SECONDS", 0)));
    let (mut tried, mut slowest) = (0, (Duration::ZERO, 0, 0));
    while tried < TRIES || Instant::now() < until {
        let seed = first + tried;
        let made = documents.document(seed);
        let document = if target == "packed_tsv" { zip(&made) } else { made.clone() };
        let from = Instant::now();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| try_one(&document))) {
            eprintln!("Repeat it with: FUZZ_SEED={seed} cargo test --package sources fuzz::target::{target}");
            eprintln!("The document is:\n{}", document.escape_ascii());
            resume_unwind(panic);
        }
        slowest = slowest.max((from.elapsed(), seed, document.len()));
        #[cfg(fuzz_coverage)]
        documents.keep_if(coverage::is_new(), made);
        tried += 1;
    }
    let (took, seed, bytes) = slowest;
    println!(
        "{target}: {tried} tries; {} documents; the slowest was {seed}: {took:?} for {bytes} bytes",
        documents.count()
    );
}
