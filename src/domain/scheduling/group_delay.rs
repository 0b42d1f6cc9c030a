//! When a group that is written in one transaction waits a moment for more, as PostgreSQL does by `commit_delay` and
//! `commit_siblings`.
//!
//! Clients that ask again as soon as they are answered come in bursts. Without a wait the first of a burst gets a
//! transaction of its own, which keeps all others waiting and costs nearly as much as theirs.

/// Fewer are not worth a wait.
const SIBLINGS_MIN: usize = 4;

/// Whether a group of `gathered` waits, when so many are expected in all.
pub const fn waits(gathered: usize, expected: usize) -> bool {
    expected >= SIBLINGS_MIN && gathered < expected
}

#[cfg(test)]
mod tests {
    use super::waits;

    #[test]
    fn a_group_waits_only_for_a_burst() {
        let rows = [
            ("a single client is never kept waiting", 1, 1, false),
            ("nor are few", 1, 3, false),
            ("the first of a burst waits", 1, 32, true),
            ("the last does not", 32, 32, false),
            ("nor does one more than came before", 33, 32, false),
        ];
        for (name, gathered, expected, is_waiting) in rows {
            assert_eq!(waits(gathered, expected), is_waiting, "{name}");
        }
    }
}
