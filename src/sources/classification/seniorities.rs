//! Job titles to the nine ranks (Spec 2.3).

use super::phrases::{contains, words};
use crate::domain::filter::Seniority;

/// Phrases, between commas, that speak of a rank.
const PHRASES: &[(Seniority, &str)] = &[
    (
        Seniority::Owner,
        "owner, co owner, founder, cofounder, founders, founding partner, proprietor, inhaber, inhaberin, \
         gründer, gründerin",
    ),
    (
        Seniority::Cxo,
        "ceo, cfo, cto, coo, cmo, cio, ciso, cso, cro, cpo, cdo, chro, cco, clo, cxo, president, \
         managing director, geschäftsführer, geschäftsführerin, administrerende direktør, verkställande direktör, \
         toimitusjohtaja, directeur général, directrice générale, director general, directora general, vorstand",
    ),
    (Seniority::VicePresident, "vp, svp, evp, avp, rvp, vice president, vicepresident, vice président*"),
    (
        Seniority::Director,
        "director, directors, directeur, directrice, direktør, direktör, direktor, direktorin, johtaja, \
         direttore, directora, head, leiter, leiterin, *leiter, *leiterin, bereichsleitung",
    ),
    (
        Seniority::Manager,
        "manager, managers, managerin, mgr, team lead, team leader, teamlead, teamleiter, teamleiterin, \
         supervisor, foreman, teamleder, avdelingsleder, *sjef, chef, *chef, *päällikkö, gerente, jefe, jefa, \
         responsable, superintendent",
    ),
    (
        Seniority::Senior,
        "senior, sr, snr, principal, staff, lead, distinguished, fellow, expert, sênior, sénior, confirmé, \
         erfaren",
    ),
    (
        Seniority::Entry,
        "junior, jr, entry level, graduate, new grad, early career, associate, assistant, beginner, \
         berufseinsteiger*, nyutdannet, débutant*",
    ),
    (
        Seniority::Training,
        "intern, interns, internship, internships, trainee, traineeship, apprentice, apprenticeship, co op, \
         working student, werkstudent*, praktik*, stagiaire, stage, auszubildende*, ausbildung*, lehrling, \
         lærling, lärling, thesis, masterarbeit, bachelorarbeit, becario, tirocinio, sommerjobb, summer student, \
         alternance, alternant*, duales studium, harjoittelija",
    ),
    (Seniority::Partner, "partner, partners"),
];

/// Phrases in which such words name no rank, or another.
const NOT_THOSE: &[(Seniority, &str)] = &[
    (Seniority::Owner, "product owner"),
    (Seniority::Owner, "process owner"),
    (Seniority::Owner, "system owner"),
    (Seniority::Owner, "service owner"),
    (Seniority::Owner, "business owner"),
    (Seniority::Owner, "owner relations"),
    (Seniority::Owner, "owner operator"),
    (Seniority::Cxo, "vice president"),
    (Seniority::Cxo, "assistant to"),
    (Seniority::Cxo, "office of"),
    (Seniority::Director, "managing director"),
    (Seniority::Director, "teamleiter*"),
    (Seniority::Director, "projektleiter*"),
    (Seniority::Director, "assistant to"),
    (Seniority::Manager, "chef de partie"),
    (Seniority::Manager, "sous chef"),
    (Seniority::Manager, "pastry chef"),
    (Seniority::Manager, "line chef"),
    (Seniority::Senior, "chief of staff"),
    (Seniority::Senior, "team lead"),
    (Seniority::Senior, "staff accountant"),
    (Seniority::Senior, "staff nurse"),
    (Seniority::Senior, "staff assistant"),
    (Seniority::Senior, "lead generation"),
    (Seniority::Senior, "school principal"),
    (Seniority::Entry, "associate director"),
    (Seniority::Entry, "associate partner"),
    (Seniority::Entry, "associate vice president"),
    (Seniority::Entry, "associate general counsel"),
    (Seniority::Entry, "associate professor"),
    (Seniority::Entry, "senior associate"),
    (Seniority::Entry, "executive assistant"),
    (Seniority::Entry, "assistant vice president"),
    (Seniority::Entry, "assistant director"),
    (Seniority::Entry, "assistant manager"),
    (Seniority::Training, "stage manager"),
    (Seniority::Training, "early stage"),
    (Seniority::Training, "growth stage"),
    (Seniority::Training, "late stage"),
    (Seniority::Partner, "business partner"),
    (Seniority::Partner, "partner manager"),
    (Seniority::Partner, "partner success"),
    (Seniority::Partner, "partner marketing"),
    (Seniority::Partner, "partner engineer*"),
    (Seniority::Partner, "partner sales"),
    (Seniority::Partner, "partner solutions"),
    (Seniority::Partner, "partner development"),
    (Seniority::Partner, "partner operations"),
    (Seniority::Partner, "partner account"),
    (Seniority::Partner, "partner support"),
    (Seniority::Partner, "partner programs"),
    (Seniority::Partner, "channel partner*"),
    (Seniority::Partner, "strategic partners"),
    (Seniority::Partner, "people partner"),
    (Seniority::Partner, "hr partner"),
    (Seniority::Partner, "talent partner"),
    (Seniority::Partner, "acquisition partner"),
    (Seniority::Partner, "recruiting partner"),
    (Seniority::Partner, "finance partner"),
    (Seniority::Partner, "delivery partner"),
    (Seniority::Partner, "technology partners"),
    (Seniority::Partner, "partner enablement"),
];

