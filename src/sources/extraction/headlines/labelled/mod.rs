//! How well events are read from headlines, on invented headlines with labels.

use super::funding::{self, Funding, funding};
use super::lexicon::Class;
use super::people::{self, PersonMove, person_move};

const FUNDING: &str = include_str!("funding.tsv");
const PEOPLE: &str = include_str!("people.tsv");

/// How many of those found are right, and how many of those that are there were found.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: Vec<String>,
    missed: Vec<String>,
}

impl Score {
    fn precision(&self) -> f64 {
        share(self.right, self.wrong.len())
    }

    fn recall(&self) -> f64 {
        share(self.right, self.missed.len())
    }
}

fn share(right: usize, not: usize) -> f64 {
    right as f64 / (right + not).max(1) as f64
}

fn lines(table: &str) -> impl Iterator<Item = Vec<&str>> {
    table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect())
}

/// Reads every line of `table` with `read`, and holds events and fields against the goals.
fn hold<T: std::fmt::Debug, const N: usize>(table: &str, read: fn(&str) -> Option<T>, values: fn(&T) -> [String; N]) {
    let mut events = Score::default();
    let (mut fields, mut wrong_fields) = ([0; N], Vec::new());
    for line in lines(table) {
        let text = line[0];
        match (read(text), line[1]) {
            (None, "-") => {}
            (None, _) => events.missed.push(text.to_owned()),
            (Some(found), "-") => events.wrong.push(format!("{text}: {found:?}")),
            (Some(found), _) => {
                events.right += 1;
                for (index, (value, wanted)) in values(&found).iter().zip(&line[1..]).enumerate() {
                    fields[index] += usize::from(value == wanted);
                    wrong_fields.extend((value != wanted).then(|| format!("{text}: {value}, not {wanted}")));
                }
            }
        }
    }
    let (precision, recall) = (events.precision(), events.recall());
    let figures = format!("precision {precision:.3} {:#?}, recall {recall:.3} {:#?}", events.wrong, events.missed);
    assert!(precision >= 0.95 && recall >= 0.9, "{figures} {wrong_fields:#?}");
    for (index, right) in fields.iter().enumerate() {
        assert!(
            share(*right, events.right - right) >= 0.9,
            "field {index}: {right} of {}: {wrong_fields:#?}",
            events.right
        );
    }
}

/// How many rows of a table begin with something, and how many of these are read.
fn rows_of<T: std::str::FromStr + Copy>(table: &'static str) -> (usize, usize) {
    let begins = |line: &&str| !line.is_empty() && !line.starts_with([' ', '#']);
    let read = table.lines().filter(begins).filter_map(|line| line.split_once(": ")?.0.parse::<T>().ok());
    (table.lines().filter(begins).count(), read.count())
}

#[test]
fn every_row_of_the_tables_has_a_meaning() {
    let read = [
        rows_of::<Class>(include_str!("../lexicon.txt")),
        rows_of::<people::rows::Row>(include_str!("../people/moves.txt")),
        rows_of::<people::other_news::Place>(include_str!("../people/other_news.txt")),
        rows_of::<funding::rows::Shape>(include_str!("../funding/rounds.txt")),
        rows_of::<funding::rows::Mark>(include_str!("../funding/marks.txt")),
    ];
    for (index, (rows, read)) in read.into_iter().enumerate() {
        assert!(rows > 0 && rows == read, "table {index}: {read} of {rows} rows are read");
    }
}

#[test]
fn funding_rounds_are_told_from_other_things_that_are_raised() {
    hold(FUNDING, funding, values);
}

#[test]
fn moves_of_people_are_told_from_other_news() {
    hold(PEOPLE, person_move, |found: &PersonMove| {
        let or_none = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        [found.person.full.clone(), found.kind.as_str().to_owned(), or_none(&found.title), or_none(&found.company)]
    });
}

fn values(found: &Funding) -> [String; 5] {
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    [
        found.company.clone(),
        or_none(found.amount.map(|amount| amount.to_string())),
        or_none(found.currency.map(str::to_owned)),
        or_none(found.round.clone()),
        or_none(found.investors.first().cloned()),
    ]
}

