//! What a company calls itself on its own pages.
//!
//! Duty: what pages say to a name, other names, people, products and a ticker. What has nothing to do with the domain
//! needs more than one witness. Never here: a name made from the domain.

use url::Url;

use crate::extraction::accounts::Account;
use crate::extraction::organization::Organization;
use crate::extraction::site::{is_own, registrable_domain};
use crate::mentions::is_common;
use crate::text::company_name::{Likeness, first_in_common, letters, likeness};
use crate::text::folding::{folded, folded_words};
use crate::text::plain::split_at_all;
use domain::content::company_name::without_legal_form;
use domain::{CompanyProfile, EvidenceKind, ProfileEntry, ProfileKey};

use super::page::ReadPage;
use crate::discovery::profile_values::PEOPLE;

/// Titles of pages that name nobody.
const NO_NAMES: &[&str] = &[
    "access denied", "accueil", "attention required", "blog", "error", "forbidden", "home", "home page", "homepage",
    "hjem", "hem", "index", "inicio", "just a moment", "main", "not found", "official site", "official website",
    "site", "start", "startseite", "untitled", "website", "welcome",
];
/// What pages of a site are called beside the company's name: no name begins or ends with it.
const PAGES: &[&str] = &[
    "about", "accueil", "blog", "career", "careers", "carrieres", "contact", "docs", "emplois", "empleo", "help",
    "home", "impressum", "jobs", "karriere", "kontakt", "login", "news", "newsroom", "presse", "press", "pricing",
    "stellenangebote", "support", "vagas", "welcome",
];
/// Longer names are sentences, in characters and in words.
const NAME_CHARS_MAX: usize = 60;
const NAME_WORDS_MAX: usize = 6;
/// What separates the parts of a title.
const TITLE_SEPARATORS: &[&str] = &[" | ", " – ", " — ", " - ", " · ", " • ", " :: ", " » ", " / ", ": ", "|"];
/// People and products that are taken from one site.
const TAKEN_MAX: usize = 10;

/// A name that a page gives.
struct Candidate {
    name: String,
    evidence: EvidenceKind,
    likeness: Likeness,
}

/// Adds what the pages of the company with `domain` say of its names; the first page is its home page.
pub fn add_names(profile: &mut CompanyProfile, pages: &[ReadPage], domain: &str) {
    let Some(home) = pages.first() else { return };
    let label = label_of(domain);
    let organizations: Vec<&Organization> =
        home.described.organizations.iter().filter(|organization| is_companys(organization, home, label)).collect();
    let candidates = candidates(home, &organizations, label);
    // Two sites that share no name are two companies, unless the page speaks for itself more than once.
    let is_elsewhere = home.url.host_str().is_none_or(|host| label_of(host) != label);
    let mut add = |key: ProfileKey, value: &str, evidence: EvidenceKind| {
        profile.add(ProfileEntry { key, value: value.to_owned(), evidence, evidence_url: home.url.to_string() });
    };
    let Some(best) = best(&candidates, is_elsewhere) else { return };
    let name = without_legal_form(&best.name);
    add(ProfileKey::Name, name, best.evidence);
    let other_names = candidates.iter().map(|candidate| (candidate.name.as_str(), candidate.evidence));
    let said = organizations.iter().flat_map(|organization| &organization.other_names);
    let other_names = other_names.chain(said.map(|name| (name.as_str(), EvidenceKind::StructuredData)));
    for (other, evidence) in other_names {
        if is_name(other) && !is_of_page(other) && other != name && is_related(other, name) {
            add(ProfileKey::LegalName, other, evidence);
        }
    }
    for organization in organizations {
        let people = organization.people.iter().filter(|person| is_full_name(person));
        people.take(TAKEN_MAX).for_each(|person| add(ProfileKey::Person, person, EvidenceKind::StructuredData));
        for (key, account) in organization.accounts_of_people.iter().filter_map(account_of_person) {
            add(key, &account, EvidenceKind::StructuredData);
        }
        let ticker = organization.ticker.as_deref().and_then(|ticker| ticker.rsplit([':', ' ']).next());
        if let Some(ticker) = ticker.filter(|ticker| is_ticker(ticker)) {
            add(ProfileKey::Ticker, ticker, EvidenceKind::StructuredData);
        }
    }
    let products = pages.iter().flat_map(|page| &page.described.products);
    // A word that everybody uses is what a product is like: `Black`, `Large`.
    let is_plain = |product: &str| !product.trim().contains(' ') && is_common(&folded(product.trim()));
    let products =
        products.filter(|product| is_name(product) && !is_plain(product) && letters(product) != letters(name));
    products.take(TAKEN_MAX).for_each(|product| add(ProfileKey::Product, product, EvidenceKind::StructuredData));
}

/// What the address of a person's account is in the profile of their company.
fn account_of_person(url: &Url) -> Option<(ProfileKey, String)> {
    let (key, account) = Account::of(url)?.entry()?;
    let (of_people, _) = PEOPLE.iter().find(|(_, name)| *name == key.as_str())?;
    Some((*of_people, account))
}

