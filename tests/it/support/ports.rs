//! Ports for programs that listen on a given port, and again on the same after a restart.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the ports that systems give to outgoing connections: one of those would take a port that its program
/// does not hold at the moment.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

static TAKEN: AtomicU16 = AtomicU16::new(0);

/// A port that nobody listens on, and that no other caller in this process is given.
pub fn free_port() -> u16 {
    // Test programs that run side by side begin at different places.
    let begin = std::process::id().wrapping_mul(101);
    for _ in 0..COUNT {
        let taken = u32::from(TAKEN.fetch_add(1, Ordering::Relaxed));
        let place = u16::try_from(begin.wrapping_add(taken) % u32::from(COUNT)).expect("below the count");
        if TcpListener::bind(("127.0.0.1", FIRST + place)).is_ok() {
            return FIRST + place;
        }
    }
    panic!("every port is taken");
}
