//! From the host of a URL to the addresses that may be dialled (decision 5.9).
//!
//! A name is looked up anew for every exchange and refused as a whole when any of its addresses is forbidden: an answer
//! that mixes the two is an attempt to get past the guard. Never opens a connection.

use std::io;
use std::net::SocketAddr;

use url::{Host, Url};

use super::error::TransportError;
use crate::address_guard::AddressGuard;

/// The addresses of the host of `url`, at its port. A literal address is not looked up.
///
/// # Errors
/// [`TransportError::BadTarget`] without a host or port, [`TransportError::UnknownName`] when the name does not exist,
/// [`TransportError::Dns`] when it has no address or no resolver answers.
pub async fn resolve(url: &Url) -> Result<Vec<SocketAddr>, TransportError> {
    let port = url.port_or_known_default().filter(|&port| port != 0).ok_or(TransportError::BadTarget)?;
    match url.host().ok_or(TransportError::BadTarget)? {
        Host::Ipv4(address) => Ok(vec![SocketAddr::new(address.into(), port)]),
        Host::Ipv6(address) => Ok(vec![SocketAddr::new(address.into(), port)]),
        Host::Domain(name) => match tokio::net::lookup_host((name, port)).await {
            Ok(addresses) => Ok(addresses.collect()),
            Err(error) if is_unknown(&error) => Err(TransportError::UnknownName),
            Err(_) => Err(TransportError::Dns),
        },
    }
}

/// Whether the system's resolver learned that the name does not exist. It says so in words only (glibc, musl, macOS).
fn is_unknown(error: &io::Error) -> bool {
    const WORDS: [&str; 3] =
        ["Name or service not known", "Name does not resolve", "nodename nor servname provided, or not known"];
    let text = error.to_string();
    WORDS.iter().any(|words| text.contains(words))
}

/// Hands `addresses` back if the guard permits every one of them.
///
/// # Errors
/// [`TransportError::Dns`] when there is none, [`TransportError::Blocked`] when any is forbidden.
pub fn vet(guard: &AddressGuard, addresses: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, TransportError> {
    if addresses.is_empty() {
        return Err(TransportError::Dns);
    }
    if addresses.iter().all(|address| guard.permits_connection(*address)) {
        Ok(addresses)
    } else {
        Err(TransportError::Blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_listeners::OwnListeners;

    fn addresses(texts: &[&str]) -> Vec<SocketAddr> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn decision_5_9_one_forbidden_address_refuses_the_name() {
        let guard = AddressGuard::default();
        let mixed = addresses(&["1.1.1.1:443", "127.0.0.1:443"]);
        assert_eq!(vet(&guard, mixed), Err(TransportError::Blocked));
        let public = addresses(&["1.1.1.1:443", "[2606:4700:4700::1111]:443"]);
        assert_eq!(vet(&guard, public.clone()), Ok(public));
        assert_eq!(vet(&guard, Vec::new()), Err(TransportError::Dns));

        let own = OwnListeners::at(addresses(&["127.0.0.1:8081"]));
        let open = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]).except(own);
        let beside = addresses(&["127.0.0.1:8082"]);
        assert_eq!(vet(&open, beside.clone()), Ok(beside.clone()));
        assert_eq!(vet(&open, addresses(&["127.0.0.1:8082", "[::ffff:127.0.0.1]:8081"])), Err(TransportError::Blocked));

        let at_one_port = open.at_ports(vec![80..=80]);
        assert_eq!(vet(&at_one_port, beside.clone()), Ok(beside), "an opened range is open at every port");
        assert_eq!(vet(&at_one_port, addresses(&["1.1.1.1:8082"])), Err(TransportError::Blocked));
    }

    #[test]
    fn a_name_that_does_not_exist_is_told_from_one_that_nobody_can_tell_of() {
        for (text, unknown) in [
            ("failed to lookup address information: Name or service not known", true),
            ("failed to lookup address information: Name does not resolve", true),
            ("failed to lookup address information: nodename nor servname provided, or not known", true),
            ("failed to lookup address information: Temporary failure in name resolution", false),
            ("failed to lookup address information: No address associated with hostname", false),
            ("failed to lookup address information: Try again", false),
        ] {
            assert_eq!(is_unknown(&io::Error::other(text)), unknown, "{text}");
        }
    }

    #[tokio::test]
    async fn literals_are_taken_as_they_are_and_get_the_port_of_the_scheme() {
        for (url, expected) in
            [("https://1.1.1.1/", "1.1.1.1:443"), ("http://[::1]:81/", "[::1]:81"), ("http://0x7f.1/", "127.0.0.1:80")]
        {
            assert_eq!(resolve(&Url::parse(url).unwrap()).await, Ok(addresses(&[expected])), "{url}");
        }
        assert_eq!(resolve(&Url::parse("http://1.1.1.1:0/").unwrap()).await, Err(TransportError::BadTarget));
        assert_eq!(resolve(&Url::parse("mailto:a@example.com").unwrap()).await, Err(TransportError::BadTarget));
    }

    #[tokio::test]
    async fn localhost_is_looked_up_and_found_to_be_forbidden() {
        let found = resolve(&Url::parse("http://localhost:8080/").unwrap()).await.unwrap();
        assert_eq!(vet(&AddressGuard::default(), found), Err(TransportError::Blocked));
    }
}
