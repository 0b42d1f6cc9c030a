//! Job titles to the nine ranks (Spec 2.3, decision 6.2).

use std::sync::LazyLock;

use super::vocabulary::{Match, Vocabulary, rows};
use super::words::{Beginning, parts};
use crate::text::pattern::WordSet;
use domain::radar::filter::Seniority;

const TABLE: &str = include_str!("seniorities.txt");

static PHRASES: LazyLock<Vocabulary<Vec<Seniority>>> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary::new();
    for (_, label, phrases) in rows(TABLE) {
        for phrase in phrases {
            if let Some(meaning) = vocabulary.entry(phrase, Vec::new()) {
                meaning.extend(label.parse::<Seniority>());
            }
        }
    }
    vocabulary
});

/// Words that `Senior` may be parted from its rank by: `Senior Managing Director`, `Sr. Global Manager`.
static BETWEEN: WordSet = WordSet::new("global regional national group managing executive associate general area vice");

/// Words after which a rank is somebody else's: `Assistant of the CEO`, `Assistentin des Vorstands`.
static OF: WordSet = WordSet::new("of der des de du del di da la van av af the");

/// What may stand before `partner` where it is a rank of a firm, besides what may precede any rank.
static PARTNER_OF_A_FIRM: WordSet = WordSet::new(
    "senior managing general global founding equity venture operating investment associate junior law audit tax assurance \
     advisory consulting deal salaried name national principal co lead limited office sr litigation corporate the",
);

/// The ranks that `title` speaks of, in the order of the specification.
pub fn seniorities_of(title: &str) -> Vec<Seniority> {
    let mut found: Vec<Seniority> = Vec::new();
    let mut is_after_assistant = false;
    for part in parts(title) {
        for words in &part.pieces {
            let piece = Piece { words, beginning: part.beginning, is_after_assistant };
            found.extend(piece.seniorities());
            is_after_assistant |=
                words.iter().any(|word| is_assistant(word)) || words.ends_with(&CHIEF_OF_STAFF.map(str::to_owned));
        }
    }
    // An intern in product management is no manager.
    if found.contains(&Seniority::Training) {
        found.retain(|seniority| matches!(seniority, Seniority::Training | Seniority::Entry | Seniority::Senior));
    }
    Seniority::ALL.iter().copied().filter(|seniority| found.contains(seniority)).collect()
}

const CHIEF_OF_STAFF: [&str; 3] = ["chief", "of", "staff"];

/// A piece of a title.
struct Piece<'a> {
    words: &'a [String],
    beginning: Beginning,
    /// Whether an assistant is named before it, whose superior it may name.
    is_after_assistant: bool,
}

