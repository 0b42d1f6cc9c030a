//! Templates in source files: texts with `{name}` where a value goes, `{+name}` where it keeps its slashes.
//!
//! Duty: parsing and filling, so that no value reaches another host, path or field than the file says. Anything in braces
//! that is no name stays as it is, so that JSON can be written plainly.

pub mod clock_value;

use std::collections::BTreeMap;
use std::convert::Infallible;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::text::pattern::Pattern;
use crate::text::read_from_text;
use outbound::web_address::is_web_address;

/// The longest label of a host name.
const LABEL_BYTES_MAX: usize = 63;
/// What stays as it is in a path segment or a query value.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// What stays as it is where a value may hold a whole path.
const RESERVED: &AsciiSet = &UNRESERVED.remove(b'/').remove(b':').remove(b'@').remove(b',').remove(b'+').remove(b'%');

/// Values by the names that templates give them.
pub type Values = BTreeMap<String, String>;

/// A text with places for values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Value {
        name: String,
        /// Whether slashes and the like stay.
        is_path: bool,
    },
}

impl Template {
    /// Takes `text` apart.
    pub fn parse(text: &str) -> Self {
        static VALUE: Pattern = Pattern::new(r"\{(\+?)([a-z][a-z0-9_]*)\}");
        let (mut parts, mut end) = (Vec::new(), 0);
        for found in VALUE.regex().into_iter().flat_map(|value| value.captures_iter(text)) {
            let place = found.get_match().range();
            push_text(&mut parts, &text[end..place.start]);
            parts.push(Part::Value { name: found[2].to_owned(), is_path: !found[1].is_empty() });
            end = place.end;
        }
        push_text(&mut parts, &text[end..]);
        Self { parts }
    }

    /// The names of the values that it needs.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Value { name, .. } => Some(name.as_str()),
            Part::Text(_) => None,
        })
    }

    /// The text with `values` as they are; `None` if one is missing.
    pub fn text(&self, values: &Values) -> Option<String> {
        self.filled(values, |value, _| value.to_owned())
    }

    /// The text with `value` in the place of each value.
    pub fn example(&self, value: &str) -> String {
        let values = self.names().map(|name| (name.to_owned(), value.to_owned())).collect();
        self.text(&values).unwrap_or_default()
    }

    /// The text with `values` escaped as the insides of JSON strings; `None` if one is missing.
    pub fn json(&self, values: &Values) -> Option<String> {
        self.filled(values, |value, _| {
            let quoted = serde_json::Value::from(value).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        })
    }

    /// The text with `values` escaped as in a query; `None` if one is missing.
    pub fn form(&self, values: &Values) -> Option<String> {
        self.filled(values, |value, _| utf8_percent_encode(value, UNRESERVED).to_string())
    }

    /// The address that `values` make. A value alone is a whole address; within the host it is a label or the whole host
    /// name; elsewhere it is escaped.
    ///
    /// `None` where a value is missing, empty, or would lead elsewhere than the file says.
    pub fn url(&self, values: &Values) -> Option<Url> {
        let url = match self.parts.as_slice() {
            [Part::Value { name, .. }] => Url::parse(values.get(name)?).ok()?,
            _ => {
                let (authority, rest) = self.authority()?;
                let authority = authority.host(values)?;
                let rest = rest.filled(values, |value, is_path| {
                    utf8_percent_encode(value, if is_path { RESERVED } else { UNRESERVED }).to_string()
                })?;
                let is_segment =
                    |name: &str| !matches!(values.get(name).map(String::as_str), None | Some("" | "." | ".."));
                if !self.names().all(is_segment) {
                    return None;
                }
                Url::parse(&format!("{authority}{rest}")).ok()?
            }
        };
        is_web_address(&url).then_some(url)
    }

    /// Whether what it makes is meant to be an address.
    pub fn is_address(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Text(text)) if text.starts_with("https://") || text.starts_with("http://"))
    }

    /// Whether the file itself says that the address is asked over plain HTTP, on which anybody on the way may write.
    pub fn is_plain_http(&self) -> bool {
        matches!(self.parts.first(), Some(Part::Text(text)) if text.starts_with("http://"))
    }

    /// Whether the host depends on none of the values, or only as a label or a whole name in its place.
    pub fn has_fixed_host_form(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Value { .. }])
            || self.authority().is_some_and(|(authority, _)| authority.is_host_form())
    }

    /// Scheme and host, and what follows.
    fn authority(&self) -> Option<(Self, Self)> {
        let Part::Text(first) = self.parts.first()? else { return None };
        let scheme = ["https://", "http://"].into_iter().find(|scheme| first.starts_with(scheme))?;
        let (mut authority, mut rest) = (Vec::new(), Vec::new());
        for (index, part) in self.parts.iter().enumerate() {
            let skipped = if index == 0 { scheme.len() } else { 0 };
            match part {
                Part::Text(text) if rest.is_empty() => {
                    let end = text[skipped..].find(['/', '?', '#']).map(|end| end + skipped);
                    push_text(&mut authority, &text[..end.unwrap_or(text.len())]);
                    rest.extend(end.map(|end| Part::Text(text[end..].to_owned())));
                }
                part if rest.is_empty() => authority.push(part.clone()),
                part => rest.push(part.clone()),
            }
        }
        Some((Self { parts: authority }, Self { parts: rest }))
    }

    /// Whether this authority has values only as labels before a fixed domain, or one as the whole host name.
    fn is_host_form(&self) -> bool {
        match self.parts.as_slice() {
            [Part::Text(_)] => true,
            [Part::Text(scheme), Part::Value { .. }] if scheme.ends_with("//") => true,
            parts => {
                let ends_fixed = matches!(parts.last(), Some(Part::Text(text)) if text.matches('.').count() >= 2);
                ends_fixed && !parts.windows(2).any(|two| matches!(two, [Part::Value { .. }, Part::Value { .. }]))
            }
        }
    }

    fn host(&self, values: &Values) -> Option<String> {
        let is_whole =
            matches!(self.parts.as_slice(), [Part::Text(scheme), Part::Value { .. }] if scheme.ends_with("//"));
        let is_label = |value: &str| {
            matches!(value.len(), 1..=LABEL_BYTES_MAX)
                && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        let fits = |name: &str| {
            values.get(name).is_some_and(|value| match is_whole {
                true => value.contains('.') && value.split('.').all(is_label),
                false => is_label(value),
            })
        };
        self.names().all(fits).then(|| self.text(values))?
    }

    fn filled(&self, values: &Values, escaped: impl Fn(&str, bool) -> String) -> Option<String> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Value { name, is_path } => text.push_str(&escaped(values.get(name)?, *is_path)),
            }
        }
        Some(text)
    }
}