/// The ranks that `title` speaks of, in the order of the specification.
pub fn seniorities_of(title: &str) -> Vec<Seniority> {
    let words = words(title);
    let speaks = |seniority: Seniority, phrases: &str| {
        let is_none = NOT_THOSE.iter().any(|(other, phrase)| *other == seniority && contains(&words, phrase));
        let is_chief_officer = seniority == Seniority::Cxo && names_chief_officer(&words);
        !is_none && (is_chief_officer || phrases.split(", ").any(|phrase| contains(&words, phrase)))
    };
    let spoken_of = PHRASES.iter().filter(|(seniority, phrases)| speaks(*seniority, phrases));
    spoken_of.map(|(seniority, _)| *seniority).collect()
}

/// `Chief … Officer`, with up to three words between.
fn names_chief_officer(words: &[String]) -> bool {
    let chief = words.iter().position(|word| word == "chief");
    chief.is_some_and(|chief| words.iter().skip(chief + 2).take(3).any(|word| word == "officer"))
}

#[cfg(test)]
mod tests {
    use super::seniorities_of;
    use crate::domain::filter::Seniority::{self, *};

    #[test]
    fn titles_speak_of_ranks() {
        let table: &[(&str, &[Seniority])] = &[
            ("Co-Founder", &[Owner]),
            ("Founder & CEO", &[Owner, Cxo]),
            ("Product Owner", &[]),
            ("Chief Information Security Officer", &[Cxo]),
            ("Chief of Staff", &[]),
            ("President, North America", &[Cxo]),
            ("Managing Director", &[Cxo]),
            ("Vice President of Sales", &[VicePresident]),
            ("V.P. Marketing", &[VicePresident]),
            ("SVP, Engineering", &[VicePresident]),
            ("Director of Design", &[Director]),
            ("Head of People", &[Director]),
            ("Senior Director, Finance", &[Director, Senior]),
            ("Associate Director", &[Director]),
            ("Engineering Manager", &[Manager]),
            ("Team Lead Support", &[Manager]),
            ("Senior Billing Engineer", &[Senior]),
            ("Staff Product Designer", &[Senior]),
            ("Sr. Analyst", &[Senior]),
            ("Staff Accountant", &[]),
            ("Junior Developer", &[Entry]),
            ("Account Executive", &[]),
            ("Warehouse Associate", &[Entry]),
            ("Software Engineering Intern", &[Training]),
            ("Werkstudentin Marketing", &[Training]),
            ("Internal Auditor", &[]),
            ("Partner", &[Partner]),
            ("HR Business Partner", &[]),
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
