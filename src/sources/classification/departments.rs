//! Job titles and departments' names to the 24 departments (Spec 2.3).

use super::phrases::{contains, words};
use crate::domain::filter::Department;

/// Phrases, between commas, that speak of a department; several may.
const PHRASES: &[(Department, &str)] = &[
    (
        Department::Accounting,
        "accountant, accountants, accounting, bookkeep*, accounts payable, accounts receivable, payroll, tax, \
         taxes, audit, auditor, auditors, controller, cpa, buchhalt*, comptab*, regnskap*, redovisning*, \
         contabil*",
    ),
    (
        Department::Administrative,
        "administrative, administrator assistant, executive assistant, personal assistant, office assistant, \
         office manager, office administrator, secretary, receptionist, front desk, chief of staff, clerk, \
         clerical, data entry, sekretär*, sekretar*, assistenz, verwaltung*",
    ),
    (
        Department::BusinessDevelopment,
        "business development, biz dev, bizdev, bdr, partnership, partnerships, alliances, channel partner, \
         partner manager, corporate development, strategic partner*, new business, geschäftsentwicklung, \
         forretningsutvikl*",
    ),
    (
        Department::Consulting,
        "consultant, consultants, consulting, advisory, berater, beraterin, beratung, conseil, rådgiver, \
         konsulent, konsult, professional services",
    ),
    (
        Department::CustomerSuccess,
        "customer success, client success, customer experience, customer onboarding, onboarding specialist, \
         implementation manager, implementation specialist, client services, csm, customer engagement, \
         customer value",
    ),
    (
        Department::Design,
        "design, designer, designers, ux, ui, user experience, user research*, art director, illustrator, \
         creative director, graphic*, gestalter*, designerin, animator, motion graphics, interior*",
    ),
    (
        Department::Education,
        "teacher, teaching, tutor, professor, lecturer, instructor, trainer, curriculum, education, educator, \
         academic, learning designer, instructional design*, faculty, lehrer*, lærer, lärare, enseignant*, \
         learning and development",
    ),
    (
        Department::Engineering,
        "engineer, engineers, engineering, developer, developers, software, programmer, architect, devops, sre, \
         site reliability, backend, back end, frontend, front end, full stack, fullstack, machine learning, ml, \
         firmware, embedded, *entwickler, *entwicklerin, *ingenieur, *ingenieurin, ingénieur*, ingeniero*, \
         ingegnere, utvikler, *utvikler, *utvecklare, développeu*, desarrollador*, sviluppatore, \
         ohjelmistokehittäjä, *arkkitehti, cto, chief technology officer",
    ),
    (
        Department::Finance,
        "finance, financial, fpa, treasury, treasurer, investment, investments, investor relations, \
         credit analyst, underwrit*, actuar*, banker, banking, cfo, chief financial officer, finanz*, økonomi*, \
         ekonom*, risk, trader, trading, private equity, wealth",
    ),
    (
        Department::HumanResources,
        "human resources, hr, hrbp, people operations, people ops, people partner, people business partner, \
         head of people, chief people officer, chro, people and culture, people culture, recruit*, talent, \
         compensation, benefits, personalreferent*, ressources humaines, recursos humanos, sourcer",
    ),
    (
        Department::InformationTechnology,
        "it, information technology, information systems, system administrator, systems administrator, sysadmin, \
         network administrator, network engineer, help desk, helpdesk, desktop support, database administrator, \
         dba, cio, chief information officer, ciso, information security, cyber*, security engineer, \
         security analyst, infrastructure, salesforce administrator, erp, sap, systemadministrator",
    ),
    (
        Department::Legal,
        "legal, counsel, lawyer, attorney, paralegal, compliance, solicitor, jurist*, privacy, contracts manager, \
         contract manager, regulatory, advokat, rechts*, juridique, chief legal officer",
    ),
    (
        Department::Manufacturing,
        "manufacturing, production, assembly, assembler, machinist, machine operator, cnc, welder, welding, \
         plant, factory, fabrication, foundry, process operator, fertigung*, produktion*, produksjon*, tooling, \
         mechatroniker*, industrial engineer",
    ),
    (
        Department::Marketing,
        "marketing, marketer, brand, growth, seo, sem, demand generation, demand gen, content strateg*, cmo, \
         chief marketing officer, campaign*, markedsf*, marknad*, community manager, advertis*, crm manager",
    ),
    (
        Department::MediaAndCommunication,
        "communication, communications, public relations, pr, media, journalist, editor, editorial, writer, \
         copywriter, reporter, content, videograph*, video editor, photograph*, broadcast*, spokes*, \
         kommunikation*, kommunikasjon*, redakteur*, public affairs",
    ),
    (
        Department::Operations,
        "operations, operational, ops, logistics, supply chain, warehouse, fulfillment, fulfilment, dispatcher, \
         driver, coo, chief operating officer, inventory, facilities, fleet, shipping, transport*, logistik*, \
         lager*, drift*, betriebs*, general manager, store manager",
    ),
    (
        Department::ProductManagement,
        "product manager, product management, product owner, head of product, vp product, vp of product, \
         director of product, director product, chief product officer, cpo, product lead, product director, \
         group product, produktmanager*, produktsjef, produktleder, produktägare, product strateg*, =product, \
         product team",
    ),
    (
        Department::ProjectManagement,
        "project manager, project management, program manager, programme manager, program management, \
         programme management, project lead*, project coordinator, project director, scrum master, pmo, \
         delivery manager, agile coach, technical program, projektleiter*, projektmanager*, prosjektleder, \
         projektledare, chef de projet, jefe de proyecto",
    ),
    (
        Department::Purchasing,
        "purchas*, procurement, buyer, sourcing, category manager, vendor manage*, einkauf*, einkäufer*, \
         innkjøp*, inköp*, acheteu*, achats, compras",
    ),
    (
        Department::QualityAssurance,
        "qa, quality, test engineer, tester, sdet, software test*, test automation, qualität*, kvalitet*, \
         calidad, qualité",
    ),
    (
        Department::RealEstate,
        "real estate, property manager, property management, leasing, realtor, estate agent, facility manager, \
         immobilien*, eiendom*, fastighet*, immobilier*, land acquisition",
    ),
    (
        Department::Research,
        "research, researcher, scientist, scientists, rd, laboratory, lab, postdoc*, forsker, forskare, \
         forschung*, chercheu*, investigador*, clinical",
    ),
    (
        Department::Sales,
        "sales, account executive, account executives, account manager, account director, key account, \
         account management, sdr, seller, salesperson, revenue, cro, chief revenue officer, presales, pre sales, \
         solutions consultant, territory manager, vertrieb*, verkäufer*, salgs*, selger, säljare, försälj*, \
         commercial*, ventas, vendite, account representative, deal desk",
    ),
    (
        Department::Support,
        "support, customer service, service desk, help desk, helpdesk, call center, call centre, contact center, \
         contact centre, customer care, kundenservice*, kundeservice, kundtjänst, kundenbetreu*, service client, \
         customer representative",
    ),
];

