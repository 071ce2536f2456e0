//! What is asked of a GSS-API library.

use rowstone_model::Result;

/// One side of one conversation: tokens go back and forth until both sides know each other, then bytes are sealed and opened,
/// each in the order in which they are sent.
pub trait SecurityContext: Send {
    /// What to send after `token`, of which the first one of who begins is empty; empty is nothing.
    ///
    /// # Errors
    /// `AccessDenied` where the other side is not who it should be, or cannot be told who we are; says what helps.
    fn step(&mut self, token: &[u8]) -> Result<Vec<u8>>;

    /// Whether both sides know each other.
    ///
    /// # Errors
    /// As the library has them.
    fn is_complete(&self) -> Result<bool>;

    /// The other side's principal, such as `ada@EXAMPLE.COM`, once complete.
    ///
    /// # Errors
    /// `AccessDenied` before that.
    fn peer(&self) -> Result<String>;

    /// `bytes` so that nobody can change them on their way, nor read them where `encrypts`.
    ///
    /// # Errors
    /// As the library has them.
    fn seal(&mut self, bytes: &[u8], encrypts: bool) -> Result<Vec<u8>>;

    /// The bytes in `token`, and whether they were encrypted.
    ///
    /// # Errors
    /// `AccessDenied` for a token that is not the next of the other side.
    fn open(&mut self, token: &[u8]) -> Result<(Vec<u8>, bool)>;
}

/// Who begins conversations: a client with a ticket.
pub trait Initiator: Send + Sync {
    /// A conversation with the server on `host`.
    ///
    /// # Errors
    /// `AccessDenied` without a ticket.
    fn initiate(&self, host: &str) -> Result<Box<dyn SecurityContext>>;
}

/// Who takes part in them: a server with a key.
pub trait Acceptor: Send + Sync {
    /// A conversation with whoever comes.
    ///
    /// # Errors
    /// `AccessDenied` where the key cannot be had.
    fn accept(&self) -> Result<Box<dyn SecurityContext>>;

    /// Our own principal, such as `hbase/host@EXAMPLE.COM`.
    fn principal(&self) -> &str;
}
