//! Under which names the operator's listener is asked: a page of a stranger, whose name leads to this address, must not be
//! taken for ours by a browser.

/// The names, beside addresses and `localhost`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnHosts {
    names: Vec<String>,
}

impl OwnHosts {
    /// What is said to a request for another host.
    pub const REFUSAL: &str = "this service is not called that here; operator.hosts names what it is called";

    /// These names as well.
    pub fn new(names: &[String]) -> Self {
        Self { names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Whether a request with this `Host` is for us. An address is nobody's name, and without any it is from no browser.
    pub fn permit(&self, host: Option<&str>) -> bool {
        let Some(host) = host else { return true };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let name = name.to_ascii_lowercase();
        let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
        address.parse::<std::net::IpAddr>().is_ok() || name == "localhost" || self.names.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::OwnHosts;

    #[test]
    fn addresses_and_names_of_ours_are_permitted() {
        let hosts = OwnHosts::new(&["Radar.internal".to_owned()]);
        for host in
            ["127.0.0.1", "127.0.0.1:8081", "[::1]:8081", "[::1]", "localhost", "LOCALHOST:1", "radar.Internal:80"]
        {
            assert!(hosts.permit(Some(host)), "{host}");
        }
        assert!(hosts.permit(None));
        for host in
            ["", "evil.example", "evil.example:8081", "127.0.0.1.evil.example", "localhost.evil.example", "::1:x"]
        {
            assert!(!hosts.permit(Some(host)), "{host}");
        }
    }
}
