//! Job titles and departments' names to the 24 departments, by tables (Spec 2.3, decision 6.2).
//!
//! The head of a title decides: the first part in which a role or a rank stands. What is said of customers, products or
//! the industry beside a role does not count; beside a rank alone it says what the rank is over.

use std::sync::LazyLock;

use super::vocabulary::{Vocabulary, rows};
use super::words::Part;
use domain::radar::filter::Department;

/// The phrases, by section and department.
pub(super) const TABLE: &str = include_str!("departments.txt");

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

static PHRASES: LazyLock<Vocabulary<Meaning>> = LazyLock::new(|| {
    let mut vocabulary = Vocabulary::new();
    for (section, label, phrases) in rows(TABLE) {
        let kind = match section {
            "roles" | "other roles" => Kind::Role,
            "ranks" => Kind::Rank,
            _ => Kind::Field,
        };
        for phrase in phrases {
            let entry = vocabulary.entry(phrase, Meaning { kind, departments: Vec::new() });
            if let Some(meaning) = entry.filter(|meaning| meaning.kind == kind) {
                meaning.departments.extend(label.parse::<Department>());
            }
        }
    }
    vocabulary
});

/// What the tables say of a title.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The departments that it speaks of, in the order of the specification.
    pub departments: Vec<Department>,
    /// By what it speaks of them.
    pub basis: Basis,
}

/// By what a title speaks of its departments, or of none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Basis {
    /// A role that is the whole title, be it one of no department.
    WholeRole,
    /// A role in its head, be it one of no department.
    Role,
    /// A field that a rank in its head is over.
    FieldOfRank,
    /// A field or a role in another part.
    Elsewhere,
    /// A rank alone, which is of no department.
    Rank,
    /// No phrase is known.
    #[default]
    Unknown,
}

/// What the tables say of the title that has these parts.
pub fn read(parts: &[Part]) -> Reading {
    let mut outcomes: Vec<Outcome> = parts.iter().map(outcome).collect();
    let head = outcomes.iter().position(|outcome| outcome.is_head);
    let first = head.unwrap_or_default();
    let says_something = |outcome: &Outcome| outcome.is_decided || !outcome.departments.is_empty();
    let Some(at) = (first..outcomes.len()).chain(0..first).find(|at| says_something(&outcomes[*at])) else {
        return Reading { departments: Vec::new(), basis: head.map_or(Basis::Unknown, |_| Basis::Rank) };
    };
    let Outcome { mut departments, is_decided, is_whole, .. } = outcomes.swap_remove(at);
    departments.sort_unstable();
    departments.dedup();
    let basis = match (head == Some(at), is_decided) {
        (true, true) if is_whole && parts.len() == 1 => Basis::WholeRole,
        (true, true) => Basis::Role,
        (true, false) => Basis::FieldOfRank,
        (false, _) => Basis::Elsewhere,
    };
    Reading { departments, basis }
}

/// What a part of a title says.
#[derive(Default)]
struct Outcome {
    departments: Vec<Department>,
    /// Whether a role or a rank stands in it.
    is_head: bool,
    /// Whether a role stands in it, be it one of no department.
    is_decided: bool,
    /// Whether nothing but a role stands in it.
    is_whole: bool,
}

fn outcome(part: &Part) -> Outcome {
    let mut whole = Outcome::default();
    for piece in &part.pieces {
        let readings = PHRASES.read(piece);
        whole.is_head |= readings.iter().any(|reading| reading.meaning.kind != Kind::Field);
        let fields = readings.iter().flat_map(|reading| reading.meaning.departments.iter().copied());
        match readings.iter().rfind(|reading| reading.meaning.kind == Kind::Role) {
            Some(role) => {
                whole.is_decided = true;
                whole.is_whole = part.pieces.len() == 1 && role.from == 0 && role.until == piece.len();
                let departments = &role.meaning.departments;
                whole.departments.extend(departments);
                let has_it = piece.iter().any(|word| word == "it");
                whole.departments.extend(fields.filter(|field| is_also(departments, *field, has_it)));
            }
            None => whole.departments.extend(fields),
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

#[cfg(test)]
mod tests {
    use super::{Basis, TABLE, read};
    use crate::classification::vocabulary::rows;
    use crate::classification::words::parts;
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
            ("Sales Operations Analyst", &[Operations, Sales]),
            ("Customer Service Representative", &[Support]),
            ("Registered Nurse, Clinical Research", &[]),
            ("Designing Woman", &[]),
            ("", &[]),
        ];
        for (title, departments) in table {
            assert_eq!(read(&parts(title)).departments, *departments, "{title}");
        }
        let covered = |department| table.iter().any(|(_, departments)| departments.contains(department));
        assert!(Department::ALL.iter().all(covered), "every department has a title here");
    }

    #[test]
    fn it_is_known_by_what_a_title_speaks_of_departments() {
        for (title, basis) in [
            ("Chaudronnier (H/F)", Basis::WholeRole),
            ("Senior Accountant, Nordics", Basis::Role),
            ("Store Manager, Nordics", Basis::Role),
            ("VP, Sales & Marketing", Basis::Elsewhere),
            ("Marketing Manager", Basis::FieldOfRank),
            ("Manager", Basis::Rank),
            ("Make it happen", Basis::Unknown),
        ] {
            assert_eq!(read(&parts(title)).basis, basis, "{title}");
        }
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
