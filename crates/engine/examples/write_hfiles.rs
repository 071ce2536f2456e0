//! Writes HFiles of every encoding, codec, Bloom filter and checksum into a directory, for other programs to
//! verify.
//!
//! ```text
//! cargo run --example write_hfiles -- DIRECTORY
//! ```
//!
//! `DIRECTORY/manifest.txt` gets a line per file: name, number of cells, and a CRC-32 in hex. The CRC is computed over
//! all cells, each as key, value and tags, preceded by their lengths as u32, and the sequence id as u64.
//! `tests/compat/check_with_hbase.py` reads the manifest.

use rowstone_engine::hfile::{ChecksumType, FileFacts, Writer, WriterOptions};
use rowstone_engine::sys::RealFileSystem;
use rowstone_model::cell::{flat_key, write_tag, Cell, CellType};
use rowstone_model::schema::{BloomFilter, Compression, Encoding};
use rowstone_model::Result;
use std::fmt::Write as _;
use std::path::Path;

const ENCODINGS: [Encoding; 5] =
    [Encoding::None, Encoding::Prefix, Encoding::Diff, Encoding::FastDiff, Encoding::RowIndexV1];
const CODECS: [Compression; 5] =
    [Compression::None, Compression::Gz, Compression::Snappy, Compression::Lz4, Compression::Zstd];
const BLOOMS: [BloomFilter; 4] =
    [BloomFilter::None, BloomFilter::Row, BloomFilter::RowCol, BloomFilter::RowPrefixFixedLength];

struct Owned {
    key: Vec<u8>,
    value: Vec<u8>,
    tags: Vec<u8>,
    sequence_id: u64,
}

/// Rows of several columns and versions, all kinds of markers, and more different tags than a dictionary has
/// entries.
fn mixed_cells() -> Vec<Owned> {
    let mut cells = Vec::new();
    let mut number = 0u64;
    for row in 0..400 {
        let name = if row % 7 == 0 { format!("long-common-prefix-of-rows-{row:04}") } else { format!("row{row:04}") };
        let mut push = |qualifier: &str, timestamp: i64, kind: CellType, value: Vec<u8>| {
            number += 1;
            let mut tags = Vec::new();
            if number.is_multiple_of(3) {
                write_tag(&mut tags, 70, format!("tag {}", number % 400).as_bytes());
            }
            if number.is_multiple_of(5) {
                write_tag(&mut tags, 8, &60_000u64.to_be_bytes());
            }
            let key = flat_key(name.as_bytes(), b"f", qualifier.as_bytes(), timestamp, kind);
            cells.push(Owned { key, value, tags, sequence_id: number * 37 % 5000 });
        };
        if row % 11 == 0 {
            push("", 900, CellType::DeleteFamily, Vec::new());
        }
        if row % 13 == 0 {
            push("", 800, CellType::DeleteFamilyVersion, Vec::new());
        }
        for column in 0..row % 6 {
            let qualifier = format!("q{column}");
            for version in 0..1 + row % 3 {
                let timestamp = 1_700_000_000_000 - i64::from(version) * 70_001 + i64::from(row);
                push(&qualifier, timestamp, CellType::Put, vec![b'v'; (row as usize * 7 + column as usize) % 90]);
            }
            if column == 2 {
                push(&qualifier, 500, CellType::DeleteColumn, Vec::new());
                push(&qualifier, 400, CellType::Delete, Vec::new());
            }
        }
    }
    cells.sort_by(|left, right| rowstone_model::cell::compare_keys(&left.key, &right.key));
    cells
}

fn put(row: &str, value: Vec<u8>, number: u64) -> Owned {
    let key = flat_key(row.as_bytes(), b"f", b"q", 1_000, CellType::Put);
    Owned { key, value, tags: Vec::new(), sequence_id: number }
}

/// Many small rows: an index of several levels.
fn many_cells() -> Vec<Owned> {
    (0..20_000).map(|n| put(&format!("user{n:08}"), vec![b'x'; 40], n)).collect()
}

/// Values larger than the buffers of HBase's codecs.
fn large_cells() -> Vec<Owned> {
    let value = |n: u64| (0..300_000u64).flat_map(|i| ((i * n) / 5).to_le_bytes()).collect();
    (0..3).map(|n| put(&format!("large{n}"), value(n), n)).collect()
}

