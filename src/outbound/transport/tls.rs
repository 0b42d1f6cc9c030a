//! How secure connections are made: HTTP/1.1 over TLS, to hosts whose certificates bear their names.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// The certificates that the web trusts.
pub(super) fn roots_of_the_web() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

/// Connections to hosts that `roots` vouch for. The provider is named, so that none needs to be installed.
///
/// # Errors
/// The provider knows no version of TLS that we speak.
pub(super) fn config(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use rustls::{RootCertStore, ServerConfig};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio_rustls::TlsAcceptor;
    use url::Url;

    use super::roots_of_the_web;
    use crate::address_guard::AddressGuard;
    use crate::transport::body_budget::BodyBudget;
    use crate::transport::{Bytes, Exchange, Method, Transport, TransportError};
    use clock::Clock;

    /// Valid for a hundred years and trusted by nothing but these tests: `another` is for `another.example`.
    const ROOT: &[u8] = include_bytes!("certificates/root.pem");
    const LOCALHOST: [&[u8]; 2] =
        [include_bytes!("certificates/localhost.pem"), include_bytes!("certificates/localhost.key")];
    const ANOTHER: [&[u8]; 2] =
        [include_bytes!("certificates/another.pem"), include_bytes!("certificates/another.key")];

    fn our_roots() -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(ROOT).unwrap()).unwrap();
        roots
    }

    async fn ask(roots: RootCertStore, port: u16, timeout: Duration) -> Result<u16, TransportError> {
        let guard = AddressGuard::new(vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()]);
        let transport = Transport::with(guard, Clock::system(), BodyBudget::new(1024 * 1024), roots);
        let url = Url::parse(&format!("https://localhost:{port}/")).unwrap();
        let (method, headers, body) = (Method::GET, Vec::new(), Bytes::new());
        let request = Exchange { method, url, headers, body, timeout, body_bytes_max: 1024 };
        transport.exchange(request).await.map(|answer| answer.status)
    }

    /// Hands every connection to `answer`.
    async fn listen<A: Future<Output = ()> + 'static>(answer: impl Fn(TcpStream) -> A + 'static) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        actix_rt::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                actix_rt::spawn(answer(stream));
            }
        });
        port
    }

    async fn serve([certificate, key]: [&[u8]; 2]) -> u16 {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let (chain, key) = (CertificateDer::from_pem_slice(certificate), PrivateKeyDer::from_pem_slice(key));
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![chain.unwrap()], key.unwrap())
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        listen(move |stream| {
            let acceptor = acceptor.clone();
            async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                drop(stream.read(&mut [0; 1024]).await);
                drop(stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await);
            }
        })
        .await
    }

    const LONG: Duration = Duration::from_secs(20);

    #[actix_web::test]
    async fn a_host_is_believed_when_a_trusted_root_vouches_for_its_name() {
        assert_eq!(ask(our_roots(), serve(LOCALHOST).await, LONG).await, Ok(204));
        assert_eq!(ask(our_roots(), serve(ANOTHER).await, LONG).await, Err(TransportError::Tls), "a wrong name");
        assert_eq!(ask(roots_of_the_web(), serve(LOCALHOST).await, LONG).await, Err(TransportError::Tls));
    }

    #[actix_web::test]
    async fn a_handshake_that_hangs_or_never_ends_meets_the_one_timeout() {
        let short = Duration::from_millis(300);
        let hanging = listen(|stream| async move {
            std::future::pending::<()>().await;
            drop(stream);
        });
        assert_eq!(ask(our_roots(), hanging.await, short).await, Err(TransportError::Timeout));
        // A record of a handshake that is longer than what ever comes of it.
        let dripping = listen(|mut stream| async move {
            let mut rest: &[u8] = &[22, 3, 3, 64, 0, 2, 0, 63, 250];
            while stream.write_all(rest).await.is_ok() {
                rest = &[0];
                tokio::task::yield_now().await;
            }
        });
        assert!(matches!(
            ask(our_roots(), dripping.await, short).await,
            Err(TransportError::Timeout | TransportError::Tls)
        ));
    }
}
