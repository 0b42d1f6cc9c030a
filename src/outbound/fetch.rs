//! Polite fetching of targets (decision 7.4): robots.txt, gaps, validators, an honest name, bounded redirects.
//!
//! Duty: one page of one target as plain values. Never here: what a page says, or when to come back.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use awc::http::Method;
use awc::http::header::{self, HeaderValue};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use url::Url;

use super::asked::{Asked, Observer};
use super::fetched::{body_hash, retry_after};
use super::politeness::{Politeness, SharedTurns};
use super::request_headers::{conditions, header_of, header_value, user_agent};
use super::rewrite::{Dialled, RewriteTable};
use super::robots::{ROBOTS_BYTES_MAX, RobotsCache, Rules};
use super::transport::{Answer, Exchange, Transport, TransportError};
use super::web_address::{self, is_web_address, without_fragment};
use super::workers::{Holders, Workers};
use clock::Clock;
use config::Outbound;

pub use super::asked::{Fetch, Observed, Redirects, RobotsPolicy};
pub use super::fetched::{FetchError, Page, Validators};
pub use super::politeness::Pace;
pub use super::request_headers::is_header;
pub use super::workers::{Holder as ReadHolder, ReadError, ReaderCounts, Readers};

/// Redirects that are followed in a row.
pub const REDIRECTS_MAX: usize = 5;
/// Longer bodies are hashed on a thread for reading.
const HASHED_AT_ONCE_MAX: usize = 256 * 1024;
/// The longest body that is read unless a fetch says otherwise.
const BODY_BYTES_MAX: usize = 8 * 1024 * 1024;
/// The least time between two requests to one host of documented interfaces, which are meant for programs.
const API_HOST_GAP: Duration = Duration::from_millis(200);

/// The web as targets are fetched from it. Cheap to clone; one per process, on the actors' thread.
#[derive(Clone)]
pub struct Web {
    shared: Rc<WebParts>,
    /// On whose behalf pages are read.
    holders: Holders,
}

struct WebParts {
    transport: Transport,
    clock: Clock,
    host_gap: Duration,
    timeout: Duration,
    user_agent: HeaderValue,
    rewrite: RewriteTable,
    politeness: Politeness,
    robots: RobotsCache,
    workers: Workers,
    observer: RefCell<Option<Observer>>,
}

impl Web {
    /// The web as `settings` say, through `transport`.
    pub fn new(settings: &Outbound, transport: Transport, clock: Clock) -> Self {
        Self {
            shared: Rc::new(WebParts {
                transport,
                host_gap: settings.host_gap,
                timeout: settings.timeout,
                user_agent: user_agent(&settings.contact),
                rewrite: RewriteTable::new(&settings.rewrite),
                politeness: Politeness::new(clock.clone()),
                robots: RobotsCache::default(),
                workers: Workers::new(clock.clone()),
                observer: RefCell::default(),
                clock,
            }),
            holders: Holders::default(),
        }
    }

    /// The same web, whose pages are read on behalf of `holder` as well: threads for reading are shared among holders.
    pub fn on_behalf_of(&self, holder: ReadHolder) -> Self {
        let holders = self.holders.iter().cloned().chain([holder]).collect();
        Self { shared: self.shared.clone(), holders }
    }

    /// A look at the threads for reading, from any other one.
    pub fn readers(&self) -> Readers {
        self.shared.workers.readers()
    }

    /// Tells `observer` of every exchange from now on.
    pub fn observe(&self, observer: impl Fn(&Observed<'_>) + 'static) {
        self.shared.observer.replace(Some(Box::new(observer)));
    }

    /// Takes turns at hosts with other processes from now on.
    pub fn share_turns(&self, turns: impl SharedTurns + 'static) {
        self.shared.politeness.share(Box::new(turns));
    }

    /// Lets no request wait for its host any more, since the service stops: it fails as [`FetchError::Throttled`].
    pub fn stop_waiting(&self) {
        self.shared.politeness.stop_waiting();
    }

    /// Whether no request waits any more.
    pub fn is_stopping(&self) -> bool {
        self.shared.politeness.is_stopping()
    }

    /// Now, by the clock of this web.
    pub fn now(&self) -> DateTime<Utc> {
        self.shared.clock.now()
    }

    /// Now, for what is remembered in memory ([`Clock::steady_now`]).
    pub fn steady_now(&self) -> DateTime<Utc> {
        self.shared.clock.steady_now()
    }

    /// Runs `reader` on a thread for reading, so that the actors go on whatever the page holds.
    pub async fn read<T: Send + 'static>(&self, reader: impl FnOnce() -> T + Send + 'static) -> Result<T, FetchError> {
        self.shared.workers.read(self.holders.clone(), reader).await.map_err(FetchError::Unread)
    }

