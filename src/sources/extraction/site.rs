//! Which addresses are a company's own, and which of its pages speak of jobs.
//!
//! Duty: pure rules about addresses and link texts. Never here: fetching.

use std::collections::BTreeSet;

use url::Url;

use super::named_posting::is_job_title;
use super::page::Link;
use crate::text::canonical_url::identity;
use crate::text::pattern::WordSet;

/// Hosts that give each company a site of its own under a subdomain.
const HOSTED_CAREERS: &[&str] = &[
    "bamboohr.com", "breezy.hr", "career.softgarden.de", "careers-page.com", "concludis.de", "dvinci-easy.com",
    "dvinci-hr.com", "dvinci.de", "homerun.co", "jobs.personio.com", "jobs.personio.de", "jobylon.com", "onlyfy.jobs",
    "pinpointhq.com", "recruitee.com", "rexx-recruitment.com", "rexx-systems.com", "softgarden.io", "teamtailor.com",
    "traffit.com", "workable.com", "zohorecruit.com",
];

/// Words of a path or host that speak of jobs in general, whole segments or parts between hyphens.
static JOB_WORDS: WordSet = WordSet::new(include_str!("job_words.txt"));

/// Pairs of words that do so together.
const JOB_PAIRS: &[&str] = &[
    "join us", "work with", "working at", "work at", "work for", "we're hiring", "werken bij", "life at", "join our",
    "come work", "jobba hos", "jobbe hos", "arbeiten bei", "nous rejoindre", "rejoignez nous", "rejoins nous",
    "nous recrutons", "travailler chez", "únete a", "trabalhe conosco", "arbeta hos",
];

/// Sections that may mention jobs but list none.
static OTHER_SECTIONS: WordSet =
    WordSet::new("blog news press article articles privacy legal events help support docs login signin");

/// Endings of files that are no pages.
const FILES: &[&str] = &[
    ".pdf", ".jpg", ".jpeg", ".png", ".svg", ".gif", ".webp", ".doc", ".docx", ".zip", ".css", ".js", ".xml", ".ics",
    ".mp4",
];

/// Links from one page that are taken for postings at most.
const JOB_LINKS_MAX: usize = 1_000;

/// The part of a host that one owner registers, such as `acme.co.uk`.
pub fn registrable_domain(host: &str) -> &str {
    psl::domain_str(host).unwrap_or(host)
}

/// Whether `url` belongs to the site that `home` belongs to: the same registered domain, the same name under another
/// ending, or a hosted careers site.
pub fn is_own(url: &Url, home: &Url) -> bool {
    let (Some(host), Some(home_host)) = (url.host_str(), home.host_str()) else { return false };
    if host == home_host {
        return true;
    }
    if is_hosted(home_host) {
        return false;
    }
    let (domain, home_domain) = (registrable_domain(host), registrable_domain(home_host));
    let name = |domain: &str| domain.split('.').next().unwrap_or_default().to_owned();
    domain == home_domain || name(domain) == name(home_domain) || is_hosted(host)
}

/// The pages that `links` of the page at `home` lead to and that `rank` gives a rank, each once, the smallest rank first.
pub fn ranked<'a>(links: &'a [Link], home: &Url, rank: impl Fn(&Link) -> Option<i32>) -> impl Iterator<Item = &'a Url> {
    let mut found: Vec<(i32, &Url)> = links.iter().filter_map(|link| Some((rank(link)?, &link.url))).collect();
    found.sort_by_key(|(rank, _)| *rank);
    let mut seen = BTreeSet::from([identity(home)]);
    found.into_iter().map(|(_, url)| url).filter(move |url| seen.insert(identity(url)))
}

/// The company's careers pages among `links`, the most promising first.
pub fn careers_links(links: &[Link], home: &Url) -> Vec<Url> {
    let rank = |link: &Link| {
        let is_page = is_own(&link.url, home) && !is_file(&link.url);
        is_page.then(|| -score(link)).filter(|rank| *rank < 0)
    };
    ranked(links, home, rank).cloned().collect()
}

