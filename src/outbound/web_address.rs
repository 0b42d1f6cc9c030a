//! Addresses of pages as strangers write them.
//!
//! Duty: what is taken for an address, and how long one may be. Never here: whether it may be called.

use url::Url;

/// Longer addresses are refused, wherever they come from. No browser or search engine relies on longer ones, and a page may
/// name thousands.
pub const ADDRESS_BYTES_MAX: usize = 2_048;

/// `reference`, as it stands on the page at `base`, as an absolute http or https address.
pub fn join(base: &Url, reference: &str) -> Option<Url> {
    let reference = reference.trim();
    // Refused before it is joined: what is joined in vain costs as much as what is kept.
    if reference.len() > ADDRESS_BYTES_MAX {
        return None;
    }
    base.join(reference).ok().filter(is_web_address)
}

/// Whether `url` is an http or https address that is short enough.
pub fn is_web_address(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host() && url.as_str().len() <= ADDRESS_BYTES_MAX
}

/// `url` as it is asked for: a fragment is the reader's own.
pub(super) fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{ADDRESS_BYTES_MAX, join};

    #[test]
    fn long_addresses_are_refused_whichever_part_is_long() {
        let base = |length: usize| Url::parse(&format!("https://a.example/{}/", "b".repeat(length))).unwrap();
        let room = ADDRESS_BYTES_MAX - "https://a.example//".len();
        assert!(join(&base(room - 1), "c").is_some());
        assert!(join(&base(room), "c").is_none(), "the base is too long for it");
        assert!(join(&base(400_000), "c").is_none());
        assert!(join(&base(1), &"c".repeat(ADDRESS_BYTES_MAX + 1)).is_none());
        assert!(join(&base(1), &"ü".repeat(ADDRESS_BYTES_MAX / 4)).is_none(), "it grows when it is escaped");
        assert_eq!(join(&base(400_000), "https://b.example/x").unwrap().as_str(), "https://b.example/x");
    }

    #[test]
    fn only_addresses_of_pages_are_taken() {
        let base = Url::parse("https://a.example/x/").unwrap();
        for (reference, joined) in [
            (" y ", Some("https://a.example/x/y")),
            ("//b.example", Some("https://b.example/")),
            ("mailto:a@b.example", None),
            ("javascript:void(0)", None),
            ("http://[", None),
        ] {
            assert_eq!(join(&base, reference).as_ref().map(Url::as_str), joined, "{reference}");
        }
    }
}
