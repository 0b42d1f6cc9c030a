//! Job titles and departments' names to the 24 departments (Spec 2.3, decision 6.2).
//!
//! The head of a title decides: the first part in which a role or a rank stands. What is said of customers, products or
//! the industry beside a role does not count; beside a rank alone it says what the rank is over.

use std::sync::LazyLock;

use super::vocabulary::{Match, Vocabulary, rows};
use super::words::{Beginning, Part, parts};
use domain::radar::filter::Department;

const TABLE: &str = include_str!("departments.txt");

/// What a phrase is to a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Role,
    Field,
    Rank,
}

#[derive(Debug)]
struct Meaning {
    kind: Kind,
    departments: Vec<Department>,
}

struct Tables {
    phrases: Vocabulary<Meaning>,
    defaults: Vocabulary<Meaning>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables { phrases: Vocabulary::new(), defaults: Vocabulary::new() };
    for (section, label, phrases) in rows(TABLE) {
        let (kind, vocabulary) = match section {
            "roles" | "other roles" => (Kind::Role, &mut tables.phrases),
            "fields" => (Kind::Field, &mut tables.phrases),
            "ranks" => (Kind::Rank, &mut tables.phrases),
            _ => (Kind::Field, &mut tables.defaults),
        };
        for phrase in phrases {
            let entry = vocabulary.entry(phrase, Meaning { kind, departments: Vec::new() });
            if let Some(meaning) = entry.filter(|meaning| meaning.kind == kind) {
                meaning.departments.extend(label.parse::<Department>());
            }
        }
    }
    tables
});

/// The departments that `title` speaks of, in the order of the specification; where it speaks of none, those that the
/// source's own words for its department speak of.
pub fn departments_of(title: &str, department_words: &[String]) -> Vec<Department> {
    let mut found = departments_of_title(title);
    if found.is_empty() {
        found = department_words.iter().flat_map(|words| departments_of_title(words)).collect();
    }
    Department::ALL.iter().copied().filter(|department| found.contains(department)).collect()
}

fn departments_of_title(title: &str) -> Vec<Department> {
    let parts = parts(title);
    let outcomes: Vec<Outcome> = parts.iter().map(outcome).collect();
    let head = outcomes.iter().position(|outcome| outcome.is_head).unwrap_or_default();
    let says_something = |outcome: &Outcome| outcome.is_decided || !outcome.departments.is_empty();
    if let Some(at) = (head..outcomes.len()).chain(0..head).find(|at| says_something(&outcomes[*at])) {
        let mut departments = outcomes[at].departments.clone();
        // `Assistenz für Finanzen`: what they help with stands behind.
        let next = outcomes.get(at + 1).filter(|_| parts[at + 1].beginning == Beginning::Preposition);
        if !departments.is_empty() && departments.iter().all(|department| *department == Department::Administrative) {
            departments.extend(next.filter(|next| !next.is_decided).into_iter().flat_map(|next| &next.departments));
        }
        return departments;
    }
    let words = parts.iter().flat_map(|part| &part.pieces);
    words
        .flat_map(|words| TABLES.defaults.read(words))
        .flat_map(|reading| reading.meaning.departments.clone())
        .collect()
}

/// What a part of a title says.
#[derive(Default)]
struct Outcome {
    departments: Vec<Department>,
    /// Whether a role or a rank stands in it.
    is_head: bool,
    /// Whether a role stands in it, be it one of no department.
    is_decided: bool,
}