fn write(directory: &Path, name: &str, cells: &[Owned], options: WriterOptions, manifest: &mut String) -> Result<()> {
    let keeps_tags = options.include_tags;
    let mut crc = crc32fast::Hasher::new();
    let mut writer = Writer::create(&RealFileSystem, &directory.join(name), options)?;
    for owned in cells {
        let tags: &[u8] = if keeps_tags { &owned.tags } else { &[] };
        let cell = Cell::new(&owned.key, &owned.value, tags, owned.sequence_id);
        writer.append(&cell.map_err(|error| rowstone_model::Error::internal(error.reason))?)?;
        for part in [owned.key.as_slice(), &owned.value, tags] {
            crc.update(&(part.len() as u32).to_be_bytes());
            crc.update(part);
        }
        crc.update(&owned.sequence_id.to_be_bytes());
    }
    let summary = writer.finish(&FileFacts { max_sequence_id: 30_000, ..FileFacts::default() })?;
    let _ = writeln!(manifest, "{name} {} {:08x}", summary.entry_count, crc.finalize());
    Ok(())
}

fn main() -> Result<()> {
    let Some(directory) = std::env::args().nth(1) else {
        return Err(rowstone_model::Error::invalid("usage: write_hfiles DIRECTORY"));
    };
    let directory = Path::new(&directory);
    let mut manifest = String::new();
    let (mixed, many, large) = (mixed_cells(), many_cells(), large_cells());
    let base = WriterOptions { block_bytes: 4096, create_time_ms: 1_700_000_000_000, ..WriterOptions::default() };
    for encoding in ENCODINGS {
        for compression in CODECS {
            for include_tags in [false, true] {
                let name = format!("mixed_{}_{}_tags{}", encoding.name(), compression.name(), u8::from(include_tags));
                let options = WriterOptions { encoding, compression, include_tags, ..base.clone() };
                write(directory, &name, &mixed, options, &mut manifest)?;
            }
        }
    }
    for bloom in BLOOMS {
        let options = WriterOptions { bloom, bloom_prefix_bytes: 5, bloom_block_bytes: 1024, ..base.clone() };
        write(directory, &format!("bloom_{}", bloom.name()), &mixed, options, &mut manifest)?;
    }
    for (name, checksum) in [("CRC32", ChecksumType::Crc32), ("NULL", ChecksumType::Null)] {
        let options = WriterOptions { checksum, ..base.clone() };
        write(directory, &format!("checksum_{name}"), &mixed, options, &mut manifest)?;
    }
    let plain_tags =
        WriterOptions { encoding: Encoding::Diff, include_tags: true, compress_tags: false, ..base.clone() };
    write(directory, "tags_without_dictionary", &mixed, plain_tags, &mut manifest)?;
    for encoding in ENCODINGS {
        // Blocks large enough for more different tags than a dictionary has entries.
        let options = WriterOptions { encoding, include_tags: true, block_bytes: 65_536, ..base.clone() };
        write(directory, &format!("tags_of_many_kinds_{}", encoding.name()), &mixed, options, &mut manifest)?;
    }
    let small_index =
        WriterOptions { block_bytes: 1024, index_block_bytes: 512, bloom_block_bytes: 1024, ..base.clone() };
    write(directory, "index_of_many_levels", &many, small_index.clone(), &mut manifest)?;
    let zstd = WriterOptions { compression: Compression::Zstd, ..small_index };
    write(directory, "index_of_many_levels_ZSTD", &many, zstd, &mut manifest)?;
    for compression in CODECS {
        let options = WriterOptions { compression, ..WriterOptions::default() };
        write(directory, &format!("large_{}", compression.name()), &large, options, &mut manifest)?;
    }
    write(directory, "empty", &[], WriterOptions::default(), &mut manifest)?;
    let empty_gz = WriterOptions { compression: Compression::Gz, ..WriterOptions::default() };
    write(directory, "empty_GZ", &[], empty_gz, &mut manifest)?;
    let path = directory.join("manifest.txt");
    std::fs::write(&path, manifest).map_err(|error| rowstone_model::Error::io("write", path.display(), &error))
}
