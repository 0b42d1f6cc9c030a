//! Which addresses the service may call: one guard for targets, one for receivers.

use std::net::SocketAddr;

use config::Config;
use outbound::address_guard::AddressGuard;
use outbound::own_listeners::OwnListeners;

/// The guards of the two ways out. Neither lets a request reach the service's own listeners.
pub(super) struct Guards {
    /// For the fetching of targets.
    pub(super) targets: AddressGuard,
    /// For the receivers of webhooks.
    pub(super) webhooks: AddressGuard,
}

impl Guards {
    /// The guards for a service that listens at `addresses`.
    pub(super) fn of(config: &Config, addresses: [SocketAddr; 2]) -> Self {
        let own = OwnListeners::at(addresses);
        let (outbound, webhooks) = (&config.outbound, &config.webhooks);
        Self {
            targets: AddressGuard::new(outbound.allow_private.clone()).except(own.clone()),
            webhooks: AddressGuard::new(webhooks.allow_private.clone()).except(own).at_ports(webhooks.ports.clone()),
        }
    }
}
