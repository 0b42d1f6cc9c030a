//! The postings that a careers page shows itself, without data for machines and without pages of their own.
//!
//! Duty: the titles under a heading that says that there are openings. Most of what stands there is text about the work, so
//! that a kind of element counts only where most of its texts are titles of jobs. Pure and bounded. Never here: what is new.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};
use url::Url;

use super::job_posting::{JobPosting, postings};
use super::named_posting::is_job_title;
use super::page::{HtmlPage, Link, decode, page_of};
use super::site::{is_file, is_own, job_links, ranked};
use super::tree::Tree;
use super::tree::leaves::{Leaf, is_named, kind, leaves};
use super::tree::places::places;
use crate::classification::country::country_of_place;
use crate::text::canonical_url::identity;
use crate::text::folding::folded_words;
use crate::text::pattern::WordSet;
use outbound::reading;
use outbound::web_address;

/// Words of a heading over openings that say so alone.
static OPENINGS: WordSet = WordSet::new(
    "avoimet jobangebote ledige lediga openings stellenangebot stellenangebote stellenanzeige stellenanzeigen \
     stellenausschreibung stellenausschreibungen vacancies vacancy vacantes vacature vacatures vagas",
);
/// What such a heading says in the place of these words, folded.
const WE_SEEK: &[&str] = &[
    "buscamos", "cerchiamo", "estamos contratando", "nous recherchons", "nous recrutons", "on recrute", "procuramos",
    "stiamo cercando", "we are hiring", "we are looking for", "we re hiring", "we re looking for", "wij zoeken",
    "wir stellen ein", "wir suchen", "wir suchen dich", "wir suchen sie",
];
/// Words for work, of which two say so, or one alone, or one with a word that says that it is to be had.
static WORK: WordSet = WordSet::new(
    "emploi emplois empleo job jobs lavoro offerte offres ofertas opportunities posiciones position positionen positions \
     posizione posizioni poste postes posti puestos roles stelle stellen trabajo vacante",
);
/// Words that say that work is to be had.
static OPEN: WordSet = WordSet::new(
    "abertas abiertas abiertos aktuelle aperta aperte available current disponibili disponibles freie offen offene offenen \
     open ouverts vigentes",
);
/// A longer heading says more than that there are openings, in words.
const HEADING_WORDS_MAX: usize = 8;
/// The same of a link to them.
const LINK_WORDS_MAX: usize = 5;
/// The longest title, in bytes.
const TITLE_BYTES_MAX: usize = 160;
/// What looking at one title takes, in steps.
const TITLE_STEPS: usize = 100;
/// The same of a place.
const PLACE_STEPS: usize = 100;
/// Texts behind a title in which its place is looked for, and the longest of them, in bytes.
const PLACE_WITHIN: usize = 3;
const PLACE_BYTES_MAX: usize = 80;
/// What stands before a colon and a place.
const PLACE_LABELS: &[&str] = &[
    "ciudad", "cidade", "lieu", "local", "localisation", "location", "locatie", "luogo", "ort", "place", "plaats",
    "sede", "standort", "ubicacion",
];
/// How deep a text stands in its heading, and a title in its link.
const AROUND_MAX: usize = 3;
/// The level of what is no heading.
const NO_HEADING: u8 = 7;

/// The company's pages that list openings and that `links` of the careers page at `page_url` lead to, by what they say.
pub fn openings_links(links: &[Link], page_url: &Url) -> Vec<Url> {
    let leads_there = |link: &Link| {
        let words = folded_words(&link.text);
        let is_short = words.len() <= LINK_WORDS_MAX && !is_job_title(&link.text);
        is_short && words.iter().any(|word| OPENINGS.contains(word) || WORK.contains(word))
    };
    let is_page = |link: &Link| is_own(&link.url, page_url) && !is_file(&link.url);
    let rank = |link: &Link| (is_page(link) && leads_there(link)).then_some(0);
    ranked(links, page_url, rank).cloned().collect()
}

/// Takes the careers page at `url` apart, as of `now`; with the postings that it lists: those that it describes for machines,
/// or else those that it shows to people.
pub fn read_careers_page(
    body: &[u8],
    content_type: Option<&str>,
    url: &Url,
    now: DateTime<Utc>,
) -> (HtmlPage, Vec<JobPosting>) {
    let tree = Tree::beginning_of(&decode(body, content_type));
    let page = page_of(&tree, url);
    let described = postings(&page.json_ld, url, now);
    let listed = if described.is_empty() { shown_postings(&tree, &page.links, url) } else { described };
    (page, listed)
}

