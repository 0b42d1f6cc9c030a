//! CPU time of the worst page, feed or answer that is found for each reader that strangers feed: `cargo bench -- hostile_pages`.
//!
//! What is worst is looked for among documents that repeat one piece of what the reader reads, or two of them; short ones
//! tell which to measure, long ones what they cost. `READERS=title,place` measures only those with such a word in their name.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use sources::readers::{Around, READERS};

use crate::goal;
use crate::pieces::{Recipe, of_one, of_two};

/// How long the documents are among which the worst is looked for, of one piece and of two.
const SEARCHED_BYTES: [usize; 2] = [16 * 1024, 2 * 1024];
/// How many of them are measured, and how long these are: of long ones often only a part is read.
const MEASURED: usize = 12;
const MEASURED_BYTES: [usize; 2] = [64 * 1024, 512 * 1024];
/// Readers of headlines, and how long these are and the texts below them: of anything longer only the beginning is read.
const OF_HEADLINES: [&str; 3] = ["headline", "announcement", "person_name"];
const HEADLINE_BYTES: [usize; 2] = [512, 2 * 1024];
/// A short document is read again and again, until so much was read.
const READ_BYTES: usize = 64 * 1024;
const MIB: f64 = 1024.0 * 1024.0;
/// CPU seconds for each MiB.
const GOAL: f64 = 1.0;

/// Measures the readers, and the sources that show lists.
pub fn run() {
    let around = Around::new().expect("tables and sources that are built in");
    for (name, read) in READERS {
        measure(name, name, |body| read(&around, body));
    }
    for source in around.lists() {
        let pieces = match source.kind.as_str() {
            kind @ ("feed" | "xml" | "html") => kind,
            "csv" => "tsv",
            _ => "sources",
        };
        measure(&format!("source {}", source.id), pieces, |body| around.read_by(source, body));
    }
}

fn is_wanted(name: &str) -> bool {
    std::env::var("READERS").map_or(true, |wanted| wanted.split(',').any(|word| name.contains(word)))
}

fn measure(name: &str, pieces: &str, read: impl Fn(&[u8])) {
    if !is_wanted(name) {
        return;
    }
    let per_mib = |recipe: &Recipe, bytes: usize, now: fn() -> Duration| {
        let document = recipe.document(bytes);
        let times = (READ_BYTES / document.len()).max(1);
        let began_at = now();
        (0..times).for_each(|_| read(document.as_bytes()));
        (now() - began_at).as_secs_f64() * MIB / (times * document.len()) as f64
    };
    let mut candidates = Vec::new();
    for (recipes, bytes) in [of_one(pieces), of_two(pieces)].into_iter().zip(SEARCHED_BYTES) {
        // What else the machine does makes a try longer, never shorter.
        let least = |recipe: &Recipe| (0..3).map(|_| per_mib(recipe, bytes, wall)).fold(f64::INFINITY, f64::min);
        candidates.extend(recipes.into_iter().map(|recipe| (least(&recipe), recipe)));
    }
    let lengths = if OF_HEADLINES.contains(&name) { HEADLINE_BYTES } else { MEASURED_BYTES };
    candidates.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let most = |recipe: &Recipe| lengths.map(|bytes| per_mib(recipe, bytes, cpu)).into_iter().fold(0.0, f64::max);
    let measured = candidates.iter().take(MEASURED).map(|(_, recipe)| (most(recipe), recipe));
    let worst = measured.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let (seconds, recipe) = worst.expect("documents");
    let beginning: String = recipe.document(0).chars().take(60).collect();
    goal::at_most(&format!("{name}: CPU seconds per MiB of {beginning:?}"), seconds, GOAL);
}

/// Finer than CPU time, which the system counts now and then.
fn wall() -> Duration {
    static BEGAN_AT: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN_AT.elapsed()
}

/// CPU time of this thread.
fn cpu() -> Duration {
    let figures = std::fs::read_to_string("/proc/thread-self/schedstat").expect("figures");
    Duration::from_nanos(figures.split(' ').next().and_then(|figure| figure.parse().ok()).expect("nanoseconds"))
}
