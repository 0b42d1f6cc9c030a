//! When two addresses name the same page.
//!
//! Duty: an address without what only tracks the visitor, and the text by which a page is remembered.

use url::Url;

/// Parameters that say where the visitor came from.
const TRACKING: &[&str] = &[
    "gclid", "dclid", "fbclid", "msclkid", "yclid", "igshid", "mc_cid", "mc_eid", "_ga", "_gl", "gh_src",
    "lever-source", "lever-origin", "lever-via", "hsctatracking", "trk", "trackingid", "wt_mc", "_hsenc", "_hsmi",
];

/// `url` without tracking parameters and fragment; a fragment that is a route of a script stays.
pub fn canonical(url: &Url) -> Url {
    let mut canonical = url.clone();
    if !url.fragment().is_some_and(|fragment| fragment.starts_with(['/', '!'])) {
        canonical.set_fragment(None);
    }
    let is_tracking = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.starts_with("utm_") || TRACKING.contains(&name.as_str())
    };
    if url.query_pairs().any(|(name, _)| is_tracking(&name)) {
        let kept: Vec<(String, String)> = url
            .query_pairs()
            .filter(|(name, _)| !is_tracking(name))
            .map(|(name, value)| (name.into(), value.into()))
            .collect();
        canonical.set_query(None);
        if !kept.is_empty() {
            canonical.query_pairs_mut().extend_pairs(kept);
        }
    }
    canonical
}

/// The text by which the page at `url` is remembered: scheme and a last slash make no difference.
pub fn identity(url: &Url) -> String {
    let mut canonical = canonical(url);
    if canonical.scheme() == "http" && canonical.port().is_none() && canonical.set_scheme("https").is_err() {
        tracing::debug!(url = %url, "scheme of an address could not be changed");
    }
    let path = canonical.path().trim_end_matches('/').to_owned();
    canonical.set_path(&path);
    canonical.to_string()
}

#[cfg(test)]
mod tests {
    use super::{canonical, identity};
    use url::Url;

    #[test]
    fn tracking_is_dropped_and_the_rest_stays() {
        for (url, wanted) in [
            ("https://a.example/job/1?utm_source=x&id=7&UTM_Medium=y#apply", "https://a.example/job/1?id=7"),
            ("https://a.example/job/1?gh_src=abc", "https://a.example/job/1"),
            ("https://a.example/jobs?gh_jid=42&ref=x%20y", "https://a.example/jobs?gh_jid=42&ref=x%20y"),
            ("https://a.example/#/job/1", "https://a.example/#/job/1"),
        ] {
            assert_eq!(canonical(&Url::parse(url).unwrap()).as_str(), wanted);
        }
    }

    #[test]
    fn the_same_page_has_one_identity() {
        let of = |url: &str| identity(&Url::parse(url).unwrap());
        assert_eq!(of("http://A.example/job/1/"), of("https://a.example/job/1?utm_campaign=z"));
        assert_ne!(of("https://a.example/job/1"), of("https://a.example/job/2"));
        assert_eq!(of(&of("https://a.example/")), of("https://a.example"));
    }
}
