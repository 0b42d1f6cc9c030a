//! What surrounds every page: requests that another site or another name led here are refused, and no page runs a script of
//! others, loads anything from elsewhere or stands in a frame.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse};

use config::OwnHosts;

/// A style and a script of our own, forms to ourselves, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    // Not "no-referrer", which would have forms sent with an `Origin` of null.
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// Refuses what does not come from these pages, and adds the headers to whatever is answered.
pub(crate) async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let hosts = request.app_data::<OwnHosts>().cloned().unwrap_or_default();
    let mut response = match refusal(&hosts, request.method(), request.headers()) {
        Some((status, reason)) => request.into_response(HttpResponse::build(status).body(reason)),
        None => next.call(request).await?.map_into_boxed_body(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

fn refusal(hosts: &OwnHosts, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(header::HOST);
    if !hosts.permit(host) {
        return Some((StatusCode::MISDIRECTED_REQUEST, OwnHosts::REFUSAL));
    }
    if method == Method::GET || method == Method::HEAD {
        return None;
    }
    let is_own = |origin: &str| origin.split_once("://").is_some_and(|(_, origin)| Some(origin) == host);
    let is_foreign = text(header::ORIGIN).is_some_and(|origin| !is_own(origin))
        || text(HeaderName::from_static("sec-fetch-site")).is_some_and(|site| !["same-origin", "none"].contains(&site));
    is_foreign.then_some((StatusCode::FORBIDDEN, "forms are taken from these pages alone"))
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use actix_web::test::TestRequest;

    use super::refusal;
    use config::OwnHosts;

    #[test]
    fn forms_of_other_sites_are_refused() {
        for (method, name, value, status) in [
            (Method::POST, "origin", "http://127.0.0.1:8081", None),
            (Method::POST, "origin", "http://127.0.0.1:9999", Some(403)),
            (Method::POST, "origin", "https://evil.example", Some(403)),
            (Method::POST, "origin", "null", Some(403)),
            (Method::POST, "sec-fetch-site", "same-origin", None),
            (Method::POST, "sec-fetch-site", "cross-site", Some(403)),
            (Method::POST, "sec-fetch-site", "same-site", Some(403)),
            (Method::GET, "sec-fetch-site", "cross-site", None),
            (Method::GET, "host", "evil.example", Some(421)),
        ] {
            let request = TestRequest::default().insert_header(("host", "127.0.0.1:8081"));
            let request = request.insert_header((name, value)).to_http_request();
            let refused = refusal(&OwnHosts::default(), &method, request.headers());
            assert_eq!(refused.map(|(status, _)| status.as_u16()), status, "{method} {name}: {value}");
        }
    }
}
