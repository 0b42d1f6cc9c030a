//! A browser as far as pages without scripts need one: it keeps a cookie and sends forms.

use actix_web::http::header::HeaderMap;
use awc::error::{PayloadError, SendRequestError};
use bytes::Bytes;
use futures_util::Stream;
use scraper::{Html, Selector};

/// A browser of one site.
pub struct Browser {
    base_url: String,
    /// What is sent with every request, such as a host that is not that of the address.
    headers: Vec<(String, String)>,
    cookie: String,
    http: awc::Client,
}

/// A page.
pub struct Page {
    pub status: u16,
    pub text: String,
    headers: HeaderMap,
}

impl Browser {
    pub fn new(base_url: &str) -> Self {
        let http = awc::Client::builder().disable_redirects().disable_timeout().finish();
        Self { base_url: base_url.to_owned(), headers: Vec::new(), cookie: String::new(), http }
    }

    /// The same with a header on every request.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Keeps the cookie of an answer, which only a page of the same site may have sent.
    pub fn keep_cookie(&mut self, answer: &Page, attributes: &[&str]) {
        let cookie = answer.header("set-cookie").to_owned();
        for attribute in attributes.iter().chain(&["HttpOnly", "SameSite=Strict"]) {
            assert!(cookie.contains(attribute), "{cookie}");
        }
        self.cookie = cookie.split(';').next().expect("a cookie").to_owned();
    }

    pub async fn get(&self, path: &str) -> Page {
        self.get_with(path, &[]).await
    }

    /// The same with headers that replace those of the browser.
    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Page {
        let request = self.with_headers(self.http.get(format!("{}{path}", self.base_url)), headers);
        received(request.send().await).await
    }

    /// An answer that has no end, as a browser asks for it.
    pub async fn open(
        &self,
        path: &str,
    ) -> awc::ClientResponse<impl Stream<Item = Result<Bytes, PayloadError>> + Unpin + use<>> {
        let request = self.with_headers(self.http.get(format!("{}{path}", self.base_url)), &[]);
        let request = request.insert_header(("accept-encoding", "gzip, br")).no_decompress();
        request.send().await.expect("an answer")
    }

    /// A page that is there.
    pub async fn page(&self, path: &str) -> Page {
        let page = self.get(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        page
    }

    pub async fn send(&self, path: &str, fields: &[(&str, &str)], headers: &[(&str, &str)]) -> Page {
        let request = self.with_headers(self.http.post(format!("{}{path}", self.base_url)), headers);
        received(request.send_form(&fields).await).await
    }

    /// Sends a form of a page with its token.
    pub async fn submit(&self, page: &Page, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = page.first("input[name=token]", "value");
        self.send(path, &[fields, &[("token", token.as_str())]].concat(), &[]).await
    }

    /// Where the answer to a form leads, with the cookie that it hands over.
    pub async fn follow(&self, answer: &Page) -> Page {
        assert_eq!(answer.status, 303, "{}", answer.text);
        let handed = answer.header("set-cookie").split(';').next().unwrap_or_default();
        self.get_with(answer.header("location"), &[("cookie", &format!("{}; {handed}", self.cookie))]).await
    }

    fn with_headers(&self, request: awc::ClientRequest, headers: &[(&str, &str)]) -> awc::ClientRequest {
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let own = own.chain([("cookie", self.cookie.as_str())]);
        // A connection that is kept would not live through a restart of the service.
        own.chain(headers.iter().copied()).fold(request.force_close(), |request, header| request.insert_header(header))
    }
}

impl Page {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// An attribute of the first element that is selected.
    pub fn first(&self, selector: &str, attribute: &str) -> String {
        let document = Html::parse_document(&self.text);
        let found = document.select(&Selector::parse(selector).expect("a selector")).next();
        found
            .and_then(|element| element.attr(attribute))
            .unwrap_or_else(|| panic!("no {selector} in {}", self.text))
            .to_owned()
    }

    pub fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    pub fn count(&self, selector: &str) -> usize {
        Html::parse_document(&self.text).select(&Selector::parse(selector).expect("a selector")).count()
    }
}

async fn received(
    sent: Result<awc::ClientResponse<impl Stream<Item = Result<Bytes, PayloadError>> + Unpin>, SendRequestError>,
) -> Page {
    let mut response = sent.expect("an answer");
    let body = response.body().await.expect("a body");
    let text = String::from_utf8(body.to_vec()).expect("UTF-8");
    Page { status: response.status().as_u16(), headers: response.headers().clone(), text }
}
