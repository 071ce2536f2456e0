//! Data blocks after their checksums: every encoding, every codec.

use super::Target;
use rowstone_engine::hfile::cursor::{last_row_before, marks_of, BlockCursor};
use rowstone_engine::hfile::encoding::{decode, encode};
use rowstone_engine::hfile::format::compression::{decompress, Compressor};
use rowstone_model::cell::{first_on_row, flat_key, write_tag, Cell, CellType, Layout};
use rowstone_model::schema::{Compression, Encoding};

pub fn targets() -> Vec<Target> {
    let of = |name, run, seeds| Target { name, run, seeds, words: &[], most_bytes: 4096 };
    vec![
        of("block-none", |input| block(Encoding::None, input), || blocks(Encoding::None)),
        of("block-prefix", |input| block(Encoding::Prefix, input), || blocks(Encoding::Prefix)),
        of("block-diff", |input| block(Encoding::Diff, input), || blocks(Encoding::Diff)),
        of("block-fast-diff", |input| block(Encoding::FastDiff, input), || blocks(Encoding::FastDiff)),
        of("block-row-index", |input| block(Encoding::RowIndexV1, input), || blocks(Encoding::RowIndexV1)),
        of("compression", compression, compressed),
    ]
}

fn layout(control: u8) -> (Layout, bool) {
    (Layout { has_tags: control & 1 != 0, has_sequence_id: control & 2 != 0 }, control & 4 != 0)
}

/// Decodes, iterates and seeks; decoded cells must survive another encoding.
fn block(encoding: Encoding, input: &[u8]) {
    let Some((control, payload)) = input.split_first() else { return };
    let (layout, has_dictionary) = layout(*control);
    let Ok((decoded, _)) = decode(encoding, payload.into(), 0..payload.len(), layout, has_dictionary) else { return };
    let bytes = decoded.bytes();
    let Ok(marks) = marks_of(bytes, layout) else { return };
    let mut cursor = BlockCursor::new(layout);
    cursor.move_to(bytes, 0).unwrap();
    let mut families = std::collections::BTreeSet::new();
    let mut count = 0;
    while let Some(cell) = cursor.cell(bytes) {
        families.insert(cell.family().to_vec());
        count += 1;
        cursor.advance(bytes).unwrap();
    }
    assert!(marks.len() <= count, "more marks than cells");
    cursor.seek(bytes, &marks, &first_on_row(b"row05")).unwrap();
    cursor.find_row(bytes, &marks, b"row1").unwrap();
    assert!(last_row_before(bytes, &marks, b"row05").is_none_or(|start| (start.offset as usize) < bytes.len()));
    if families.len() == 1 {
        let bytes = &rewritten(bytes, layout)[..];
        let mut again = Vec::new();
        encode(encoding, bytes, layout, has_dictionary, &mut again).unwrap();
        let end = again.len();
        let start = if encoding == Encoding::None { 2 } else { 0 };
        let (second, _) = decode(encoding, again.as_slice().into(), start..end, layout, has_dictionary).unwrap();
        assert!(same_cells(bytes, second.bytes(), layout), "cells change when they are encoded again");
    }
}

/// The same cells as Rowstone's writer lays them out: the input may encode a number longer than necessary.
fn rewritten(mut bytes: &[u8], layout: Layout) -> Vec<u8> {
    let mut out = Vec::new();
    while let Ok((cell, length)) = Cell::read(bytes, layout) {
        cell.write(&mut out, layout);
        bytes = &bytes[length..];
    }
    out
}

fn same_cells(mut left: &[u8], mut right: &[u8], layout: Layout) -> bool {
    while !left.is_empty() {
        let (Ok((one, length)), Ok((other, other_length))) = (Cell::read(left, layout), Cell::read(right, layout))
        else {
            return false;
        };
        if one != other {
            return false;
        }
        (left, right) = (&left[length..], &right[other_length..]);
    }
    right.is_empty()
}

fn cells(layout: Layout, count: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for n in 0..count {
        let kind = if n % 5 == 4 { CellType::Delete } else { CellType::Put };
        let key =
            flat_key(format!("row{:02}", n / 3).as_bytes(), b"f", &[b'q'; 9][..n % 9], 1000 + n as i64 * 77, kind);
        let mut tags = Vec::new();
        write_tag(&mut tags, 70, &(n as u16 % 3).to_be_bytes());
        Cell::new(&key, &vec![7; n % 4 * 5], &tags, n as u64 * 50).unwrap().write(&mut bytes, layout);
    }
    bytes
}

fn blocks(encoding: Encoding) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for control in 0..8 {
        for count in [1, 6, 20] {
            let (layout, has_dictionary) = layout(control);
            let mut bytes = Vec::new();
            encode(encoding, &cells(layout, count), layout, has_dictionary, &mut bytes).unwrap();
            let start = if encoding == Encoding::None { 2 } else { 0 };
            seeds.push([&[control], &bytes[start..]].concat());
        }
    }
    seeds
}

const CODECS: [Compression; 4] = [Compression::Gz, Compression::Snappy, Compression::Lz4, Compression::Zstd];

/// One byte for the codec, three bytes for the size that the header would announce.
fn compression(input: &[u8]) {
    let [codec, high, middle, low, bytes @ ..] = input else { return };
    let size = u32::from_be_bytes([0, *high, *middle, *low]) as usize;
    if let Ok(content) = decompress(CODECS[*codec as usize % 4], bytes, size) {
        assert_eq!(content.len(), size, "a codec gives another size than it was told");
    }
}

fn compressed() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (codec, compression) in CODECS.into_iter().enumerate() {
        for length in [0, 40, 3000] {
            let content: Vec<u8> = (0..length).map(|n| (n / 9 * 31 % 251) as u8).collect();
            let mut bytes = vec![codec as u8, 0, (length >> 8) as u8, length as u8];
            Compressor::new(compression).unwrap().compress(&content, &mut bytes).unwrap();
            seeds.push(bytes);
        }
    }
    seeds
}
