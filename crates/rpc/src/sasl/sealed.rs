//! Protected bytes after a login: frames of `length (4 bytes, big-endian) | sealed bytes`, in each direction. Their
//! contents form a stream: a frame may contain several calls, or a part of one. Source: `SaslWrapHandler`,
//! `SaslUnwrapHandler`.

use super::context::SecurityContext;
use crate::sync::lock;
use rowstone_model::{Error, ErrorKind, Result};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

/// A generous maximum of the overhead of sealing: Kerberos adds fewer than a hundred bytes.
const ADDED_BYTES: usize = 1 << 10;
/// Larger pieces gain nothing.
const MOST_PIECE_BYTES: usize = 1 << 20;
/// Memory allocated for an announced length in advance; more is allocated as bytes arrive.
const TRUSTED_BYTES: usize = 1 << 20;

/// The exchange's context, which seals and opens.
pub struct Sealed {
    context: Mutex<Box<dyn SecurityContext>>,
    encrypts: bool,
    piece_bytes: usize,
}

impl Sealed {
    /// Seals for a peer that accepts `most_bytes` per frame.
    ///
    /// # Errors
    /// `AccessDenied` if that is less than the overhead of sealing.
    pub fn new(context: Box<dyn SecurityContext>, encrypts: bool, most_bytes: usize) -> Result<Self> {
        let piece_bytes = most_bytes.saturating_sub(ADDED_BYTES).min(MOST_PIECE_BYTES);
        if piece_bytes == 0 {
            let message = format!("the peer accepts {most_bytes} sealed bytes at a time; the minimum is {ADDED_BYTES}");
            return Err(Error::new(ErrorKind::AccessDenied, message));
        }
        Ok(Sealed { context: Mutex::new(context), encrypts, piece_bytes })
    }

    /// Seals `bytes` to frames, which must be sent in the order of sealing.
    ///
    /// # Errors
    /// Errors of the library.
    pub fn seal(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut frames = Vec::with_capacity(bytes.len() + ADDED_BYTES);
        let mut context = lock(&self.context);
        for piece in bytes.chunks(self.piece_bytes) {
            let sealed = context.seal(piece, self.encrypts)?;
            frames.extend_from_slice(&(sealed.len() as u32).to_be_bytes());
            frames.extend_from_slice(&sealed);
        }
        Ok(frames)
    }

    /// Opens a frame, given without its length.
    ///
    /// # Errors
    /// `AccessDenied` for a frame that is out of order, or not encrypted although it should be.
    pub fn open(&self, frame: &[u8]) -> Result<Vec<u8>> {
        let (bytes, is_encrypted) = lock(&self.context).open(frame)?;
        if self.encrypts && !is_encrypted {
            return Err(Error::new(
                ErrorKind::AccessDenied,
                "bytes came that anybody could read; privacy was agreed on",
            ));
        }
        Ok(bytes)
    }
}

fn io(error: &Error) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, error.message().to_string())
}

/// The receiving side of a stream.
pub struct SealedReader<R> {
    sealed: Arc<Sealed>,
    inner: R,
    most_bytes: usize,
    plain: Vec<u8>,
    taken: usize,
}

impl<R: Read> SealedReader<R> {
    /// Opens frames of at most `most_bytes` from `inner`.
    pub fn new(sealed: Arc<Sealed>, inner: R, most_bytes: usize) -> Self {
        SealedReader { sealed, inner, most_bytes, plain: Vec::new(), taken: 0 }
    }

    /// Opens the next frame; false at the end.
    fn fill(&mut self) -> std::io::Result<bool> {
        let mut length = [0; 4];
        if self.inner.read(&mut length[..1])? == 0 {
            return Ok(false);
        }
        self.inner.read_exact(&mut length[1..])?;
        let length = u32::from_be_bytes(length) as usize;
        if length > self.most_bytes {
            let message = format!("{length} sealed bytes were announced; the maximum is {}", self.most_bytes);
            return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message));
        }
        let mut frame = Vec::with_capacity(length.min(TRUSTED_BYTES));
        Read::take(&mut self.inner, length as u64).read_to_end(&mut frame)?;
        if frame.len() < length {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        self.plain = self.sealed.open(&frame).map_err(|error| io(&error))?;
        self.taken = 0;
        Ok(true)
    }
}

impl<R: Read> Read for SealedReader<R> {
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

/// The sending side of a stream.
pub struct SealedWriter<W> {
    sealed: Arc<Sealed>,
    inner: W,
}

impl<W: Write> SealedWriter<W> {
    /// Seals bytes written to `inner`.
    pub fn new(sealed: Arc<Sealed>, inner: W) -> Self {
        SealedWriter { sealed, inner }
    }
}

impl<W: Write> Write for SealedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.inner.write_all(&self.sealed.seal(bytes).map_err(|error| io(&error))?)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.inner.flush()
    }
}
