//! Which pages these are: the operators' console or the customers' portal. Both are made alike; what differs beside the
//! pages is who gets in and how, and what the pages are called.

use actix_web::HttpRequest;
use actix_web::http::header::{COOKIE, HeaderValue};
use sha2::{Digest, Sha256};

use crate::session::{Session, Sessions};
use config::OwnHosts;

/// The cookie that hands a page what it shows once.
const MADE: &str = "radar_made";

/// A style of our own, forms to ourselves, and nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/// The same with a script of our own, and what that asks us.
const POLICY_WITH_SCRIPT: &str = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; \
                                  base-uri 'none'; script-src 'self'; connect-src 'self'";

/// Pages that somebody signs in to.
#[derive(Clone)]
pub(crate) enum Site {
    /// For operators, who bring their key. Who is signed in is known in the process.
    Console {
        /// Who is signed in.
        sessions: Sessions,
        /// What the listener is called.
        hosts: OwnHosts,
    },
    /// For customers, whom a link lets in. A session is a key of its own, which only the browser has.
    Portal {
        /// By which origin it is reached.
        origin: String,
    },
}

impl Site {
    /// The first page, below which all others are.
    pub(crate) fn home(&self) -> &'static str {
        match self {
            Self::Console { .. } => "/",
            Self::Portal { .. } => "/portal",
        }
    }

    /// Where somebody goes who is not signed in.
    pub(crate) fn way_in(&self) -> &'static str {
        match self {
            Self::Console { .. } => "/sign-in",
            Self::Portal { .. } => "/portal/signed-out",
        }
    }

    /// Where the style of the pages is.
    pub(crate) fn style(&self) -> &'static str {
        match self {
            Self::Console { .. } => "/console.css",
            Self::Portal { .. } => "/portal/style.css",
        }
    }

    /// What the pages may load.
    pub(crate) fn policy(&self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Console { .. } => POLICY_WITH_SCRIPT,
            Self::Portal { .. } => POLICY,
        })
    }

    /// Whether a request with this `Host` is for these pages; one without any is from no browser.
    pub(crate) fn is_called(&self, host: Option<&str>) -> bool {
        match (self, host) {
            (Self::Console { hosts, .. }, host) => hosts.permit(host),
            (Self::Portal { origin }, Some(host)) => authority(origin).eq_ignore_ascii_case(host),
            (Self::Portal { .. }, None) => true,
        }
    }

    /// What is said to a request for another host.
    pub(crate) fn not_called(&self) -> &'static str {
        match self {
            Self::Console { .. } => OwnHosts::REFUSAL,
            Self::Portal { .. } => "this service is not called that here; http.portal names what it is called",
        }
    }

    /// Whether a form with this `Origin`, sent to `host`, is one of these pages'.
    pub(crate) fn is_own(&self, origin: &str, host: Option<&str>) -> bool {
        match self {
            Self::Console { .. } => host == Some(authority(origin)),
            Self::Portal { origin: own } => origin == own,
        }
    }

    /// `Set-Cookie` of a session, or of none. What it holds is made of letters, digits and `_`.
    pub(crate) fn cookie(&self, held: &str, life_s: u64) -> String {
        self.set_cookie(self.cookie_name(), held, self.home(), life_s)
    }

    /// `Set-Cookie` of something that the page at `path` shows once, or of nothing.
    pub(crate) fn made_cookie(&self, held: &str, path: &str, life_s: u64) -> String {
        self.set_cookie(MADE, held, path, life_s)
    }

    fn set_cookie(&self, name: &str, held: &str, path: &str, life_s: u64) -> String {
        let secure = match self {
            Self::Portal { origin } if origin.starts_with("https://") => "; Secure",
            _ => "",
        };
        format!("{name}={held}; Path={path}; Max-Age={life_s}; HttpOnly; SameSite=Strict{secure}")
    }

    /// What the cookie of a session holds.
    pub(crate) fn held_by(&self, request: &HttpRequest) -> Option<String> {
        cookies(request, self.cookie_name()).map(str::to_owned).find(|held| self.session(held).is_some())
    }

    /// The session that a cookie holds. Whether the key of one on the portal is good is the API's to say.
    pub(crate) fn session(&self, held: &str) -> Option<Session> {
        match self {
            Self::Console { sessions, .. } => sessions.get(held),
            Self::Portal { .. } if held.is_empty() => None,
            Self::Portal { .. } => {
                let token = hex::encode(Sha256::digest(format!("forms of {held}")));
                Some(Session { key: held.to_owned(), token })
            }
        }
    }

    fn cookie_name(&self) -> &'static str {
        match self {
            Self::Console { .. } => "radar_console",
            Self::Portal { .. } => "radar_portal",
        }
    }
}

/// What a page was handed to show once.
pub(crate) fn made_for(request: &HttpRequest) -> Option<&str> {
    cookies(request, MADE).next()
}

fn cookies<'a>(request: &'a HttpRequest, name: &'static str) -> impl Iterator<Item = &'a str> {
    let cookies = request.headers().get_all(COOKIE).filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(other, _)| *other == name).map(|(_, held)| held)
}

/// What follows the scheme of an origin.
fn authority(origin: &str) -> &str {
    origin.split_once("://").map_or("", |(_, authority)| authority)
}

#[cfg(test)]
mod tests {
    use super::Site;
    use crate::session::Sessions;
    use clock::Clock;
    use config::OwnHosts;

    #[test]
    fn each_site_knows_its_name_and_its_forms() {
        let console = Site::Console { sessions: Sessions::new(Clock::system()), hosts: OwnHosts::default() };
        let portal = Site::Portal { origin: "https://radar.example".to_owned() };
        for (site, host, origin, is_called, is_own) in [
            (&console, "127.0.0.1:8081", "http://127.0.0.1:8081", true, true),
            (&console, "127.0.0.1:8081", "http://127.0.0.1:9999", true, false),
            (&console, "evil.example", "http://evil.example", false, true),
            (&portal, "radar.example", "https://radar.example", true, true),
            (&portal, "Radar.Example", "https://radar.example", true, true),
            (&portal, "radar.example", "http://radar.example", true, false),
            (&portal, "radar.example", "null", true, false),
            (&portal, "127.0.0.1:8080", "http://127.0.0.1:8080", false, false),
            (&portal, "evil.example", "https://evil.example", false, false),
        ] {
            assert_eq!((site.is_called(Some(host)), site.is_own(origin, Some(host))), (is_called, is_own), "{origin}");
        }
        assert!(!console.is_own("null", None), "no host is not the same as no origin");
    }

    #[test]
    fn a_cookie_goes_nowhere_else() {
        for (origin, is_secure) in [("https://radar.example", true), ("http://127.0.0.1:8080", false)] {
            let cookie = Site::Portal { origin: origin.to_owned() }.cookie("rdr_1", 5);
            assert!(cookie.starts_with("radar_portal=rdr_1; Path=/portal; Max-Age=5; HttpOnly; SameSite=Strict"));
            assert_eq!(cookie.ends_with("; Secure"), is_secure);
        }
    }
}
