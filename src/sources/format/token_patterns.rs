//! The `[discovery]` table of a source file: how a target leads to the token by which the source knows it.
//!
//! Duty: address or target to token. Never here: a request, or a token guessed from a domain.

use std::collections::BTreeSet;

use serde::Deserialize;
use url::{Position, Url};

use super::capture::Capture;
use domain::{DomainName, Email, ProfileUrl, Target};

/// Tokens longer than this are no tenant's name.
const TOKEN_CHARS_MAX: usize = 100;

/// First labels and path segments that belong to the board itself.
const NEVER_TOKENS: &[&str] = &[
    "www", "api", "app", "embed", "static", "assets", "cdn", "jobs", "careers", "help", "support", "blog",
    "robots.txt", "favicon.ico", "sitemap.xml", "js", "css", "v0", "v1",
];

/// How a target leads to its token.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Discovery {
    /// Addresses on a company's pages, or of a person's profile, that name the token. Tried in order; the first that
    /// matches gives it.
    pub patterns: Vec<Pattern>,
    /// The part of the target that is the token itself, for sources that are asked by it.
    pub target: Option<TargetPart>,
    /// Words in the token's place that are none, beside the usual ones.
    pub deny: Vec<String>,
    /// Query parameters on a company's own pages that hint at the board without naming the tenant.
    pub own_site_parameters: Vec<String>,
}

/// A part of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetPart {
    /// A company's domain, or that of a person's employer.
    Domain,
    /// The address of a person's profile.
    ProfileUrl,
    /// A person's e-mail address.
    Email,
    /// An industry's keyword.
    Keyword,
}

impl TargetPart {
    /// That part of `target`, if it has it.
    fn of(self, target: &Target) -> Option<&str> {
        match (self, target) {
            (Self::Domain, target) => target.domain().map(DomainName::as_str),
            (Self::ProfileUrl, Target::Contact { profile_url, .. }) => profile_url.as_ref().map(ProfileUrl::as_str),
            (Self::Email, Target::Contact { email, .. }) => email.as_ref().map(Email::as_str),
            (Self::Keyword, Target::Industry { keyword, .. }) => keyword.as_deref(),
            _ => None,
        }
    }
}

/// Addresses of one form.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Whole host names.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// A domain whose direct subdomain is the token.
    pub subdomain_of: Option<String>,
    /// How the path must begin.
    pub path_starts_with: Option<String>,
    /// The path segment that is the token, from 0.
    pub path_segment: Option<usize>,
    /// The query parameter that is the token.
    pub query: Option<String>,
    /// An expression on host, path and query, whose named groups are the values, for targets that need several.
    pub matches: Option<Capture>,
}

impl Discovery {
    /// Whether nothing leads from a target to a token.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty() && self.target.is_none()
    }

    /// The names of the values that the patterns give.
    pub fn value_names(&self) -> BTreeSet<String> {
        let groups = self.patterns.iter().filter_map(|pattern| pattern.matches.as_ref());
        let has_plain = self.target.is_some() || self.patterns.iter().any(|pattern| pattern.matches.is_none());
        let names = groups.flat_map(Capture::names).chain(has_plain.then_some("token"));
        names.map(str::to_owned).collect()
    }

    /// The token that `target` names by itself, without a look at any page.
    pub fn token_of_target(&self, target: &Target) -> Option<String> {
        let part = self.target.and_then(|part| part.of(target)).map(str::to_owned);
        part.or_else(|| match target {
            Target::Contact { profile_url: Some(profile_url), .. } => {
                self.token_of(&Url::parse(profile_url.as_str()).ok()?)
            }
            _ => None,
        })
    }

    /// The token that `url` names.
    pub fn token_of(&self, url: &Url) -> Option<String> {
        self.patterns.iter().find_map(|pattern| pattern.token_of(url).filter(|token| self.is_token(token)))
    }

    /// Whether `url` hints at the board without naming the tenant.
    pub fn hints_at(&self, url: &Url) -> bool {
        url.query_pairs().any(|(name, _)| self.own_site_parameters.iter().any(|parameter| *parameter == name))
    }

    /// The rule that the patterns break.
    pub fn problem(&self) -> Option<&'static str> {
        for pattern in &self.patterns {
            let places = [
                pattern.subdomain_of.is_some(),
                pattern.path_segment.is_some(),
                pattern.query.is_some(),
                pattern.matches.is_some(),
            ];
            if places.into_iter().filter(|is_used| *is_used).count() != 1 {
                return Some("need one of `path_segment`, `query`, `subdomain_of` and `matches` each");
            }
            let names_host = pattern.subdomain_of.is_some() || pattern.matches.is_some();
            if pattern.hosts.is_empty() != names_host {
                return Some("need either `hosts`, `subdomain_of` or `matches` each");
            }
            if pattern.matches.as_ref().is_some_and(|regex| regex.names().next().is_none()) {
                return Some("with `matches` need a named group such as `(?<token>[a-z]+)`");
            }
        }
        None
    }

    fn is_token(&self, token: &str) -> bool {
        let parts = || token.split('&').map(|part| part.split_once('=').map_or(part, |(_, value)| value));
        let is_denied = |word: &str| parts().any(|part| word.eq_ignore_ascii_case(part));
        token.chars().count() <= TOKEN_CHARS_MAX
            && token.chars().any(char::is_alphanumeric)
            && !token.chars().any(|letter| letter.is_control() || "/\\{}<>\"'".contains(letter))
            && !NEVER_TOKENS.iter().any(|word| word.eq_ignore_ascii_case(token))
            && !self.deny.iter().map(String::as_str).any(is_denied)
    }
}

