//! What the engine costs, as ratios and bytes measured in one run: `cargo bench`, or `cargo bench -- NAME` for one.

mod group_commit;
mod renewal_storm;
mod resident_radars;
mod stage;

/// The databases of the integration tests.
#[path = "../../tests/it/support"]
mod support {
    pub mod databases;
    pub mod postgres;
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| name.contains(wanted));
    if is_wanted("group_commit") {
        group_commit::run();
    }
    if is_wanted("renewal_storm") {
        renewal_storm::run();
    }
    if is_wanted("resident_radars") {
        resident_radars::run();
    }
}