/// The postings that the page at `url` with `links` shows itself; those that have pages of their own are left to these.
fn shown_postings(tree: &Tree, links: &[Link], url: &Url) -> Vec<JobPosting> {
    let texts = texts_of_openings(tree);
    let titles: Vec<bool> = texts.iter().map(|text| is_title(&text.text)).collect();
    let Some((kind, are_all)) = kind_of_titles(&texts, &titles) else { return Vec::new() };
    let is_one = |at: &usize| titles[*at] || are_all && is_like_title(&texts[*at].text);
    let starts: Vec<usize> = (0..texts.len()).filter(|at| texts[*at].kind == kind && is_one(at)).collect();
    let ends = starts.iter().skip(1).copied().chain([texts.len()]);
    let own_pages: HashSet<String> = job_links(links, url).iter().map(identity).collect();
    let mut seen = HashSet::new();
    let shown = starts.iter().zip(ends).filter_map(|(start, end)| {
        let posting = posting(tree, &texts[*start..end], url, &own_pages)?;
        seen.insert(posting.title.to_lowercase()).then_some(posting)
    });
    shown.collect()
}

/// The texts that stand under headings over openings, each heading as one.
fn texts_of_openings(tree: &Tree) -> Vec<Leaf> {
    let places = places(tree);
    let mut texts: Vec<Leaf> =
        leaves(tree).into_iter().filter(|leaf| !places[leaf.index].is_around).map(|leaf| whole(tree, leaf)).collect();
    texts.dedup_by_key(|text| text.index);
    let mut openings = None;
    let parent = |index: usize| tree.element(index).and_then(|element| element.parent);
    texts.retain(|text| {
        let level = level(tree, text.index);
        if is_over_openings(&text.text) && around(tree, text.index).all(|index| !is_named(tree, index, &["a"])) {
            openings = Some((level, parent(text.index)));
            return false;
        }
        // What only looks like a heading has real ones in what stands below it.
        let is_below = |block: usize| text.index < tree.end_of(block) && parent(text.index) != Some(block);
        let ends = |(of_openings, block): (u8, Option<usize>)| {
            level <= of_openings && !(of_openings == NO_HEADING && block.is_some_and(is_below))
        };
        if level < NO_HEADING && openings.is_some_and(ends) && !is_title(&text.text) {
            openings = None;
        }
        openings.is_some()
    });
    texts
}

/// The text, or all of the heading that it stands in.
fn whole(tree: &Tree, leaf: Leaf) -> Leaf {
    let is_heading = |index: &usize| level(tree, *index) < NO_HEADING && tree.text_bytes(*index) <= TITLE_BYTES_MAX;
    match around(tree, leaf.index).find(is_heading) {
        Some(index) => Leaf { index, text: tree.text(index), kind: kind(tree, index) },
        None => leaf,
    }
}

fn around(tree: &Tree, index: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(index), |index| tree.element(*index)?.parent).take(AROUND_MAX + 1)
}

/// The level of a heading, from 1.
fn level(tree: &Tree, index: usize) -> u8 {
    let name = tree.element(index).map(|element| element.name.as_bytes());
    match name {
        Some([b'h', level @ b'1'..=b'6']) => level - b'0',
        _ => NO_HEADING,
    }
}

fn is_over_openings(text: &str) -> bool {
    if text.len() > TITLE_BYTES_MAX {
        return false;
    }
    let words = folded_words(text);
    if WE_SEEK.contains(&words.join(" ").as_str()) {
        return true;
    }
    let of_work = words.iter().filter(|word| WORK.contains(word)).count();
    let is_open = words.iter().any(|word| OPEN.contains(word));
    let says_so = of_work > 1 || of_work == words.len() || of_work == 1 && is_open;
    (1..=HEADING_WORDS_MAX).contains(&words.len()) && (says_so || words.iter().any(|word| OPENINGS.contains(word)))
}

/// Whether the text is the title of a job, with or without its place.
fn is_title(text: &str) -> bool {
    let title = text.split(" | ").next().unwrap_or_default();
    is_like_title(text) && reading::take(TITLE_STEPS) && is_job_title(title)
}

fn is_like_title(text: &str) -> bool {
    text.len() <= TITLE_BYTES_MAX && !text.ends_with(['.', ':', '!', '?'])
}