/// The pages of single postings that `links` of the careers page at `page_url` lead to, in order.
pub fn job_links(links: &[Link], page_url: &Url) -> Vec<Url> {
    let is_job = |link: &Link| is_job_page(&link.url, page_url) || is_named_job(link);
    let rank = |link: &Link| (is_own(&link.url, page_url) && is_job(link)).then_some(0);
    ranked(links, page_url, rank).take(JOB_LINKS_MAX).cloned().collect()
}

/// Whether the address alone suggests the page of one posting.
pub fn is_job_address(url: &Url) -> bool {
    let segments = segments(url);
    let word_at = segments.iter().position(|segment| speaks_of_jobs(&parts(segment)));
    let has_more = word_at.is_some_and(|at| segments.len() > at + 1 || parts(&segments[at]).len() > 3);
    let is_careers_host = url.host_str().is_some_and(is_careers_host);
    let names_a_job = url.query_pairs().any(|(name, _)| {
        matches!(name.to_ascii_lowercase().as_str(), "gh_jid" | "jobid" | "job_id" | "job" | "vacancyid")
    });
    !is_file(url) && !is_other_section(url) && (has_more || names_a_job || is_careers_host && !segments.is_empty())
}

fn is_job_page(url: &Url, page_url: &Url) -> bool {
    let base = page_url.path().trim_end_matches('/');
    let is_below = !base.is_empty()
        && url.host_str() == page_url.host_str()
        && url.path().strip_prefix(base).is_some_and(|rest| rest.starts_with(['/', '-']) && rest.len() > 1);
    is_job_address(url) || is_below && !is_file(url)
}

/// Whether a link among the contents of a page says what a job is called: its address may say nothing of jobs.
fn is_named_job(link: &Link) -> bool {
    !link.is_around && is_job_title(&link.text) && !is_file(&link.url) && !is_other_section(&link.url)
}

fn score(link: &Link) -> i32 {
    let text: Vec<String> = parts(&link.text.to_lowercase());
    let in_text = speaks_of_jobs(&text);
    let segments = segments(&link.url);
    let depth = i32::try_from(segments.len()).unwrap_or(i32::MAX);
    let in_path = segments.iter().any(|segment| speaks_of_jobs(&parts(segment)));
    let in_host = link.url.host_str().is_some_and(|host| is_careers_host(host) || is_hosted(host));
    if !(in_text && text.len() <= 8 || in_path || in_host) || is_other_section(&link.url) {
        return 0;
    }
    let evidence = 4 * i32::from(in_text && text.len() <= 4)
        + 2 * i32::from(in_text)
        + 4 * i32::from(in_path)
        + 5 * i32::from(in_host);
    (evidence * 4 - depth).max(1)
}

fn speaks_of_jobs(words: &[String]) -> bool {
    let has_word = words.iter().any(|word| JOB_WORDS.contains(word));
    has_word || words.windows(2).any(|pair| JOB_PAIRS.contains(&pair.join(" ").as_str()))
}

fn segments(url: &Url) -> Vec<String> {
    url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()).map(str::to_lowercase).collect()
}

