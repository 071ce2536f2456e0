//! Proves that no decoder panics, loops forever or exceeds its declared size, whatever bytes it reads.
//!
//! Checksums keep most damage away from the decoders; these tests bypass them.

use proptest::prelude::*;
use rowstone_engine::cache::Decoding;
use rowstone_engine::hfile::bloom::{BloomFilter, BloomKeys};
use rowstone_engine::hfile::cursor::{last_row_before, marks_of, BlockCursor};
use rowstone_engine::hfile::encoding::{decode, encode, resume, DELTA_HEAD_BYTES};
use rowstone_engine::hfile::format::compression::{decompress, Compressor};
use rowstone_engine::hfile::format::{FileInfo, Header, Trailer, TRAILER_BYTES};
use rowstone_engine::hfile::index::{nonroot_marks, root_table};
use rowstone_model::cell::{first_on_row, flat_key, write_tag, Cell, CellType, Layout};
use rowstone_model::codec::Reader;
use rowstone_model::schema::{Compression, Encoding};

const ENCODINGS: [Encoding; 4] = [Encoding::Prefix, Encoding::Diff, Encoding::FastDiff, Encoding::RowIndexV1];
const CODECS: [Compression; 4] = [Compression::Gz, Compression::Snappy, Compression::Lz4, Compression::Zstd];

fn layout() -> impl Strategy<Value = Layout> {
    any::<(bool, bool)>().prop_map(|(has_tags, has_sequence_id)| Layout { has_tags, has_sequence_id })
}

fn cells(layout: Layout, count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for n in 0..count {
        let key =
            flat_key(format!("row{:02}", n / 3).as_bytes(), b"f", &[b'q'; 9][..n % 9], 1000 + n as i64, CellType::Put);
        let mut tags = Vec::new();
        write_tag(&mut tags, 70, &(n as u16 % 300).to_be_bytes());
        Cell::new(&key, &vec![7; n % 40], &tags, n as u64 * 50).unwrap().write(&mut bytes, layout);
    }
    bytes
}

/// Overwrites some bytes, and sometimes cuts the end off.
fn spoil(bytes: &mut Vec<u8>, edits: &[(prop::sample::Index, u8)], cut: Option<prop::sample::Index>) {
    for (place, value) in edits {
        if !bytes.is_empty() {
            let at = place.index(bytes.len());
            bytes[at] = *value;
        }
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len() + 1));
    }
}

fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)
}

/// Reads a block that was decoded without an error, as a reader does.
fn use_block(bytes: &[u8], layout: Layout) {
    let Ok(marks) = marks_of(bytes, layout) else { return };
    let mut cursor = BlockCursor::new(layout);
    cursor.move_to(bytes, 0).unwrap();
    while cursor.cell(bytes).is_some() {
        cursor.advance(bytes).unwrap();
    }
    cursor.seek(bytes, &marks, &first_on_row(b"row05")).unwrap();
    assert!(last_row_before(bytes, &marks, b"row05").is_none_or(|start| (start.offset as usize) < bytes.len()));
}

