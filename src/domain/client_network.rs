//! Who counts as one client where nothing but an address is known.

use std::net::{IpAddr, Ipv6Addr};

/// The address that stands for all which one client may have: an IPv4 address itself, of an IPv6 address its network of
/// 64 bits, which is the least that a customer of a network gets.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::client_network;

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_client() {
        for (address, network) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:3:3:4:5:6", "2001:db8:1:3::"),
        ] {
            assert_eq!(client_network(address.parse().expect("an ip")).to_string(), network);
        }
    }
}