read_from_text!(Template, |text: &str| Ok::<_, Infallible>(Template::parse(text)));

fn push_text(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Part::Text(last)) => last.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::{Template, Values};

    fn values() -> Values {
        let pairs = [
            ("token", "Acme Inc."),
            ("label", "acme"),
            ("host", "social.acme.example"),
            ("path", "/job/Oslo/Chief_1"),
            ("feed_url", "https://acme.example/feed?x=1"),
            ("up", ".."),
            ("evil", "acme.example/"),
            ("quote", "a\"b"),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).into()
    }

    #[test]
    fn values_are_escaped_for_their_place() {
        for (template, url) in [
            (
                "https://api.example.com/{token}/jobs?q={token}",
                Some("https://api.example.com/Acme%20Inc./jobs?q=Acme%20Inc."),
            ),
            ("https://{label}.example.com/x", Some("https://acme.example.com/x")),
            ("https://{host}/@{label}.rss", Some("https://social.acme.example/@acme.rss")),
            ("https://api.example.com/site{+path}", Some("https://api.example.com/site/job/Oslo/Chief_1")),
            ("https://api.example.com/{path}", Some("https://api.example.com/%2Fjob%2FOslo%2FChief_1")),
            ("{feed_url}", Some("https://acme.example/feed?x=1")),
            ("https://api.example.com/{up}/x", None),
            ("https://{evil}.example.com/", None),
            ("https://{token}.example.com/", None),
            ("https://{label}/", None),
            ("https://api.example.com/{missing}", None),
            ("{path}", None),
            ("ftp://example.com/{label}", None),
        ] {
            let made = Template::parse(template).url(&values());
            assert_eq!(made.as_ref().map(url::Url::as_str), url, "{template}");
        }
    }

    #[test]
    fn what_is_no_name_stays_as_it_is() {
        let body = Template::parse(r#"{"facets":{},"text":"{quote}","n":{label}}"#);
        assert_eq!(body.names().collect::<Vec<_>>(), ["quote", "label"]);
        assert_eq!(body.json(&values()).unwrap(), r#"{"facets":{},"text":"a\"b","n":acme}"#);
        assert_eq!(Template::parse("a={token}").form(&values()).unwrap(), "a=Acme%20Inc.");
        assert_eq!(Template::parse("{").text(&values()).unwrap(), "{");
    }

    #[test]
    fn a_host_is_fixed_but_for_labels() {
        for (template, is_fixed) in [
            ("https://api.example.com/{x}", true),
            ("https://{x}.example.com/", true),
            ("https://{x}.{y}.example.com/", true),
            ("https://{x}/", true),
            ("{x}", true),
            ("https://{x}.com/", false),
            ("https://api.{x}/", false),
            ("https://{x}{y}.example.com/", false),
            ("{x}/feed", false),
            ("api.example.com/{x}", false),
        ] {
            assert_eq!(Template::parse(template).has_fixed_host_form(), is_fixed, "{template}");
        }
    }
}
