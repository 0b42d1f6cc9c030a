//! Which links of a home page lead to the newsroom and to the blog.

use url::Url;

use crate::extraction::page::Link;
use crate::extraction::site::{is_own, ranked, registrable_domain};
use crate::text::canonical_url::canonical;
use crate::text::company_name::{Likeness, likeness};
use crate::text::folding::{folded, folded_words};

/// A part of a company's site; the one whose feeds tell more of it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Press releases and news.
    Newsroom,
    /// Articles.
    Blog,
}

/// Words of a path or a link that stand for the newsroom, the more certain first.
const NEWSROOM_WORDS: &[&str] = &[
    "newsroom", "pressroom", "press", "presse", "prensa", "stampa", "imprensa", "pers", "pressmeddelanden",
    "pressemeldinger", "pressemitteilungen", "news", "nachrichten", "actualites", "noticias", "nyheter", "nyheder",
    "nieuws", "aktuelles", "aktuellt", "uutiset", "media", "announcements",
];
/// The same for the blog.
const BLOG_WORDS: &[&str] = &[
    "blog", "blogg", "blogue", "insights", "stories", "magazine", "journal", "articles", "articoli", "articulos",
    "artigos", "artikel", "updates",
];
/// Sites that give each company a blog or a newsroom of its own, under a subdomain or a path.
const HOSTED: &[&str] = &[
    "blogspot.com", "ghost.io", "hashnode.dev", "medium.com", "mynewsdesk.com", "prezly.com", "pressat.co.uk",
    "presspage.com", "prowly.com", "substack.com", "wordpress.com",
];
/// Words of a path that make it one article, or something else than a front page.
const NOT_FRONT: &[&str] =
    &["login", "signin", "search", "category", "categories", "tag", "tags", "author", "topic", "contact", "kit"];
/// What pages that are files end with.
const PAGE_ENDINGS: &[&str] = &[".html", ".htm", ".php", ".aspx"];
/// A front page stands at most so deep.
const DEPTH_MAX: usize = 3;
/// What a link to a section says, in words.
const TEXT_WORDS_MAX: usize = 4;

/// The most promising link to `section` among `links` of the page at `home`; `names` are what the company is called.
pub fn section_link(links: &[Link], home: &Url, section: Section, names: &[&str]) -> Option<Url> {
    let words = match section {
        Section::Newsroom => NEWSROOM_WORDS,
        Section::Blog => BLOG_WORDS,
    };
    let rank = |link: &Link| score(link, words).filter(|_| is_companys(&link.url, home, names));
    ranked(links, home, rank).next().map(canonical)
}

/// Whether the page is on the company's own site, or on one of a host that is named like it.
fn is_companys(url: &Url, home: &Url, names: &[&str]) -> bool {
    let Some(host) = url.host_str() else { return false };
    let is_like = |part: &str| names.iter().any(|name| likeness(name, part) != Likeness::None);
    let hosted = HOSTED.iter().find_map(|site| Some((host.strip_suffix(site)?, *site)));
    match hosted {
        Some((label, _)) if label.ends_with('.') && label != "www." => is_like(label.trim_end_matches('.')),
        Some((_, "medium.com" | "mynewsdesk.com")) => {
            let first = url.path_segments().into_iter().flatten().find(|segment| segment.len() > 2);
            first.is_some_and(|name| is_like(name.trim_start_matches('@')))
        }
        _ => is_own(url, home) && !registrable_domain(host).is_empty(),
    }
}

