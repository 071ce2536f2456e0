//! Gets from files that are larger than the cache: rows are read from their parts of evicted blocks, with the same
//! results as from whole blocks. A changed byte in such a part is reported.

use rowstone_engine::cache::BlockCache;
use rowstone_engine::hfile::{
    BlockUse, ChecksumType, FileFacts, Patience, Reader, ReaderOptions, RowVisit, Writer, WriterOptions,
};
use rowstone_engine::sys::{FileSystem, MemoryFileSystem};
use rowstone_model::cell::{flat_key, Cell, CellType};
use rowstone_model::schema::{BloomFilter, Encoding};
use rowstone_model::ErrorKind;
use std::path::Path;
use std::sync::Arc;

const PATH: &str = "/file";
const ENCODINGS: [Encoding; 5] =
    [Encoding::None, Encoding::RowIndexV1, Encoding::Prefix, Encoding::Diff, Encoding::FastDiff];
const ROWS: u64 = 12_000;
/// An eighth of the file.
const CACHE_BYTES: u64 = 256 << 10;
const WAITS: BlockUse = BlockUse { keeps_blocks: true, patience: Patience::Waits };
const AT_ONCE: BlockUse = BlockUse { keeps_blocks: true, patience: Patience::AtOnce };

fn scrambled(number: u64) -> u64 {
    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407)
}

/// Even numbers are in the file. The rows around every thousandth agree in more than eight bytes after the prefix. Some of
/// the others differ from a row of the file only behind its end.
fn row(number: u64) -> Vec<u8> {
    if number % 4 == 3 {
        return [&row(number - 1)[..], b"x"].concat();
    }
    match number % 1_000 {
        0..=20 => format!("row{:06}-the-same-middle-{:03}", number / 1_000 * 1_000, number % 1_000).into_bytes(),
        _ => format!("row{number:06}").into_bytes(),
    }
}

/// Most rows have one column, some have so many that they fill a block or reach into the next ones.
fn columns(number: u64) -> u64 {
    match scrambled(number) >> 55 {
        0..=3 => 700,
        4..=40 => 12,
        _ => 1,
    }
}

fn file(options: &WriterOptions) -> MemoryFileSystem {
    let files = MemoryFileSystem::new();
    let mut writer = Writer::create(&files, Path::new(PATH), options.clone()).unwrap();
    let mut numbers: Vec<u64> = (0..ROWS).filter(|number| number % 2 == 0).collect();
    numbers.sort_by_key(|&number| row(number));
    for number in numbers {
        for column in 0..columns(number) {
            let qualifier = format!("q{column:04}");
            let key = flat_key(&row(number), b"f", qualifier.as_bytes(), 5, CellType::Put);
            let value = vec![number as u8; 60 + (scrambled(number) % 90) as usize];
            let tag = [0, 4, 9, b't', b'a', number as u8];
            let tags = if options.include_tags && number % 8 != 0 { &tag[..] } else { &[] };
            writer.append(&Cell::new(&key, &value, tags, 3 + column).unwrap()).unwrap();
        }
    }
    writer.finish(&FileFacts { max_sequence_id: 9, ..FileFacts::default() }).unwrap();
    files
}

fn open(files: &MemoryFileSystem, cache: &Arc<BlockCache>) -> Arc<Reader> {
    Reader::open(files, Path::new(PATH), Arc::clone(cache), ReaderOptions::default()).unwrap()
}

/// Number of cells and a digest of them, or `None` if a source has to read the row.
fn read(reader: &Reader, number: u64, how: BlockUse) -> rowstone_model::Result<Option<(u64, u64)>> {
    let mut found = (0, 0);
    let visit = reader.visit_row(
        &row(number),
        how,
        || Ok(true),
        |cell| {
            assert_eq!(cell.row(), row(number));
            let bytes = cell.key().iter().chain(cell.value()).chain(cell.tags());
            let digest = bytes.fold(cell.sequence_id(), |digest, &byte| scrambled(digest ^ u64::from(byte)));
            found = (found.0 + 1, found.1 ^ digest);
            true
        },
    )?;
    Ok((visit == RowVisit::Whole).then_some(found))
}

