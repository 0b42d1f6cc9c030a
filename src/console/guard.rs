//! What surrounds every page: requests that another site or another name led here are refused, and no page runs a script of
//! others, loads anything from elsewhere or stands in a frame.

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, ResponseError};
use askama::Template;

use crate::frame::{Problem, see};
use crate::site::Site;

const HEADERS: [(HeaderName, HeaderValue); 3] = [
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    // Not "no-referrer", which would have forms sent with an `Origin` of null.
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    title: &'a str,
    message: String,
    home: &'a str,
    style: &'a str,
}

/// Refuses what does not come from these pages, shows problems, and adds the headers to whatever is answered.
pub(crate) async fn guard(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(site) = request.app_data::<Site>().cloned() else { return Err(Problem::Broken.into()) };
    let mut response = match refusal(&site, request.method(), request.headers()) {
        Some((status, reason)) => request.into_response(HttpResponse::build(status).body(reason)),
        None => next.call(request).await?.map_into_boxed_body(),
    };
    if let Some(problem) = response.response().error().and_then(Error::as_error::<Problem>) {
        let shown = shown(problem, &site);
        response = response.into_response(shown);
    }
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, site.policy());
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    Ok(response)
}

/// A problem as a visitor sees it.
fn shown(problem: &Problem, site: &Site) -> HttpResponse {
    let (status, home) = (problem.status_code(), site.home());
    if status == StatusCode::SEE_OTHER {
        return see(site.way_in());
    }
    let title = if status == StatusCode::NOT_FOUND { "Not found" } else { "Not done" };
    let page = ProblemPage { title, message: problem.to_string(), home, style: site.style() };
    let text = page.render().unwrap_or_default();
    HttpResponse::build(status).content_type("text/html; charset=utf-8").body(text)
}

fn refusal(site: &Site, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let host = text(header::HOST);
    if !site.is_called(host) {
        return Some((StatusCode::MISDIRECTED_REQUEST, site.not_called()));
    }
    if method == Method::GET || method == Method::HEAD {
        return None;
    }
    let is_foreign = text(header::ORIGIN).is_some_and(|origin| !site.is_own(origin, host))
        || text(HeaderName::from_static("sec-fetch-site")).is_some_and(|site| !["same-origin", "none"].contains(&site));
    is_foreign.then_some((StatusCode::FORBIDDEN, "forms are taken from these pages alone"))
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use actix_web::test::TestRequest;

    use super::refusal;
    use crate::session::Sessions;
    use crate::site::Site;
    use clock::Clock;
    use config::OwnHosts;

    #[test]
    fn forms_of_other_sites_are_refused() {
        let site = Site::Console { sessions: Sessions::new(Clock::system()), hosts: OwnHosts::default() };
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
            let refused = refusal(&site, &method, request.headers());
            assert_eq!(refused.map(|(status, _)| status.as_u16()), status, "{method} {name}: {value}");
        }
    }
}