#[test]
fn more_tags_than_the_dictionary_has_entries_are_decoded_correctly() {
    for encoding in ENCODINGS {
        let cells = cells(Layout::STORED, 2000);
        let mut encoded = Vec::new();
        encode(encoding, &cells, Layout::STORED, true, &mut encoded).unwrap();
        let end = encoded.len();
        let (decoded, _) = decode(encoding, encoded.as_slice().into(), 0..end, Layout::STORED, true).unwrap();
        assert!(decoded.bytes() == cells, "{encoding:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn spoilt_blocks_do_not_break_their_decoder(
        encoding in prop::sample::select(ENCODINGS.to_vec()),
        layout in layout(),
        dictionary in any::<bool>(),
        count in 1..60usize,
        edits in edits(),
        cut in any::<Option<prop::sample::Index>>(),
    ) {
        let mut bytes = Vec::new();
        encode(encoding, &cells(layout, count), layout, dictionary, &mut bytes).unwrap();
        spoil(&mut bytes, &edits, cut);
        let end = bytes.len();
        if let Ok((block, _)) = decode(encoding, bytes.as_slice().into(), 0..end, layout, dictionary) {
            use_block(block.bytes(), layout);
        }
    }

    #[test]
    fn random_bytes_do_not_break_a_block_decoder(
        encoding in prop::sample::select(ENCODINGS.to_vec()),
        layout in layout(),
        dictionary in any::<bool>(),
        body in prop::collection::vec(prop_oneof![3 => 0..4u8, 1 => any::<u8>()], 0..120),
    ) {
        let mut bytes = Vec::new();
        encode(encoding, &[], layout, dictionary, &mut bytes).unwrap();
        bytes.truncate(2);
        bytes.extend_from_slice(&body);
        let end = bytes.len();
        if let Ok((block, _)) = decode(encoding, bytes.as_slice().into(), 0..end, layout, dictionary) {
            use_block(block.bytes(), layout);
        }
        use_block(&body, layout);
    }

    #[test]
    fn spoilt_runs_of_cells_do_not_break_their_decoder(
        encoding in prop::sample::select(ENCODINGS.to_vec()),
        layout in layout(),
        has_previous in any::<bool>(),
        cell_bytes in 0..4_000usize,
        edits in edits(),
        cut in any::<Option<prop::sample::Index>>(),
    ) {
        let (all, mut bytes) = (cells(layout, 30), Vec::new());
        encode(encoding, &all, layout, false, &mut bytes).unwrap();
        spoil(&mut bytes, &edits, cut);
        let previous = if has_previous { &all[..Cell::read(&all, layout).unwrap().1] } else { &[] };
        let decoding = Decoding { previous, cell_bytes };
        let run = bytes.get(DELTA_HEAD_BYTES..).unwrap_or_default();
        if let Ok(decoded) = resume(encoding, run, layout, &decoding, Vec::new()) {
            prop_assert_eq!(decoded.len(), previous.len() + cell_bytes);
            use_block(&decoded, layout);
        }
    }

    #[test]
    fn spoilt_compressed_bytes_do_not_break_their_decoder(
        codec in prop::sample::select(CODECS.to_vec()),
        length in 0..3000usize,
        size in prop_oneof![Just(None), (0..1usize << 26).prop_map(Some)],
        edits in edits(),
        cut in any::<Option<prop::sample::Index>>(),
    ) {
        let content: Vec<u8> = (0..length).map(|n| (n / 9) as u8).collect();
        let mut bytes = Vec::new();
        Compressor::new(codec).unwrap().compress(&content, &mut bytes).unwrap();
        spoil(&mut bytes, &edits, cut);
        let size = size.unwrap_or(length);
        if let Ok(read) = decompress(codec, &bytes, size) {
            prop_assert_eq!(read.len(), size);
        }
    }

    #[test]
    fn random_bytes_do_not_break_the_parsers(
        body in prop::collection::vec(prop_oneof![2 => 0..16u8, 1 => any::<u8>()], 0..200),
        count in 0..20u64,
    ) {
        let _ = Header::parse(&body);
        let _ = FileInfo::parse(&body);
        let mut info = b"PBUF".to_vec();
        info.extend_from_slice(&body);
        let _ = FileInfo::parse(&info);
        let mut trailer = b"TRABLK\"$".to_vec();
        trailer.extend_from_slice(&body);
        trailer.resize(TRAILER_BYTES - 4, 0);
        trailer.extend_from_slice(&[3, 0, 0, 3]);
        let _ = Trailer::parse(&trailer);
        let _ = nonroot_marks(&body);
        let _ = root_table(&mut Reader::new(&body), count, true);
        for keys in [BloomKeys::Rows, BloomKeys::Columns] {
            let mut meta = vec![0, 0, 0, 3];
            meta.extend_from_slice(&body);
            if let Ok(Some(filter)) = BloomFilter::parse(&meta, keys) {
                filter.chunk_of(&first_on_row(b"row"));
                filter.is_in_chunk(&body, b"row");
            }
        }
    }
}