fn parts(text: &str) -> Vec<String> {
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '\'';
    text.split(|letter| !is_of_word(letter)).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Whether the address is that of a file and no page.
pub fn is_file(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    FILES.iter().any(|ending| path.ends_with(ending))
}

fn is_other_section(url: &Url) -> bool {
    segments(url).iter().any(|segment| OTHER_SECTIONS.contains(segment))
}

/// Whether `host` is the site of one company on a host of careers sites.
fn is_hosted(host: &str) -> bool {
    let is_below = |domain: &&str| {
        host.strip_suffix(*domain).is_some_and(|rest| rest.ends_with('.') && rest != "www." && rest != "apply.")
    };
    HOSTED_CAREERS.iter().any(is_below)
}

/// Whether the first label of `host` is a word for jobs.
fn is_careers_host(host: &str) -> bool {
    host.split('.').next().is_some_and(|label| JOB_WORDS.contains(label))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{careers_links, is_job_address, is_own, job_links};
    use crate::extraction::page::Link;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn links(links: &[(&str, &str)]) -> Vec<Link> {
        links
            .iter()
            .map(|(address, text)| Link { url: url(address), text: (*text).to_owned(), is_around: false })
            .collect()
    }

    #[test]
    fn own_addresses_are_told_from_others() {
        let home = url("https://www.acme.co.uk/");
        for (address, own) in [
            ("https://acme.co.uk/jobs", true),
            ("https://careers.acme.co.uk/", true),
            ("https://acme.careers/", true),
            ("https://acme.teamtailor.com/jobs", true),
            ("https://acme.concludis.de/prj/lst/", true),
            ("https://acme.career.softgarden.de/", true),
            ("https://other.co.uk/jobs", false),
            ("https://www.linkedin.com/company/acme", false),
            ("https://notacme.co.uk/", false),
            ("https://www.teamtailor.com/", false),
        ] {
            assert_eq!(is_own(&url(address), &home), own, "{address}");
        }
        assert!(!is_own(&url("https://other.teamtailor.com/"), &url("https://acme.teamtailor.com/")));
    }

    #[test]
    fn careers_pages_are_found_in_several_languages() {
        let home = url("https://acme.example/");
        for (address, text) in [
            ("https://acme.example/careers", "Careers"),
            ("https://acme.example/about/x", "Join us"),
            ("https://acme.example/de/karriere", "Karriere"),
            ("https://acme.example/ledige-stillinger", "Bli med"),
            ("https://acme.example/nous-rejoindre/recrutement", "On recrute"),
            ("https://acme.example/nous-rejoindre", ""),
            ("https://acme.example/trabaja-con-nosotros", ""),
            ("https://acme.example/werken-bij", "Werken bij Acme"),
            ("https://jobs.acme.example/", "Open roles"),
        ] {
            let links = links(&[("https://acme.example/products", "Products"), (address, text)]);
            assert_eq!(careers_links(&links, &home), [url(address)], "{address}");
        }
    }

    #[test]
    fn the_most_promising_careers_page_comes_first() {
        let home = url("https://acme.example/");
        let links = links(&[
            ("https://acme.example/blog/careers-in-stone", "Careers in stone"),
            ("https://acme.example/careers/engineering/senior-mason", "Senior Mason"),
            ("https://acme.example/careers#top", "Careers"),
            ("https://acme.example/careers", "We are hiring"),
            ("https://other.example/jobs", "Jobs"),
        ]);
        let found = careers_links(&links, &home);
        assert_eq!(
            found.iter().map(Url::as_str).collect::<Vec<_>>(),
            ["https://acme.example/careers#top", "https://acme.example/careers/engineering/senior-mason"]
        );
    }

    #[test]
    fn links_to_postings_are_told_from_others() {
        let page_url = url("https://acme.example/careers");
        for (address, is_posting) in [
            ("https://acme.example/careers/senior-mason", true),
            ("https://acme.example/jobs/42", true),
            ("https://acme.example/apply?gh_jid=7", true),
            ("https://acme.example/careers-mason", true),
            ("https://acme.example/careers/", false),
            ("https://acme.example/careers?utm_source=x#top", false),
            ("https://acme.example/jobs", false),
            ("https://acme.example/products/1", false),
            ("https://acme.example/careers/handbook.pdf", false),
            ("https://other.example/jobs/1", false),
            ("https://acme.example/senior-mason", false),
        ] {
            assert_eq!(job_links(&links(&[(address, "x")]), &page_url).len(), usize::from(is_posting), "{address}");
        }
        let named =
            |address: &str, is_around: bool| Link { url: url(address), text: "Account Manager".into(), is_around };
        for (address, is_around, is_posting) in [
            ("https://acme.example/account-manager", false, true),
            ("https://acme.example/account-manager", true, false),
            ("https://acme.example/blog/account-manager", false, false),
            ("https://other.example/account-manager", false, false),
        ] {
            assert_eq!(job_links(&[named(address, is_around)], &page_url).len(), usize::from(is_posting), "{address}");
        }
        assert!(is_job_address(&url("https://careers.acme.example/o/mason")));
        assert!(!is_job_address(&url("https://careers.acme.example/")));
    }
}
