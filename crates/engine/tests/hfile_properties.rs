//! Proves that any sorted cells survive being written and read, in every encoding, codec, Bloom filter and layout.
//! Every seek finds the same cell as a search in a list. A damaged file is refused or read correctly, never
//! wrongly.

use proptest::prelude::*;
use rowstone_engine::cache::BlockCache;
use rowstone_engine::hfile::{ChecksumType, FileFacts, HFileSource, Reader, ReaderOptions, Writer, WriterOptions};
use rowstone_engine::sys::{FileSystem, MemoryFileSystem};
use rowstone_model::cell::{
    compare_cells, compare_keys, first_on_column, first_on_row, flat_key, last_on_row, write_tag, Cell, CellSource,
    CellType, Layout,
};
use rowstone_model::schema::{BloomFilter, Compression, Encoding};
use rowstone_model::ErrorKind;
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

const PATH: &str = "/file";

#[derive(Debug, Clone, PartialEq)]
struct Owned {
    key: Vec<u8>,
    value: Vec<u8>,
    tags: Vec<u8>,
    sequence_id: u64,
}

impl Owned {
    fn cell(&self) -> Cell<'_> {
        Cell::new(&self.key, &self.value, &self.tags, self.sequence_id).unwrap()
    }

    fn of(cell: &Cell<'_>) -> Self {
        Owned {
            key: cell.key().to_vec(),
            value: cell.value().to_vec(),
            tags: cell.tags().to_vec(),
            sequence_id: cell.sequence_id(),
        }
    }
}

/// Rows with common prefixes, some of them long, some with bytes that sort unlike text.
fn row() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (0..60u32).prop_map(|n| format!("row{n:03}").into_bytes()),
        (0..6u32).prop_map(|n| format!("row-with-a-long-common-prefix-{n}").into_bytes()),
        prop::collection::vec(prop_oneof![Just(0u8), Just(0xff), Just(b'a')], 1..5),
        (1..4u8).prop_map(|n| vec![n; 300]),
    ]
}

fn timestamp() -> impl Strategy<Value = i64> {
    prop_oneof![
        0..4i64,
        1_700_000_000_000..1_700_000_000_300i64,
        Just(0),
        Just(i64::MAX - 1),
        any::<u32>().prop_map(i64::from)
    ]
}

