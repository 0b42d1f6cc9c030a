//! Which of the accounts that a site's pages name are the company's own.
//!
//! Duty: pure rules. A page also links to the maker of its template, to the account of a widget, to partners and to
//! people; none of these is the company.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use url::Url;

use super::names::is_companys;
use super::page::ReadPage;
use crate::extraction::accounts::{Account, Network};
use crate::text::company_name::{Likeness, letters, likeness};
use crate::text::folding::folded;
use domain::EvidenceKind;

/// Makers of sites, templates and widgets, and the networks themselves: their accounts stand on the pages of others.
const VENDORS: &[&str] = &[
    "addthis", "addtoany", "adobe", "apple", "ashby", "ashbyhq", "atlassian", "bigcommerce", "bluesky", "calendly",
    "carrd", "cloudflare", "contentful", "cookiebot", "disqus", "drupal", "elegantthemes", "elementor", "envato",
    "facebook", "framer", "ghost", "github", "gitbook", "godaddy", "google", "greenhouse", "hootsuite", "hubspot",
    "instagram", "intercom", "jimdo", "joomla", "lever", "linkedin", "linktree", "mailchimp", "mastodon", "medium",
    "meta", "netlify", "notion", "notionhq", "onetrust", "personio", "prismic", "readme", "recruitee", "sanity",
    "sharethis", "shopify", "smartrecruiters", "sprinklr", "squarespace", "substack", "super", "teamtailor",
    "themeforest", "threads", "trustpilot", "tryghost", "twitter", "twitterdev", "typeform", "typo3", "typo3org",
    "vercel", "vimeo", "webflow", "weebly", "wix", "wixcom", "wordpress", "wordpressdotcom", "workable", "wpengine",
    "x", "xdevelopers", "yoast", "youtube", "zendesk",
];
/// What templates have in the place of an account.
const PLACEHOLDERS: &[&str] = &[
    "account", "companyname", "demo", "example", "handle", "mycompany", "name", "profile", "test", "user", "username",
    "yourbrand", "yourcompany", "yourhandle", "yourname", "yourprofile", "yourusername",
];
/// What a link says that credits somebody, or heads somebody's posts.
const CREDITS: &[&str] = &[
    "built by", "built with", "created by", "design by", "designed by", "developed by", "hosted by", "made by",
    "made with", "photo by", "posts by", "powered by", "site by", "theme by", "tweets by", "website by",
];

/// The rank of an account that one page names, by nothing that people read.
const DOUBTFUL: u8 = 6;

/// An account that a page names, and how it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The account.
    pub account: Account,
    /// How it is named.
    pub evidence: EvidenceKind,
    /// On which page.
    pub page: Url,
    is_credit: bool,
    /// Whether the network must be asked whether it is the company's.
    pub is_doubtful: bool,
}