/// The kind of which most texts are titles; where there are several, the one with most of them. And whether there are so many
/// that others of the kind are titles as well, in words that nobody knows.
fn kind_of_titles(texts: &[Leaf], titles: &[bool]) -> Option<(String, bool)> {
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (text, is_title) in texts.iter().zip(titles) {
        let (of_jobs, all) = kinds.entry(&text.kind).or_default();
        *of_jobs += usize::from(*is_title);
        *all += 1;
    }
    let most = kinds.into_iter().filter(|(_, (of_jobs, all))| of_jobs * 2 > *all);
    let (kind, (of_jobs, all)) = most.max_by_key(|(_, (of_jobs, _))| *of_jobs)?;
    Some((kind.to_owned(), of_jobs > 2 && of_jobs * 3 >= all * 2))
}

/// The posting that begins with its title; `None` where it leads to a page of its own.
fn posting(tree: &Tree, texts: &[Leaf], url: &Url, own_pages: &HashSet<String>) -> Option<JobPosting> {
    let (title, behind) = texts.split_first()?;
    let address =
        |index: usize| web_address::join(url, tree.element(index).filter(|element| element.name == "a")?.href()?);
    let end = behind.last().map_or(title.index, |last| last.index);
    let inside = || (title.index..tree.end_of(end)).filter_map(address);
    let of_title = || around(tree, title.index).chain(title.index..tree.end_of(title.index)).filter_map(address);
    if inside().chain(of_title()).any(|address| own_pages.contains(&identity(&address))) {
        return None;
    }
    let (title, beside) = without_place(tree, title);
    let lines: Vec<&str> = behind.iter().map(|text| text.text.as_str()).collect();
    let short = || lines.iter().copied().filter(|line| line.len() <= PLACE_BYTES_MAX);
    let labelled = short().filter_map(|line| line.split_once(':')).filter(|(label, _)| is_of_place(label));
    // What is said to be a place is one more surely than a short line.
    let said = labelled.map(|(_, place)| place);
    let places = beside.as_deref().into_iter().chain(said).chain(short().take(PLACE_WITHIN));
    let document = of_title().chain(inside().filter(is_file)).find(|address| identity(address) != identity(url));
    let country = places.chain([title.as_str()]).find_map(country_in);
    Some(JobPosting {
        title,
        country,
        url: document,
        description: Some(lines.join("\n")).filter(|text| !text.is_empty()),
        ..JobPosting::default()
    })
}

/// The title and the place that stands behind it in the same heading, on a line or in an element of its own.
fn without_place(tree: &Tree, title: &Leaf) -> (String, Option<String>) {
    let is_apart = |index: &usize| is_named(tree, *index, &["span", "small", "div", "p"]);
    let inside = (title.index + 1..tree.end_of(title.index)).filter(is_apart).map(|index| tree.text(index));
    let mut behind = tree.lines(title.index).skip(1).chain(inside).filter(|place| country_in(place).is_some());
    let cut = behind.find_map(|place| Some((title.text.strip_suffix(&place)?.trim_end().to_owned(), place)));
    match cut.filter(|(title, _)| !title.is_empty()) {
        Some((title, place)) => (title, Some(place)),
        None => (title.text.clone(), None),
    }
}

fn country_in(text: &str) -> Option<&'static str> {
    reading::take(PLACE_STEPS).then(|| country_of_place(text)).flatten()
}

