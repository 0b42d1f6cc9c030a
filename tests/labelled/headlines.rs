//! How well events are read from headlines: which are found, and how many of their fields are right.

use sources::{Funding, Move, PersonMove, funding, person_move};

const HEADLINES: &str = include_str!("headlines.tsv");
/// Names a file of headlines in the same form that nobody who writes rules looks at, such as real ones, which belong to
/// their newspapers: of these only figures are printed.
const SEALED: &str = "HEADLINES_SEALED";

/// Least part of what is found that is there.
const PRECISION_MIN: f64 = 0.95;
/// Least part of what is there that is found.
const RECALL_MIN: f64 = 0.85;
/// Least part of the values of each field that are right, of those found.
const FIELDS_MIN: f64 = 0.9;

/// What is found of one kind of event.
struct Score {
    right: u32,
    wrong: u32,
    missed: u32,
    fields: Vec<(&'static str, u32)>,
    is_sealed: bool,
}

impl Score {
    fn of(names: &[&'static str]) -> Self {
        Self { right: 0, wrong: 0, missed: 0, fields: names.iter().map(|name| (*name, 0)).collect(), is_sealed: false }
    }

    fn sealed() -> Self {
        Self { is_sealed: true, ..Self::of(&[]) }
    }

    /// Counts what was read of `text`, whose event has these `wanted` values, if it has one of this kind.
    fn count(&mut self, text: &str, wanted: Option<&[&str]>, found: Option<Vec<String>>) {
        match (wanted, found) {
            (None, None) => {}
            (None, Some(found)) => {
                self.show(&format!("{text}: read as {found:?}"));
                self.wrong += 1;
            }
            (Some(_), None) => {
                self.show(&format!("{text}: missed"));
                self.missed += 1;
            }
            (Some(wanted), Some(found)) => {
                self.right += 1;
                for ((name, right), (wanted, found)) in self.fields.iter_mut().zip(wanted.iter().zip(&found)) {
                    if wanted == found {
                        *right += 1;
                    } else {
                        println!("{text}: {name} {found} instead of {wanted}");
                    }
                }
            }
        }
    }

    /// Prints what is not as it is labelled.
    fn show(&self, what: &str) {
        if !self.is_sealed {
            println!("{what}");
        }
    }

    /// Prints precision and recall.
    fn figures(&self, kind: &str) -> (f64, f64) {
        let (precision, recall) = (part(self.right, self.wrong), part(self.right, self.missed));
        println!("{kind}: precision {precision:.3}, recall {recall:.3} of {}", self.right + self.missed);
        (precision, recall)
    }

    fn hold(&self, kind: &str) {
        let (precision, recall) = self.figures(kind);
        assert!(precision >= PRECISION_MIN && recall >= RECALL_MIN, "{kind}: {precision:.3} {recall:.3}");
        for (name, right) in &self.fields {
            let right = part(*right, self.right - right);
            println!("{kind}: {name} {right:.3}");
            assert!(right >= FIELDS_MIN, "{kind}: {name} {right:.3}");
        }
    }
}

fn part(of: u32, others: u32) -> f64 {
    f64::from(of) / f64::from(of + others).max(1.0)
}

fn or_none(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_owned())
}

fn of_funding(found: Funding) -> Vec<String> {
    vec![
        found.company,
        or_none(found.amount.map(|amount| amount.to_string())),
        or_none(found.currency.map(str::to_owned)),
        or_none(found.round),
        or_none(found.investors.into_iter().next()),
    ]
}

fn of_move(found: PersonMove) -> Vec<String> {
    let kind = match found.kind {
        Move::Hire => "hire",
        Move::Promotion => "promotion",
        Move::Departure => "departure",
    };
    vec![found.person.full, kind.to_owned(), or_none(found.title), or_none(found.company)]
}

#[test]
fn events_are_read_from_headlines() {
    let mut rounds = Score::of(&["company", "amount", "currency", "round", "investor"]);
    let mut moves = Score::of(&["person", "kind", "title", "company"]);
    for row in super::rows(HEADLINES) {
        let [kind, text, values @ ..] = row.as_slice() else { panic!("{row:?}") };
        rounds.count(text, (*kind == "funding").then_some(values), funding(text).map(of_funding));
        moves.count(text, (*kind == "move").then_some(values), person_move(text).map(of_move));
    }
    rounds.hold("funding");
    moves.hold("moves");
}

/// `HEADLINES_SEALED=file cargo test --test labelled sealed -- --nocapture` prints how well each kind is found in it.
#[test]
fn of_sealed_headlines_only_figures_are_shown() {
    let Ok(table) = std::env::var(SEALED).map(|path| std::fs::read_to_string(path).expect("sealed headlines")) else {
        return;
    };
    for kind in ["funding", "hire", "promotion", "departure", "move"] {
        let mut score = Score::sealed();
        for row in super::rows(&table) {
            let [of, text, values @ ..] = row.as_slice() else { panic!("a row without a text") };
            // A `?` where the kind of a move stands means any.
            let is_wanted = *of == kind || *of == "move" && values.get(1).is_some_and(|of| *of == kind);
            let is_open = *of == "move" && values.get(1) == Some(&"?") && kind != "move";
            let found = match kind {
                "funding" => funding(text).map(of_funding),
                _ => person_move(text).map(of_move).filter(|found| kind == "move" || found[1] == kind),
            };
            if !is_open {
                score.count(text, is_wanted.then_some(values), found);
            }
        }
        score.figures(kind);
    }
}
