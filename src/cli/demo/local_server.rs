//! A server on a free port of this machine, for what the demo plays itself: companies' sites and a customer's receiver.

use std::io;
use std::net::SocketAddr;

use actix_web::dev::ServerHandle;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};

/// The server, until [`LocalServer::stop`].
pub struct LocalServer {
    address: SocketAddr,
    handle: ServerHandle,
}

impl LocalServer {
    /// Starts serving what `configure` sets up, on the loopback interface; must be called within an actix system.
    pub fn start(configure: impl Fn(&mut ServiceConfig) + Clone + Send + 'static) -> io::Result<Self> {
        let server = HttpServer::new(move || App::new().configure(configure.clone()));
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0))?;
        let address = server.addrs().first().copied().ok_or(io::ErrorKind::AddrNotAvailable)?;
        let server = server.run();
        let handle = server.handle();
        actix_rt::spawn(server);
        Ok(Self { address, handle })
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Ends serving.
    pub async fn stop(self) {
        self.handle.stop(false).await;
    }
}
