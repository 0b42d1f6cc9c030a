//! Which addresses the service talks to (decision 5.9): the public Internet, and what a self-hoster opens by name.
//!
//! Pure. Checks addresses only; [`super::transport`] makes sure that every address of a name is checked.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::RangeInclusive;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::carried_v4::{from_segments, is_wrapped_v4};
use super::own_listeners::OwnListeners;
use domain::WebhookHost;

/// The addresses that may be talked to: all that are globally reachable, and the ranges that the operator opens; never
/// the service's own listeners.
#[derive(Clone, Debug, Default)]
pub struct AddressGuard {
    allow_private: Vec<IpNet>,
    own: OwnListeners,
    /// `None`: any.
    ports: Option<Vec<RangeInclusive<u16>>>,
}

/// IPv4 ranges that are not the public Internet: this network, private, carrier-grade NAT, loopback, link-local (and
/// metadata), protocol assignments, documentation, 6to4 relays, benchmarking, multicast, reserved. The single address
/// is the metadata service of a cloud that put it into public space.
const FORBIDDEN_V4: [Ipv4Net; 16] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([168, 63, 129, 16], 32),
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    v4([224, 0, 0, 0], 4),
    v4([240, 0, 0, 0], 4),
];

/// The only IPv6 range that is handed out for the public Internet.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// What is no public address inside [`GLOBAL_V6`]: protocol assignments and documentation.
const FORBIDDEN_V6: [Ipv6Net; 3] = [
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

impl AddressGuard {
    /// A guard that lets through, beside the public Internet, the ranges in `allow_private`.
    pub fn new(allow_private: Vec<IpNet>) -> Self {
        Self { allow_private, ..Self::default() }
    }

    /// The same guard, which lets no connection through to `own`.
    #[must_use]
    pub fn except(self, own: OwnListeners) -> Self {
        Self { own, ..self }
    }

    /// The same guard, which lets through to `ports` alone, but for the opened ranges: those are the operator's own.
    #[must_use]
    pub fn at_ports(self, ports: Vec<RangeInclusive<u16>>) -> Self {
        Self { ports: Some(ports), ..self }
    }

    /// Whether a connection to `target` is permitted.
    pub fn permits_connection(&self, target: SocketAddr) -> bool {
        let is_open_port = self.is_opened(target.ip()) || self.permits_port(target.port());
        is_open_port && !self.own.are_reached_by(target) && self.permits(target.ip())
    }

    /// Whether a host of which no more is known than a URL shows is permitted.
    pub fn permits_host(&self, host: WebhookHost) -> bool {
        match host.address {
            Some(address) => self.permits_connection(SocketAddr::new(address, host.port)),
            None => self.permits_port(host.port),
        }
    }

    fn is_opened(&self, address: IpAddr) -> bool {
        self.allow_private.iter().any(|range| range.contains(&address))
    }

    fn permits_port(&self, port: u16) -> bool {
        self.ports.as_ref().is_none_or(|ports| ports.iter().any(|range| range.contains(&port)))
    }

    /// Whether a connection to `address` is permitted. An IPv6 address that carries an IPv4 address counts as that.
    pub fn permits(&self, address: IpAddr) -> bool {
        if self.is_opened(address) {
            return true;
        }
        match address {
            IpAddr::V4(address) => !FORBIDDEN_V4.iter().any(|range| range.contains(&address)),
            IpAddr::V6(address) => self.permits_v6(address),
        }
    }

    fn permits_v6(&self, address: Ipv6Addr) -> bool {
        let [prefix, second, third, fourth, interface_high, interface_low, high, low] = address.segments();
        let last_32_bits = from_segments(high, low);
        let permits_v4 = |address: Ipv4Addr| self.permits(address.into());

        if is_wrapped_v4(address) {
            return permits_v4(last_32_bits);
        }
        // ISATAP: an ordinary prefix, and an interface identifier that carries the IPv4 address.
        if matches!((interface_high, interface_low), (0 | 0x200, 0x5efe)) && !permits_v4(last_32_bits) {
            return false;
        }
        match (prefix, second) {
            // 6to4: the address of the tunnel's end follows the prefix.
            (0x2002, _) => permits_v4(from_segments(second, third)),
            // Teredo: the server's address, and the client's with every bit turned.
            (0x2001, 0) => permits_v4(from_segments(third, fourth)) && permits_v4(from_segments(!high, !low)),
            _ => GLOBAL_V6.contains(&address) && !FORBIDDEN_V6.iter().any(|range| range.contains(&address)),
        }
    }
}

const fn v4([a, b, c, d]: [u8; 4], prefix_length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix_length)
}

