//! Tags of what is answered (`ETag`), so that a client that has it already is told so and nothing more.
//!
//! They are weak: the envelope tells when each answer was made, and an answer may be packed.

use actix_web::http::header::{ETAG, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse};
use sha2::{Digest, Sha256};

/// How much of a hash is a tag, in bytes.
const TAG_BYTES: usize = 16;

/// The tag of `content`.
pub(crate) fn of(content: &[u8]) -> EntityTag {
    let hash = Sha256::digest(content);
    EntityTag::new_weak(hex::encode(&hash[..TAG_BYTES]))
}

/// A 304, if the client has what `tag` stands for.
pub(crate) fn unchanged(request: &HttpRequest, tag: &EntityTag) -> Option<HttpResponse> {
    let has_it = match IfNoneMatch::parse(request).ok()? {
        IfNoneMatch::Any => request.headers().contains_key(IfNoneMatch::name()),
        IfNoneMatch::Items(tags) => tags.iter().any(|known| known.weak_eq(tag)),
    };
    has_it.then(|| HttpResponse::NotModified().insert_header((ETAG, tag.clone())).finish())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::IF_NONE_MATCH;
    use actix_web::test::TestRequest;

    use super::{of, unchanged};

    #[test]
    fn who_has_it_is_told_so_whatever_else_it_has() {
        let tag = of(b"content");
        for (sent, is_unchanged) in [
            (None, false),
            (Some(tag.to_string()), true),
            (Some(format!("\"a\", {tag}")), true),
            (Some(tag.to_string().trim_start_matches("W/").to_owned()), true),
            (Some("*".to_owned()), true),
            (Some("\"a\"".to_owned()), false),
            (Some("nonsense".to_owned()), false),
        ] {
            let request = TestRequest::default();
            let request =
                sent.iter().fold(request, |request, sent| request.insert_header((IF_NONE_MATCH, sent.as_str())));
            assert_eq!(unchanged(&request.to_http_request(), &tag).is_some(), is_unchanged, "{sent:?}");
        }
    }
}
