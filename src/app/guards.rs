//! Which addresses the service may call: one guard for targets, one for receivers.

use std::net::TcpListener;

use super::StartError;
use crate::config::Config;
use crate::outbound::address_guard::AddressGuard;
use crate::outbound::own_listeners::OwnListeners;

/// The guards of the two ways out. Neither lets a request reach the service's own listeners.
pub(super) struct Guards {
    /// For the fetching of targets.
    pub(super) targets: AddressGuard,
    /// For the receivers of webhooks.
    pub(super) webhooks: AddressGuard,
}

impl Guards {
    /// The guards for a service at `listeners`.
    pub(super) fn of(config: &Config, listeners: [&TcpListener; 2]) -> Result<Self, StartError> {
        let [api, operator] = listeners.map(TcpListener::local_addr);
        let unusable = |key, address| move |error| StartError::Listen { key, address, error };
        let own = OwnListeners::at([
            api.map_err(unusable("http.listen", config.http.listen))?,
            operator.map_err(unusable("operator.listen", config.operator.listen))?,
        ]);
        let (outbound, webhooks) = (&config.outbound, &config.webhooks);
        Ok(Self {
            targets: AddressGuard::new(outbound.allow_private.clone()).except(own.clone()),
            webhooks: AddressGuard::new(webhooks.allow_private.clone()).except(own).at_ports(webhooks.ports.clone()),
        })
    }
}
