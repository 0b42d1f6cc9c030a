//! How many connections the file descriptors of the process allow.
//!
//! Every connection takes one. The public listener gets at most half of them and the operator's an eighth, so that
//! neither strangers nor customers can take those that the database, the feeds, the deliveries and the operator need.

use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{ConnectionLimits, ListenerLimits};

/// Connections of the operator's listener at most.
const OPERATOR_CONNECTIONS_MAX: usize = 256;
/// How long a connection of the operator may stay without a request.
const OPERATOR_IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// The bounds of both listeners, once the process has asked for as many descriptors as it may have.
pub(crate) fn listener_limits(settings: &config::Http) -> ListenerLimits {
    raise_limit();
    let descriptors = descriptors();
    let public = ConnectionLimits {
        connections: share(settings.max_connections, 2, descriptors),
        per_address: settings.max_connections_per_address,
        idle_timeout: settings.idle_timeout,
        write_timeout: settings.write_timeout,
    };
    let connections = share(OPERATOR_CONNECTIONS_MAX, 8, descriptors);
    let idle_timeout = OPERATOR_IDLE_TIMEOUT;
    let operator = ConnectionLimits { connections, per_address: connections, idle_timeout, ..public };
    ListenerLimits { public, operator }
}

fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}

/// The limit of the process; `None` where there is none.
fn descriptors() -> Option<usize> {
    getrlimit(Resource::Nofile).current.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// `wanted`, but at most one part in `parts` of the descriptors.
fn share(wanted: usize, parts: usize, descriptors: Option<usize>) -> usize {
    descriptors.map_or(wanted, |descriptors| wanted.min(descriptors / parts)).max(1)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn the_listeners_leave_descriptors_to_the_rest() {
        for (wanted, parts, descriptors, granted) in [
            (4096, 2, Some(1024), 512),
            (4096, 2, Some(1_048_576), 4096),
            (4096, 2, None, 4096),
            (256, 8, Some(1024), 128),
            (256, 8, Some(4), 1),
        ] {
            assert_eq!(share(wanted, parts, descriptors), granted);
        }
    }
}