    /// Fetches one page.
    pub async fn fetch(&self, request: Fetch<'_>) -> Result<Page, FetchError> {
        self.send(request, Bytes::new(), Pace::default()).await
    }

    /// Fetches the answer to `body`, which is posted, at the pace of a source; a page where it is empty. Redirects of a POST
    /// are not followed.
    pub async fn send(&self, request: Fetch<'_>, body: Bytes, pace: Pace<'_>) -> Result<Page, FetchError> {
        if !is_web_address(request.url) {
            return Err(FetchError::Unreachable(TransportError::BadTarget));
        }
        let mut url = without_fragment(request.url);
        let mut redirects_left = REDIRECTS_MAX;
        loop {
            let (answer, dialled) = self.visit(&url, &request, body.clone(), pace).await?;
            let redirects_to = self.redirect(&answer, &url, &dialled);
            if is_redirect(answer.status) && request.redirects == Redirects::Follow && body.is_empty() {
                url = redirects_to.ok_or(FetchError::BadRedirect)?;
                redirects_left = redirects_left.checked_sub(1).ok_or(FetchError::BadRedirect)?;
                continue;
            }
            self.classify(&answer, &url)?;
            if answer.truncated {
                return Err(FetchError::TooLarge);
            }
            let hashed = self.hashed(answer).await?;
            return Ok(Page::of_answer(hashed, url, redirects_to, request.validators));
        }
    }

    /// `answer` and the hash of its body. Most pages are read no further than that, so only long ones are handed on.
    async fn hashed(&self, answer: Answer) -> Result<(Answer, String), FetchError> {
        let hash = |answer: Answer| {
            let hash = body_hash(&answer.body);
            (answer, hash)
        };
        if answer.body.len() > HASHED_AT_ONCE_MAX { self.read(move || hash(answer)).await } else { Ok(hash(answer)) }
    }

    /// The sitemaps that the robots.txt of `url`'s host names.
    pub async fn sitemaps(&self, url: &Url) -> Result<Vec<Url>, FetchError> {
        Ok(self.rules(url).await?.sitemaps().to_vec())
    }

    /// One exchange at `url`, if robots.txt permits it, when it is our turn.
    async fn visit(
        &self,
        url: &Url,
        request: &Fetch<'_>,
        body: Bytes,
        pace: Pace<'_>,
    ) -> Result<(Answer, Dialled), FetchError> {
        let asked_delay = match request.robots {
            RobotsPolicy::DocumentedApi => None,
            RobotsPolicy::Obey => {
                let rules = self.rules(url).await?;
                if !rules.allow(url) {
                    return Err(FetchError::RobotsDisallow);
                }
                rules.crawl_delay()
            }
        };
        let counted = self.shared.politeness.count(&pace);
        counted.map_err(|left| FetchError::Throttled { retry_after: Some(left) })?;
        let mut headers = vec![(header::ACCEPT, header_value(request.accept)?)];
        headers.extend(request.headers.iter().filter_map(|(name, value)| header_of(name, value)));
        headers.extend(request.validators.into_iter().flat_map(conditions));
        let bytes_max = request.body_bytes_max.unwrap_or(BODY_BYTES_MAX);
        let crawl_delay = asked_delay.max(Some(pace.gap).filter(|gap| !gap.is_zero()));
        let asked = Asked { headers, body, bytes_max, crawl_delay, policy: request.robots };
        self.exchange(url, asked).await
    }

