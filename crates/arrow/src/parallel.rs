//! A scan by several threads, each with a region of its own at a time: batches come as they are made, in no order.

use crate::array::{Array, Field};
use crate::batches::{guarded, BatchSource};
use rowstone_model::operations::Scan;
use rowstone_model::{Error, Result};
use std::collections::VecDeque;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Opens a piece of a scan as batches.
pub type Opener = dyn Fn(Scan) -> Result<Box<dyn BatchSource>> + Send + Sync;

/// The parts of a forward scan that lie in each of the regions: first row and first row behind, in their order.
pub fn pieces(scan: &Scan, regions: &[(Vec<u8>, Vec<u8>)]) -> Vec<Scan> {
    let mut found = Vec::new();
    for (first, end) in regions {
        let mut piece = Scan { read_point: 0, ..scan.clone() };
        if *first > scan.start {
            (piece.start, piece.include_start) = (first.clone(), true);
        }
        if !end.is_empty() && (scan.stop.is_empty() || *end <= scan.stop) {
            (piece.stop, piece.include_stop) = (end.clone(), false);
        }
        let is_one_row = piece.start == piece.stop && piece.include_start && piece.include_stop;
        if piece.stop.is_empty() || piece.start < piece.stop || is_one_row {
            found.push(piece);
        }
    }
    found
}

/// Batches that several threads make. Each holds one that waits to be taken, and works at one more.
pub struct Parallel {
    fields: Vec<Field>,
    /// `None` where nothing comes any more: threads that have a batch then drop it, and end.
    batches: Option<Receiver<Result<Arc<Array>>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Parallel {
    /// Reads `pieces` by so many threads; their batches have these `fields`.
    ///
    /// # Errors
    /// Where a thread cannot be started.
    pub fn start(fields: Vec<Field>, pieces: Vec<Scan>, threads: usize, open: &Arc<Opener>) -> Result<Self> {
        let threads = threads.min(pieces.len());
        let (sender, batches) = sync_channel(threads);
        let pieces = Arc::new(Mutex::new(VecDeque::from(pieces)));
        let mut started = Parallel { fields, batches: Some(batches), threads: Vec::new() };
        for _ in 0..threads {
            let (pieces, sender, open) = (Arc::clone(&pieces), sender.clone(), Arc::clone(open));
            let thread = Builder::new().name("rowstone-arrow".into()).spawn(move || read(&pieces, &sender, &*open));
            started.threads.push(thread.map_err(|error| Error::io("start a thread for", "a scan", &error))?);
        }
        Ok(started)
    }

    /// Ends the threads, and waits until what they held is let go.
    fn end(&mut self) {
        self.batches = None;
        for thread in self.threads.drain(..) {
            // It catches its own panics.
            let _ = thread.join();
        }
    }
}

impl Drop for Parallel {
    fn drop(&mut self) {
        self.end();
    }
}

impl BatchSource for Parallel {
    fn fields(&self) -> &[Field] {
        &self.fields
    }

    fn next_batch(&mut self) -> Result<Option<Arc<Array>>> {
        let Some(batches) = &self.batches else { return Ok(None) };
        let next = batches.recv();
        if !matches!(next, Ok(Ok(_))) {
            self.end();
        }
        // No sender is left: all pieces were read.
        next.map_or(Ok(None), |batch| batch.map(Some))
    }
}

/// The work of a thread: piece after piece, until none is left or nobody wants their batches.
fn read(pieces: &Mutex<VecDeque<Scan>>, sender: &SyncSender<Result<Arc<Array>>>, open: &Opener) {
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let read_piece = |piece: Scan| {
        let mut source = open(piece)?;
        while let Some(batch) = source.next_batch()? {
            if sender.send(Ok(batch)).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    while let Some(piece) = next() {
        match guarded(|| read_piece(piece)) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let _ = sender.send(Err(error));
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pieces;
    use rowstone_model::operations::Scan;

    fn bounds(start: &str, stop: &str, include_stop: bool) -> Vec<(String, String)> {
        let regions = [("", "d"), ("d", "m"), ("m", "")];
        let regions = regions.map(|(start, end)| (start.as_bytes().to_vec(), end.as_bytes().to_vec()));
        let scan = Scan { start: start.into(), stop: stop.into(), include_stop, ..Scan::default() };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        pieces(&scan, &regions).iter().map(|piece| (text(&piece.start), text(&piece.stop))).collect()
    }

    fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
        wanted.iter().map(|(start, stop)| (start.to_string(), stop.to_string())).collect()
    }

    #[test]
    fn pieces_cover_the_scan_once() {
        assert_eq!(bounds("", "", false), pairs(&[("", "d"), ("d", "m"), ("m", "")]));
        assert_eq!(bounds("b", "f", false), pairs(&[("b", "d"), ("d", "f")]));
        assert_eq!(bounds("d", "m", false), pairs(&[("d", "m")]));
        assert_eq!(bounds("d", "m", true), pairs(&[("d", "m"), ("m", "m")]));
        assert_eq!(bounds("x", "", false), pairs(&[("x", "")]));
        assert_eq!(bounds("f", "f", true), pairs(&[("f", "f")]));
    }
}