/// The label of a domain that people read as the name: `acme` of `www.acme.co.uk`.
pub fn label_of(host: &str) -> &str {
    registrable_domain(host).split('.').next().unwrap_or_default()
}

/// Whether a name of strangers may be a person's: two to four words that begin with capitals.
pub fn is_full_name(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    (2..=4).contains(&words.len())
        && name.chars().count() <= NAME_CHARS_MAX
        && words.iter().all(|word| word.chars().next().is_some_and(char::is_uppercase))
        && !name.chars().any(|letter| letter.is_ascii_digit())
}

/// Whether a text is the symbol of shares.
pub fn is_ticker(text: &str) -> bool {
    (1..=8).contains(&text.len())
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b".-".contains(&byte))
}

/// Whether an organization on the home page is the company: its address is there, or it is named like the domain.
pub fn is_companys(organization: &Organization, home: &ReadPage, label: &str) -> bool {
    match &organization.url {
        Some(url) => is_own(url, &home.url),
        None => organization.name.as_deref().is_some_and(|name| likeness_to_label(name, label) != Likeness::None),
    }
}

fn candidates(home: &ReadPage, organizations: &[&Organization], label: &str) -> Vec<Candidate> {
    let names = organizations.iter().filter_map(|organization| organization.name.clone());
    let structured = names.map(|name| (name, EvidenceKind::StructuredData));
    let metas = ["og:site_name", "application-name", "apple-mobile-web-app-title"];
    let metas = metas.into_iter().filter_map(|meta| home.head.meta(meta)).map(str::to_owned);
    let titles = title_parts(&home.head.title, label);
    let rest = metas.chain(titles).map(|name| (name, EvidenceKind::Metadata));
    let candidates = structured.chain(rest).filter(|(name, _)| is_name(name));
    candidates.map(|(name, evidence)| Candidate { likeness: likeness_to_label(&name, label), name, evidence }).collect()
}

/// How alike a name and the label of a domain are, which may have no more than their first word in common.
fn likeness_to_label(name: &str, label: &str) -> Likeness {
    let begins_alike = || first_in_common(name, label).is_some_and(|word| !is_common(&word));
    match likeness(name, label) {
        Likeness::None if begins_alike() => Likeness::Related,
        likeness => likeness,
    }
}

/// The parts of a title, and the words in them that spell the label of the domain.
fn title_parts(title: &str, label: &str) -> Vec<String> {
    let parts = split_at_all(title, TITLE_SEPARATORS);
    let words = parts.iter().flat_map(|part| part.split_whitespace());
    let words = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let spelled = words.filter(|word| letters(word) == letters(label));
    parts.iter().map(|part| part.trim()).chain(spelled).map(str::to_owned).collect()
}

fn is_name(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let is_said = !lower.is_empty() && name.chars().any(char::is_alphabetic);
    is_said
        && name.chars().count() <= NAME_CHARS_MAX
        && name.split_whitespace().count() <= NAME_WORDS_MAX
        && !NO_NAMES.contains(&lower.trim_end_matches(['!', '.', '…']))
        && !lower.contains("://")
}

/// Whether a title names a page of a site and not the company: `Careers at Acme`.
fn is_of_page(name: &str) -> bool {
    let words = folded_words(name);
    let is_page = |word: Option<&String>| word.is_some_and(|word| PAGES.contains(&word.as_str()));
    words.len() > 1 && (is_page(words.first()) || is_page(words.last()))
}

/// The best candidate: like the domain first, then said by the more certain witness, then the first.
fn best(candidates: &[Candidate], is_elsewhere: bool) -> Option<&Candidate> {
    let witnesses = |candidate: &Candidate| {
        let same = |other: &&Candidate| letters(&other.name) == letters(&candidate.name);
        candidates.iter().filter(same).count()
    };
    let is_certain = |candidate: &&Candidate| {
        candidate.likeness != Likeness::None
            || !is_elsewhere && (candidate.evidence == EvidenceKind::StructuredData || witnesses(candidate) > 1)
    };
    let rank = |candidate: &Candidate| {
        // Of what is only related, the shorter one is the name, and the longer a slogan with it.
        let length = if candidate.likeness == Likeness::Related { candidate.name.len() } else { 0 };
        (std::cmp::Reverse(candidate.likeness), candidate.evidence, length)
    };
    candidates.iter().filter(is_certain).min_by_key(|candidate| rank(candidate))
}

