//! An open file: reads from the cache, requests for what is not there, and requests ahead of sequential readers.

use crate::cache::{Ahead, Cache, Claim, FileId};
use crate::options::Options;
use crate::retry::Retry;
use crate::runtime;
use crate::segment::{Completion, Segment};
use crate::storage::{Answer, Opened, Source};
use crate::streams::{Plan, Streams};
use bytes::Bytes;
use rowstone_engine::sys::lock::Mutex;
use rowstone_engine::sys::ReadableFile;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// A longer read is treated as several, so that what follows is requested while its first bytes arrive.
const STEP: u64 = 1 << 20;

/// State that all files of a location share.
pub struct Shared {
    /// Options of reading.
    pub options: Options,
    /// Limits of repetition.
    pub retry: Retry,
    /// Bytes of all files.
    pub cache: Cache,
    /// The storage in error messages.
    pub place: String,
}

/// An open file.
pub struct RemoteFile {
    shared: Arc<Shared>,
    source: Arc<dyn Source>,
    key: String,
    id: FileId,
    streams: Mutex<Streams>,
}

impl RemoteFile {
    /// A file just opened, whose last bytes enter the cache.
    pub fn new(shared: Arc<Shared>, key: String, opened: Opened) -> Self {
        let id = shared.cache.add_file();
        let start = opened.source.length() - opened.tail.len() as u64;
        shared.cache.add(id, Segment::ready(start, opened.tail));
        RemoteFile { shared, source: opened.source, key, id, streams: Mutex::default() }
    }

    /// Copies the bytes from `offset` into `buffer`, which is not longer than a step.
    fn read_step(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let end = offset + buffer.len() as u64;
        let plan = self.read_ahead(offset..end);
        let mut at = offset;
        while at < end {
            let (segment, bytes) = self.bytes(at, end, &plan)?;
            at += copy(&segment, &bytes, at, &mut buffer[(at - offset) as usize..]);
            if plan.is_sequential && at == segment.range.end {
                self.shared.cache.mark_read(self.id, &segment);
            }
        }
        Ok(())
    }

    /// The segment with the byte at `at`, and its bytes. A request that another read or reading ahead has sent, and
    /// that failed, is sent again.
    fn bytes(&self, at: u64, end: u64, plan: &Plan) -> io::Result<(Arc<Segment>, Bytes)> {
        loop {
            let (segment, is_own) = self.segment(at, end, plan);
            match segment.wait() {
                Ok(bytes) => return Ok((segment, bytes)),
                Err(failure) => {
                    self.shared.cache.remove(self.id, &segment);
                    if is_own {
                        return Err(failure.into_io(&self.shared.place, &self.key));
                    }
                }
            }
        }
    }

    /// Requests what a sequential reader of `range` will read next.
    fn read_ahead(&self, range: Range<u64>) -> Plan {
        let Options { read_ahead_bytes, request_bytes, .. } = self.shared.options;
        let mut streams = self.streams.lock();
        let limit = read_ahead_bytes.min(self.shared.cache.share(self.id));
        let plan = streams.note(range, limit, request_bytes);
        let end = plan.ahead.end.min(self.source.length());
        let mut start = plan.ahead.start;
        while start < end {
            let piece = start..(start + plan.piece).min(end);
            match self.shared.cache.claim_ahead(self.id, piece.clone()) {
                Ahead::Claimed(segment) => {
                    start = segment.range.end;
                    self.load(segment);
                }
                Ahead::Covered => start = piece.end,
                Ahead::Full => {
                    streams.stopped_at(start);
                    break;
                }
            }
        }
        plan
    }

    /// The segment with the byte at `at`, and whether this call requested it. `end` is the end of the read.
    fn segment(&self, at: u64, end: u64, plan: &Plan) -> (Arc<Segment>, bool) {
        let shortest = self.shared.options.min_request_bytes.max(plan.piece);
        let range = at..end.max(at + shortest).min(self.source.length());
        match self.shared.cache.get_or_claim(self.id, range) {
            Claim::Found(segment) => (segment, false),
            Claim::Claimed(segment) => {
                self.load(Arc::clone(&segment));
                (segment, true)
            }
        }
    }

    /// Starts the request for a segment.
    fn load(&self, segment: Arc<Segment>) {
        let (shared, source) = (Arc::clone(&self.shared), Arc::clone(&self.source));
        let completion = Completion(segment);
        let request = async move {
            let range = completion.0.range.clone();
            let attempt = || -> Answer<'_, Bytes> { source.read(range.clone()) };
            let result = shared.retry.run(attempt).await;
            completion.0.finish(result);
        };
        // Without a runtime, the request is dropped here, and its completion reports that.
        if let Ok(runtime) = runtime::handle() {
            runtime.spawn(request);
        }
    }

    fn check(&self, offset: u64, length: usize) -> io::Result<()> {
        let size = self.source.length();
        if offset.checked_add(length as u64).is_some_and(|end| end <= size) {
            return Ok(());
        }
        let message = format!(
            "'{}' in {} has {size} bytes; {length} were requested at offset {offset}",
            self.key, self.shared.place
        );
        Err(io::Error::new(io::ErrorKind::UnexpectedEof, message))
    }
}

/// Copies the bytes from `at` in a segment to the front of `buffer`; returns their number.
fn copy(segment: &Segment, bytes: &Bytes, at: u64, buffer: &mut [u8]) -> u64 {
    let found = &bytes[(at - segment.range.start) as usize..];
    let count = found.len().min(buffer.len());
    buffer[..count].copy_from_slice(&found[..count]);
    count as u64
}

impl ReadableFile for RemoteFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.check(offset, buffer.len())?;
        let mut at = offset;
        for step in buffer.chunks_mut(STEP as usize) {
            self.read_step(at, step)?;
            at += step.len() as u64;
        }
        Ok(())
    }

    fn read_at_once(&self, offset: u64, buffer: &mut [u8]) -> io::Result<bool> {
        self.check(offset, buffer.len())?;
        let end = offset + buffer.len() as u64;
        let mut at = offset;
        while at < end {
            let Some(segment) = self.shared.cache.get(self.id, at) else { return Ok(false) };
            let Some(bytes) = segment.now() else { return Ok(false) };
            at += copy(&segment, &bytes, at, &mut buffer[(at - offset) as usize..]);
        }
        self.read_ahead(offset..end);
        Ok(true)
    }

    fn will_need(&self, offset: u64, bytes: u64) {
        let (shortest, length) = (self.shared.options.min_request_bytes, self.source.length());
        let end = offset.saturating_add(bytes).min(length);
        let mut start = offset;
        while start < end {
            match self.shared.cache.claim_at_least(self.id, start..end, shortest, length) {
                Ahead::Claimed(segment) => {
                    start = segment.range.end;
                    self.load(segment);
                }
                Ahead::Covered => start = end,
                Ahead::Full => return,
            }
        }
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.source.length())
    }
}

impl Drop for RemoteFile {
    fn drop(&mut self) {
        self.shared.cache.remove_file(self.id);
    }
}