impl Piece<'_> {
    fn seniorities(&self) -> Vec<Seniority> {
        let readings = PHRASES.read(self.words);
        let chief = chief_officer(self.words).filter(|chief| !self.is_of_another(*chief)).map(|_| Seniority::Cxo);
        let readings = readings.as_slice();
        let held = (0..readings.len()).flat_map(|at| {
            readings[at].meaning.iter().copied().filter(move |seniority| self.holds(*seniority, readings, at))
        });
        chief.into_iter().chain(held).collect()
    }

    fn holds(&self, seniority: Seniority, readings: &[Ranks<'_>], at: usize) -> bool {
        let reading = &readings[at];
        match seniority {
            Seniority::Senior => !self.belongs_to_a_rank(readings, at) && !self.is_personnel(reading),
            Seniority::Partner => self.beginning == Beginning::Break && self.is_partner_of_a_firm(reading),
            Seniority::Owner | Seniority::Cxo | Seniority::VicePresident | Seniority::Director => {
                !self.is_of_another(reading.from)
            }
            Seniority::Manager => self.beginning == Beginning::Break,
            Seniority::Entry | Seniority::Training => true,
        }
    }

    /// Whether the rank at `from` is somebody else's: that of whom an assistant assists, or behind `to` and `for`.
    fn is_of_another(&self, from: usize) -> bool {
        let before = &self.words[..from];
        let assistant = before.iter().position(|word| is_assistant(word));
        let of = assistant.is_some_and(|assistant| before.iter().skip(assistant + 1).any(|word| OF.contains(word)));
        self.beginning == Beginning::Preposition || self.is_after_assistant || of
    }

    /// Whether `Senior` is part of a rank: `Senior Manager`, `Directeur Senior`.
    fn belongs_to_a_rank(&self, readings: &[Ranks<'_>], at: usize) -> bool {
        let (reading, words) = (&readings[at], self.words);
        let is_adjective =
            words[reading.from].starts_with("senior") || matches!(words[reading.from].as_str(), "sr" | "snr");
        let precedes = readings.get(at + 1).is_some_and(|next| {
            let is_partner = next.meaning.contains(&Seniority::Partner);
            let between = &words[reading.until..next.from];
            is_rank(next.meaning)
                && between.iter().all(|word| BETWEEN.contains(word))
                && !names_work(&words[next.from])
                && (!is_partner || self.is_partner_of_a_firm(next))
        });
        let leads = |before: &Ranks<'_>| before.from == 0 && before.until == reading.from && is_rank(before.meaning);
        is_adjective && (precedes || readings.iter().take(at).any(leads))
    }

    /// Whether `staff` is personnel, as in `Kitchen Staff`, and no rank as in `Staff Engineer`.
    fn is_personnel(&self, reading: &Ranks<'_>) -> bool {
        self.words[reading.from..] == ["staff"]
    }

    fn is_partner_of_a_firm(&self, reading: &Ranks<'_>) -> bool {
        let before = &self.words[..reading.from];
        reading.until == self.words.len() && before.iter().all(|word| PARTNER_OF_A_FIRM.contains(word))
    }
}

type Ranks<'a> = Match<'a, Vec<Seniority>>;

fn is_assistant(word: &str) -> bool {
    ["assistant", "assistent", "assistenz", "asistente", "secretar", "sekretar"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// Whether a rank is one word with its work, as in Dutch: `senior accountmanager` is both.
fn names_work(word: &str) -> bool {
    ["manager", "leider", "leiter"].iter().any(|rank| word.len() > rank.len() && word.ends_with(rank))
}

fn is_rank(meaning: &[Seniority]) -> bool {
    let is_rank =
        |seniority: &Seniority| !matches!(seniority, Seniority::Senior | Seniority::Entry | Seniority::Training);
    meaning.iter().any(is_rank)
}

/// Where `Chief … Officer` begins, with up to three words between.
fn chief_officer(words: &[String]) -> Option<usize> {
    let chief = words.iter().position(|word| word == "chief")?;
    words.iter().skip(chief + 2).take(3).any(|word| word == "officer").then_some(chief)
}

#[cfg(test)]
mod tests {
    use super::seniorities_of;
    use domain::radar::filter::Seniority::{self, *};

    #[test]
    fn decision_6_2_titles_speak_of_ranks() {
        let table: &[(&str, &[Seniority])] = &[
            ("Co-Founder", &[Owner]),
            ("Founder & CEO", &[Owner, Cxo]),
            ("Product Owner", &[]),
            ("Chief Information Security Officer", &[Cxo]),
            ("Chief Product & Technology Officer", &[Cxo]),
            ("Chief Data Scientist", &[]),
            ("Chief of Staff", &[]),
            ("Chief of Staff to the CEO", &[]),
            ("Chief of Staff, CEO", &[]),
            ("Executive Assistant, Chief Legal Officer", &[]),
            ("Senior Partner Sales Manager", &[Manager, Senior]),
            ("Executive Assistant to the CEO", &[]),
            ("Assistenz der Geschäftsführung", &[]),
            ("President, North America", &[Cxo]),
            ("Managing Director", &[Cxo]),
            ("Geschäftsführender Gesellschafter", &[Owner, Cxo]),
            ("Vice President of Sales", &[VicePresident]),
            ("Senior Vice President", &[VicePresident]),
            ("V.P. Marketing", &[VicePresident]),
            ("SVP, Engineering", &[VicePresident]),
            ("Director of Design", &[Director]),
            ("Head of People", &[Director]),
            ("Leiter Einkauf", &[Director]),
            ("Sr. Director, Finance", &[Director]),
            ("Directeur Senior de projets", &[Director]),
            ("Associate Director", &[Director]),
            ("Engineering Manager", &[Manager]),
            ("Senior Manager", &[Manager]),
            ("Senior Product Manager", &[Manager, Senior]),
            ("Senior Accountmanager", &[Manager, Senior]),
            ("Begeleider kinderopvang", &[]),
            ("Teamleiter Vertrieb", &[Manager]),
            ("Chef de projet", &[Manager]),
            ("Sous Chef", &[]),
            ("Team Lead Support", &[Senior]),
            ("Senior Billing Engineer", &[Senior]),
            ("Staff Product Designer", &[Senior]),
            ("Sr. Analyst", &[Senior]),
            ("Staff Accountant", &[]),
            ("Kitchen Staff", &[]),
            ("Import Purchasing Staff - Jakarta", &[]),
            ("Software Engineer (Platform Team)", &[]),
            ("Leitung Team Einkauf", &[Manager]),
            ("Chef", &[]),
            ("Junior Developer", &[Entry]),
            ("Software Engineer (New Grad)", &[Entry]),
            ("Account Executive", &[]),
            ("Warehouse Associate", &[]),
            ("Administrative Assistant", &[]),
            ("Software Engineering Intern", &[Training]),
            ("Product Manager Intern", &[Training]),
            ("Werkstudentin Marketing", &[Training]),
            ("Ausbildung 2026: Konditor (m/w/d)", &[Training]),
            ("Leitung Ausbildung", &[Director]),
            ("Internal Auditor", &[]),
            ("Partner", &[Partner]),
            ("Senior Partner, Tax", &[Partner]),
            ("HR Business Partner", &[]),
            ("Client Partner", &[]),
            ("People Partner", &[]),
            ("Partner Manager", &[Manager]),
            ("", &[]),
        ];
        for (title, seniorities) in table {
            assert_eq!(seniorities_of(title), *seniorities, "{title}");
        }
        let covered = |seniority| table.iter().any(|(_, seniorities)| seniorities.contains(seniority));
        assert!(Seniority::ALL.iter().all(covered), "every rank has a title here");
    }
}