#[test]
fn parts_of_blocks_have_the_same_rows_as_whole_blocks() {
    for encoding in ENCODINGS {
        for (checksum, bytes_per_checksum, include_tags) in
            [(ChecksumType::Crc32c, 1_536, true), (ChecksumType::Crc32, 700, false), (ChecksumType::Null, 4_096, false)]
        {
            let options = WriterOptions {
                encoding,
                include_tags,
                // Cells after tags in a dictionary cannot be decoded without all cells before.
                compress_tags: false,
                checksum,
                bytes_per_checksum,
                bloom: BloomFilter::None,
                ..WriterOptions::default()
            };
            let files = file(&options);
            let cache = Arc::new(BlockCache::new(CACHE_BYTES));
            let (small, large) = (open(&files, &cache), open(&files, &Arc::new(BlockCache::new(1 << 30))));
            let mut parts = 0;
            for step in 0..15_000 {
                let number = (scrambled(step) >> 20) % ROWS;
                let expected = read(&large, number, WAITS).unwrap();
                let before = cache.statistics();
                let found = match read(&small, number, AT_ONCE).unwrap() {
                    Some(found) => Some(found),
                    None => read(&small, number, WAITS).unwrap(),
                };
                assert_eq!(found, expected, "row {number}, {encoding:?}, {checksum:?}");
                if number % 2 == 1 {
                    assert_eq!(found, Some((0, 0)), "row {number} is not in the file");
                }
                let after = cache.statistics();
                parts += u64::from(after.misses > before.misses && after.evictions == before.evictions);
            }
            let now = cache.statistics();
            assert!(now.bytes <= now.limit_bytes, "{} bytes in a cache of {}", now.bytes, now.limit_bytes);
            assert!(parts > 4_000, "{parts} of 15,000 gets read a part of a block: {encoding:?}, {bytes_per_checksum}");
        }
    }
}

#[test]
fn a_row_that_the_filter_excludes_needs_no_block() {
    let files = file(&WriterOptions { bloom: BloomFilter::Row, ..WriterOptions::default() });
    let reader = open(&files, &Arc::new(BlockCache::new(1 << 30)));
    let visit = |number| {
        let ask = || reader.might_contain_row(&row(number), true);
        reader.visit_row(&row(number), AT_ONCE, ask, |_| true).unwrap()
    };
    assert_eq!(visit(1_101), RowVisit::Waits, "neither the block nor the filter is in memory");
    assert!(!reader.might_contain_row(&row(1_101), false).unwrap());
    assert_eq!(visit(1_101), RowVisit::Whole);
    assert_eq!(visit(1_102), RowVisit::Waits, "the row is in the file");
}

#[test]
fn a_changed_byte_in_a_part_of_a_block_is_reported() {
    let files =
        file(&WriterOptions { bloom: BloomFilter::None, bytes_per_checksum: 1_536, ..WriterOptions::default() });
    let cache = Arc::new(BlockCache::new(CACHE_BYTES));
    let reader = open(&files, &cache);
    for step in 0..20_000 {
        read(&reader, (scrambled(step) >> 20) % ROWS, WAITS).unwrap();
    }
    let mut bytes = files.read(Path::new(PATH)).unwrap();
    // All of the data, so that every part that is read from now on differs. The file stays open.
    let end = bytes.len() / 2;
    bytes[..end].iter_mut().for_each(|byte| *byte ^= 0x40);
    files.open_to_append(Path::new(PATH), 0).unwrap().append(&bytes).unwrap();
    let mut refused = 0;
    for step in 0..2_000 {
        match read(&reader, (scrambled(step) >> 20) % ROWS, WAITS) {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Corruption, "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 500, "{refused} of 2,000 reads were refused");
}
