//! A scan by several threads, each of which reads one range of rows at a time. Batches arrive as they are finished,
//! in no order.

use crate::array::{Array, Field};
use crate::batches::{guarded, BatchSource};
use crate::columns::discovery;
use rowstone_model::backend::TableBackend;
use rowstone_model::operations::Scan;
use rowstone_model::{Error, Result};
use std::collections::VecDeque;
use std::sync::mpsc::{sync_channel, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Opens one piece of a scan as a stream of batches.
pub type Opener = dyn Fn(Scan) -> Result<Box<dyn BatchSource>> + Send + Sync;

/// Pieces per thread. Pieces differ in size; a thread that finishes one takes the next.
const PIECES_PER_THREAD: usize = 8;

/// Splits a forward scan into pieces, sorted by row: at region boundaries (`splits`, the regions' first rows). If
/// these are few, also at evenly spaced keys between the first and the last row.
///
/// # Errors
/// Errors of reading those two rows.
pub fn pieces(table: &dyn TableBackend, scan: &Scan, mut splits: Vec<Vec<u8>>, threads: usize) -> Result<Vec<Scan>> {
    let wanted = threads.saturating_mul(PIECES_PER_THREAD).min(MOST_PIECES);
    if splits.len() < wanted {
        if let (Some(first), Some(last)) = (first_row(table, scan)?, first_row(table, &backward(scan))?) {
            splits.extend(keys_between(&first, &last, wanted));
        }
    }
    splits.retain(|key| !key.is_empty());
    splits.sort();
    splits.dedup();
    Ok(cut(scan, &splits))
}

/// Maximum number of pieces, for any number of threads.
const MOST_PIECES: usize = 1024;

fn first_row(table: &dyn TableBackend, scan: &Scan) -> Result<Option<Vec<u8>>> {
    let mut scanner = table.scan(Scan { limit: 1, ..discovery(scan) })?;
    let page = scanner.next_batch(1, 1)?;
    Ok(page.and_then(|page| page.cells.iter().next().map(|cell| cell.row().to_vec())))
}

/// The same rows in reverse order.
fn backward(scan: &Scan) -> Scan {
    Scan {
        start: scan.stop.clone(),
        include_start: scan.include_stop,
        stop: scan.start.clone(),
        include_stop: scan.include_start,
        reversed: true,
        ..scan.clone()
    }
}

/// `count - 1` keys that divide the range from `first` to `last` into equal parts. Only the eight bytes after their
/// common prefix are considered.
fn keys_between(first: &[u8], last: &[u8], count: usize) -> Vec<Vec<u8>> {
    let common = first.iter().zip(last).take_while(|(left, right)| left == right).count();
    let number = |key: &[u8]| {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(&key[common..]).for_each(|(byte, from)| *byte = *from);
        u128::from(u64::from_be_bytes(bytes))
    };
    let (low, high) = (number(first), number(last));
    let key = |part: usize| {
        let middle = low + high.saturating_sub(low) * part as u128 / count as u128;
        [&first[..common], &(middle as u64).to_be_bytes()].concat()
    };
    (1..count).map(key).collect()
}

/// Splits the scan before each of the keys in its range; the keys are sorted and distinct.
fn cut(scan: &Scan, splits: &[Vec<u8>]) -> Vec<Scan> {
    let mut found = Vec::new();
    let first = std::iter::once(&[][..]).chain(splits.iter().map(Vec::as_slice));
    let end = splits.iter().map(Vec::as_slice).chain(std::iter::once(&[][..]));
    for (first, end) in first.zip(end) {
        let mut piece = Scan { read_point: 0, ..scan.clone() };
        if first > scan.start.as_slice() {
            (piece.start, piece.include_start) = (first.to_vec(), true);
        }
        if !end.is_empty() && (scan.stop.is_empty() || end <= scan.stop.as_slice()) {
            (piece.stop, piece.include_stop) = (end.to_vec(), false);
        }
        let is_one_row = piece.start == piece.stop && piece.include_start && piece.include_stop;
        if piece.stop.is_empty() || piece.start < piece.stop || is_one_row {
            found.push(piece);
        }
    }
    found
}

/// Batches built by several threads. Each thread has at most one finished batch waiting and one under construction.
pub struct Parallel {
    fields: Vec<Field>,
    /// `None` after the end: threads with a finished batch then drop it and exit.
    batches: Option<Receiver<Result<Arc<Array>>>>,
    threads: Vec<JoinHandle<()>>,
}

impl Parallel {
    /// Starts up to `threads` threads to read `pieces`; their batches have these `fields`.
    ///
    /// # Errors
    /// If a thread cannot be started.
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

    /// Ends the threads and waits until their resources are released.
    fn end(&mut self) {
        self.batches = None;
        for thread in self.threads.drain(..) {
            // The thread catches its own panics.
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
        // All senders are dropped: all pieces have been read.
        next.map_or(Ok(None), |batch| batch.map(Some))
    }
}

/// The work of a thread: reads pieces until none is left or the receiver is closed.
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
    use super::{cut, keys_between};
    use rowstone_model::operations::Scan;

    fn bounds(start: &str, stop: &str, include_stop: bool) -> Vec<(String, String)> {
        let splits = [b"d".to_vec(), b"m".to_vec()];
        let scan = Scan { start: start.into(), stop: stop.into(), include_stop, ..Scan::default() };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        cut(&scan, &splits).iter().map(|piece| (text(&piece.start), text(&piece.stop))).collect()
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
    #[test]
    fn keys_cut_a_range_into_equal_parts() {
        let keys = keys_between(b"user0", b"user8", 4);
        assert_eq!(keys.iter().map(|key| key[..5].to_vec()).collect::<Vec<_>>(), [b"user2", b"user4", b"user6"]);
        assert!(keys_between(b"a", b"a", 3).iter().all(|key| key.starts_with(b"a")));
        assert_eq!(keys_between(b"", b"", 1).len(), 0);
    }
}