fn outcome(part: &Part) -> Outcome {
    let mut whole = Outcome::default();
    for (at, piece) in part.pieces.iter().enumerate() {
        let readings = TABLES.phrases.read(piece);
        let is_head =
            |readings: &[Match<'_, Meaning>]| readings.iter().any(|reading| reading.meaning.kind != Kind::Field);
        // `Product and Program Manager` is `Product Manager` and `Program Manager`.
        let next_word = part.pieces.get(at + 1).and_then(|next| next.last());
        let longer: Vec<String> = piece.iter().chain(next_word).cloned().collect();
        let longer = TABLES.phrases.read(&longer);
        let readings = if !is_head(&readings) && is_head(&longer) { longer } else { readings };
        let is_role = |reading: &&Match<'_, Meaning>| reading.meaning.kind == Kind::Role;
        let last = readings.iter().rev().find(is_role);
        // `Vendedor equipos médicos`: where the role stands first, others behind it say for whom.
        let first = readings.iter().find(|reading| reading.from == 0 && !reading.meaning.departments.is_empty());
        let is_of_none = last.is_some_and(|last| last.meaning.departments.is_empty());
        let role = first.filter(|first| is_of_none && is_role(first)).or(last);
        whole.is_head |= is_head(&readings);
        whole.is_decided |= role.is_some();
        match role {
            Some(role) => {
                let departments = &role.meaning.departments;
                whole.departments.extend(departments);
                let has_it = piece.iter().any(|word| word == "it");
                let also = fields(&readings).into_iter().filter(|field| is_also(departments, *field, has_it));
                whole.departments.extend(also);
            }
            None => whole.departments.extend(fields(&readings)),
        }
    }
    whole
}

/// Whether a role of these departments is of `field` as well: consultants do the work that they consult on, assistants that
/// of whom they help, and engineers of IT or of tests are both.
fn is_also(role: &[Department], field: Department, has_it: bool) -> bool {
    let is = |department| role.contains(&department);
    is(Department::Consulting)
        || is(Department::Administrative)
        || is(Department::Engineering)
            && (field == Department::QualityAssurance || field == Department::InformationTechnology && has_it)
}

/// Departments whose field is the work where another stands right before it: `Media Sales`, `IT Procurement`.
const WORK_ON_WHAT_STANDS_BEFORE: &[Department] = &[
    Department::Accounting,
    Department::Finance,
    Department::HumanResources,
    Department::Marketing,
    Department::Purchasing,
    Department::Sales,
];

fn fields(readings: &[Match<'_, Meaning>]) -> Vec<Department> {
    let is_work = |reading: &Match<'_, Meaning>| {
        let departments = &reading.meaning.departments;
        !departments.is_empty() && departments.iter().all(|department| WORK_ON_WHAT_STANDS_BEFORE.contains(department))
    };
    // `IT Risk` is both.
    let are_both = |one: &Match<'_, Meaning>, next: &Match<'_, Meaning>| {
        one.meaning.departments == [Department::InformationTechnology]
            && next.meaning.departments == [Department::Finance]
    };
    let is_object = |at: usize| {
        let next = readings.get(at + 1).filter(|next| next.from == readings[at].until && is_work(next));
        next.is_some_and(|next| !are_both(&readings[at], next))
    };
    let kept = (0..readings.len()).filter(|at| !is_object(*at));
    kept.flat_map(|at| readings[at].meaning.departments.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::{TABLE, departments_of};
    use crate::classification::vocabulary::rows;
    use domain::radar::filter::Department::{self, *};

    #[test]
    fn decision_6_2_titles_speak_of_departments() {
        let table: &[(&str, &[Department])] = &[
            ("Senior Accountant", &[Accounting]),
            ("IT Onsite Engineer", &[Engineering, InformationTechnology]),
            ("QA Manual Engineer", &[Engineering, QualityAssurance]),
            ("Marketing Executive Assistant", &[Administrative, Marketing]),
            ("Data Warehouse Analyst", &[]),
            ("Analista Júnior de Risco Crédito", &[Finance]),
            ("Chargée RH H/F", &[HumanResources]),
            ("Executive Assistant to the CEO", &[Administrative]),
            ("Business Development Manager", &[BusinessDevelopment]),
            ("Management Consultant", &[Consulting]),
            ("Cyber Security Consultant", &[Consulting, InformationTechnology]),
            ("Consultant Finance, Legal Tech", &[Consulting, Finance]),
            ("Gestionnaire de sinistres H/F", &[Finance]),
            ("Assistente de Atendimento ao Cliente", &[Support]),
            ("Reachtruckchauffeur", &[Operations]),
            ("Store Manager", &[]),
            ("Assistenz (m/w/d) für Finanzen", &[Administrative, Finance]),
            ("Vendedor equipos médicos", &[Sales]),
            ("IT Financial Management", &[Finance, InformationTechnology]),
            ("Ingeniero Mecánico", &[Engineering]),
            ("Conducteur de machine H/F", &[Manufacturing]),
            ("Data Analyst, Marketing", &[]),
            ("Customer Success Manager", &[CustomerSuccess]),
            ("Staff Product Designer", &[Design]),
            ("Mathematics Teacher", &[Education]),
            ("Senior Billing Engineer", &[Engineering]),
            ("Softwareentwickler (m/w/d)", &[Engineering]),
            ("Développeur·se Full-Stack H/F", &[Engineering]),
            ("FP&A Analyst", &[Finance]),
            ("Talent Acquisition Partner", &[HumanResources]),
            ("People Operations Specialist", &[HumanResources]),
            ("Engineering & Product Recruiter", &[HumanResources]),
            ("IT Administrator", &[InformationTechnology]),
            ("Make it happen", &[]),
            ("Privacy Counsel", &[Legal]),
            ("CNC Machinist", &[Manufacturing]),
            ("Product Marketing Manager", &[Marketing]),
            ("Public Relations Specialist", &[MediaAndCommunication]),
            ("Warehouse Associate", &[Operations]),
            ("Senior Product Manager, Payments", &[ProductManagement]),
            ("Product Manager, Support Experience", &[ProductManagement]),
            ("Product & Program Manager", &[ProductManagement, ProjectManagement]),
            ("Technical Program Manager", &[ProjectManagement]),
            ("Chef de projet marketing", &[ProjectManagement]),
            ("Strategic Buyer", &[Purchasing]),
            ("Mitarbeiter im Einkauf (m/w/d)", &[Purchasing]),
            ("QA Engineer", &[Engineering, QualityAssurance]),
            ("Leasing Agent", &[RealEstate]),
            ("R&D Scientist", &[Research]),
            ("Account Executive, Legal Tech", &[Sales]),
            ("Account Manager, Nordics", &[Sales]),
            ("Sales Engineer", &[Sales]),
            ("Vendedor/a", &[Sales]),
            ("VP, Sales & Marketing", &[Marketing, Sales]),
            ("Media Sales Lead", &[Sales]),
            ("Sales Operations Analyst", &[Operations, Sales]),
            ("Customer Service Representative", &[Support]),
            ("Registered Nurse, Clinical Research", &[]),
            ("Designing Woman", &[]),
            ("", &[]),
        ];
        for (title, departments) in table {
            assert_eq!(departments_of(title, &[]), *departments, "{title}");
        }
        let covered = |department| table.iter().any(|(_, departments)| departments.contains(department));
        assert!(Department::ALL.iter().all(covered), "every department has a title here");
    }

    #[test]
    fn the_sources_own_words_count_where_the_title_says_nothing() {
        let words = ["1654 Account Executives".into(), "Marketing".into()];
        assert_eq!(departments_of("Lead, Nordics", &words), [Marketing, Sales]);
        assert_eq!(departments_of("Analyst", &["Product".into()]), [ProductManagement]);
        assert_eq!(departments_of("Analyst", &["Finance & Strategy".into()]), [Finance]);
        assert_eq!(departments_of("Recruiter", &["Engineering".into()]), [HumanResources]);
    }

    #[test]
    fn every_label_of_the_table_is_a_department() {
        for (section, label, phrases) in rows(TABLE) {
            let is_known = Department::ALL.iter().any(|department| department.as_str() == label);
            assert!(
                is_known || matches!(section, "other roles" | "ranks") || label == "Other",
                "{section} {label}: {phrases:?}"
            );
        }
    }
}
