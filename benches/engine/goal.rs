//! Figures that have a goal.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

static WAS_MISSED: AtomicBool = AtomicBool::new(false);
static MEASURED: AtomicUsize = AtomicUsize::new(0);

/// Prints a figure that must not be smaller than `goal`.
pub fn at_least(what: &str, figure: f64, goal: f64) {
    check(what, figure, "at least", goal, figure >= goal);
}

/// Prints a figure that must not be larger than `goal`.
pub fn at_most(what: &str, figure: f64, goal: f64) {
    check(what, figure, "at most", goal, figure <= goal);
}

/// Whether any goal was missed.
pub fn was_missed() -> bool {
    WAS_MISSED.load(Relaxed)
}

/// Runs a benchmark. One that has held no figure against a goal has measured nothing, and fails.
pub fn expect_figures(name: &str, run: impl FnOnce()) {
    let before = MEASURED.load(Relaxed);
    run();
    if MEASURED.load(Relaxed) == before {
        println!("{name}: measured nothing: MISSED");
        WAS_MISSED.store(true, Relaxed);
    }
}

fn check(what: &str, figure: f64, bound: &str, goal: f64, is_met: bool) {
    let is_met = is_met && figure.is_finite();
    println!("{what}: {figure:.2}, goal {bound} {goal}: {}", if is_met { "met" } else { "MISSED" });
    MEASURED.fetch_add(1, Relaxed);
    WAS_MISSED.fetch_or(!is_met, Relaxed);
}
