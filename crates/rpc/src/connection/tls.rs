//! TLS as in HBase 2.6: plain TLS on the RPC port.

use super::dial::Link;
use crate::failure::Failure;
use crate::sync::lock;
use rowstone_model::{Error, Result};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Size of the socket's read buffer: a few TLS records.
const READ_BYTES: usize = 64 << 10;

/// TLS files, in PEM format.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsOptions {
    /// The CA certificates that sign the servers' certificates.
    pub ca: PathBuf,
    /// The client's certificate and key, for servers that require them.
    pub identity: Option<(PathBuf, PathBuf)>,
}

impl TlsOptions {
    /// Loads the files.
    ///
    /// # Errors
    /// `InvalidArgument` for a file that cannot be read or contains no certificate or key.
    pub(super) fn config(&self) -> Result<Arc<ClientConfig>> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(&self.ca)? {
            roots.add(certificate).map_err(|error| unreadable(&self.ca, &error))?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::internal(format!("no TLS: {error}")))?
            .with_root_certificates(roots);
        let config = match &self.identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => builder
                .with_client_auth_cert(certificates(certificate)?, private_key(key)?)
                .map_err(|error| unreadable(certificate, &error))?,
        };
        Ok(Arc::new(config))
    }
}

/// Loads the certificates in a file, at least one.
pub(crate) fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let found = CertificateDer::pem_file_iter(file).map_err(|error| unreadable(file, &error))?;
    let found = found.collect::<std::result::Result<Vec<_>, _>>().map_err(|error| unreadable(file, &error))?;
    if found.is_empty() {
        return Err(unreadable(file, &"it contains no certificate"));
    }
    Ok(found)
}

/// Loads the key in a file.
pub(crate) fn private_key(file: &Path) -> Result<PrivateKeyDer<'static>> {
    PrivateKeyDer::from_pem_file(file).map_err(|error| {
        // Both PEM formats for encrypted keys contain this word in clear text.
        let is_encrypted = std::fs::read_to_string(file).is_ok_and(|text| text.contains("ENCRYPTED"));
        let problem: &dyn std::fmt::Display =
            if is_encrypted { &"the key is encrypted; give one without a password" } else { &error };
        unreadable(file, problem)
    })
}

/// The error for an unusable file.
pub(crate) fn unreadable(file: &Path, problem: &dyn std::fmt::Display) -> Error {
    Error::invalid(format!("cannot use '{}' for TLS: {problem}", file.display()))
}

/// Performs the TLS handshake with the server of `socket`, which must prove to be `host`; returns the two directions
/// of the connection.
pub(super) fn secure(
    mut socket: TcpStream,
    host: &str,
    config: &Arc<ClientConfig>,
) -> std::result::Result<Link, Failure> {
    let failed = |problem: &dyn std::fmt::Display| Failure::connection(format!("no TLS with {host}: {problem}"));
    let name = ServerName::try_from(host.to_string()).map_err(|error| failed(&error))?;
    let mut session = ClientConnection::new(Arc::clone(config), name).map_err(|error| failed(&error))?;
    while session.is_handshaking() {
        session.complete_io(&mut socket).map_err(|error| failed(&error))?;
    }
    let clone = || socket.try_clone().map_err(|error| failed(&error));
    let session = Arc::new(Mutex::new(session));
    let reader = TlsReader {
        session: Arc::clone(&session),
        socket: clone()?,
        raw: vec![0; READ_BYTES],
        plain: Vec::new(),
        taken: 0,
    };
    let writer = TlsWriter { session, socket: clone()? };
    Ok(Link { socket, reader: Box::new(reader), writer: Box::new(writer) })
}

/// The receiving side. It locks the session only while it decrypts, so that calls can be sent while it waits.
struct TlsReader {
    session: Arc<Mutex<ClientConnection>>,
    socket: TcpStream,
    raw: Vec<u8>,
    plain: Vec<u8>,
    taken: usize,
}

impl TlsReader {
    /// Decrypts the next bytes of the socket; false at the end.
    fn fill(&mut self) -> std::io::Result<bool> {
        let count = self.socket.read(&mut self.raw)?;
        self.plain.clear();
        self.taken = 0;
        let mut left = &self.raw[..count];
        let mut session = lock(&self.session);
        while !left.is_empty() {
            session.read_tls(&mut left)?;
            let state =
                session.process_new_packets().map_err(|error| std::io::Error::new(ErrorKind::InvalidData, error))?;
            let start = self.plain.len();
            self.plain.resize(start + state.plaintext_bytes_to_read(), 0);
            session.reader().read_exact(&mut self.plain[start..])?;
            if state.peer_has_closed() {
                break;
            }
        }
        Ok(count > 0)
    }
}

impl Read for TlsReader {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        while self.taken == self.plain.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let count = out.len().min(self.plain.len() - self.taken);
        out[..count].copy_from_slice(&self.plain[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

/// The sending side. It encrypts first and sends afterwards, so that a full socket does not block the reader.
struct TlsWriter {
    session: Arc<Mutex<ClientConnection>>,
    socket: TcpStream,
}

impl Write for TlsWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut sealed = Vec::with_capacity(bytes.len().min(READ_BYTES) + 256);
        let mut session = lock(&self.session);
        let count = session.writer().write(bytes)?;
        while session.wants_write() {
            session.write_tls(&mut sealed)?;
        }
        drop(session);
        self.socket.write_all(&sealed)?;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.socket.flush()
    }
}
