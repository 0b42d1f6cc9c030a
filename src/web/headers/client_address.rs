//! Whose address a request comes from, behind proxies that the operator trusts (`http.trusted_proxies`).

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use actix_web::dev::{Extensions, ServiceRequest};
use actix_web::http::header::X_FORWARDED_FOR;
use actix_web::{HttpMessage, HttpRequest};
use ipnet::IpNet;

/// The proxies whose `X-Forwarded-For` is believed.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Arc<[IpNet]>);

/// The address, noted in the request.
#[derive(Clone, Copy)]
struct ClientAddress(IpAddr);

impl TrustedProxies {
    /// The proxies in those ranges.
    pub fn new(ranges: &[IpNet]) -> Self {
        Self(ranges.into())
    }

    /// Finds the address of the client and notes it in the request.
    pub(crate) fn note_client(&self, request: &ServiceRequest) -> IpAddr {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        let forwarded = request.headers().get_all(X_FORWARDED_FOR).filter_map(|value| value.to_str().ok());
        let client = self.client(peer, forwarded);
        note(&mut request.extensions_mut(), client);
        client
    }

    /// The last address that no trusted proxy has: each proxy adds the one that it was called from.
    fn client<'a>(&self, peer: IpAddr, forwarded: impl Iterator<Item = &'a str>) -> IpAddr {
        let mut client = peer.to_canonical();
        let named: Vec<&str> = forwarded.flat_map(|list| list.split(',')).map(str::trim).collect();
        for text in named.into_iter().rev() {
            if !self.0.iter().any(|range| range.contains(&client)) {
                break;
            }
            let Some(address) = address(text) else { break };
            client = address;
        }
        client
    }
}

/// Notes the client among what is known of a request.
pub(crate) fn note(known: &mut Extensions, client: IpAddr) {
    known.insert(ClientAddress(client));
}

/// The client of a request, as it was noted; of one that came in the process there is none.
pub(crate) fn noted(request: &HttpRequest) -> Option<IpAddr> {
    request.extensions().get::<ClientAddress>().map(|noted| noted.0)
}

/// The same, or the address of nobody.
pub(crate) fn client(request: &HttpRequest) -> IpAddr {
    noted(request).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}

/// An address, as some proxies write it with its port.
fn address(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse::<std::net::SocketAddr>().map(|address| address.ip());
    text.parse().or_else(|_| with_port()).ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::TrustedProxies;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let proxies = TrustedProxies::new(&["10.0.0.0/8", "::1/128"].map(|range| range.parse().expect("a range")));
        for (peer, forwarded, client) in [
            ("203.0.113.9", vec!["192.0.2.1"], "203.0.113.9"),
            ("10.0.0.1", vec![], "10.0.0.1"),
            ("10.0.0.1", vec!["192.0.2.1"], "192.0.2.1"),
            ("::ffff:10.0.0.1", vec!["192.0.2.1"], "192.0.2.1"),
            ("10.0.0.1", vec!["6.6.6.6, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
            ("10.0.0.1", vec!["6.6.6.6", "192.0.2.1:4711"], "192.0.2.1"),
            ("::1", vec!["[2001:db8::7]:4711"], "2001:db8::7"),
            ("10.0.0.1", vec!["192.0.2.1, unknown"], "10.0.0.1"),
            ("10.0.0.1", vec!["10.0.0.3"], "10.0.0.3"),
        ] {
            let found = proxies.client(peer.parse().expect(peer), forwarded.iter().copied());
            assert_eq!(found.to_string(), client, "{peer} {forwarded:?}");
        }
        let found = TrustedProxies::default().client("10.0.0.1".parse().expect("an ip"), ["192.0.2.1"].into_iter());
        assert_eq!(found.to_string(), "10.0.0.1", "nobody is trusted by default");
    }
}