/// How far from certain a link leads to the section; `None` where it does not.
fn score(link: &Link, words: &[&str]) -> Option<i32> {
    let rank = |word: &str| words.iter().position(|known| *known == word);
    let segments = link.url.path_segments().into_iter().flatten().filter(|part| !part.is_empty());
    let segments: Vec<String> = segments.map(|part| folded(without_ending(part))).collect();
    let text = folded_words(&link.text);
    let is_front = segments.len() <= DEPTH_MAX
        && segments.iter().all(|segment| folded_words(segment).len() <= 3)
        && !segments.iter().any(|segment| NOT_FRONT.contains(&segment.as_str()) || segment.contains('.'));
    let label = link.url.host_str()?.split('.').next()?;
    let in_host = rank(label);
    let last = segments.last().map(|segment| folded_words(segment)).unwrap_or_default();
    let in_path = last.iter().filter_map(|part| rank(part)).min();
    let in_text = (text.len() <= TEXT_WORDS_MAX).then(|| text.iter().filter_map(|word| rank(word)).min()).flatten();
    let best = [in_host.filter(|_| segments.is_empty()), in_path, in_text].into_iter().flatten().min()?;
    let is_doubtful = usize::from(in_path.is_none() && in_host.is_none());
    i32::try_from(best * 4 + segments.len() + 8 * is_doubtful).ok().filter(|_| is_front)
}

/// A part of a path without what pages that are files end with.
fn without_ending(part: &str) -> &str {
    PAGE_ENDINGS.iter().find_map(|ending| part.strip_suffix(ending)).unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{Section, section_link};
    use crate::extraction::page::Link;

    fn found(links: &[(&str, &str)], section: Section) -> Option<String> {
        let links: Vec<Link> = links
            .iter()
            .map(|(url, text)| Link { url: Url::parse(url).unwrap(), text: (*text).to_owned(), is_around: false })
            .collect();
        let home = Url::parse("https://www.acme.example/").unwrap();
        section_link(&links, &home, section, &["Acme", "acme"]).map(String::from)
    }

    #[test]
    fn newsrooms_and_blogs_are_found_where_companies_have_them() {
        for (url, text, section) in [
            ("https://acme.example/newsroom", "Newsroom", Section::Newsroom),
            ("https://acme.example/company/press", "", Section::Newsroom),
            ("https://press.acme.example/", "x", Section::Newsroom),
            ("https://acme.example/de/presse", "Presse", Section::Newsroom),
            ("https://acme.example/about/x1", "News", Section::Newsroom),
            ("https://acme.prezly.com/", "Press", Section::Newsroom),
            ("https://acme.example/news.html", "News", Section::Newsroom),
            ("https://blog.acme.example/", "Blog", Section::Blog),
            ("https://acme.example/blog", "Our blog", Section::Blog),
            ("https://medium.com/acme-hq", "Blog", Section::Blog),
            ("https://acme.substack.com/", "Blog", Section::Blog),
            ("https://acme.example/articoli", "Articoli", Section::Blog),
        ] {
            assert_eq!(
                found(&[("https://acme.example/pricing", "Pricing"), (url, text)], section).as_deref(),
                Some(url)
            );
        }
    }

    #[test]
    fn articles_and_the_sections_of_others_are_none() {
        for (url, text) in [
            ("https://acme.example/blog/why-we-built-a-better-anvil", "Why we built a better anvil"),
            ("https://acme.example/blog/category", "Blog"),
            ("https://www.acme.example/#blog", "Blog"),
            ("https://other.example/blog", "Blog"),
            ("https://quarry.substack.com/", "Blog"),
            ("https://medium.com/@ada-writes", "Blog"),
            ("https://acme.example/blog.pdf", "Blog"),
            ("https://acme.example/login", "Log in to the blog"),
        ] {
            assert_eq!(found(&[(url, text)], Section::Blog), None, "{url}");
        }
    }

    #[test]
    fn the_more_certain_link_wins() {
        let links = [
            ("https://acme.example/media", "Media"),
            ("https://acme.example/news", "News"),
            ("https://acme.example/company/newsroom", "Newsroom"),
        ];
        assert_eq!(found(&links, Section::Newsroom).as_deref(), Some("https://acme.example/company/newsroom"));
        assert_eq!(found(&links[..2], Section::Newsroom).as_deref(), Some("https://acme.example/news"));
    }
}
