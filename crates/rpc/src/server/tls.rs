//! TLS on the RPC port, as in HBase 2.6. Plain text may use the same port; the first byte distinguishes them.
//! Sources: `NettyRpcServer`, `X509Util` (`hbase.server.netty.tls.*`).

use crate::connection::{certificates, private_key, unreadable};
use rowstone_model::{Error, Result};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_rustls::TlsAcceptor;

/// First byte of a TLS client: a handshake record. `HBas`, `Regist` and `Securi` start with other bytes.
const HANDSHAKE: u8 = 22;

/// TLS files in PEM format, and whether clients may connect without TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTls {
    /// The server's certificate and its chain.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
    /// CA certificates for client certificates. Without them the server requests no client certificate.
    pub client_ca: Option<PathBuf>,
    /// Whether clients may also connect in plain text, as `hbase.server.netty.tls.supportplaintext` in HBase.
    pub takes_plain_text: bool,
}

/// TLS configuration of a running server.
pub(super) struct Tls {
    acceptor: TlsAcceptor,
    takes_plain_text: bool,
}

/// Transport of a client's connection.
pub(super) enum Way {
    Plain(TcpStream),
    Secure(Box<TlsStream<TcpStream>>),
}

impl Tls {
    /// Loads the files. With `is_optional`, clients may connect without a certificate despite a `client_ca` and
    /// authenticate in another way.
    ///
    /// # Errors
    ///
    /// `InvalidArgument` for a file that cannot be read or has the wrong content.
    pub fn new(options: &ServerTls, is_optional: bool) -> Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::internal(format!("no TLS: {error}")))?;
        let builder = match &options.client_ca {
            None => builder.with_no_client_auth(),
            Some(file) => {
                let mut roots = RootCertStore::empty();
                for certificate in certificates(file)? {
                    roots.add(certificate).map_err(|error| unreadable(file, &error))?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                let verifier = if is_optional { verifier.allow_unauthenticated() } else { verifier };
                builder.with_client_cert_verifier(verifier.build().map_err(|error| unreadable(file, &error))?)
            }
        };
        let config = builder
            .with_single_cert(certificates(&options.certificate)?, private_key(&options.key)?)
            .map_err(|error| unreadable(&options.certificate, &error))?;
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Tls { acceptor, takes_plain_text: options.takes_plain_text })
    }

    /// Determines the transport of the client of `socket` and completes its TLS handshake. `None` if it is refused,
    /// or if it stalls for `patience`.
    pub async fn greet(&self, socket: TcpStream, patience: Duration) -> Option<Way> {
        let mut first = [0];
        match timeout(patience, socket.peek(&mut first)).await {
            Ok(Ok(1)) if first[0] == HANDSHAKE => {}
            Ok(Ok(1)) if self.takes_plain_text => return Some(Way::Plain(socket)),
            _ => return None,
        }
        let stream = timeout(patience, self.acceptor.accept(socket)).await.ok()?.ok()?;
        Some(Way::Secure(Box::new(stream)))
    }
}