/// Whether another name has to do with the name: a slogan in the title has not.
fn is_related(other: &str, name: &str) -> bool {
    likeness(other, name) != Likeness::None && other.split_whitespace().count() <= name.split_whitespace().count() + 3
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::add_names;
    use crate::discovery::profile::page::ReadPage;
    use crate::extraction::organization::described;
    use crate::extraction::page::read_page;
    use domain::{CompanyProfile, ProfileKey};

    fn page(address: &str, html: &str) -> ReadPage {
        let url = Url::parse(address).unwrap();
        let read = read_page(html.as_bytes(), None, &url);
        let described = described(&read.json_ld, &url);
        ReadPage { head: read.head, links: read.links, described, url, lists_articles: false }
    }

    fn profile(domain: &str, address: &str, html: &str) -> CompanyProfile {
        let mut profile = CompanyProfile::default();
        add_names(&mut profile, &[page(address, html)], domain);
        profile
    }

    #[test]
    fn a_company_is_called_as_its_page_says() {
        for (html, name) in [
            ("<title>Acme – tools for masons</title>", Some("Acme")),
            ("<title>Welcome to Acme</title>", Some("Acme")),
            ("<title>Tools for masons | ACME, Inc.</title>", Some("ACME")),
            ("<title>Home</title><meta property='og:site_name' content='Acme Tools'>", Some("Acme Tools")),
            ("<title>Home</title><meta property='og:site_name' content='Sand Shop'>", None),
            ("<title>Home</title><meta property='og:site_name' content='acme'>", Some("acme")),
            (
                r#"<title>acme</title><script type="application/ld+json">{"@type":"Organization","name":"Acme Inc.","url":"https://acme.example"}</script>"#,
                Some("Acme"),
            ),
            (
                r#"<script type="application/ld+json">{"@type":"Organization","name":"Sand & Stone","url":"https://www.acme.example/"}</script>"#,
                Some("Sand & Stone"),
            ),
            (
                r#"<title>Home</title><script type="application/ld+json">{"@type":"Organization","name":"Quarry","url":"https://quarry.example"}</script>"#,
                None,
            ),
            (
                "<title>Sand and Stone</title><meta property='og:site_name' content='Sand and Stone'>",
                Some("Sand and Stone"),
            ),
            ("<title>Just a moment...</title>", None),
            ("", None),
        ] {
            let profile = profile("acme.example", "https://www.acme.example/", html);
            assert_eq!(profile.value(ProfileKey::Name), name, "{html}");
        }
    }

    #[test]
    fn a_name_may_have_no_more_than_its_first_word_in_common_with_the_domain() {
        for (domain, title, name) in [
            (
                "quarrelake-drives.example",
                "Quarrelake Antriebstechnik GmbH: Startseite",
                Some("Quarrelake Antriebstechnik"),
            ),
            ("quarrelake-drives.example", "Antriebe, die halten", None),
            ("green-energy.example", "Green power for all", None),
        ] {
            let profile = profile(domain, &format!("https://www.{domain}/"), &format!("<title>{title}</title>"));
            assert_eq!(profile.value(ProfileKey::Name), name, "{title}");
        }
    }

    #[test]
    fn a_site_that_redirects_to_another_company_gives_no_name() {
        let html = "<title>Bigco</title><meta property='og:site_name' content='Bigco'>";
        assert_eq!(profile("acme.example", "https://bigco.example/acme", html), CompanyProfile::default());
        let html = "<title>Acme by Bigco</title>";
        assert_eq!(profile("acme.example", "https://bigco.example/acme", html).value(ProfileKey::Name), Some("Acme"));
    }

    #[test]
    fn titles_of_pages_and_plain_words_are_no_names() {
        let html = r#"<title>Careers at Acme | Acme</title><meta property="og:site_name" content="Acme"><script type="application/ld+json">
            {"@graph":[{"@type":"Organization","name":"Acme","alternateName":"Acme Careers","legalName":"Acme Tools GmbH","url":"/"},
            {"@type":"Product","name":"Black"},{"@type":"Product","name":"Anvil One"}]}</script>"#;
        let profile = profile("acme.example", "https://acme.example/", html);
        let all = |key: ProfileKey| profile.values(key).collect::<Vec<_>>();
        assert_eq!(all(ProfileKey::LegalName), ["Acme Tools GmbH"]);
        assert_eq!(all(ProfileKey::Product), ["Anvil One"]);
    }

    #[test]
    fn other_names_people_products_and_the_ticker_are_kept_apart() {
        let html = r#"<title>Acme | Anvils that last a life</title><script type="application/ld+json">
            {"@graph":[{"@type":"Corporation","name":"Acme","legalName":"Acme Tools, Inc.","url":"/","tickerSymbol":"NYSE:ACM",
            "founder":[{"name":"Ada Byron","sameAs":"https://social.example/@ada"},{"name":"the team"}]},{"@type":"Product","name":"Anvil One"},{"@type":"Product","name":"Acme"}]}</script>"#;
        let profile = profile("acme.example", "https://acme.example/", html);
        let all = |key: ProfileKey| profile.values(key).collect::<Vec<_>>();
        assert_eq!(all(ProfileKey::Name), ["Acme"]);
        assert_eq!(all(ProfileKey::LegalName), ["Acme Tools, Inc."]);
        assert_eq!(all(ProfileKey::Person), ["Ada Byron"]);
        assert_eq!(all(ProfileKey::Product), ["Anvil One"]);
        assert_eq!(all(ProfileKey::Ticker), ["ACM"]);
        assert_eq!(all(ProfileKey::PersonMastodonAccount), ["ada@social.example"]);
    }
}