#[test]
fn each_manner_of_telling_a_move_is_read() {
    for (headline, wanted) in [
        // A particle that stands at the end, and a verb that stands first.
        ("Ada Byron tritt als Finanzchefin von Quarrelake zurück", "Ada Byron departure Quarrelake"),
        ("Ada Byron steigt bei Quarrelake zur Vertriebschefin auf", "Ada Byron promotion Quarrelake"),
        ("Ada Byron gaat Quarrelake leiden", "Ada Byron hire Quarrelake"),
        ("Renuncia Pedro Rocha como director de Quarrelake", "Pedro Rocha departure Quarrelake"),
        // All in capitals.
        ("QUARRELAKE NAMES BYRON SENIOR VP", "Byron hire Quarrelake"),
        // By a surname alone, with a label or two of them.
        ("Knall bei Quarrelake: Weber tritt zurück", "Weber departure Quarrelake"),
        ("Umsturz bei Quarrelake: Weber und Becker treten zurück", "Weber departure Quarrelake"),
        ("Quarrelake recruits Penfold vet Weber as CFO", "Weber hire Quarrelake"),
        ("Quarrelake holt Ex-Managerin Weber", "Weber hire Quarrelake"),
        ("El consejo de Quarrelake destituye a Benítez", "Benítez departure Quarrelake"),
        // A post that no word of it names, and one that stands apart.
        ("Quarrelake taps Ada Byron for top programming job", "Ada Byron hire Quarrelake"),
        ("Ada Byron joins Quarrelake to lead product development", "Ada Byron hire Quarrelake"),
        ("El nuevo director de Quarrelake será Pedro Rocha", "Pedro Rocha hire Quarrelake"),
        ("Pedro Rocha assume liderança executiva da Quarrelake", "Pedro Rocha hire Quarrelake"),
        // What is said of somebody before and behind the name is no part of it.
        ("Whistleblower Ada Byron joins fashion retailer Quarrelake", "Ada Byron hire Quarrelake"),
        ("Ada Byron, the engineer who built Penfold, joins Quarrelake as CTO", "Ada Byron hire Quarrelake"),
        // A name goes on behind the articles of Romance languages.
        ("Pedro Rocha nomeado presidente da Casa da Arquitetura", "Pedro Rocha hire Casa da Arquitetura"),
    ] {
        let found = person_move(headline).map(|found| {
            format!("{} {} {}", found.person.full, found.kind.as_str(), found.company.unwrap_or_default())
        });
        assert_eq!(found.as_deref(), Some(wanted), "{headline}");
    }
    for headline in [
        "Nach Abgang von Ada Byron: So geht es bei Quarrelake weiter",
        "Ada Byron wechselt zu Borussia Dortmund",
        "Das ist die neue Finanzchefin von Quarrelake",
        "Anders Quarrel und Penfold: minder maatwerk",
    ] {
        assert_eq!(person_move(headline), None, "{headline}");
    }
}

#[test]
fn each_manner_of_telling_a_round_is_read() {
    for (headline, wanted) in [
        ("Quarrelake sips $12M in Series C", "Quarrelake"),
        ("Market research firm Quarrelake takes first VC with $40M Series A", "Quarrelake"),
        ("Quarrelake Secures Additional Funding", "Quarrelake"),
        ("Quarrelake gets $2.3 million to develop digital therapeutics", "Quarrelake"),
        ("Quarrelake Launches with $8.2M", "Quarrelake"),
        ("Penfold & Company Makes Growth-Oriented Investment in Robotics Startup Quarrelake", "Quarrelake"),
        ("Penfold, Morley and Stone back fintech startup Quarrelake", "Quarrelake"),
    ] {
        assert_eq!(funding(headline).map(|found| found.company).as_deref(), Some(wanted), "{headline}");
    }
    for headline in [
        "Quarrelake lays off staff despite $12M Series C",
        "Penfold advises Quarrel on the $75 million Series C financing of Morley",
        "Hospital gets $2.3 million to develop digital therapeutics",
        "ERP-partnerschap Anders Invest en Quarrelake: minder maatwerk",
    ] {
        assert_eq!(funding(headline), None, "{headline}");
    }
}
