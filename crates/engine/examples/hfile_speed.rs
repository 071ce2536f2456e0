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

/// CPU time of this thread if the operating system reports it, else wall-clock time. Machines that measure are
/// rarely idle.
fn now_ns(start: Instant) -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor = told.and_then(|text| text.split(' ').next()?.parse().ok());
    on_processor.unwrap_or_else(|| start.elapsed().as_nanos() as u64)
}

/// Nanoseconds per call, the best of five runs of `count` calls.
fn measure(count: usize, mut run: impl FnMut() -> Result<u64>) -> Result<f64> {
    let origin = Instant::now();
    let mut best = f64::MAX;
    for _ in 0..5 {
        let (start, mut calls, mut spent) = (now_ns(origin), 0, 0);
        // The clock advances in steps of some milliseconds.
        while spent < 50_000_000 {
            std::hint::black_box(run()?);
            calls += count;
            spent = now_ns(origin) - start;
        }
        best = best.min(spent as f64 / calls as f64);
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

/// Gets, seeks and scans of one file: the columns of the table.
struct Speed {
    bloom: f64,
    get: f64,
    bloom_and_get: f64,
    reseek: f64,
    scan: f64,
    previous: f64,
}

fn row_of(key: &[u8]) -> Vec<u8> {
    key[2..22].to_vec()
}

fn scan(reader: &Arc<Reader>, rows: usize, keep: bool) -> Result<f64> {
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
}

fn read(reader: &Arc<Reader>, rows: usize) -> Result<Speed> {
    let random = |n: u64| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize % rows;
    let gets: Vec<(Vec<u8>, Vec<u8>)> = (0..200_000)
        .map(|n| row_of(&key(random(n))))
        .map(|row| (first_on_row(&row), row))
        .map(|(key, row)| (row, key))
        .collect();
    let scan = scan(reader, rows, true)?;
    let bloom =
        measure(gets.len(), || gets.iter().map(|(row, _)| reader.might_contain_row(row, false).map(u64::from)).sum())?;
    let mut source = reader.source(true);
    let mut get = |with_bloom: bool| {
        measure(gets.len(), || {
            let mut bytes = 0;
            for (row, key) in &gets {
                if !with_bloom || reader.might_contain_row(row, false)? {
                    source.seek(key)?;
                    bytes += source.peek().map_or(0, |cell| cell.value().len() as u64);
                }
            }
            Ok(bytes)
        })
    };
    let (plain, bloom_and_get) = (get(false)?, get(true)?);
    let ahead: Vec<Vec<u8>> = (0..rows).step_by(10).map(|n| first_on_row(&row_of(&key(n)))).collect();
    let reseek = measure(ahead.len(), || {
        source.seek_to_first()?;
        ahead.iter().try_for_each(|key| source.reseek(key))?;
        Ok(u64::from(source.peek().is_some()))
    })?;
    let steps = rows.min(100_000);
    let previous = measure(steps, || {
        source.seek_to_previous_row(&[])?;
        for _ in 1..steps {
            let Some(row) = source.peek().map(|cell| cell.row().to_vec()) else { break };
            source.seek_to_previous_row(&row)?;
        }
        Ok(u64::from(source.peek().is_some()))
    })?;
    Ok(Speed { bloom, get: plain, bloom_and_get, reseek, scan, previous })
}

fn main() -> Result<()> {
    let rows = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500_000);
    println!("{rows} rows of {VALUE_BYTES} bytes, nanoseconds each; blocks of 64 KiB, cached but for the last column");
    println!("encoding     codec   write  bloom    get  bloom+get  reseek   scan  previous-row  uncached-scan");
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
        let write = measure(rows, || write(&files, path, rows, options.clone()).map(|()| 0))?;
        let open = |limit| Reader::open(&files, path, Arc::new(BlockCache::new(limit)), ReaderOptions::default());
        let Speed { bloom, get, bloom_and_get, reseek, scan: cached, previous } = read(&open(1 << 30)?, rows)?;
        let uncached = scan(&open(0)?, rows, false)?;
        println!(
            "{:<12} {:<6} {write:>6.0} {bloom:>6.0} {get:>6.0} {bloom_and_get:>10.0} {reseek:>7.0} {cached:>6.1} \
             {previous:>13.0} {uncached:>14.1}",
            encoding.name(),
            compression.name()
        );
    }
    Ok(())
}