    async fn exchange(&self, url: &Url, asked: Asked) -> Result<(Answer, Dialled), FetchError> {
        let Asked { mut headers, body, bytes_max, crawl_delay, policy } = asked;
        let dialled = self.shared.rewrite.dialled(url);
        let gap = match policy {
            // A mirror or gateway limits requests itself.
            _ if dialled.is_rewritten() => Duration::ZERO,
            RobotsPolicy::DocumentedApi => API_HOST_GAP,
            RobotsPolicy::Obey => self.shared.host_gap,
        };
        let turn = self.shared.politeness.turn(&origin(url), crawl_delay.map_or(gap, |delay| delay.max(gap))).await;
        let _turn = turn.map_err(|left| FetchError::Throttled { retry_after: Some(left) })?;
        // Nothing is decompressed, so nothing compressed is wanted.
        headers.push((header::ACCEPT_ENCODING, HeaderValue::from_static("identity")));
        headers.push((header::USER_AGENT, self.shared.user_agent.clone()));
        let exchange = Exchange {
            method: if body.is_empty() { Method::GET } else { Method::POST },
            url: dialled.url.clone(),
            headers,
            body,
            timeout: self.shared.timeout,
            body_bytes_max: bytes_max,
        };
        let began_at = self.steady_now();
        let answer = self.shared.transport.exchange(exchange).await.map_err(FetchError::Unreachable);
        if let Some(observer) = &*self.shared.observer.borrow() {
            let outcome = answer.as_ref().map(|answer| (answer.status, answer.body.len())).map_err(|error| *error);
            observer(&Observed { url, outcome, took: (self.steady_now() - began_at).to_std().unwrap_or_default() });
        }
        Ok((answer?, dialled))
    }

    /// The rules of `url`'s host, from memory or from the host.
    async fn rules(&self, url: &Url) -> Result<Rc<Rules>, FetchError> {
        let origin = origin(url);
        if let Some(rules) = self.shared.robots.get(&origin, self.steady_now()) {
            return Ok(rules);
        }
        let mut at = url.join("/robots.txt").map_err(|_| FetchError::Unreachable(TransportError::BadTarget))?;
        let mut rules = Rules::default();
        for _ in 0..=REDIRECTS_MAX {
            let asked = Asked { bytes_max: ROBOTS_BYTES_MAX, ..Asked::default() };
            let (answer, dialled) = self.exchange(&at, asked).await?;
            match answer.status {
                200..=299 => rules = self.read(move || Rules::read(&answer.body)).await?,
                300..=399 => {
                    if let Some(next) = self.redirect(&answer, &at, &dialled) {
                        at = next;
                        continue;
                    }
                }
                429 => return Err(self.throttled(&answer, &at)),
                status @ 500.. => return Err(FetchError::RobotsUnavailable { status }),
                // A host without robots.txt, or one that keeps it from us, has no rules (RFC 9309, 2.3.1.3).
                _ => {}
            }
            break;
        }
        let rules = Rc::new(rules);
        self.shared.robots.put(origin, rules.clone(), self.steady_now());
        Ok(rules)
    }

    /// Where `answer` redirects to, in original terms.
    fn redirect(&self, answer: &Answer, url: &Url, dialled: &Dialled) -> Option<Url> {
        let location = answer.headers.get(header::LOCATION).filter(|_| is_redirect(answer.status))?;
        let location = String::from_utf8_lossy(location.as_bytes());
        let next = web_address::join(url, &location)?;
        Some(without_fragment(&self.shared.rewrite.original(&next, dialled))).filter(is_web_address)
    }

    fn classify(&self, answer: &Answer, url: &Url) -> Result<(), FetchError> {
        match answer.status {
            200..=299 | 304 => Ok(()),
            status if is_redirect(status) => Ok(()),
            status @ (401 | 403 | 451) => Err(FetchError::Forbidden { status }),
            404 | 410 => Err(FetchError::NotFound),
            429 | 503 => Err(self.throttled(answer, url)),
            status => Err(FetchError::Status(status)),
        }
    }

    fn throttled(&self, answer: &Answer, url: &Url) -> FetchError {
        let retry_after = retry_after(&answer.headers, self.now());
        if let Some(pause) = retry_after {
            self.shared.politeness.be_silent(&origin(url), pause);
        }
        FetchError::Throttled { retry_after }
    }
}

/// What politeness and robots.txt are kept by: scheme, host and port.
fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

const fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}