/// The accounts of the company that is called `names`, on whatever network, the most certain first. The first page is the home page.
pub fn own_accounts(pages: &[ReadPage], names: &[&str], label: &str) -> Vec<Claim> {
    let claims: Vec<Claim> =
        pages.iter().enumerate().flat_map(|(index, page)| claims(page, index == 0, label)).collect();
    let alone = alone(&claims);
    let mut ranked: Vec<(u8, &Claim)> =
        claims.iter().filter_map(|claim| Some((rank(claim, &alone, names)?, claim))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut known = HashSet::new();
    let once = ranked.into_iter().filter(|(_, claim)| known.insert(&claim.account));
    once.map(|(rank, claim)| Claim { is_doubtful: rank == DOUBTFUL, ..claim.clone() }).collect()
}

fn claims(page: &ReadPage, is_home: bool, label: &str) -> Vec<Claim> {
    let claim = |url: &Url, evidence: EvidenceKind, text: &str| {
        let text = folded(text);
        let is_credit = CREDITS.iter().any(|credit| text.contains(credit));
        Some(Claim { account: Account::of(url)?, evidence, page: page.url.clone(), is_credit, is_doubtful: false })
    };
    let organizations =
        page.described.organizations.iter().filter(|organization| is_companys(organization, page, label));
    let same_as = organizations.flat_map(|organization| &organization.same_as);
    let mut claims: Vec<Claim> = same_as.filter_map(|url| claim(url, EvidenceKind::StructuredData, "")).collect();
    // On other pages `rel=me` may speak of an author.
    let me = page.head.links.iter().filter(|link| is_home && link.is("me"));
    claims.extend(me.filter_map(|link| claim(&link.url, EvidenceKind::RelMe, "")));
    let site = page.head.meta("twitter:site").map(|handle| format!("https://x.com/{}", handle.trim_start_matches('@')));
    let site = site.and_then(|address| Url::parse(&address).ok());
    claims.extend(site.and_then(|url| claim(&url, EvidenceKind::Metadata, "")));
    claims.extend(page.links.iter().filter_map(|link| claim(&link.url, EvidenceKind::Link, &link.text)));
    claims
}

/// How certain it is that an account is the company's, the smallest the most; `None` where it is not.
fn rank(claim: &Claim, alone: &[&Account], names: &[&str]) -> Option<u8> {
    let chosen = claim.account.chosen_name();
    let alike = chosen.map(|chosen| names.iter().map(|name| likeness(name, chosen)).max().unwrap_or(Likeness::None));
    let is_others = |chosen: &str| {
        let letters = letters(chosen);
        [VENDORS, PLACEHOLDERS].iter().any(|list| list.contains(&letters.as_str()))
    };
    if chosen.is_some_and(is_others) && alike != Some(Likeness::Same) {
        return None;
    }
    let is_said = matches!(claim.evidence, EvidenceKind::StructuredData | EvidenceKind::RelMe);
    match alike {
        Some(Likeness::Same) => Some(if is_said { 0 } else { 2 }),
        Some(Likeness::Related) => Some(if is_said { 1 } else { 3 }),
        _ if is_said => Some(4),
        _ if alone.contains(&&claim.account) => Some(5),
        // `/channel/UC…` says nothing of whose it is, but YouTube does.
        _ => (chosen.is_none() && claim.account.network() == Network::Youtube && !claim.is_credit).then_some(DOUBTFUL),
    }
}

/// The accounts beside which the pages name no other of the same network, credit nobody, and which more than one page names.
fn alone(claims: &[Claim]) -> Vec<&Account> {
    let mut of_networks: BTreeMap<Network, (&Account, BTreeSet<&str>, bool)> = BTreeMap::new();
    for Claim { account, page, is_credit, .. } in claims {
        let (only, pages, is_alone) = of_networks.entry(account.network()).or_insert((account, BTreeSet::new(), true));
        *is_alone &= *only == account && !is_credit;
        pages.insert(page.as_str());
    }
    let alone = of_networks.into_values().filter(|(_, pages, is_alone)| *is_alone && pages.len() > 1);
    alone.map(|(account, ..)| account).collect()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::own_accounts;
    use crate::discovery::profile::page::ReadPage;
    use crate::extraction::accounts::Account;
    use crate::extraction::organization::described;
    use crate::extraction::page::read_page;

    fn page(path: &str, html: &str) -> ReadPage {
        let url = Url::parse("https://acme.example/").unwrap().join(path).unwrap();
        let read = read_page(html.as_bytes(), None, &url);
        let described = described(&read.json_ld, &url);
        ReadPage { head: read.head, links: read.links, described, url, lists_articles: false }
    }

    fn own(home: &str, other: &str) -> Vec<Account> {
        let claims = own_accounts(&[page("/", home), page("/news", other)], &["Acme", "acme"], "acme");
        claims.into_iter().map(|claim| claim.account).collect()
    }

    fn x(handle: &str) -> Account {
        Account::X(handle.into())
    }

    #[test]
    fn the_companys_own_accounts_are_taken_in_the_order_of_trust() {
        let home = r#"<meta name="twitter:site" content="@acme_news"><link rel="me" href="https://social.example/@sandbox">
            <script type="application/ld+json">{"@type":"Organization","name":"Acme","sameAs":["https://x.com/AcmeHQ",
            "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv","https://en.wikipedia.org/wiki/Acme"]}</script>
            <a href="https://www.linkedin.com/company/acme/">in</a>"#;
        let mastodon = Account::Mastodon { user: "sandbox".into(), host: "social.example".into() };
        let youtube = Account::YoutubeChannel("UCabcdefghijklmnopqrstuv".into());
        assert_eq!(own(home, ""), [x("AcmeHQ"), Account::Linkedin("acme".into()), x("acme_news"), youtube, mastodon]);
        let home = r#"<a href="https://x.com/acme">x</a>"#;
        assert_eq!(own(home, ""), [x("acme")]);
    }

    #[test]
    fn accounts_of_others_are_refused() {
        for (home, why) in [
            (r#"<a href="https://twitter.com/intent/tweet?text=x">Tweet</a>"#, "a share button"),
            (r#"<a href="https://www.linkedin.com/shareArticle?url=x">Share</a>"#, "a share button"),
            (r#"<a href="https://twitter.com/webflow">Powered by Webflow</a>"#, "the maker of the site"),
            (r#"<a href="https://twitter.com/squarespace">x</a>"#, "the maker of the site, without a word"),
            (r#"<meta name="twitter:site" content="@wix">"#, "the template's metadata"),
            (
                r#"<script type="application/ld+json">{"@type":"Organization","sameAs":["https://x.com/yourhandle"],"url":"/"}</script>"#,
                "a placeholder",
            ),
            (
                r#"<a class="twitter-timeline" href="https://twitter.com/quarryworld">Tweets by quarryworld</a>"#,
                "a widget",
            ),
            (r#"<blockquote><a href="https://twitter.com/ada/status/7">June 1</a></blockquote>"#, "an embedded post"),
            (r#"<iframe src="https://www.youtube.com/embed/abc"></iframe>"#, "an embedded video"),
            (r#"<a href="https://x.com/partner">Partner</a>"#, "a partner that one page names"),
            (
                r#"<script type="application/ld+json">{"@type":"Organization","name":"Quarry","url":"https://quarry.example","sameAs":["https://x.com/quarry"]}</script>"#,
                "another company",
            ),
            (r#"<a href="https://medium.com/@acme">Blog</a>"#, "no network that can be watched"),
        ] {
            assert_eq!(own(home, ""), [], "{why}");
        }
        let widget = r#"<a href="https://twitter.com/quarryworld">Tweets by quarryworld</a>"#;
        assert_eq!(own(widget, widget), [], "a widget on every page");
        let author = r#"<link rel="me" href="https://social.example/@ada">"#;
        assert_eq!(own("", author), [], "an author's own page");
    }

    #[test]
    fn an_account_that_is_not_named_like_the_company_must_be_the_only_one_on_every_page() {
        let sand = r#"<a href="https://x.com/sandpeople">x</a>"#;
        assert_eq!(own(sand, sand), [x("sandpeople")]);
        assert_eq!(own(sand, ""), []);
        let two = r#"<a href="https://x.com/sandpeople">x</a><a href="https://x.com/quarry">x</a>"#;
        assert_eq!(own(two, sand), []);
    }

    #[test]
    fn a_vendors_own_site_keeps_its_account() {
        let home = page("/", r#"<a href="https://x.com/webflow">x</a>"#);
        assert_eq!(own_accounts(&[home], &["Webflow", "webflow"], "webflow").len(), 1);
    }
}
