//! Proves that files written by HBase are read cell for cell, and that our writer produces the same bytes from the
//! same cells.
//!
//! The files and their origin: `tests/compat/hfiles/README.md`.

use rowstone_engine::cache::BlockCache;
use rowstone_engine::hfile::format::BlockType;
use rowstone_engine::hfile::{FileFacts, Reader, ReaderOptions, Writer, WriterOptions};
use rowstone_engine::sys::{FileSystem, MemoryFileSystem, RealFileSystem};
use rowstone_model::cell::{compare_cells, Cell, CellSource};
use rowstone_model::schema::{BloomFilter, Compression};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/hfiles")
}

fn open(name: &str) -> Arc<Reader> {
    let cache = Arc::new(BlockCache::new(64 << 20));
    Reader::open(&RealFileSystem, &directory().join(name), cache, ReaderOptions::default()).unwrap()
}

/// A line of `manifest.txt`, which HBase's own reader confirms (`tests/compat/check_with_hbase.py`): a file, its
/// number of cells, and the CRC-32 of all their parts.
struct Line {
    name: String,
    count: u64,
    crc: u32,
}

fn manifest() -> Vec<Line> {
    let bytes = RealFileSystem.read(&directory().join("manifest.txt")).unwrap();
    let line = |line: &str| {
        let mut fields = line.split(' ');
        let mut field = || fields.next().unwrap().to_string();
        let (name, count, crc) = (field(), field().parse().unwrap(), field());
        Line { name, count, crc: u32::from_str_radix(&crc, 16).unwrap() }
    };
    let lines: Vec<Line> = String::from_utf8(bytes).unwrap().lines().map(line).collect();
    assert_eq!(lines.len(), 22);
    lines
}

fn digest(reader: &Arc<Reader>) -> (u64, u32) {
    let mut source = reader.source(true);
    source.seek_to_first().unwrap();
    let mut hasher = crc32fast::Hasher::new();
    let mut count = 0;
    let mut last: Option<(Vec<u8>, u64)> = None;
    while let Some(cell) = source.peek() {
        for part in [cell.key(), cell.value(), cell.tags()] {
            hasher.update(&(part.len() as u32).to_be_bytes());
            hasher.update(part);
        }
        hasher.update(&cell.sequence_id().to_be_bytes());
        if let Some((key, sequence_id)) = &last {
            let before = Cell::new(key, &[], &[], *sequence_id).unwrap();
            assert_ne!(compare_cells(&before, &cell), Ordering::Greater, "{count}");
        }
        last = Some((cell.key().to_vec(), cell.sequence_id()));
        count += 1;
        source.advance().unwrap();
    }
    assert_eq!(last.map(|(key, _)| key), reader.info().last_key);
    (count, hasher.finalize())
}

#[test]
fn every_file_is_read_cell_for_cell() {
    for Line { name, count, crc } in manifest() {
        let reader = open(&name);
        assert_eq!(reader.info().entry_count, count, "{name}");
        assert_eq!(digest(&reader), (count, crc), "{name}");
        assert_eq!(reader.verify().unwrap().cells, count, "{name}");
    }
}

/// The options with which the file was written. Those that the file does not record come from its name.
fn options_of(name: &str, reader: &Reader) -> WriterOptions {
    let info = reader.info();
    let mut options = WriterOptions {
        compression: info.compression,
        encoding: info.encoding,
        bloom: info.bloom,
        bloom_prefix_bytes: info.bloom_prefix_bytes,
        include_tags: info.layout.has_tags,
        include_sequence_ids: info.layout.has_sequence_id,
        create_time_ms: info.create_time_ms,
        ..WriterOptions::default()
    };
    if info.entry_count == 0 {
        options.bloom = BloomFilter::Row;
    }
    if name.starts_with("mix_") {
        options.block_bytes = 4096;
    }
    if name == "multilevel_rowcol" {
        (options.block_bytes, options.index_block_bytes, options.bloom_block_bytes) = (1024, 512, 1024);
    }
    options
}

fn rewrite(name: &str, files: &MemoryFileSystem, path: &Path) {
    let reader = open(name);
    let mut writer = Writer::create(files, path, options_of(name, &reader)).unwrap();
    let mut source = reader.source(false);
    source.seek_to_first().unwrap();
    while let Some(cell) = source.peek() {
        writer.append(&cell).unwrap();
        source.advance().unwrap();
    }
    let event = reader.info().raw.get(b"COMPACTION_EVENT_KEY").unwrap().to_vec();
    let facts = FileFacts {
        max_sequence_id: reader.info().max_sequence_id,
        is_major: reader.info().is_major,
        compacted_files: Vec::new(),
        extra_info: vec![(b"COMPACTION_EVENT_KEY".to_vec(), event)],
    };
    writer.finish(&facts).unwrap();
}

#[test]
fn rewriting_a_file_gives_its_bytes_or_where_it_is_compressed_its_cells() {
    let (files, path) = (MemoryFileSystem::new(), Path::new("/rewritten"));
    let mut same_bytes = 0;
    for Line { name, count, crc } in manifest() {
        rewrite(&name, &files, path);
        let cache = Arc::new(BlockCache::new(1 << 20));
        let ours = Reader::open(&files, path, cache, ReaderOptions::default()).unwrap();
        assert_eq!(digest(&ours), (count, crc), "{name}");
        ours.verify().unwrap();
        assert_eq!(ours.info().raw, open(&name).info().raw, "{name}");
        if ours.info().compression == Compression::None {
            let theirs = RealFileSystem.read(&directory().join(&name)).unwrap();
            let ours = files.read(path).unwrap();
            let differs = theirs.iter().zip(&ours).position(|(theirs, ours)| theirs != ours);
            assert_eq!((differs, theirs.len()), (None, ours.len()), "{name}");
            same_bytes += 1;
        }
    }
    assert_eq!(same_bytes, 15);
}

#[test]
fn a_file_tells_what_it_is() {
    let description = open("multilevel_rowcol").describe().unwrap();
    let counts = |name: BlockType| description.blocks.get(&name).map_or(0, |totals| totals.count);
    assert_eq!(counts(BlockType::Data), 357);
    assert_eq!(counts(BlockType::LeafIndex), 26);
    assert_eq!(counts(BlockType::IntermediateIndex), 2);
    assert_eq!(description.bloom.unwrap().chunk_count, 7);
    assert_eq!(description.bloom.unwrap().key_count, 5000);
    assert!(description.delete_bloom.is_none());
    assert_eq!(description.info.index_levels, 3);
    // The row at which HBase splits a region with this file. It is shortened, so no cell has it.
    let middle = description.mid_key.unwrap();
    assert_eq!(Cell::new(&middle, &[], &[], 0).unwrap().row(), b"user0025");
    let empty = open("empty_flush");
    assert_eq!((empty.mid_key().unwrap(), empty.info().time_range), (None, None));
    assert_eq!((&empty.info().first_key, &empty.info().last_key), (&None, &None));
}
