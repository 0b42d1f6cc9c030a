//! TLS of the public listener (`http.tls_cert`, `http.tls_key`), read once at the start.

use std::path::Path;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

/// What is spoken unless the settings say more: requests are read one at a time.
const HTTP_1_1: &[u8] = b"http/1.1";
/// Many requests at a time, not bounded as those are.
pub(super) const HTTP_2: &[u8] = b"h2";

/// Why TLS cannot be offered. Each prints as one line that names the key.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The chain of certificates cannot be read.
    #[error("http.tls_cert: {0}")]
    Certificates(pem::Error),
    /// The private key cannot be read.
    #[error("http.tls_key: {0}")]
    Key(pem::Error),
    /// They do not belong together.
    #[error("http.tls_key: {0}")]
    Unfit(#[from] rustls::Error),
}

/// Takes up connections with the certificate of the settings; `None` where there is none.
///
/// # Errors
/// [`TlsError`] when the files cannot be used.
pub(crate) fn acceptor(settings: &config::Http) -> Result<Option<TlsAcceptor>, TlsError> {
    let files = settings.tls_cert.as_deref().zip(settings.tls_key.as_deref());
    let protocols: &[&[u8]] = if settings.http2 { &[HTTP_2, HTTP_1_1] } else { &[HTTP_1_1] };
    files.map(|(cert, key)| with_files(cert, key, protocols)).transpose()
}

fn with_files(cert: &Path, key: &Path, protocols: &[&[u8]]) -> Result<TlsAcceptor, TlsError> {
    let chain = CertificateDer::pem_file_iter(cert).and_then(|chain| chain.collect::<Result<Vec<_>, _>>());
    let chain = chain.map_err(TlsError::Certificates)?;
    let key = PrivateKeyDer::from_pem_file(key).map_err(TlsError::Key)?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?.with_no_client_auth();
    let mut config = builder.with_single_cert(chain, key)?;
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    Ok(TlsAcceptor::from(Arc::new(config)))
}
