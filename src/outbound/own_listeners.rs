//! The service's own listeners, which it never calls, whatever ranges are opened: behind them are the operator's powers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use super::carried_v4::carried_v4;

/// Where this process listens.
#[derive(Clone, Debug, Default)]
pub struct OwnListeners {
    addresses: Arc<[SocketAddr]>,
}

impl OwnListeners {
    /// The listeners at `addresses`, as they are bound.
    pub fn at(addresses: impl IntoIterator<Item = SocketAddr>) -> Self {
        Self { addresses: addresses.into_iter().collect() }
    }

    /// Whether a connection to `target` would reach one of them.
    pub fn are_reached_by(&self, target: SocketAddr) -> bool {
        self.would_take(target, is_of_this_machine)
    }

    fn would_take(&self, target: SocketAddr, is_local: impl Fn(IpAddr) -> bool) -> bool {
        let forms = [Some(target.ip().to_canonical()), carried_v4(target.ip()).map(IpAddr::V4)];
        let takes = |own: IpAddr, address: IpAddr| {
            // The unspecified address leads to this machine, and who listens there listens at all of its addresses.
            own == address || address.is_unspecified() || (own.is_unspecified() && is_local(address))
        };
        let mut at_port = self.addresses.iter().filter(|own| own.port() == target.port());
        at_port.any(|own| forms.into_iter().flatten().any(|address| takes(own.ip().to_canonical(), address)))
    }
}

/// Whether `address` belongs to this machine: to such a one the system sends from the same. Nothing is sent.
fn is_of_this_machine(address: IpAddr) -> bool {
    let any: IpAddr = match address {
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let source = || {
        let socket = UdpSocket::bind((any, 0))?;
        socket.connect((address, 9))?;
        socket.local_addr()
    };
    address.is_loopback() || source().is_ok_and(|source| source.ip() == address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(own: &str, target: &str) -> bool {
        let own = OwnListeners::at([own.parse().expect(own)]);
        own.would_take(target.parse().expect(target), |address| {
            address.to_string() == "192.0.2.7" || address.is_loopback()
        })
    }

    #[test]
    fn a_listener_is_known_in_every_form_of_its_address() {
        for (own, target) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("127.0.0.1:80", "[::ffff:127.0.0.1]:80"),
            ("127.0.0.1:80", "[64:ff9b::127.0.0.1]:80"),
            ("127.0.0.1:80", "0.0.0.0:80"),
            ("[::1]:80", "[::1]:80"),
            ("[::1]:80", "[::]:80"),
            ("[::ffff:10.0.0.1]:80", "10.0.0.1:80"),
            ("0.0.0.0:80", "127.0.0.2:80"),
            ("0.0.0.0:80", "192.0.2.7:80"),
            ("[::]:80", "192.0.2.7:80"),
            ("[::]:80", "[::ffff:192.0.2.7]:80"),
        ] {
            assert!(takes(own, target), "{own} {target}");
        }
        for (own, target) in [
            ("127.0.0.1:80", "127.0.0.1:81"),
            ("127.0.0.1:80", "127.0.0.2:80"),
            ("[::1]:80", "127.0.0.1:80"),
            ("0.0.0.0:80", "192.0.2.8:80"),
            ("0.0.0.0:80", "192.0.2.7:81"),
        ] {
            assert!(!takes(own, target), "{own} {target}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_told_from_others() {
        for own in ["127.0.0.1", "127.8.9.10"] {
            assert!(is_of_this_machine(own.parse().expect(own)), "{own}");
        }
        for other in ["192.0.2.55", "2001:db8::55"] {
            assert!(!is_of_this_machine(other.parse().expect(other)), "{other}");
        }
    }
}
