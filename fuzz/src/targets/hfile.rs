//! Whole HFiles: open, scan, seek, get, scrub, describe.

use super::Target;
use rowstone_engine::cache::BlockCache;
use rowstone_engine::hfile::format::{checksum, BlockType, Header, HEADER_BYTES};
use rowstone_engine::hfile::{
    BlockUse, ChecksumType, FileFacts, Patience, Reader, ReaderOptions, RowVisit, Writer, WriterOptions,
};
use rowstone_engine::sys::{FileSystem, MemoryFileSystem};
use rowstone_model::cell::{first_on_row, flat_key, write_tag, Cell, CellSource, CellType};
use rowstone_model::schema::{BloomFilter, Compression, Encoding};
use std::path::Path;
use std::sync::Arc;

pub fn targets() -> Vec<Target> {
    vec![Target {
        name: "hfile",
        run,
        seeds,
        words: &[b"DATABLK*", b"DATABLKE", b"IDXLEAF2", b"IDXINTE2"],
        most_bytes: 160 << 10,
    }]
}

/// Corrects the checksums of every block with a consistent header: the decoders behind them are the target.
fn mend(bytes: &mut [u8]) {
    let mut at = 0;
    // Checked first: most bytes do not start a block.
    let begins: Vec<bool> = (0..=255).map(|byte| BlockType::ALL.iter().any(|kind| kind.magic()[0] == byte)).collect();
    while at + HEADER_BYTES <= bytes.len() {
        let is_block =
            begins[usize::from(bytes[at])] && BlockType::ALL.iter().any(|kind| bytes[at..].starts_with(kind.magic()));
        let header = is_block.then(|| Header::parse(&bytes[at..]).ok()).flatten();
        let Some(header) = header.filter(|header| at + header.total_bytes() <= bytes.len()) else {
            at += 1;
            continue;
        };
        let end = at + header.data_bytes;
        let mut sums = Vec::new();
        for chunk in bytes[at..end].chunks(header.bytes_per_checksum) {
            sums.extend_from_slice(&header.checksum.of(chunk).to_be_bytes());
        }
        debug_assert!(checksum::verify(&bytes[at..end], &sums, header.checksum, header.bytes_per_checksum).is_ok());
        bytes[end..end + sums.len()].copy_from_slice(&sums);
        at += header.total_bytes();
    }
}

fn run(input: &[u8]) {
    let Some((control, file)) = input.split_first() else { return };
    let mut file = file.to_vec();
    if control & 1 == 0 {
        mend(&mut file);
    }
    let (files, path) = (MemoryFileSystem::new(), Path::new("/f"));
    files.create(path).unwrap().append(&file).unwrap();
    let cache = Arc::new(BlockCache::new(1 << 20));
    let sequence_id = (control & 2 != 0).then_some(77);
    let Ok(reader) = Reader::open(&files, path, cache, ReaderOptions { in_memory: control & 4 != 0, sequence_id })
    else {
        return;
    };
    let sound = reader.verify();
    let _ = reader.describe();
    let _ = reader.mid_key();
    let scanned = scan(&reader);
    if let (Ok(counts), Ok((cells, _))) = (&sound, &scanned) {
        assert_eq!(counts.cells, *cells, "the scrub and a scan count differently");
    }
    let mut rows = scanned.map(|(_, rows)| rows).unwrap_or_default();
    rows.extend([Vec::new(), b"row05".to_vec(), vec![0xff; 20]]);
    for row in &rows {
        look(&reader, row, sound.is_ok());
    }
}

/// Counts the cells, and returns some rows.
fn scan(reader: &Arc<Reader>) -> rowstone_model::Result<(u64, Vec<Vec<u8>>)> {
    let mut source = reader.source(true);
    source.seek_to_first()?;
    let (mut count, mut rows) = (0, Vec::new());
    while let Some(cell) = source.peek() {
        if count % 16 == 0 && rows.len() < 8 {
            rows.push(cell.row().to_vec());
        }
        let _ = (cell.family(), cell.qualifier(), cell.value(), cell.timestamp(), cell.sequence_id(), cell.cell_type());
        count += 1;
        // Several index entries may lead to the same block.
        assert!(count < 100_000_000, "a scan without end");
        source.advance()?;
    }
    Ok((count, rows))
}

