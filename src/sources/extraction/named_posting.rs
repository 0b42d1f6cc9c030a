//! Pages of postings without structured data: the page's title says what the words of its address say, and is a job's.
//!
//! Duty: pure rules, strict ones: a page that is no posting must never pass for one. Never here: fetching.

use percent_encoding::percent_decode_str;
use url::Url;

use super::head::Head;
use super::job_posting::JobPosting;
use crate::bounds::{TITLE_BYTES_MAX, cut};
use crate::classification::is_known_title;
use crate::text::folding::folded_words;
use crate::text::pattern::{PlainPattern, WordSet};
use crate::text::plain::split_at_all;

/// Words between the parts of a title.
const SEPARATORS: &[&str] = &[" | ", " – ", " — ", " - ", " · ", " • ", " :: ", ": ", " at ", " bei ", " chez "];
/// More words make a sentence.
const TITLE_WORDS_MAX: usize = 14;
/// Titles that end with these are of pages about work, not of one job.
static NO_JOBS: WordSet = WordSet::new(
    "benefits blog careers company culture department departments faq internships jobs karriere life locations news \
     office offices openings opportunities people positions process program programme programs roles stellen stories \
     story students team teams us vacancies values work",
);
/// Marks that only titles of jobs carry, such as `(m/w/d)`.
static GENDER_MARK: PlainPattern = PlainPattern::new(
    r"(?i)\b(?:[mwfdx] ?[/|] ?[mwfdx] ?[/|,] ?(?:[mwfdxi]|div|gn)|h ?/ ?f|f ?/ ?h|m ?/ ?[wfvk]|[wfvk] ?/ ?m)\b|\((?:all genders|gn)\)",
);
/// Words of an address that say no more than that it is a posting's.
static OF_POSTINGS: WordSet = WordSet::new(
    "emploi empleo job lavoro offre offer oferta posicion position stelle stellenangebot stellenanzeige \
     stellenausschreibung vacancy vacante vacature vaga",
);

/// Words for those who do the work, besides those of departments and seniorities.
static OCCUPATIONS: WordSet = WordSet::new(include_str!("occupations.txt"));

/// What compounds for those who do the work end with, such as `Kundendienstmonteur`.
const COMPOUNDS: &[&str] = &[
    "angestellte", "angestellter", "arzt", "arztin", "assistent", "assistentin", "auszubildende", "auszubildender",
    "berater", "beraterin", "entwickler", "entwicklerin", "fahrer", "fahrerin", "fuhrer", "fuhrerin", "helfer",
    "helferin", "ingenieur", "ingenieurin", "kaufmann", "kauffrau", "leiter", "leiterin", "managerin", "mechaniker",
    "mechanikerin", "medewerker", "meister", "meisterin", "mitarbeiter", "mitarbeiterin", "monteur", "monteure",
    "monteurin", "pfleger", "pflegerin", "planer", "planerin", "techniker", "technikerin", "verkaufer", "verkauferin",
    "zeichner", "zeichnerin",
];

/// Words that tell the title of a job from the name of its department.
static LEVELS: WordSet = WordSet::new(
    "counsel designer developer director engineer executive head ingenieur ingenieurin intern internship junior lead leiter leiterin manager \
     managerin marketer principal recruiter referent referentin scientist senior staff vp",
);

/// The posting that the page at `url` is, by its head; `None` where that is not certain.
pub fn named_posting(head: &Head, url: &Url) -> Option<JobPosting> {
    let address = address_words(url);
    if address.is_empty() {
        return None;
    }
    let titles = head.meta("og:title").into_iter().chain([head.title.as_str()]);
    let titles: Vec<&str> = titles.flat_map(parts).collect();
    let headings: Vec<&str> = head.headings.iter().map(String::as_str).collect();
    let is_named = |title: &&str| says_the_same(title, &address) && is_of_job(title) || is_longer(title, &address, url);
    let is_alone = |title: &&str| is_marked(title) && is_named_job(&words(title), title) && !is_of_several(title);
    // Where several headings are openings, the page is a list.
    let is_list = headings.iter().filter(|heading| is_marked(heading)).count() > 1;
    let named =
        titles.iter().chain(&headings).copied().find(is_named).or_else(|| titles.iter().copied().find(is_alone));
    let title = named.or_else(|| headings.iter().copied().find(is_alone).filter(|_| !is_list))?;
    Some(JobPosting { title: cut(title, TITLE_BYTES_MAX).to_owned(), ..JobPosting::default() })
}

