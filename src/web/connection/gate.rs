//! How many connections one address has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use domain::client_network::client_network;

/// Counts the connections of each address.
pub(super) struct Gate {
    per_address: usize,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// A counted connection. Dropping this value ends the count.
pub(super) struct OpenConnection {
    gate: Arc<Gate>,
    network: IpAddr,
}

impl Gate {
    /// Nobody is connected yet.
    pub(super) fn new(per_address: usize) -> Self {
        Self { per_address, open: Mutex::default() }
    }

    /// Counts a connection, unless its address has as many as it may have.
    pub(super) fn admit(gate: &Arc<Self>, address: IpAddr) -> Option<OpenConnection> {
        let network = client_network(address);
        let mut open = gate.open.lock();
        let count = open.entry(network).or_default();
        if *count >= gate.per_address {
            return None;
        }
        *count += 1;
        Some(OpenConnection { gate: gate.clone(), network })
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.gate.open.lock();
        if let Some(count) = open.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Gate;

    #[test]
    fn an_address_has_so_many_connections_and_no_more() {
        let gate = Arc::new(Gate::new(2));
        let [one, neighbour, other] = ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(|ip| ip.parse().expect("an ip"));
        let first = Gate::admit(&gate, one);
        let second = Gate::admit(&gate, neighbour);
        assert!(first.is_some() && second.is_some());
        assert!(Gate::admit(&gate, one).is_none(), "one network of 64 bits is one client");
        assert!(Gate::admit(&gate, other).is_some());
        drop(first);
        assert!(Gate::admit(&gate, one).is_some());
        drop(second);
        assert!(gate.open.lock().is_empty(), "nobody is remembered");
    }
}
