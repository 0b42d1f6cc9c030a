//! How many items a request asks for, as far as its parameters tell.

use super::Request;
use crate::text::pattern::Pattern;

/// The names that interfaces give to that parameter, and its number, in an address, in JSON or in a query language.
static ASKED: Pattern = Pattern::new(concat!(
    "(?i)(?:^|[^a-z_])(?:limit|count|size|rows|page_?size|per_?page|(?:hits|results)_?per_?page",
    r#"|max_?(?:records|results|items))"?\s*[=:\s]\s*"?([0-9]+)"#,
));

impl Request {
    /// How many items it asks for, where it names a number.
    pub fn asked_page_size(&self) -> Option<usize> {
        let query = self.query.iter().map(|(name, value)| format!("{name}={}", value.example("")));
        let texts =
            [&self.url].into_iter().chain(&self.path).chain(&self.body).map(|text| text.example("")).chain(query);
        let asked = |text: String| ASKED.captures(&text)?.get(1)?.as_str().parse().ok();
        texts.into_iter().find_map(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn the_asked_size_is_read_from_addresses_bodies_and_queries() {
        for (request, wanted) in [
            ("url = 'https://a.example/{user}?limit=40'", Some(40)),
            ("url = 'https://a.example/jobs.rss?per_page=200'", Some(200)),
            ("url = 'https://a.example/x?finder=find;site={s},limit=25,offset={offset}'", Some(25)),
            ("url = 'https://a.example/'\nbody = '{\"limit\":20,\"offset\":{offset}}'", Some(20)),
            ("url = 'https://a.example/'\nquery = { hitsPerPage = '100' }", Some(100)),
            ("url = 'https://a.example/'\nquery = { perPage = '100' }", Some(100)),
            ("url = 'https://a.example/'\nquery = { maxrecords = '75' }", Some(75)),
            ("url = 'https://a.example/'\nquery = { results_per_page = '50' }", Some(50)),
            ("url = 'https://a.example/'\nquery = { '$limit' = '1000' }", Some(1000)),
            ("url = 'https://a.example/'\nquery = { query = 'SELECT ?a { ?a ?b ?c } LIMIT 500' }", Some(500)),
            ("url = 'https://a.example/{limit}?page=1&timespan=1d&accountsize=3'", None),
        ] {
            let request: Request = toml::from_str(request).unwrap();
            assert_eq!(request.asked_page_size(), wanted, "{request:?}");
        }
    }
}
