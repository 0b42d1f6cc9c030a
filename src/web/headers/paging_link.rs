//! Where the next page of a list is: the header `Link` with `rel=next` (RFC 8288).

use actix_web::http::header::HeaderValue;

/// The link to the page that begins at `cursor`, as long as a proxy leaves the query alone: it is relative to the path. `query`
/// is that of this page.
pub(crate) fn next(query: &str, cursor: &str) -> Option<HeaderValue> {
    let kept = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="));
    let cursor = format!("cursor={}", encoded(cursor));
    let pairs: Vec<&str> = kept.chain([cursor.as_str()]).collect();
    HeaderValue::from_str(&format!("<?{}>; rel=\"next\"", pairs.join("&").replace('>', "%3E"))).ok()
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn a_link_keeps_the_other_parameters() {
        for (query, link) in [
            ("", "<?cursor=a%2B%3D>; rel=\"next\""),
            ("limit=5&cursor=old&radar_type=a,b", "<?limit=5&radar_type=a,b&cursor=a%2B%3D>; rel=\"next\""),
            ("since=1>2", "<?since=1%3E2&cursor=a%2B%3D>; rel=\"next\""),
        ] {
            assert_eq!(next(query, "a+=").as_ref().and_then(|value| value.to_str().ok()), Some(link));
        }
    }
}
