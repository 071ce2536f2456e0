//! The interface to a GSS-API library.

use rowstone_model::Result;

/// One side of an authentication exchange: tokens are exchanged until both sides are authenticated. Then bytes are
/// sealed and opened, each in the order of sending.
pub trait SecurityContext: Send {
    /// Processes the peer's `token` and returns the next token to send; empty means none. The initiator starts with
    /// an empty `token`.
    ///
    /// # Errors
    /// `AccessDenied` if authentication of either side fails; the message says what helps.
    fn step(&mut self, token: &[u8]) -> Result<Vec<u8>>;

    /// Whether both sides are authenticated.
    ///
    /// # Errors
    /// Errors of the library.
    fn is_complete(&self) -> Result<bool>;

    /// The other side's principal, such as `ada@EXAMPLE.COM`, once complete.
    ///
    /// # Errors
    /// `AccessDenied` before completion.
    fn peer(&self) -> Result<String>;

    /// Protects `bytes` against changes and, if `encrypts`, also against reading.
    ///
    /// # Errors
    /// Errors of the library.
    fn seal(&mut self, bytes: &[u8], encrypts: bool) -> Result<Vec<u8>>;

    /// Opens `token`; returns its bytes, and whether they were encrypted.
    ///
    /// # Errors
    /// `AccessDenied` for a token that is not the peer's next one.
    fn open(&mut self, token: &[u8]) -> Result<(Vec<u8>, bool)>;
}

/// The side that starts exchanges: a client with a ticket.
pub trait Initiator: Send + Sync {
    /// Starts an exchange with the server on `host`.
    ///
    /// # Errors
    /// `AccessDenied` without a ticket.
    fn initiate(&self, host: &str) -> Result<Box<dyn SecurityContext>>;
}

/// The side that accepts exchanges: a server with a key.
pub trait Acceptor: Send + Sync {
    /// Accepts an exchange with any client.
    ///
    /// # Errors
    /// `AccessDenied` if the key is not available.
    fn accept(&self) -> Result<Box<dyn SecurityContext>>;

    /// The server's own principal, such as `hbase/host@EXAMPLE.COM`.
    fn principal(&self) -> &str;
}