/// Phrases in which such words speak of another department.
const NOT_THOSE: &[(Department, &str)] = &[
    (Department::Operations, "people operations"),
    (Department::Operations, "people ops"),
    (Department::ProductManagement, "product marketing"),
    (Department::ProductManagement, "product design*"),
    (Department::ProductManagement, "product support"),
    (Department::ProductManagement, "product engineer*"),
    (Department::ProductManagement, "product counsel"),
    (Department::ProductManagement, "product operations"),
    (Department::ProductManagement, "product security"),
    (Department::ProductManagement, "product quality"),
    (Department::Engineering, "landscape architect"),
    (Department::Engineering, "sales engineer*"),
    (Department::Design, "design engineer*"),
    (Department::Design, "design verification"),
    (Department::Consulting, "solutions consultant"),
    (Department::Consulting, "sales consultant"),
    (Department::MediaAndCommunication, "media buyer"),
    (Department::Purchasing, "talent sourcing"),
    (Department::Purchasing, "media buyer"),
    (Department::Research, "user research*"),
    (Department::Marketing, "growth engineer*"),
];

/// The departments that a title, or the source's own words, speak of, in the order of the specification.
pub fn departments_of(title: &str, department_words: &[String]) -> Vec<Department> {
    let texts = std::iter::once(title).chain(department_words.iter().map(String::as_str));
    let texts: Vec<Vec<String>> = texts.map(words_of).collect();
    let speaks = |department: Department, phrases: &str| {
        texts.iter().any(|words| {
            let is_another = NOT_THOSE.iter().any(|(other, phrase)| *other == department && contains(words, phrase));
            !is_another && phrases.split(", ").any(|phrase| contains(words, phrase))
        })
    };
    let spoken_of = PHRASES.iter().filter(|(department, phrases)| speaks(*department, phrases));
    spoken_of.map(|(department, _)| *department).collect()
}

/// `R&D`, `M&A` and `FP&A` are words; `IT` in capitals is a department, `it` is not.
fn words_of(text: &str) -> Vec<String> {
    let has_it = text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "IT");
    let text = text.replace("R&D", "rd").replace("FP&A", "fpa").replace("M&A", "corporate development");
    words(&text).into_iter().filter(|word| word != "it" || has_it).collect()
}

#[cfg(test)]
mod tests {
    use super::departments_of;
    use crate::domain::filter::Department::{self, *};

    #[test]
    fn titles_speak_of_departments() {
        let table: &[(&str, &[Department])] = &[
            ("Senior Accountant", &[Accounting]),
            ("Executive Assistant to the CEO", &[Administrative]),
            ("Business Development Manager", &[BusinessDevelopment]),
            ("Management Consultant", &[Consulting]),
            ("Customer Success Manager", &[CustomerSuccess]),
            ("Staff Product Designer", &[Design]),
            ("Mathematics Teacher", &[Education]),
            ("Senior Billing Engineer", &[Engineering]),
            ("Softwareentwickler (m/w/d)", &[Engineering]),
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
            ("Technical Program Manager", &[ProjectManagement]),
            ("Strategic Buyer", &[Purchasing]),
            ("QA Engineer", &[Engineering, QualityAssurance]),
            ("Leasing Agent", &[RealEstate]),
            ("R&D Scientist", &[Research]),
            ("Account Executive, Bridge", &[Sales]),
            ("Account Manager, Nordics", &[Sales]),
            ("Customer Service Representative", &[Support]),
            ("Sales Engineer", &[Sales]),
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
    fn the_sources_own_words_count_too() {
        let words = ["1654 Account Executives".into(), "Marketing".into()];
        assert_eq!(departments_of("Lead, Nordics", &words), [Marketing, Sales]);
        assert_eq!(departments_of("Analyst", &["Product".into()]), [ProductManagement]);
        assert_eq!(departments_of("Analyst", &["Finance & Strategy".into()]), [Finance]);
    }
}