const fn v6([a, b, c, d, e, f, g, h]: [u16; 8], prefix_length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), prefix_length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use domain::delivery::webhook_url;

    fn permits(address: &str) -> bool {
        AddressGuard::default().permits(address.parse().unwrap())
    }

    fn permits_url(guard: &AddressGuard, url: &str) -> bool {
        webhook_url::parse(url, &|host| !guard.permits_host(host)).is_ok()
    }

    #[test]
    fn decision_5_9_ranges_that_are_not_the_public_internet_are_refused() {
        for address in [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
            "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7",
            "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1",
            "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "100::1", "64:ff9b:1::1", "2001:db8::1",
            "2001:2::1", "2001:10::1", "2001:20::1", "3fff::1", "5f00::1", "4000::1",
        ] {
            assert!(!permits(address), "{address}");
        }
    }

    #[test]
    fn the_public_internet_is_permitted_up_to_the_edges_of_what_is_not() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "168.63.129.15",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00:1450:4001:81b::200e",
            "2001:200::1",
        ] {
            assert!(permits(address), "{address}");
        }
    }

    #[test]
    fn decision_5_9_an_opened_range_is_permitted_in_every_form_and_nothing_beside_it() {
        let guard = AddressGuard::new(vec!["10.1.0.0/16".parse().unwrap(), "fd12::/16".parse().unwrap()]);
        for address in ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd12::5"] {
            assert!(guard.permits(address.parse().unwrap()), "{address}");
        }
        for address in ["10.2.0.1", "::ffff:10.2.0.1", "127.0.0.1", "fd13::5"] {
            assert!(!guard.permits(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn spellings_of_loopback_in_a_url_are_seen_through() {
        let guard = AddressGuard::default();
        for host in [
            "127.0.0.1",
            "127.0.0.1.",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "127.1",
            "0",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:ffff:7f00:0001]",
            "[::127.0.0.1]",
            "[64:ff9b::127.0.0.1]",
            "[2002:7f00:1::]",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "%31%32%37.0.0.1",
            "①②⑦.0.0.1",
        ] {
            assert!(!permits_url(&guard, &format!("http://{host}/")), "{host}");
        }
        assert!(permits_url(&guard, "https://hooks.example.com/a"));
        assert!(permits_url(&guard, "https://localhost.example.com/a"));
        assert!(!permits_url(&guard, "data:text/plain,x"));
        let open = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap()]);
        assert!(permits_url(&open, "http://localhost:8080/"));
    }

    proptest! {
        /// However an IPv4 address is spelt in a URL, the guard answers as for the address itself.
        #[test]
        fn numeric_spellings_agree(bits: u32) {
            let guard = AddressGuard::default();
            let address = Ipv4Addr::from_bits(bits);
            let [a, b, c, d] = address.octets();
            let expected = guard.permits(address.into());
            for host in [
                format!("{bits}"),
                format!("{bits:#x}"),
                format!("0{bits:o}"),
                format!("{a:#x}.{b:#x}.{c:#x}.{d:#x}"),
                format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
                format!("{a}.{}", bits & 0xff_ffff),
                format!("{a}.{b}.{}", bits & 0xffff),
                format!("{address}."),
                format!("[::ffff:{address}]"),
            ] {
                prop_assert_eq!(permits_url(&guard, &format!("http://{host}/")), expected, "{}", host);
            }
        }

        /// An IPv6 address that carries a forbidden IPv4 address is forbidden, whatever form carries it.
        #[test]
        fn carried_addresses_decide(bits: u32, prefix: u16) {
            let guard = AddressGuard::default();
            let expected = guard.permits(Ipv4Addr::from_bits(bits).into());
            let (high, low) = ((bits >> 16) as u16, bits as u16);
            for address in [
                Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0, 0, 0, 0, 0xffff, 0, high, low),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, prefix, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0x0101, 0x0101, 0x8000, prefix, !high, !low),
                Ipv6Addr::new(0x2001, 0, high, low, 0x8000, prefix, !0x0101, !0x0101),
                Ipv6Addr::new(0x2606, 0x4700, prefix, 0, 0, 0x5efe, high, low),
                Ipv6Addr::new(0x2606, 0x4700, prefix, 0, 0x200, 0x5efe, high, low),
            ] {
                prop_assert_eq!(guard.permits(address.into()), expected, "{}", address);
            }
        }

        /// Outside the carrying forms nothing but global unicast is ever permitted.
        #[test]
        fn only_global_unicast_is_public(bits: u128) {
            let address = Ipv6Addr::from_bits(bits);
            if AddressGuard::default().permits(address.into()) {
                prop_assert!(is_wrapped_v4(address) || GLOBAL_V6.contains(&address));
            }
        }
    }
}
