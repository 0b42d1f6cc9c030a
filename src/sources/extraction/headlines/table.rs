//! Tables of words in text files, a meaning before each row.

use std::str::FromStr;

/// The lines of a table of `meaning: words`, each with its meaning: lines that begin with a blank go on with that of the line
/// before. What has no known meaning is left out, and the tests hold that there is nothing such.
pub fn rows<T: FromStr + Copy>(table: &'static str) -> impl Iterator<Item = (T, &'static str)> {
    let mut meaning = None;
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.filter_map(move |line| {
        let words = match line.split_once(": ").filter(|_| !line.starts_with(' ')) {
            Some((name, words)) => {
                meaning = name.parse().ok();
                words
            }
            None => line,
        };
        Some((meaning?, words))
    })
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_row_goes_on_behind_a_blank_and_what_means_nothing_is_left_out() {
        let table = "# a comment\n\n1: one\n  two: three\nx: four\n  five\n2: six\n";
        let found: Vec<(u8, &str)> = rows(table).collect();
        assert_eq!(found, [(1, "one"), (1, "  two: three"), (2, "six")]);
    }
}
