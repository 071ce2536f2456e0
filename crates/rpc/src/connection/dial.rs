//! Opens a connection to a host and port as a pair of byte streams.

use super::login::{log_in, Credentials};
use super::tls::{secure, TlsOptions};
use crate::failure::{Deadline, Failure};
use crate::wire::Compressor;
use rowstone_model::Error;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::{mpsc, Arc};
use std::time::Duration;

/// The options for connecting to servers.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// User name sent to servers, which trust it unless they require authentication.
    pub user: String,
    /// Credentials for servers that require authentication.
    pub credentials: Credentials,
    /// The user to impersonate, if any: servers only allow that to some users.
    pub impersonate: Option<String>,
    /// Time limit for one attempt to connect.
    pub connect_timeout: Duration,
    /// Compression of cell blocks, if any.
    pub compressor: Option<Compressor>,
    /// TLS files, if connections are encrypted.
    pub tls: Option<TlsOptions>,
    /// Alternative addresses for the host names that servers announce: `name` or `name:port` to `host` or
    /// `host:port`.
    pub hosts: BTreeMap<String, String>,
}

/// The two directions of a connection, and the socket below them.
pub(super) struct Link {
    pub(super) socket: TcpStream,
    pub(super) reader: Box<dyn Read + Send>,
    pub(super) writer: Box<dyn Write + Send>,
}

/// Opens connections.
#[derive(Debug, Clone)]
pub struct Dialer {
    options: ConnectOptions,
    tls: Option<Arc<rustls::ClientConfig>>,
}

impl Dialer {
    /// A dialer with `options`.
    ///
    /// # Errors
    /// `InvalidArgument` for unusable TLS files, and for a password without TLS, which would travel in clear text.
    pub fn new(options: ConnectOptions) -> rowstone_model::Result<Self> {
        if options.tls.is_none() && matches!(options.credentials, Credentials::Password(_)) {
            return Err(Error::invalid("a password is sent over TLS only: give tls=rowstone.Tls(...) too"));
        }
        let tls = options.tls.as_ref().map(TlsOptions::config).transpose()?;
        Ok(Dialer { options, tls })
    }

    pub(super) fn compressor(&self) -> Option<Compressor> {
        self.options.compressor
    }

    /// The user names in the connection header: the effective user and the real one. Omitted if the login identifies
    /// the user.
    pub(super) fn users(&self) -> Option<(&str, Option<&str>)> {
        let own = self.options.user.as_str();
        match (&self.options.impersonate, &self.options.credentials) {
            (Some(other), _) => Some((other, Some(own))),
            (None, Credentials::Simple) => Some((own, None)),
            (None, _) => None,
        }
    }

    /// The actual address for `host:port`.
    fn target(&self, host: &str, port: u16) -> (String, u16) {
        let hosts = &self.options.hosts;
        let Some(mapped) = hosts.get(&format!("{host}:{port}")).or_else(|| hosts.get(host)) else {
            return (host.to_string(), port);
        };
        match mapped.rsplit_once(':').and_then(|(host, port)| Some((host, port.parse().ok()?))) {
            Some((host, port)) => (host.to_string(), port),
            None => (mapped.clone(), port),
        }
    }

    /// Connects to `host:port` and authenticates. Also returns bytes that must be sent before the header.
    pub(super) fn dial(&self, host: &str, port: u16, deadline: Deadline) -> Result<(Link, Vec<u8>), Failure> {
        let deadline = deadline.at_most(self.options.connect_timeout);
        let link = self.link(host, port, deadline)?;
        log_in(link, &self.options.credentials, (host, &format!("{host}:{port}")), deadline)
    }

    /// Connects to `host:port`, trying each of its addresses.
    fn link(&self, host: &str, port: u16, deadline: Deadline) -> Result<Link, Failure> {
        let socket = self.socket(host, port, deadline)?;
        let failed = |error| Failure::connection(format!("cannot set up the connection to {host}:{port}: {error}"));
        socket.set_nodelay(true).map_err(failed)?;
        match &self.tls {
            None => {
                let (reader, writer) = (socket.try_clone().map_err(failed)?, socket.try_clone().map_err(failed)?);
                Ok(Link { socket, reader: Box::new(reader), writer: Box::new(writer) })
            }
            Some(config) => {
                // The handshake has a time limit; afterwards the reader waits without one.
                socket.set_read_timeout(Some(deadline.remaining().max(Duration::from_millis(1)))).map_err(failed)?;
                let link = secure(socket, host, config)?;
                link.socket.set_read_timeout(None).map_err(failed)?;
                Ok(link)
            }
        }
    }

    /// A connected socket to `host:port`.
    pub fn socket(&self, host: &str, port: u16, deadline: Deadline) -> Result<TcpStream, Failure> {
        let target = self.target(host, port);
        let addresses = resolve(target, deadline)?;
        let mut problem = "the name has no address".to_string();
        for address in addresses {
            let left = deadline.remaining();
            if left.is_zero() {
                break;
            }
            match TcpStream::connect_timeout(&address, left) {
                // On one machine, connecting to an unused port can yield a connection to itself.
                Ok(socket) if socket.local_addr().ok() == Some(address) => problem = format!("refused ({address})"),
                Ok(socket) => return Ok(socket),
                Err(error) => problem = format!("{error} ({address})"),
            }
        }
        Err(Failure::connection(format!("cannot connect to {host}:{port}: {problem}")))
    }
}

/// Resolves a host. The operating system may take long for an unknown name, so a separate thread asks it.
fn resolve(target: (String, u16), deadline: Deadline) -> Result<Vec<SocketAddr>, Failure> {
    if let Ok(address) = target.0.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, target.1)]);
    }
    let host = target.0.clone();
    let (sender, receiver) = mpsc::sync_channel(1);
    let asked = std::thread::Builder::new().name("rowstone-resolve".into()).spawn(move || {
        // The receiver may have given up.
        let _ = sender.send(target.to_socket_addrs().map(Vec::from_iter));
    });
    if let Err(error) = asked {
        return Err(Failure::stop(Error::io("start a thread to look up", &host, &error)));
    }
    let problem = match receiver.recv_timeout(deadline.remaining()) {
        Ok(Ok(addresses)) => return Ok(addresses),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("no answer within {} ms", deadline.given_ms()),
    };
    let hint = "option hosts={'name': 'address'} of connect() helps where a cluster's own names mean nothing here";
    Err(Failure::connection(format!("cannot find the host '{host}': {problem}; {hint}")))
}
