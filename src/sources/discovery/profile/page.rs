//! One page of a company's site, read for what it says of the company.

use url::Url;

use crate::extraction::articles::{Article, articles};
use crate::extraction::head::Head;
use crate::extraction::organization::{Described, described};
use crate::extraction::page::{Link, decode, page_of};
use crate::extraction::tree::Tree;
use outbound::fetch::Page;

/// What a page says that matters for a profile.
#[derive(Clone, Debug)]
pub struct ReadPage {
    /// Its address after redirects.
    pub url: Url,
    /// What it says of itself.
    pub head: Head,
    /// Its anchors.
    pub links: Vec<Link>,
    /// What it describes for machines.
    pub described: Described,
    /// Whether it lists articles.
    pub lists_articles: bool,
}

impl ReadPage {
    /// Takes `page` apart; meant for a thread for reading.
    pub fn of(page: &Page) -> Self {
        let tree = Tree::beginning_of(&decode(&page.body, page.content_type()));
        let html = page_of(&tree, &page.final_url);
        let described = described(&html.json_ld, &page.final_url);
        let lists_articles = tree.is_whole() && is_list(&articles(&tree, &page.final_url));
        Self { url: page.final_url.clone(), head: html.head, links: html.links, described, lists_articles }
    }
}

/// Whether these are the articles of a list, and not one link that looks like an article's.
fn is_list(articles: &[Article]) -> bool {
    articles.len() > 1 || articles.iter().any(|article| article.published_on.is_some())
}
