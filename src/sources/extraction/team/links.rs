//! Which links of a company's page lead to the page about its people.

use url::Url;

use crate::extraction::page::Link;
use crate::extraction::site::{is_own, ranked};
use crate::text::canonical_url::canonical;
use crate::text::folding::folded_words;

/// Links that are followed from one page.
const LINKS_MAX: usize = 3;
/// Words of a path or a link that stand for people, the more certain first; those of the last group stand for the company.
const WORDS: &[&[&str]] = &[
    &[
        "team", "leadership", "management", "people", "staff", "equipe", "equipo", "ledelse", "ledning", "fuhrung",
        "direktion",
    ],
    &[
        "board", "executives", "founders", "vorstand", "mitarbeiter", "unternehmensleitung", "geschaftsleitung",
        "direction",
    ],
    &[
        "about", "company", "uber", "ueber", "unternehmen", "apropos", "propos", "nosotros", "om", "oss", "somos",
        "sobre", "siamo", "azienda", "societe", "entreprise", "empresa", "over",
    ],
];
/// Sections in which these words mean something else.
const OTHER_SECTIONS: &[&str] = &[
    "blog", "news", "press", "careers", "jobs", "product", "products", "solutions", "features", "pricing", "customers",
    "docs", "help", "support", "legal", "privacy", "login", "signin", "category", "tag", "events",
];
/// Such a page stands at most so deep.
const DEPTH_MAX: usize = 3;
/// What a link to it says, in words.
const TEXT_WORDS_MAX: usize = 4;

/// The company's pages about its people among `links` of the site at `home`, the most promising first.
pub fn team_links(links: &[Link], home: &Url) -> Vec<Url> {
    let rank = |link: &Link| score(link).filter(|_| is_own(&link.url, home));
    ranked(links, home, rank).take(LINKS_MAX).map(canonical).collect()
}

/// How far from certain a link leads there; `None` where it does not.
fn score(link: &Link) -> Option<i32> {
    let segments: Vec<&str> = link.url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let in_path: Vec<Vec<String>> = segments.iter().map(|segment| folded_words(segment)).collect();
    let is_elsewhere = in_path.iter().flatten().any(|word| OTHER_SECTIONS.contains(&word.as_str()));
    if is_elsewhere || segments.len() > DEPTH_MAX || segments.iter().any(|segment| segment.contains(".pdf")) {
        return None;
    }
    let text = Some(folded_words(&link.text)).filter(|text| text.len() <= TEXT_WORDS_MAX).unwrap_or_default();
    let last = in_path.last().filter(|last| last.len() <= TEXT_WORDS_MAX).cloned().unwrap_or_default();
    let has = |group: &[&str]| text.iter().chain(&last).any(|word| group.contains(&word.as_str()));
    (0..).zip(WORDS).find(|(_, group)| has(group)).map(|(rank, _)| rank)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::team_links;
    use crate::extraction::page::Link;

    #[test]
    fn pages_about_people_come_before_those_about_the_company() {
        let links: Vec<Link> = [
            ("/about", "About us"),
            ("/product/team", "For teams"),
            ("/careers", "Join the team"),
            ("/company/leadership", "Leadership"),
            ("/blog/our-team-grows", "Our team grows"),
            ("/who-we-are", "Our people"),
            ("https://other.example/team", "Team"),
            ("/about/", "About"),
            ("/", "Team"),
            ("/sobre-acme", "Quem somos"),
        ]
        .iter()
        .map(|(path, text)| Link {
            url: Url::parse("https://acme.example/").unwrap().join(path).unwrap(),
            text: (*text).to_owned(),
            is_around: false,
        })
        .collect();
        let found = team_links(&links, &Url::parse("https://acme.example/").unwrap());
        let found: Vec<&str> = found.iter().map(Url::path).collect();
        assert_eq!(found, ["/company/leadership", "/who-we-are", "/about"]);
    }
}