/// Whether the text before a colon says that a place is behind it.
fn is_of_place(label: &str) -> bool {
    folded_words(label).last().is_some_and(|word| PLACE_LABELS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{openings_links, read_careers_page};
    use crate::extraction::page::Link;

    const PAGE: &str = "https://acme.example/careers";

    /// What a page shows, as titles with their countries and documents.
    fn shown(html: &str) -> Vec<(String, String)> {
        let url = Url::parse(PAGE).unwrap();
        let (_, listed) = read_careers_page(html.as_bytes(), None, &url, chrono::DateTime::UNIX_EPOCH);
        let told = |(country, document): (Option<&str>, Option<Url>)| {
            let document = document.map(|url| url.path().to_owned());
            [country.map(str::to_owned), document].into_iter().flatten().collect::<Vec<_>>().join(" ")
        };
        listed.into_iter().map(|one| (one.title, told((one.country, one.url)))).collect()
    }

    fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter().map(|(title, told)| ((*title).to_owned(), (*told).to_owned())).collect()
    }

    #[test]
    fn titles_below_a_heading_over_openings_are_postings() {
        let text = "<p>You build pumps with us.</p><ul><li>Build pumps</li><li>Five years with valves</li></ul>";
        let accordion = |title: &str, place: &str| {
            format!("<div class=item><h4><a href='#c1'>{title}</a></h4><div><p>{place}</p>{text}</div></div>")
        };
        let items =
            [accordion("Welding Engineer", "Lyon, France"), accordion("Senior <b>Mason</b>", "Remote")].concat();
        let wanted = rows(&[("Welding Engineer", "FR"), ("Senior Mason", "")]);
        for heading in [
            "<h2>Open positions</h2>",
            "<h1>12 current openings at Acme</h1>",
            "<h3>Offene <em>Stellen</em></h3>",
            "<h2>Nos offres d’emploi</h2>",
            "<h2>Ofertas vigentes</h2>",
            "<p><strong>Vacatures</strong></p>",
            "<h2>Jobs</h2>",
            "<h1>We're hiring!</h1>",
            "<p>Wir suchen:</p>",
        ] {
            assert_eq!(shown(&format!("<h2>Life</h2><p>Good.</p>{heading}{items}")), wanted, "{heading}");
        }
        for heading in ["<h2>Life at Acme</h2>", "<h2>Our work</h2>", "<nav><h2>Open positions</h2></nav>", ""] {
            assert_eq!(shown(&format!("{heading}{items}")), [], "{heading}");
        }
    }

    #[test]
    fn a_section_ends_with_its_heading_and_titles_may_be_headings_like_it() {
        let people =
            "<h2>The team</h2><h3>Ada Byron</h3><p>Software Engineer</p><h3>Kim Stone</h3><p>Sales Manager</p>";
        let html = format!("<h2>Vacancies</h2><h2>Site Manager</h2><p>Oslo</p><h2>Crane Operator</h2>{people}");
        assert_eq!(shown(&html), rows(&[("Site Manager", "NO"), ("Crane Operator", "")]));
        assert_eq!(shown("<h2>Vacancies</h2><p>There are none now.</p><p>Write to our office manager.</p>"), []);
    }

    #[test]
    fn headings_below_a_line_over_openings_are_of_these() {
        let item = |title: &str| {
            format!("<div><p class=head><b>{title}</b></p><div><h1>What you do</h1><p>Build pumps.</p></div></div>")
        };
        let items = [item("Welding Engineer | Lyon, France"), item("Site Manager | All locations")].concat();
        let html = format!(
            "<div><p><b>Current openings</b></p>{items}<h2>Contact</h2><div>{}</div></div>",
            item("Office Manager")
        );
        assert_eq!(shown(&html).len(), 2, "{:?}", shown(&html));
        let items = ["Site Manager", "Welder"].map(|title| format!("<h3>{title}</h3><p>You build pumps with us.</p>"));
        let whole = format!("<form><h2>Open positions</h2>{}</form><footer>Acme</footer>", items.concat());
        assert_eq!(shown(&whole).len(), 2, "a page in a form");
    }

    #[test]
    fn documents_are_where_postings_are_and_own_pages_are_left_to_themselves() {
        let html = "<h2>Open positions</h2>
            <h3><a href='/files/driver.pdf'>Truck Driver</a></h3><p>Wien</p>
            <h3>Sales Manager</h3><p>Wien</p><a href='/files/sales.pdf'>Download</a><a href='/contact'>Contact</a>
            <h3>Data Engineer</h3><p>Wien</p><a href='/careers/data-engineer'>More</a>
            <h3>Truck Driver</h3><p>Graz</p>
            <h3>Crane Operator <span>Oslo, Norway</span></h3><p>Cranes</p>
            <h3><b>Site Manager</b><br>Oslo, Norway</h3><p>Sites</p>
            <h3>Plumber</h3><p>Pipes</p><p>Water</p><p>Gas</p><p>Work place: Lyon, France</p>";
        let wanted = [
            ("Truck Driver", "AT /files/driver.pdf"),
            ("Sales Manager", "AT /files/sales.pdf"),
            ("Crane Operator", "NO"),
            ("Site Manager", "NO"),
            ("Plumber", "FR"),
        ];
        assert_eq!(shown(html), rows(&wanted));
    }

    #[test]
    fn pages_that_list_openings_are_found_behind_a_careers_page() {
        let link = |(path, text): &(&str, &str)| Link {
            url: Url::parse(PAGE).unwrap().join(path).unwrap(),
            text: (*text).to_owned(),
            is_around: false,
        };
        let links: Vec<Link> = [
            ("/careers", "Jobs"),
            ("/careers/positions", "Explore open roles"),
            ("/company/careers", "Careers"),
            ("/work", "Our work"),
            ("/careers/7", "Open positions: Sales Manager"),
            ("https://other.example/jobs", "See all jobs"),
            ("/vacancies", "See all vacancies"),
        ]
        .iter()
        .map(link)
        .collect();
        let found = openings_links(&links, &Url::parse(PAGE).unwrap());
        assert_eq!(found.iter().map(Url::path).collect::<Vec<_>>(), ["/careers/positions", "/vacancies"]);
    }
}
