//! Ratios that have a goal.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static WAS_MISSED: AtomicBool = AtomicBool::new(false);

/// Prints a ratio that must not be smaller than `goal`.
pub fn at_least(what: &str, ratio: f64, goal: f64) {
    judge(what, ratio, "at least", goal, ratio >= goal);
}

/// Prints a ratio that must not be larger than `goal`.
pub fn at_most(what: &str, ratio: f64, goal: f64) {
    judge(what, ratio, "at most", goal, ratio <= goal);
}

/// Whether any goal was missed.
pub fn was_missed() -> bool {
    WAS_MISSED.load(Relaxed)
}

fn judge(what: &str, ratio: f64, bound: &str, goal: f64, is_met: bool) {
    let verdict = if is_met { "met" } else { "MISSED" };
    println!("{what}: ratio {ratio:.2}, goal {bound} {goal}: {verdict}");
    WAS_MISSED.fetch_or(!is_met, Relaxed);
}
