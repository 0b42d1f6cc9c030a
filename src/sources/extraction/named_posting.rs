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
use crate::text::pattern::WordSet;
use crate::text::plain::split_at_all;

/// Words between the parts of a title.
const SEPARATORS: &[&str] = &[" | ", " – ", " — ", " - ", " · ", " • ", " :: "];
/// More words make a sentence.
const TITLE_WORDS_MAX: usize = 14;
/// Titles that end with these are of pages about work, not of one job.
static NO_JOBS: WordSet = WordSet::new(
    "benefits blog careers company culture department departments faq internships jobs karriere life locations news \
     office offices openings opportunities people positions process program programme programs roles stellen stories \
     story students team teams us vacancies values work",
);
/// Marks that only titles of jobs carry.
const GENDER_MARKS: &[&str] =
    &["(m/w/d)", "(w/m/d)", "(m/f/d)", "(f/m/d)", "(m/f/x)", "(f/m/x)", "(h/f)", "(f/h)", "(all genders)", "(gn)"];

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
    "counsel designer developer director engineer executive head ingenieur ingenieurin intern junior lead leiter leiterin manager \
     managerin marketer principal recruiter referent referentin scientist senior staff vp",
);

/// The posting that the page at `url` is, by its head; `None` where that is not certain.
pub fn named_posting(head: &Head, url: &Url) -> Option<JobPosting> {
    let address = address_words(url);
    if address.is_empty() {
        return None;
    }
    let titles = head.meta("og:title").into_iter().chain([head.title.as_str()]);
    let mut parts = titles.flat_map(parts);
    let title = parts.find(|title| says_the_same(title, &address) && is_of_job(title))?;
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
        let mut words = words(name);
        words.retain(|word| !word.contains(|letter: char| letter.is_ascii_digit()));
        words
    };
    let segments = url.path_segments().into_iter().flatten().rev();
    segments.map(words_of).find(|words| !words.is_empty()).unwrap_or_default()
}

/// The words of `text` that are more than one letter.
fn words(text: &str) -> Vec<String> {
    folded_words(text).into_iter().filter(|word| word.chars().count() > 1).collect()
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

/// Whether a text on a page about jobs is the title of one: it names an occupation, or has the mark that only such titles carry.
pub fn is_job_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has_occupation = || words(text).iter().any(|word| is_occupation(word) || LEVELS.contains(word));
    is_of_job(text) && (GENDER_MARKS.iter().any(|mark| lower.contains(mark)) || has_occupation())
}

/// Whether the word, which is folded, names those who do the work.
fn is_occupation(word: &str) -> bool {
    OCCUPATIONS.contains(word) || COMPOUNDS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

fn is_of_job(title: &str) -> bool {
    let lower = title.to_lowercase();
    let words = words(title);
    let is_about_work = words.last().is_none_or(|last| NO_JOBS.contains(last));
    let is_marked = GENDER_MARKS.iter().any(|mark| lower.contains(mark));
    let is_short = words.len() <= TITLE_WORDS_MAX;
    let has_occupation = words.iter().any(|word| is_occupation(word));
    let is_named = has_occupation || words.len() > 1 && is_known_title(title);
    is_short && (is_marked || is_named && !is_about_work)
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
            ("<title>Data Engineer</title>", "https://acme.example/"),
        ] {
            assert_eq!(title_of(title, url), None, "{title} {url}");
        }
    }
}
