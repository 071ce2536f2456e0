//! TLS on the port of the RPC, as HBase 2.6 has it: plain text may come on the same port, and the first byte tells which it is.
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

/// The first byte of a client that greets by TLS: a record of its handshake. `HBas`, `Regist` and `Securi` begin otherwise.
const HANDSHAKE: u8 = 22;

/// Files for TLS, in PEM, and who may come without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTls {
    /// The server's certificate, and those that it was signed with.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
    /// Certificates that those of clients must be signed with; without them nobody is asked for one.
    pub client_ca: Option<PathBuf>,
    /// Whether clients may come in plain text too; so in HBase (`hbase.server.netty.tls.supportplaintext`).
    pub takes_plain_text: bool,
}

/// What TLS takes at work.
pub(super) struct Tls {
    acceptor: TlsAcceptor,
    takes_plain_text: bool,
}

/// How a client comes.
pub(super) enum Way {
    Plain(TcpStream),
    Secure(Box<TlsStream<TcpStream>>),
}

impl Tls {
    /// What the files say. With `is_optional` clients may come without a certificate although there is a `client_ca`: they may say otherwise who they are.
    ///
    /// # Errors
    /// `InvalidArgument` for a file that cannot be read or does not hold what it should.
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

    /// How the client of `socket` comes; `None` where it is not welcome, or does not go on within `patience`.
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