/// Seeks and gets. In an intact file an existing row is found.
fn look(reader: &Arc<Reader>, row: &[u8], is_sound: bool) {
    let mut source = reader.source(false);
    let key = first_on_row(row);
    let found = source.seek(&key).map(|()| source.peek().is_some_and(|cell| cell.row() == row));
    let _ = source.reseek(&key);
    let _ = source.seek_to_previous_row(row);
    if let (true, Some(back)) = (is_sound, source.row_back(3)) {
        assert!(source.peek().is_some_and(|cell| back <= cell.row()), "a row after the current one");
    }
    let blooms = [
        reader.might_contain_row(row, false),
        reader.might_contain_column(row, b"q", false),
        reader.might_contain_delete_family(row),
        reader.might_contain_prefix(row),
    ];
    let mut visited = 0;
    let how = BlockUse { keeps_blocks: true, patience: Patience::Waits };
    let read = reader.visit_row(
        row,
        how,
        || Ok(true),
        |_| {
            visited += 1;
            true
        },
    );
    if let (true, Ok(found), Ok(RowVisit::Whole)) = (is_sound, found, read) {
        assert_eq!(found, visited > 0, "a seek and a get find differently");
        assert!(!found || *blooms[0].as_ref().unwrap_or(&true), "a Bloom filter denies a row");
    }
}

fn written(options: &WriterOptions, count: usize) -> Vec<u8> {
    let (files, path) = (MemoryFileSystem::new(), Path::new("/f"));
    let mut writer = Writer::create(&files, path, options.clone()).unwrap();
    for n in 0..count {
        let kind = if n % 7 == 0 { CellType::DeleteColumn } else { CellType::Put };
        let qualifier = format!("q{}", n % 3);
        let key = flat_key(format!("row{:03}", n / 3).as_bytes(), b"f", qualifier.as_bytes(), 1000 - n as i64, kind);
        let mut tags = Vec::new();
        if options.include_tags {
            write_tag(&mut tags, 70, &(n as u16 % 3).to_be_bytes());
        }
        let value = if kind == CellType::Put { vec![b'v'; n % 20] } else { Vec::new() };
        writer.append(&Cell::new(&key, &value, &tags, n as u64).unwrap()).unwrap();
    }
    writer.finish(&FileFacts { max_sequence_id: count as u64, ..FileFacts::default() }).unwrap();
    files.read(path).unwrap()
}

/// Small files in all formats, and files of HBase unless they are large.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let encodings = [Encoding::None, Encoding::Prefix, Encoding::Diff, Encoding::FastDiff, Encoding::RowIndexV1];
    let codecs = [Compression::None, Compression::Gz, Compression::Snappy, Compression::Lz4, Compression::Zstd];
    let blooms = [BloomFilter::Row, BloomFilter::RowCol, BloomFilter::RowPrefixFixedLength, BloomFilter::None];
    for n in 0..20 {
        let options = WriterOptions {
            encoding: encodings[n % 5],
            compression: codecs[n / 4],
            bloom: blooms[n % 4],
            bloom_prefix_bytes: 3,
            block_bytes: 200,
            index_block_bytes: if n % 3 == 0 { 128 } else { 4096 },
            bloom_block_bytes: 64,
            include_tags: n % 2 == 0,
            include_sequence_ids: n % 5 != 3,
            checksum: if n % 4 == 1 { ChecksumType::Null } else { ChecksumType::Crc32c },
            bytes_per_checksum: 64,
            ..WriterOptions::default()
        };
        seeds.push([vec![0], written(&options, 3 + 9 * (n % 6))].concat());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/compat/hfiles");
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let is_text = entry.path().extension().is_some();
        if let (false, Ok(bytes)) = (is_text, std::fs::read(entry.path())) {
            if bytes.len() < 160 << 10 {
                seeds.push([vec![0], bytes].concat());
            }
        }
    }
    seeds
}
