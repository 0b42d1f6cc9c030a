//! The rewrite table: prefixes of target addresses that are dialled elsewhere (`outbound.rewrite`).
//!
//! Duty: mirrors, egress gateways and tests. Applied just before dialling and taken back from redirects, so that no
//! rewritten address is ever stored or shown. Never here: webhooks.

use url::Url;

use config::Rewrite;

/// Prefixes and what stands in their place; the longest prefix that fits wins.
#[derive(Clone, Debug, Default)]
pub struct RewriteTable {
    entries: Vec<Rewrite>,
}

/// Where to dial for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialled {
    /// The address to dial.
    pub url: Url,
    /// The entry that was applied.
    entry: Option<usize>,
}

impl Dialled {
    /// Whether the table sent the request elsewhere.
    pub fn is_rewritten(&self) -> bool {
        self.entry.is_some()
    }
}

impl RewriteTable {
    /// A table of prefixes and their replacements.
    pub fn new(entries: &[Rewrite]) -> Self {
        let mut entries: Vec<Rewrite> = entries.iter().map(normalised).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.from.len()));
        Self { entries }
    }

    /// Where to dial for `url`: elsewhere if a prefix fits, else `url` itself.
    pub fn dialled(&self, url: &Url) -> Dialled {
        let rewritten = self.entries.iter().enumerate().find_map(|(index, entry)| {
            let rest = rest_after(url.as_str(), &entry.from)?;
            Some(Dialled { url: Url::parse(&format!("{}{rest}", entry.to)).ok()?, entry: Some(index) })
        });
        rewritten.unwrap_or_else(|| Dialled { url: url.clone(), entry: None })
    }

    /// The original of `location`, an absolute address that a redirect from `dialled` named.
    pub fn original(&self, location: &Url, dialled: &Dialled) -> Url {
        // Two originals may share a mirror: a redirect stays at the one that was asked.
        let used = dialled.entry.and_then(|index| self.entries.get(index));
        let by_length = || {
            let fits = self.entries.iter().filter(|entry| rest_after(location.as_str(), &entry.to).is_some());
            fits.max_by_key(|entry| entry.to.len())
        };
        let entry = used.filter(|entry| rest_after(location.as_str(), &entry.to).is_some()).or_else(by_length);
        let original = entry.and_then(|entry| {
            let rest = rest_after(location.as_str(), &entry.to)?;
            Url::parse(&format!("{}{rest}", entry.from)).ok()
        });
        original.unwrap_or_else(|| location.clone())
    }
}

/// Addresses of hosts are normalised, without their last slash; a bare scheme such as `https://` stays as it is.
fn normalised(entry: &Rewrite) -> Rewrite {
    let of_host = |prefix: &str| {
        Url::parse(prefix).ok().filter(Url::has_host).map(|url| url.as_str().trim_end_matches('/').to_owned())
    };
    match (of_host(&entry.from), of_host(&entry.to)) {
        (Some(from), Some(to)) => Rewrite { from, to },
        _ => entry.clone(),
    }
}

/// What follows `prefix`, unless the prefix ends within a host name, a port or a path segment.
fn rest_after<'a>(url: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = url.strip_prefix(prefix)?;
    (rest.is_empty() || prefix.ends_with('/') || rest.starts_with(['/', '?', '#'])).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{Rewrite, RewriteTable};
    use url::Url;

    fn table() -> RewriteTable {
        let entries = [
            ("https://acme.example", "http://127.0.0.1:1000"),
            ("https://www.acme.example/", "http://127.0.0.1:1000/"),
            ("https://acme.example/mirror/", "http://127.0.0.1:2000/acme"),
            ("https://Boards.example", "http://127.0.0.1:3000"),
        ];
        RewriteTable::new(&entries.map(|(from, to)| Rewrite { from: from.to_owned(), to: to.to_owned() }))
    }

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn the_longest_prefix_that_fits_decides() {
        for (from, to) in [
            ("https://acme.example/", "http://127.0.0.1:1000/"),
            ("https://acme.example/a?b=c", "http://127.0.0.1:1000/a?b=c"),
            ("https://acme.example/mirror/x", "http://127.0.0.1:2000/acme/x"),
            ("https://acme.example/mirrors", "http://127.0.0.1:1000/mirrors"),
            ("https://boards.example/v1", "http://127.0.0.1:3000/v1"),
            ("https://acme.example.evil.example/", "https://acme.example.evil.example/"),
            ("http://acme.example/", "http://acme.example/"),
            ("https://acme.example:8443/", "https://acme.example:8443/"),
        ] {
            assert_eq!(table().dialled(&url(from)).url.as_str(), to, "{from}");
        }
    }

    #[test]
    fn redirects_come_back_in_original_terms() {
        let table = table();
        for (asked, location, original) in [
            ("https://acme.example/", "http://127.0.0.1:1000/jobs", "https://acme.example/jobs"),
            ("https://www.acme.example/", "http://127.0.0.1:1000/jobs", "https://www.acme.example/jobs"),
            ("https://acme.example/", "http://127.0.0.1:3000/x", "https://boards.example/x"),
            ("https://acme.example/", "http://127.0.0.1:30001/x", "http://127.0.0.1:30001/x"),
            ("https://acme.example/", "https://other.example/x", "https://other.example/x"),
        ] {
            let dialled = table.dialled(&url(asked));
            assert_eq!(table.original(&url(location), &dialled).as_str(), original, "{asked} {location}");
        }
    }

    #[test]
    fn a_bare_scheme_catches_all() {
        let table = RewriteTable::new(&[Rewrite { from: "https://".into(), to: "http://127.0.0.1:9000/".into() }]);
        let dialled = table.dialled(&url("https://acme.example/a"));
        assert_eq!(dialled.url.as_str(), "http://127.0.0.1:9000/acme.example/a");
        let location = url("http://127.0.0.1:9000/acme.example/b");
        assert_eq!(table.original(&location, &dialled).as_str(), "https://acme.example/b");
    }
}