fn owned() -> impl Strategy<Value = Owned> {
    let qualifier = prop_oneof![Just(Vec::new()), (0..12u8).prop_map(|n| format!("column{n}").into_bytes())];
    let kind = prop_oneof![
        8 => Just(CellType::Put),
        1 => Just(CellType::Delete),
        1 => Just(CellType::DeleteColumn),
        1 => Just(CellType::DeleteFamily),
        1 => Just(CellType::DeleteFamilyVersion),
    ];
    let value = prop_oneof![
        Just(b"the same value".to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
        (1..400usize).prop_map(|length| vec![7; length]),
    ];
    let tags = prop::collection::vec((any::<u8>(), 0..5u8), 0..3);
    (row(), qualifier, timestamp(), kind, value, tags, 0..100_000u64).prop_map(
        |(row, qualifier, timestamp, kind, value, tag_list, sequence_id)| {
            let qualifier = if kind.is_family_delete() { Vec::new() } else { qualifier };
            let mut tags = Vec::new();
            for (kind, length) in tag_list {
                write_tag(&mut tags, kind, &vec![kind; length.into()]);
            }
            Owned { key: flat_key(&row, b"f", &qualifier, timestamp, kind), value, tags, sequence_id }
        },
    )
}

fn sorted(mut cells: Vec<Owned>) -> Vec<Owned> {
    cells.sort_by(|left, right| compare_cells(&left.cell(), &right.cell()));
    cells
}

fn options() -> impl Strategy<Value = WriterOptions> {
    let encoding = prop::sample::select(vec![
        Encoding::None,
        Encoding::Prefix,
        Encoding::Diff,
        Encoding::FastDiff,
        Encoding::RowIndexV1,
    ]);
    let compression = prop::sample::select(vec![
        Compression::None,
        Compression::Gz,
        Compression::Snappy,
        Compression::Lz4,
        Compression::Zstd,
    ]);
    let bloom = prop::sample::select(vec![
        BloomFilter::None,
        BloomFilter::Row,
        BloomFilter::RowCol,
        BloomFilter::RowPrefixFixedLength,
    ]);
    let checksum = prop::sample::select(vec![ChecksumType::Crc32c, ChecksumType::Crc32, ChecksumType::Null]);
    let sizes = (prop::sample::select(vec![1usize, 200, 2000, 65536]), prop::sample::select(vec![100usize, 131_072]));
    (encoding, compression, bloom, checksum, sizes, any::<(bool, bool, bool)>()).prop_map(
        |(encoding, compression, bloom, checksum, (block_bytes, small), (tags, ids, compress_tags))| WriterOptions {
            encoding,
            compression,
            bloom,
            bloom_prefix_bytes: 4,
            block_bytes,
            checksum,
            bytes_per_checksum: small.max(64),
            include_tags: tags,
            include_sequence_ids: ids,
            compress_tags,
            index_block_bytes: small,
            bloom_block_bytes: small,
            ..WriterOptions::default()
        },
    )
}

fn write(cells: &[Owned], options: &WriterOptions) -> MemoryFileSystem {
    let files = MemoryFileSystem::new();
    let mut writer = Writer::create(&files, Path::new(PATH), options.clone()).unwrap();
    for cell in cells {
        writer.append(&cell.cell()).unwrap();
    }
    let summary = writer.finish(&FileFacts { max_sequence_id: 9, ..FileFacts::default() }).unwrap();
    assert_eq!(summary.entry_count, cells.len() as u64);
    assert_eq!(summary.size_bytes, files.read(Path::new(PATH)).unwrap().len() as u64);
    files
}

fn open(files: &MemoryFileSystem) -> rowstone_model::Result<Arc<Reader>> {
    let cache = Arc::new(BlockCache::new(16 << 20));
    Reader::open(files, Path::new(PATH), cache, ReaderOptions::default())
}

fn read_all(source: &mut HFileSource) -> rowstone_model::Result<Vec<Owned>> {
    let mut cells = Vec::new();
    source.seek_to_first()?;
    while let Some(cell) = source.peek() {
        cells.push(Owned::of(&cell));
        source.advance()?;
    }
    Ok(cells)
}

/// The same by runs, which end after these numbers of cells at the latest.
fn read_runs(source: &mut HFileSource, lengths: &[usize]) -> rowstone_model::Result<Vec<Owned>> {
    let mut cells: Vec<Owned> = Vec::new();
    source.seek_to_first()?;
    for &length in lengths.iter().cycle() {
        let Some(row) = source.peek().map(|cell| cell.row().to_vec()) else { break };
        let end = cells.len() + length;
        let has_left = source.visit_run(|cell| {
            assert_eq!(cell.row(), row);
            let takes = cells.len() < end;
            cells.extend(takes.then(|| Owned::of(cell)));
            takes
        })?;
        assert!(!has_left || source.peek().is_none_or(|cell| cell.row() != row));
    }
    Ok(cells)
}

/// The cells in a form that a file with these options can contain.
fn fit(cells: Vec<Owned>, options: &WriterOptions) -> Vec<Owned> {
    let layout = Layout { has_tags: options.include_tags, has_sequence_id: options.include_sequence_ids };
    let cut = |mut cell: Owned| {
        if !layout.has_tags {
            cell.tags.clear();
        }
        if !layout.has_sequence_id {
            cell.sequence_id = 0;
        }
        cell
    };
    sorted(cells.into_iter().map(cut).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn cells_come_out_as_they_went_in(
        cells in prop::collection::vec(owned(), 0..200),
        options in options(),
        runs in prop::collection::vec(1..5usize, 1..4),
    ) {
        let cells = fit(cells, &options);
        let reader = open(&write(&cells, &options)).unwrap();
        prop_assert_eq!(&read_all(&mut reader.source(true)).unwrap(), &cells);
        prop_assert_eq!(&read_runs(&mut reader.source(true), &runs).unwrap(), &cells);
        prop_assert_eq!(reader.verify().unwrap().cells, cells.len() as u64);
        prop_assert_eq!(reader.info().first_key.as_ref(), cells.first().map(|cell| &cell.key));
        prop_assert_eq!(reader.info().last_key.as_ref(), cells.last().map(|cell| &cell.key));
        prop_assert_eq!(reader.mid_key().unwrap().is_some(), !cells.is_empty());
        for cell in &cells {
            let cell = cell.cell();
            prop_assert!(reader.might_contain_row(cell.row(), false).unwrap());
            prop_assert!(reader.might_contain_column(cell.row(), cell.qualifier(), false).unwrap());
            prop_assert!(reader.might_contain_prefix(&cell.row()[..cell.row().len().min(4)]).unwrap());
            if cell.cell_type().is_family_delete() {
                prop_assert!(reader.might_contain_delete_family(cell.row()).unwrap());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn rows_of_later_blocks_divide_a_file(
        cells in prop::collection::vec(owned(), 1..200),
        options in options(),
        bytes in 1..2000usize,
    ) {
        let cells = fit(cells, &options);
        let reader = open(&write(&cells, &options)).unwrap();
        let later_rows = |bytes: usize| {
            let next = |row: &Vec<u8>| reader.row_of_later_block(row, bytes).unwrap();
            std::iter::successors(next(&Vec::new()), next).take(cells.len() + 1).collect::<Vec<_>>()
        };
        let (all, some) = (later_rows(1), later_rows(bytes));
        prop_assert!(all.is_sorted_by(|left, right| left < right), "{:?}", all);
        prop_assert!(all.last().is_none_or(|row| row.as_slice() <= cells.last().unwrap().cell().row()));
        prop_assert!(some.iter().all(|row| all.contains(row)), "{:?} of {:?}", some, all);
        prop_assert!(some.len() <= all.len());
    }
}

/// A movement of the source.
#[derive(Debug, Clone)]
enum Step {
    Seek(Vec<u8>),
    Reseek(Vec<u8>),
    Previous(Vec<u8>),
    /// The row before that of the cell that is so many cells before the position: usually of the same row.
    Back(u8),
    Advance(u8),
}

fn step() -> impl Strategy<Value = Step> {
    let key = prop_oneof![
        row().prop_map(|row| first_on_row(&row)),
        row().prop_map(|row| last_on_row(&row)),
        (row(), 0..12u8).prop_map(|(row, n)| first_on_column(&row, b"f", format!("column{n}").as_bytes())),
        owned().prop_map(|cell| cell.key),
    ];
    prop_oneof![
        key.clone().prop_map(Step::Seek),
        key.prop_map(Step::Reseek),
        row().prop_map(Step::Previous),
        Just(Step::Previous(Vec::new())),
        (0..3u8).prop_map(Step::Back),
        (0..3u8).prop_map(Step::Back),
        (1..30u8).prop_map(Step::Advance),
    ]
}

/// The position after the step in a list; `None` is past the end.
fn expected(cells: &[Owned], at: Option<usize>, step: &Step) -> Option<usize> {
    let not_before = |key: &[u8]| cells.iter().position(|cell| compare_keys(&cell.key, key) != Ordering::Less);
    match step {
        Step::Seek(key) => not_before(key),
        // A reseek only moves forward: for a key before the position it does not move.
        Step::Reseek(key) => at.and_then(|at| not_before(key).map(|found| found.max(at))),
        Step::Advance(count) => at.map(|at| at + usize::from(*count)).filter(|&at| at < cells.len()),
        Step::Back(_) => None,
        Step::Previous(row) => {
            let before = |cell: &&Owned| row.is_empty() || cell.cell().row() < row.as_slice();
            let found = cells.iter().rfind(before)?.cell().row().to_vec();
            cells.iter().position(|cell| cell.cell().row() == found)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_seek_lands_where_a_search_of_a_list_lands(
        cells in prop::collection::vec(owned(), 0..300),
        steps in prop::collection::vec(step(), 1..60),
        options in options(),
        keeps in any::<bool>(),
    ) {
        let cells = fit(cells, &options);
        let reader = open(&write(&cells, &options)).unwrap();
        let mut source = reader.source(keeps);
        prop_assert!(source.peek().is_none());
        let mut at: Option<usize> = None;
        for step in &steps {
            let step = &match step {
                Step::Back(count) => {
                    let Some(from) = at else { continue };
                    Step::Previous(cells[from.saturating_sub(usize::from(*count))].cell().row().to_vec())
                }
                step => step.clone(),
            };
            at = expected(&cells, at, step);
            match step {
                Step::Seek(key) => source.seek(key).unwrap(),
                Step::Reseek(key) => source.reseek(key).unwrap(),
                Step::Back(_) => {}
                Step::Previous(row) => source.seek_to_previous_row(row).unwrap(),
                Step::Advance(count) => (0..*count).for_each(|_| source.advance().unwrap()),
            }
            // Cells with the same key may differ otherwise, so the position itself is compared by key and value.
            let found = source.peek().map(|cell| (cell.key().to_vec(), cell.value().to_vec()));
            let wanted = at.map(|at| (cells[at].key.clone(), cells[at].value.clone()));
            prop_assert_eq!(found, wanted, "{:?}", step);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_is_refused_or_read_right(
        cells in prop::collection::vec(owned(), 1..60),
        options in options().prop_filter("checksums", |options| options.checksum != ChecksumType::Null),
        place in any::<prop::sample::Index>(),
        bits in 1..=255u8,
        cut in any::<Option<prop::sample::Index>>(),
    ) {
        let cells = fit(cells, &options);
        let files = write(&cells, &options);
        let mut bytes = files.read(Path::new(PATH)).unwrap();
        match cut {
            Some(cut) => bytes.truncate(cut.index(bytes.len())),
            None => {
                // Only the bytes of the trailer's padding have no meaning.
                let at = place.index(bytes.len());
                bytes[at] ^= bits;
            }
        }
        let mut file = files.create(Path::new(PATH)).unwrap();
        file.append(&bytes).unwrap();
        let outcome = open(&files).and_then(|reader| read_all(&mut reader.source(true)));
        match outcome {
            Ok(read) => prop_assert_eq!(read, cells),
            Err(error) => {
                let kinds = [ErrorKind::Corruption, ErrorKind::Unsupported, ErrorKind::Io];
                prop_assert!(kinds.contains(&error.kind()), "{}", error);
            }
        }
    }
}

/// The trailer has no checksum of its own, so its fields must contradict each other.
#[test]
fn no_flipped_bit_of_a_file_gives_other_cells() {
    let cells: Vec<Owned> = (0..16u8)
        .map(|n| Owned {
            key: flat_key(&[b'r', n], b"f", b"q", 1, CellType::Put),
            value: vec![n],
            tags: vec![],
            sequence_id: n.into(),
        })
        .collect();
    for index_block_bytes in [131_072, 100] {
        let options = WriterOptions { block_bytes: 100, index_block_bytes, ..WriterOptions::default() };
        let files = write(&cells, &options);
        let bytes = files.read(Path::new(PATH)).unwrap();
        let padding = bytes.len() - 3900..bytes.len() - 4;
        for bit in
            (0..bytes.len()).filter(|at| !padding.contains(at)).flat_map(|at| (0..8).map(move |bit| at * 8 + bit))
        {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            files.create(Path::new(PATH)).unwrap().append(&damaged).unwrap();
            let read = open(&files).and_then(|reader| read_all(&mut reader.source(false)));
            assert!(read.is_err() || read.unwrap() == cells, "bit {bit} of {}", bytes.len());
        }
    }
}

#[test]
fn cells_out_of_order_and_of_other_families_are_refused_and_leave_the_file_whole() {
    let files = MemoryFileSystem::new();
    let mut writer = Writer::create(&files, Path::new(PATH), WriterOptions::default()).unwrap();
    let key = |row: &str, family: &str| flat_key(row.as_bytes(), family.as_bytes(), b"q", 1, CellType::Put);
    let put = |writer: &mut Writer, key: &[u8], tags: &[u8]| writer.append(&Cell::new(key, b"v", tags, 1).unwrap());
    put(&mut writer, &key("b", "f"), &[]).unwrap();
    put(&mut writer, &key("b", "f"), &[]).unwrap();
    for refused in
        [key("a", "f"), key("c", "g"), first_on_row(b"d"), flat_key(&[7; 40_000], b"f", b"", 1, CellType::Put)]
    {
        assert!(put(&mut writer, &refused, &[]).is_err());
    }
    assert!(put(&mut writer, &key("c", "f"), &[0, 1, 9]).is_err());
    put(&mut writer, &key("c", "f"), &[]).unwrap();
    assert_eq!(writer.finish(&FileFacts::default()).unwrap().entry_count, 3);
    assert_eq!(open(&files).unwrap().verify().unwrap().cells, 3);
}

#[test]
fn a_file_can_read_all_its_cells_under_one_sequence_id() {
    let cell = Owned { key: flat_key(b"r", b"f", b"q", 1, CellType::Put), value: vec![], tags: vec![], sequence_id: 3 };
    let files = write(&[cell], &WriterOptions::default());
    let options = ReaderOptions { sequence_id: Some(77), in_memory: true };
    let reader = Reader::open(&files, Path::new(PATH), Arc::new(BlockCache::new(1 << 20)), options).unwrap();
    assert_eq!(read_all(&mut reader.source(true)).unwrap()[0].sequence_id, 77);
}

#[test]
fn blocks_leave_the_cache_with_the_last_reader() {
    let cell = Owned { key: flat_key(b"r", b"f", b"q", 1, CellType::Put), value: vec![], tags: vec![], sequence_id: 3 };
    let files = write(&[cell], &WriterOptions::default());
    let cache = Arc::new(BlockCache::new(1 << 20));
    let reader = Reader::open(&files, Path::new(PATH), Arc::clone(&cache), ReaderOptions::default()).unwrap();
    let mut source = reader.source(true);
    source.seek(&first_on_row(b"r")).unwrap();
    drop(reader);
    assert_eq!(cache.statistics().block_count, 1);
    assert_eq!(source.peek().unwrap().row(), b"r");
    drop(source);
    assert_eq!(cache.statistics().block_count, 0);
}

#[test]
fn large_values_go_through_every_codec_in_chunks() {
    for compression in [Compression::Gz, Compression::Snappy, Compression::Lz4, Compression::Zstd] {
        let value: Vec<u8> = (0..1_500_000u32).flat_map(|n| (n / 7).to_le_bytes()).collect();
        let key = flat_key(b"r", b"f", b"q", 1, CellType::Put);
        let cells = [Owned { key, value, tags: vec![], sequence_id: 1 }];
        let files = write(&cells, &WriterOptions { compression, ..WriterOptions::default() });
        assert_eq!(read_all(&mut open(&files).unwrap().source(true)).unwrap(), cells, "{compression:?}");
    }
}
