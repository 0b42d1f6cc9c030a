//! Which host a poll of a feed asks first: polls of one host share its places.
//!
//! Pure. Never here: any request.

use url::Url;

use super::engines::team_page::TeamToken;
use super::feed::FeedKey;
use super::format::catalog::Catalog;
use super::format::source::SourceKind;

/// The host that a poll of `feed` asks first; the source's id where no host is known without asking.
pub fn host_of(catalog: &Catalog, feed: &FeedKey) -> String {
    let address = catalog.get(&feed.source_id).and_then(|source| match &source.kind {
        SourceKind::List(list) => {
            let first = list.resolve.first().map_or(&list.request.url, |step| &step.url);
            first.url(&list.needs.values_of(&feed.token)?)
        }
        SourceKind::CareersPage | SourceKind::Sitemap => Url::parse(&feed.token).ok(),
        SourceKind::TeamPage(_) => TeamToken::parse(&feed.token).map(|token| token.page),
        SourceKind::Push => None,
    });
    let host = address.as_ref().and_then(Url::host_str);
    host.unwrap_or(&feed.source_id).to_owned()
}

#[cfg(test)]
mod tests {
    use super::host_of;
    use crate::feed::FeedKey;
    use crate::format::catalog::Catalog;

    #[test]
    fn a_feed_belongs_to_the_host_that_is_asked_first() {
        let catalog = Catalog::load_with(None, &|_| None).unwrap();
        for (source_id, token, host) in [
            ("greenhouse", "acme", "boards-api.greenhouse.io"),
            ("personio", "acme", "acme.jobs.personio.de"),
            ("careers_page", "https://acme.example/careers", "acme.example"),
            ("team_page", "https://www.acme.example/team", "www.acme.example"),
            ("team_page-contact_job_changes", "full_name=Ada&page=https%3A%2F%2Facme.example%2Fteam", "acme.example"),
            ("company_feed", "https://blog.acme.example/feed.xml", "blog.acme.example"),
            ("mastodon_posts", "mastodon_host=mas.example&mastodon_user=acme", "mas.example"),
            ("bluesky_likes", "acme.example", "public.api.bsky.app"),
            ("arbeitnow", "robotics", "www.arbeitnow.com"),
            ("nowhere", "acme", "nowhere"),
            ("careers_page", "no address", "careers_page"),
        ] {
            let feed = FeedKey { source_id: source_id.into(), token: token.into() };
            assert_eq!(host_of(&catalog, &feed), host, "{source_id} {token}");
        }
    }
}
