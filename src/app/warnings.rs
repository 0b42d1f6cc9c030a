//! Settings that work but are dangerous: a warning of each at the start.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use url::Url;

use config::Config;
use outbound::address_guard::AddressGuard;

/// The shortest operator key that is not called weak, and the fewest different characters in it.
const STRONG_LENGTH: usize = 24;
const STRONG_VARIETY: usize = 10;
/// The shortest prefixes that are not called wide: those of `10.0.0.0/8` and `fc00::/7`.
const NARROW_V4: u8 = 8;
const NARROW_V6: u8 = 7;
/// The bits before an IPv4 address in an IPv6 address that carries it.
const MAPPED_BITS: u8 = 96;

/// Warns of what is dangerous in `config`.
pub(super) fn log(config: &Config) {
    for (key, danger) in dangers(config) {
        tracing::warn!(key, "{danger}");
    }
}

fn dangers(config: &Config) -> Vec<(&'static str, &'static str)> {
    let webhooks_differ = config.webhooks.allow_private != config.outbound.allow_private;
    let is_wide = |ranges: &[IpNet]| ranges.iter().any(is_wide);
    [
        (is_public(config.operator.listen), "operator.listen", "the operator API listens where others can reach it"),
        (is_weak(config.operator.key.as_deref()), "operator.key", "the operator's key can be guessed"),
        (is_weak(config.operator.read_only_key.as_deref()), "operator.read_only_key", "the key can be guessed"),
        (
            is_wide(&config.outbound.allow_private),
            "outbound.allow_private",
            "customers can have any address of this network called",
        ),
        (
            webhooks_differ && is_wide(&config.webhooks.allow_private),
            "webhooks.allow_private",
            "customers can have any address of this network called",
        ),
        (
            config.http.http2,
            "http.http2",
            "a client can take far more memory than over HTTP/1.1: let only those in that you trust",
        ),
        (
            config.smtp.url.as_deref().is_some_and(tells_password),
            "smtp.url",
            "the password is sent in clear where the mail server does not want TLS: smtps:// or ?tls=required wants it",
        ),
    ]
    .into_iter()
    .filter_map(|(holds, key, danger)| holds.then_some((key, danger)))
    .collect()
}

fn is_public(listen: SocketAddr) -> bool {
    listen.ip().to_canonical().is_unspecified() || AddressGuard::default().permits(listen.ip())
}

/// Whether the password in the address of a mail server may travel unencrypted.
fn tells_password(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let is_loopback = host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        let is_encrypted =
            url.scheme() == "smtps" || url.query_pairs().any(|pair| pair == ("tls".into(), "required".into()));
        url.password().is_some() && !is_encrypted && !is_loopback
    })
}

fn is_weak(key: Option<&str>) -> bool {
    key.is_some_and(|key| key.len() < STRONG_LENGTH || key.chars().collect::<BTreeSet<_>>().len() < STRONG_VARIETY)
}

fn is_wide(range: &IpNet) -> bool {
    match range {
        IpNet::V4(range) => range.prefix_len() < NARROW_V4,
        IpNet::V6(range) if range.prefix_len() < MAPPED_BITS => range.prefix_len() < NARROW_V6,
        IpNet::V6(range) => {
            let is_mapped = IpAddr::V6(range.network()).to_canonical().is_ipv4();
            is_mapped && range.prefix_len() - MAPPED_BITS < NARROW_V4
        }
    }
}

#[cfg(test)]
mod tests {
    use super::dangers;
    use config::Config;

    fn keys(change: impl FnOnce(&mut Config)) -> Vec<&'static str> {
        let mut config = Config::built_in().expect("settings");
        change(&mut config);
        dangers(&config).into_iter().map(|(key, _)| key).collect()
    }

    #[test]
    fn each_danger_is_named_by_its_key() {
        assert_eq!(keys(|_| ()), Vec::<&str>::new());
        assert_eq!(keys(|config| config.http.http2 = true), ["http.http2"]);
        for (listen, is_public) in [
            ("0.0.0.0:1", true),
            ("[::]:1", true),
            ("[::ffff:0.0.0.0]:1", true),
            ("8.8.8.8:1", true),
            ("10.0.0.1:1", false),
            ("[::1]:1", false),
        ] {
            let expected: &[&str] = if is_public { &["operator.listen"] } else { &[] };
            assert_eq!(keys(|config| config.operator.listen = listen.parse().expect(listen)), expected, "{listen}");
        }
        for (key, is_weak) in [
            ("correct-horse-battery", true),
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true),
            ("rdo_0123456789abcdef0123456789abcdef", false),
        ] {
            let expected: &[&str] = if is_weak { &["operator.key"] } else { &[] };
            assert_eq!(keys(|config| config.operator.key = Some(key.to_owned())), expected, "{key}");
            let expected: &[&str] = if is_weak { &["operator.read_only_key"] } else { &[] };
            assert_eq!(keys(|config| config.operator.read_only_key = Some(key.to_owned())), expected, "{key}");
        }
        for (url, is_told) in [
            ("smtp://radar:sesame@mail.example.com:587", true),
            ("smtp://radar:sesame@mail.example.com?tls=opportunistic", true),
            ("smtp://radar:sesame@mail.example.com:587?tls=required", false),
            ("smtps://radar:sesame@mail.example.com", false),
            ("smtp://mail.example.com", false),
            ("smtp://radar:sesame@127.0.0.1:25", false),
            ("smtp://radar:sesame@[::1]", false),
            ("smtp://radar:sesame@localhost", false),
        ] {
            let expected: &[&str] = if is_told { &["smtp.url"] } else { &[] };
            assert_eq!(keys(|config| config.smtp.url = Some(url.to_owned())), expected, "{url}");
        }
        for (range, is_wide) in [
            ("0.0.0.0/0", true),
            ("128.0.0.0/1", true),
            ("::/0", true),
            ("::ffff:0:0/96", true),
            ("::ffff:10.0.0.0/104", false),
            ("10.0.0.0/8", false),
            ("127.0.0.0/8", false),
            ("fc00::/7", false),
        ] {
            let expected: &[&str] = if is_wide { &["outbound.allow_private"] } else { &[] };
            let ranges = vec![range.parse().expect(range)];
            let both = |config: &mut Config| {
                config.outbound.allow_private = ranges.clone();
                config.webhooks.allow_private = ranges.clone();
            };
            assert_eq!(keys(both), expected, "{range}");
            let expected: &[&str] = if is_wide { &["webhooks.allow_private"] } else { &[] };
            assert_eq!(keys(|config| config.webhooks.allow_private = ranges.clone()), expected, "{range}");
        }
    }
}
