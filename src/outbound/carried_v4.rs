//! IPv4 addresses that IPv6 addresses carry.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether the last 32 bits of `address` are an IPv4 address and the rest only says so: compatible (with it `::` and
/// `::1`), mapped, translated (SIIT) and the well-known NAT64 prefix.
pub(super) fn is_wrapped_v4(address: Ipv6Addr) -> bool {
    matches!(
        address.segments(),
        [0, 0, 0, 0, 0, 0, _, _]
            | [0, 0, 0, 0, 0, 0xffff, _, _]
            | [0, 0, 0, 0, 0xffff, 0, _, _]
            | [0x64, 0xff9b, 0, 0, 0, 0, _, _]
    )
}

/// The IPv4 address that `address` is another form of.
pub(super) fn carried_v4(address: IpAddr) -> Option<Ipv4Addr> {
    match address {
        IpAddr::V6(address) if is_wrapped_v4(address) => {
            let [.., high, low] = address.segments();
            Some(from_segments(high, low))
        }
        _ => None,
    }
}

/// The address whose halves these are.
pub(super) fn from_segments(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low))
}