/// The parts of a title, and then all of it.
fn parts(title: &str) -> Vec<&str> {
    let parts = split_at_all(title, SEPARATORS);
    parts.into_iter().chain([title]).map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// The words of the last part of the address that has any; numbers are none.
fn address_words(url: &Url) -> Vec<String> {
    let words_of = |segment: &str| {
        let text = percent_decode_str(segment).decode_utf8_lossy();
        let name = text.rsplit_once('.').filter(|(_, ending)| ending.len() <= 5).map_or(&*text, |(name, _)| name);
        let words = words(name);
        let telling: Vec<String> = words.iter().filter(|word| !OF_POSTINGS.contains(word)).cloned().collect();
        if telling.is_empty() { words } else { telling }
    };
    let segments = url.path_segments().into_iter().flatten().rev();
    segments.map(words_of).find(|words| !words.is_empty()).unwrap_or_default()
}

/// The words of `text` that are more than one letter and no numbers.
fn words(text: &str) -> Vec<String> {
    let is_word = |word: &String| word.chars().count() > 1 && !word.contains(|letter: char| letter.is_ascii_digit());
    folded_words(text).into_iter().filter(is_word).collect()
}

/// A word without what is written in an address in the place of an umlaut.
fn plain(word: &str) -> String {
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// Whether three of four words of the address stand in the title, and as many of the title's in the address.
fn says_the_same(title: &str, address: &[String]) -> bool {
    let title: Vec<String> = words(title).iter().map(|word| plain(word)).collect();
    let address: Vec<String> = address.iter().map(|word| plain(word)).collect();
    let common =
        |of: &[String], within: &[String]| of.iter().filter(|word| within.contains(word)).count() * 4 >= of.len() * 3;
    !title.is_empty() && common(&address, &title) && common(&title, &address)
}

/// Whether a title of a job says one word more than the address of a page below others, such as `/jobs/devops`.
fn is_longer(title: &str, address: &[String], url: &Url) -> bool {
    let title_words = words(title);
    let is_below =
        url.path_segments().is_some_and(|segments| segments.filter(|segment| !segment.is_empty()).count() > 1);
    is_below
        && title_words.len() <= address.len() + 1
        && address.iter().all(|word| title_words.contains(word))
        && is_job_title(title)
}

/// Whether a text on a page about jobs is the title of one: it names an occupation, or has the mark that only such titles carry.
pub fn is_job_title(text: &str) -> bool {
    let has_occupation = || words(text).iter().any(|word| is_occupation(word) || LEVELS.contains(word));
    is_of_job(text) && (has_occupation() || is_marked(text))
}

fn is_marked(title: &str) -> bool {
    GENDER_MARK.is_match(title)
}

/// Whether the word, which is folded, names those who do the work.
fn is_occupation(word: &str) -> bool {
    OCCUPATIONS.contains(word) || COMPOUNDS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

fn is_of_job(title: &str) -> bool {
    let words = words(title);
    let is_about_work = words.last().is_none_or(|last| NO_JOBS.contains(last));
    let is_short = words.len() <= TITLE_WORDS_MAX;
    is_short && (!is_about_work && is_named_job(&words, title) || is_marked(title))
}

/// Whether a title, whose words these are, names a job.
fn is_named_job(words: &[String], title: &str) -> bool {
    words.iter().any(|word| is_occupation(word)) || words.len() > 1 && is_known_title(title)
}

/// Whether a title may be that of a page about work or of several jobs.
fn is_of_several(title: &str) -> bool {
    words(title).iter().any(|word| NO_JOBS.contains(word))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{is_job_title, named_posting};
    use crate::extraction::page::read_page;

    fn title_of(title: &str, url: &str) -> Option<String> {
        let url = Url::parse(url).unwrap();
        let head = read_page(format!("<html><head>{title}</head></html>").as_bytes(), None, &url).head;
        named_posting(&head, &url).map(|posting| posting.title)
    }

    #[test]
    fn a_page_whose_title_is_that_of_a_job_and_of_its_address_is_a_posting() {
        for (title, url, expected) in [
            (
                "<title>Senior Backend Engineer | Acme</title>",
                "https://acme.example/jobs/senior-backend-engineer",
                "Senior Backend Engineer",
            ),
            (
                "<title>Acme - Account Executive, DACH</title>",
                "https://acme.example/careers/account-executive-dach-4711",
                "Account Executive, DACH",
            ),
            (
                "<meta property='og:title' content='Sales Manager'><title>Acme</title>",
                "https://acme.example/careers/sales-manager/",
                "Sales Manager",
            ),
            (
                "<title>Buchhalter (m/w/d) – Acme GmbH</title>",
                "https://acme.example/karriere/buchhalter-m-w-d.html",
                "Buchhalter (m/w/d)",
            ),
            (
                "<title>Chef de projet marketing — Acmé</title>",
                "https://acme.example/emplois/chef-de-projet-marketing",
                "Chef de projet marketing",
            ),
            ("<title>Bäcker Graz (m/w/d)</title>", "https://acme.example/baecker-graz", "Bäcker Graz (m/w/d)"),
            (
                "<title>Job: Payroll Officer – Acme</title>",
                "https://acme.example/jobs/payroll-officer",
                "Payroll Officer",
            ),
            (
                "<title>Junior Data Engineer at Acme</title>",
                "https://acme.example/jobs/data-engineer",
                "Junior Data Engineer",
            ),
            ("<title>DevOps Engineer</title>", "https://acme.example/jobs/devops", "DevOps Engineer"),
            (
                "<title>7/24 Welder Grade 2</title>",
                "https://acme.example/jobs/7-24-welder-grade-2",
                "7/24 Welder Grade 2",
            ),
            (
                "<title>Acme</title><h1>Acme</h1><h2>Field Technician</h2>",
                "https://acme.example/jobs/job-field-technician",
                "Field Technician",
            ),
            (
                "<title>Acme: Mitarbeiter*in Lager (m/w/d/k. A.)</title>",
                "https://acme.example/karriere/stelle.html",
                "Mitarbeiter*in Lager (m/w/d/k. A.)",
            ),
            ("<title>Chauffeur H/F | Acme</title>", "https://acme.example/emplois/4711", "Chauffeur H/F"),
            ("<title>Welder</title>", "https://acme.example/jobs/welder", "Welder"),
            ("<title>Data Analyst – Acme</title>", "https://acme.example/jobs/data-analyst", "Data Analyst"),
            ("<title>Data Engineer</title>", "https://acme.example/jobs/data-engineer/12345", "Data Engineer"),
        ] {
            assert_eq!(title_of(title, url).as_deref(), Some(expected), "{title} {url}");
        }
    }

    #[test]
    fn links_that_are_called_like_jobs_are_told_from_departments_and_pages() {
        for (text, wanted) in [
            ("Bookbinder (all genders)", true),
            ("Warehouse Team Lead", true),
            ("Industriekaufmann (m/w/d)", true),
            ("Data Analyst", true),
            ("Kundendienstmonteure Nord", true),
            ("Ingeniero Preventa", true),
            ("Engineering", false),
            ("Product Management", false),
            ("Our engineering team", false),
            ("Benefits", false),
            ("", false),
        ] {
            assert_eq!(is_job_title(text), wanted, "{text}");
        }
    }

    #[test]
    fn pages_about_work_are_no_postings() {
        for (title, url) in [
            ("<title>Our Culture | Acme</title>", "https://acme.example/careers/our-culture"),
            ("<title>Engineering Team | Acme</title>", "https://acme.example/careers/engineering-team"),
            ("<title>Engineering | Acme</title>", "https://acme.example/careers/engineering"),
            ("<title>Careers at Acme</title>", "https://acme.example/jobs/senior-backend-engineer"),
            ("<title>Senior Backend Engineer | Acme</title>", "https://acme.example/jobs/12345"),
            (
                "<title>How our sales manager grew with us and what we all learned from it in ten long years</title>",
                "https://acme.example/careers/how-our-sales-manager-grew-with-us-and-what-we-all-learned-from-it-in-ten-long-years",
            ),
            ("<title>Benefits for engineers | Acme</title>", "https://acme.example/careers/benefits"),
            ("<title></title>", "https://acme.example/jobs/data-engineer"),
            ("<title>DevOps Engineer</title>", "https://acme.example/devops"),
            ("<title>Jobs für Fahrer (m/w/d)</title>", "https://acme.example/karriere/fahren"),
            ("<h2>Koch (m/w/d)</h2><h2>Bäcker (m/w/d)</h2>", "https://acme.example/karriere/start"),
            ("<title>Karriere (m/w/d)</title>", "https://acme.example/karriere/start"),
            ("<title>Data Engineer</title>", "https://acme.example/"),
        ] {
            assert_eq!(title_of(title, url), None, "{title} {url}");
        }
    }
}
