//! Names of rounds in the forms that headlines have: `Series A`, `pre-seed`, `Serie B`, `$6.6M A`.

use crate::extraction::headlines::phrases::Phrases;
use crate::extraction::headlines::word::Word;
use domain::closed;

closed! {
    /// Rounds that have names.
    Named {
        /// Before the first customers.
        PreSeed = "Pre-Seed",
        /// The first.
        Seed = "Seed",
        /// By people of their own money.
        Angel = "Angel",
        /// Until the next.
        Bridge = "Bridge",
        /// Between equity and debt.
        Mezzanine = "Mezzanine",
        /// Of companies that earn.
        Growth = "Growth",
    }
}

static NAMES: Phrases<Named> = Phrases::new(
    "Pre-Seed: pre-seed | preseed | pre seed | pre-semilla | presemilla | pre-amorcage | preamorcage\n\
     Seed: seed | semilla | amorcage | d'amorcage\nAngel: angel\nBridge: bridge\nMezzanine: mezzanine\n\
     Growth: growth round | growth funding | growth investment | growth equity | growth financing | growth capital round | \
     growth stage round | growth stage funding | growth-equity round",
);
/// The round at the beginning of `words`.
pub fn round_at(words: &[Word<'_>]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let next = rest.first().filter(|_| !first.written.ends_with([',', ':']));
    let of_next = || letter(next?);
    let mut parts = first.bare.split('-');
    let (series, pre) = (|letter| format!("Series {letter}"), |letter| format!("Pre-Series {letter}"));
    match (parts.next()?, parts.next(), parts.next()) {
        ("series" | "serie", None, _) => of_next().map(series),
        ("series" | "serie", Some(letter), _) => letter_of(letter).map(series),
        ("pre", Some("series"), None) => of_next().map(pre),
        ("pre", Some("series"), Some(letter)) => letter_of(letter).map(pre),
        ("pre", None, _) if next?.bare == "series" => letter(rest.get(1)?).map(pre),
        // "Round B", "B round".
        ("round", None, _) => next.filter(|next| next.core.len() <= 2 && !next.is_small()).and_then(letter).map(series),
        (of, None, _) if of.len() == 1 && of != "a" && next.is_some_and(|next| next.bare == "round") => {
            letter_of(of).map(series)
        }
        // "seed-stage", "Seed-Runde".
        ("seed", Some(_), _) => Some("Seed".to_owned()),
        ("pre", Some("seed"), Some(_)) => Some("Pre-Seed".to_owned()),
        _ => NAMES.at(words).next().map(|name| name.meaning.as_str().to_owned()),
    }
}

/// The round behind an amount that is named by its letter alone: `$6.6M A to build arms`.
pub fn letter_behind(words: &[Word<'_>]) -> Option<String> {
    let (first, rest) = words.split_first()?;
    let ends = |next: &Word<'_>| next.is_one_of(&["round", "led", "to", "from", "for"]) || next.is_dash();
    let is_letter = first.written.len() == 1 && !first.is_small() && rest.first().is_none_or(ends);
    letter_of(&first.bare).filter(|_| is_letter).map(|letter| format!("Series {letter}"))
}

/// `A`, `B1` and `C+` of a round.
fn letter(word: &Word<'_>) -> Option<String> {
    let plus = if word.written.contains('+') { "+" } else { "" };
    letter_of(word.bare.split('-').next()?).map(|letter| letter + plus)
}

fn letter_of(word: &str) -> Option<String> {
    let is_one = matches!(word.as_bytes(), [b'a'..=b'k'] | [b'a'..=b'k', b'0'..=b'9']);
    is_one.then(|| word.to_uppercase())
}