impl Pattern {
    fn token_of(&self, url: &Url) -> Option<String> {
        let host = url.host_str()?;
        if let Some(regex) = &self.matches {
            let values = regex.named(&format!("{host}{}", &url[Position::BeforePath..Position::AfterQuery]))?;
            return Some(match values.into_iter().collect::<Vec<_>>().as_slice() {
                [(_, only)] => only.clone(),
                several => url::form_urlencoded::Serializer::new(String::new()).extend_pairs(several).finish(),
            });
        }
        if self.path_starts_with.as_ref().is_some_and(|start| !url.path().starts_with(start.as_str())) {
            return None;
        }
        if let Some(domain) = &self.subdomain_of {
            let label = host.strip_suffix(domain.as_str())?.strip_suffix('.')?;
            return (!label.contains('.')).then(|| label.to_owned());
        }
        if !self.hosts.iter().any(|known| known == host) {
            return None;
        }
        match (&self.query, self.path_segment) {
            (Some(query), _) => url.query_pairs().find(|(name, _)| name == query).map(|(_, token)| token.into_owned()),
            (None, Some(segment)) => {
                let escaped = url.path_segments()?.nth(segment)?;
                percent_encoding::percent_decode_str(escaped).decode_utf8().ok().map(|token| token.into_owned())
            }
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Discovery;
    use domain::{DomainName, Email, ProfileUrl, Target};

    fn token(table: &str, target: &Target) -> Option<String> {
        let discovery: Discovery = toml::from_str(table).unwrap();
        assert_eq!(discovery.problem(), None);
        discovery.token_of_target(target)
    }

    #[test]
    fn targets_of_every_kind_name_their_token() {
        let company = Target::Company { domain: DomainName::from_stored("acme.example".into()) };
        let person = Target::Contact {
            domain: None,
            profile_url: Some(ProfileUrl::from_stored("https://x.com/ada".into())),
            email: Some(Email::from_stored("ada@acme.example".into())),
            full_name: None,
        };
        let theme = Target::Industry { keyword: Some("green steel".into()), countries: Vec::new() };
        let profile = "patterns = [{ hosts = [\"x.com\"], path_segment = 0 }]";
        for (table, target, wanted) in [
            ("target = \"domain\"", &company, Some("acme.example")),
            ("target = \"keyword\"", &theme, Some("green steel")),
            ("target = \"email\"", &person, Some("ada@acme.example")),
            ("target = \"profile_url\"", &person, Some("https://x.com/ada")),
            (profile, &person, Some("ada")),
            (profile, &company, None),
            ("target = \"keyword\"", &company, None),
            ("target = \"domain\"", &person, None),
        ] {
            assert_eq!(token(table, target).as_deref(), wanted, "{table}");
        }
    }
}
