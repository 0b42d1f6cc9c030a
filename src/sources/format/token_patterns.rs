//! Which addresses name a tenant of a board.
//!
//! Duty: address to token by the patterns of a source file. Never here: a request, or a token guessed from a domain.

use serde::Deserialize;
use url::Url;

/// Tokens longer than this are no tenant's name.
const TOKEN_CHARS_MAX: usize = 100;

/// First labels and path segments that belong to the board itself.
const NEVER_TOKENS: &[&str] = &[
    "www",
    "api",
    "app",
    "embed",
    "static",
    "assets",
    "cdn",
    "jobs",
    "careers",
    "help",
    "support",
    "blog",
    "robots.txt",
    "favicon.ico",
    "sitemap.xml",
    "js",
    "css",
    "v0",
    "v1",
];

/// How pages lead to a tenant.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discovery {
    /// Tried in order; the first that matches gives the token.
    pub patterns: Vec<Pattern>,
    /// Words in the token's place that are none, beside the usual ones.
    #[serde(default)]
    pub deny: Vec<String>,
    /// Query parameters on a company's own pages that betray the board without naming the tenant.
    #[serde(default)]
    pub own_site_parameters: Vec<String>,
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
}

impl Discovery {
    /// The token that `url` names.
    pub fn token_of(&self, url: &Url) -> Option<String> {
        self.patterns.iter().find_map(|pattern| pattern.token_of(url).filter(|token| self.is_token(token)))
    }

    /// Whether `url` betrays the board without naming the tenant.
    pub fn is_betrayed_by(&self, url: &Url) -> bool {
        url.query_pairs().any(|(name, _)| self.own_site_parameters.iter().any(|parameter| *parameter == name))
    }

    /// Says what is wrong with the patterns.
    ///
    /// # Errors
    /// The broken rule, in words.
    pub fn check(&self) -> Result<(), &'static str> {
        for pattern in &self.patterns {
            let token_places =
                [pattern.subdomain_of.is_some(), pattern.path_segment.is_some(), pattern.query.is_some()];
            if token_places.into_iter().filter(|is_used| *is_used).count() != 1 {
                return Err("need one of `path_segment`, `query` and `subdomain_of` each");
            }
            if pattern.hosts.is_empty() == pattern.subdomain_of.is_none() {
                return Err("need either `hosts` or `subdomain_of` each");
            }
        }
        Ok(())
    }

    fn is_token(&self, token: &str) -> bool {
        let is_denied = |word: &str| word.eq_ignore_ascii_case(token);
        token.chars().count() <= TOKEN_CHARS_MAX
            && token.chars().any(char::is_alphanumeric)
            && !token.chars().any(|letter| letter.is_control() || "/\\{}<>\"'".contains(letter))
            && !NEVER_TOKENS.iter().copied().any(is_denied)
            && !self.deny.iter().map(String::as_str).any(is_denied)
    }
}

impl Pattern {
    fn token_of(&self, url: &Url) -> Option<String> {
        let host = url.host_str()?;
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
