//! The mechanism GSSAPI (RFC 4752), both sides.
//!
//! ```text
//! client                              server
//!   token of the library   ------->
//!                          <-------   token of the library             until both know each other
//!   nothing                ------->
//!                          <-------   sealed: protections (1 byte), most bytes at once (3 bytes)
//!   sealed: the same, chosen ----->   and after it for whom, in UTF-8; HBase's clients leave that out
//! ```

use crate::sasl::context::SecurityContext;
use crate::sasl::protection::Protection;
use crate::sasl::sealed::Sealed;
use rowstone_model::{Error, ErrorKind, Result};

/// Maximum number of sealed bytes per frame that this side announces. HBase's Java classes send data in one piece
/// regardless.
const OUR_MOST_BYTES: u32 = 0xff_ffff;
/// Bits, and three bytes of size.
const LAYERS_BYTES: usize = 4;

/// The step after a token.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Send this, even if empty, and wait for an answer.
    Send(Vec<u8>),
    /// Finished; the bytes to send, if any, have no answer.
    Done(Option<Vec<u8>>),
}

fn refused(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::AccessDenied, what)
}

/// Encodes bits and size for a message.
fn layers(bits: u8, most_bytes: u32) -> [u8; LAYERS_BYTES] {
    let [_, a, b, c] = most_bytes.to_be_bytes();
    [bits, a, b, c]
}

fn read_layers(message: &[u8]) -> Result<(u8, usize)> {
    match message {
        [bits, a, b, c, ..] => Ok((*bits, u32::from_be_bytes([0, *a, *b, *c]) as usize)),
        _ => Err(refused(format!("{} bytes about protection; there are 4 or more", message.len()))),
    }
}

/// The protection of the following bytes, if any.
fn sealed(context: Box<dyn SecurityContext>, chosen: Protection, most_bytes: usize) -> Result<Option<Sealed>> {
    match chosen {
        Protection::Authentication => Ok(None),
        Protection::Integrity => Sealed::new(context, false, most_bytes).map(Some),
        Protection::Privacy => Sealed::new(context, true, most_bytes).map(Some),
    }
}

/// The client side.
pub struct GssClient {
    context: Box<dyn SecurityContext>,
    /// The acceptable levels of protection, in order of preference.
    wanted: Vec<Protection>,
    is_known: bool,
    chosen: Option<(Protection, usize)>,
}

impl GssClient {
    /// Creates the client side of a login. It selects the first of the protections `wanted` that the server offers.
    pub fn new(context: Box<dyn SecurityContext>, wanted: Vec<Protection>) -> Self {
        GssClient { context, wanted, is_known: false, chosen: None }
    }

    /// The first token.
    ///
    /// # Errors
    /// Errors of the library: usually a missing ticket.
    pub fn begin(&mut self) -> Result<Vec<u8>> {
        self.context.step(&[])
    }

    /// Processes the server's `token`.
    ///
    /// # Errors
    /// `AccessDenied` if the server is not the expected one, or offers none of the protections.
    pub fn answer(&mut self, token: &[u8]) -> Result<Step> {
        if !self.is_known {
            let next = self.context.step(token)?;
            self.is_known = self.context.is_complete()?;
            if next.is_empty() && !self.is_known {
                return Err(refused("the login is incomplete"));
            }
            return Ok(Step::Send(next));
        }
        if token.is_empty() {
            return Ok(Step::Send(Vec::new()));
        }
        let (offered, most_bytes) = read_layers(&self.context.open(token)?.0)?;
        let Some(chosen) = self.wanted.iter().find(|wanted| wanted.bit() & offered != 0) else {
            let wanted = &self.wanted;
            return Err(refused(format!(
                "the server has none of the protections {wanted:?}: see hbase.rpc.protection"
            )));
        };
        let own_bytes = if *chosen == Protection::Authentication { 0 } else { OUR_MOST_BYTES };
        let answer = self.context.seal(&layers(chosen.bit(), own_bytes), false)?;
        self.chosen = Some((*chosen, most_bytes));
        Ok(Step::Done(Some(answer)))
    }

    /// The protection of the following bytes, if any.
    ///
    /// # Errors
    /// `AccessDenied` before the end, and for a server whose maximum is smaller than the overhead of sealing.
    pub fn finish(self) -> Result<Option<Sealed>> {
        match self.chosen {
            Some((chosen, most_bytes)) => sealed(self.context, chosen, most_bytes),
            None => Err(refused("the login is incomplete")),
        }
    }
}

/// The state of the server side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Meeting,
    Offering,
    Choosing,
    Done(Protection, usize),
}

/// The server side.
pub struct GssServer {
    context: Box<dyn SecurityContext>,
    offered: Vec<Protection>,
    stage: Stage,
}

impl GssServer {
    /// Creates the server side of a login that offers the protections `offered`.
    pub fn new(context: Box<dyn SecurityContext>, offered: Vec<Protection>) -> Self {
        GssServer { context, offered, stage: Stage::Meeting }
    }

    /// Processes the client's `token`.
    ///
    /// # Errors
    /// `AccessDenied` if the client cannot be authenticated, or selects a protection that was not offered.
    pub fn answer(&mut self, token: &[u8]) -> Result<Step> {
        match self.stage {
            // The library would start an exchange of its own.
            Stage::Meeting if token.is_empty() => Err(refused("a login begins with a token")),
            Stage::Meeting => {
                let next = self.context.step(token)?;
                match (self.context.is_complete()?, next.is_empty()) {
                    (true, true) => self.offer(),
                    (false, true) => Err(refused("the login is incomplete")),
                    (is_complete, false) => {
                        self.stage = if is_complete { Stage::Offering } else { Stage::Meeting };
                        Ok(Step::Send(next))
                    }
                }
            }
            Stage::Offering if token.is_empty() => self.offer(),
            Stage::Offering => Err(refused(format!("{} unexpected bytes", token.len()))),
            Stage::Choosing => self.choose(token),
            Stage::Done(..) => Err(refused("the login is over")),
        }
    }

    fn offer(&mut self) -> Result<Step> {
        let bits = self.offered.iter().fold(0, |bits, offered| bits | offered.bit());
        let most_bytes = if bits == Protection::Authentication.bit() { 0 } else { OUR_MOST_BYTES };
        self.stage = Stage::Choosing;
        self.context.seal(&layers(bits, most_bytes), false).map(Step::Send)
    }

    fn choose(&mut self, token: &[u8]) -> Result<Step> {
        let message = self.context.open(token)?.0;
        let (bits, most_bytes) = read_layers(&message)?;
        let Some(chosen) = self.offered.iter().find(|offered| offered.bit() == bits) else {
            return Err(refused(format!("protection {bits} was not offered: see hbase.rpc.protection")));
        };
        let for_whom = &message[LAYERS_BYTES..];
        if !for_whom.is_empty() && for_whom != self.context.peer()?.as_bytes() {
            return Err(refused("the authorization identity differs from the authenticated user"));
        }
        self.stage = Stage::Done(*chosen, most_bytes);
        Ok(Step::Done(None))
    }

    /// The client's principal, and the protection of the following bytes, if any.
    ///
    /// # Errors
    /// `AccessDenied` before the end, and for a client whose maximum is smaller than the overhead of sealing.
    pub fn finish(self) -> Result<(String, Option<Sealed>)> {
        let Stage::Done(chosen, most_bytes) = self.stage else { return Err(refused("the login is incomplete")) };
        let peer = self.context.peer()?;
        Ok((peer, sealed(self.context, chosen, most_bytes)?))
    }
}

#[cfg(test)]
mod tests;
