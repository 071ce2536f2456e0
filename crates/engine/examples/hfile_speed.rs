//! Measures a file in memory: writing, cached gets, seeks, scans. Build with `--release`.
//!
//! ```text
//! cargo run --release --example hfile_speed [-- ROWS]
//! ```

use rowstone_engine::cache::BlockCache;
use rowstone_engine::hfile::{FileFacts, Reader, ReaderOptions, Writer, WriterOptions};
use rowstone_engine::sys::MemoryFileSystem;
use rowstone_model::cell::{first_on_row, flat_key, Cell, CellSource, CellType};
use rowstone_model::schema::{Compression, Encoding};
use rowstone_model::Result;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const VALUE_BYTES: usize = 100;

/// Nanoseconds per call, the best of three runs of `count` calls.
fn measure(count: usize, mut run: impl FnMut() -> Result<u64>) -> Result<f64> {
    let mut best = f64::MAX;
    for _ in 0..3 {
        let start = Instant::now();
        std::hint::black_box(run()?);
        best = best.min(start.elapsed().as_nanos() as f64 / count as f64);
    }
    Ok(best)
}

fn key(n: usize) -> Vec<u8> {
    flat_key(format!("user{n:016}").as_bytes(), b"f", b"q", 1_700_000_000_000, CellType::Put)
}

fn write(files: &MemoryFileSystem, path: &Path, rows: usize, options: WriterOptions) -> Result<()> {
    let mut writer = Writer::create(files, path, options)?;
    let mut value = vec![0; VALUE_BYTES];
    for n in 0..rows {
        value[..8].copy_from_slice(&(n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
        let key = key(n);
        let cell = Cell::new(&key, &value, &[], n as u64);
        writer.append(&cell.map_err(|error| rowstone_model::Error::internal(error.reason))?)?;
    }
    writer.finish(&FileFacts::default()).map(|_| ())
}

fn main() -> Result<()> {
    let rows = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500_000);
    let gets: Vec<usize> =
        (0..200_000u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize % rows).collect();
    println!("{rows} rows of {VALUE_BYTES} bytes, nanoseconds each; blocks of 64 KiB, cached");
    println!("encoding     codec   write  bloom    get  get+bloom  reseek   scan  uncached-scan  previous-row");
    for (encoding, compression) in [
        (Encoding::None, Compression::None),
        (Encoding::RowIndexV1, Compression::None),
        (Encoding::FastDiff, Compression::None),
        (Encoding::Diff, Compression::Lz4),
        (Encoding::None, Compression::Lz4),
        (Encoding::None, Compression::Zstd),
    ] {
        let files = MemoryFileSystem::new();
        let path = Path::new("/file");
        let options = WriterOptions { encoding, compression, ..WriterOptions::default() };
        let written = measure(rows, || write(&files, path, rows, options.clone()).map(|()| 0))?;
        let cache = Arc::new(BlockCache::new(1 << 30));
        let reader = Reader::open(&files, path, cache, ReaderOptions::default())?;
        let keys: Vec<Vec<u8>> = gets.iter().map(|&n| key(n)).collect();
        let row = |key: &'_ Vec<u8>| key[2..22].to_vec();
        let row_keys: Vec<(Vec<u8>, Vec<u8>)> = keys.iter().map(|key| (row(key), first_on_row(&row(key)))).collect();
        let mut source = reader.source(true);
        source.seek_to_first()?;
        while source.peek().is_some() {
            source.advance()?;
        }
        let bloom =
            measure(keys.len(), || row_keys.iter().map(|(row, _)| reader.might_contain_row(row).map(u64::from)).sum())?;
        let mut get = |with_bloom: bool| {
            measure(keys.len(), || {
                let mut bytes = 0;
                for (row, seek) in &row_keys {
                    if !with_bloom || reader.might_contain_row(row)? {
                        source.seek(seek)?;
                        bytes += source.peek().map_or(0, |cell| cell.value().len() as u64);
                    }
                }
                Ok(bytes)
            })
        };
        let (plain, bloomed) = (get(false)?, get(true)?);
        let ahead: Vec<Vec<u8>> = (0..rows).step_by(10).map(|n| first_on_row(&row(&key(n)))).collect();
        let reseek = measure(ahead.len(), || {
            source.seek_to_first()?;
            for key in &ahead {
                source.reseek(key)?;
            }
            Ok(u64::from(source.peek().is_some()))
        })?;
        let scan = |keep: bool, reader: &Arc<Reader>| {
            measure(rows, || {
                let mut source = reader.source(keep);
                source.seek_to_first()?;
                let mut bytes = 0;
                while let Some(cell) = source.peek() {
                    bytes += (cell.value().len() + cell.row().len()) as u64;
                    source.advance()?;
                }
                Ok(bytes)
            })
        };
        let cached = scan(true, &reader)?;
        let previous = measure(rows.min(100_000), || {
            source.seek_to_previous_row(&[])?;
            for _ in 1..rows.min(100_000) {
                let Some(row) = source.peek().map(|cell| cell.row().to_vec()) else { break };
                source.seek_to_previous_row(&row)?;
            }
            Ok(u64::from(source.peek().is_some()))
        })?;
        let nothing = Arc::new(BlockCache::new(0));
        let uncached = scan(false, &Reader::open(&files, path, nothing, ReaderOptions::default())?)?;
        println!(
            "{:<12} {:<6} {written:>6.0} {bloom:>6.0} {plain:>6.0} {bloomed:>10.0} {reseek:>7.0} {cached:>6.1} {uncached:>14.1} {previous:>13.0}",
            encoding.name(),
            compression.name()
        );
    }
    Ok(())
}
