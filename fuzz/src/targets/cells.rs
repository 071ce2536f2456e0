//! Single cells, and cell blocks as a server sends them.

use super::Target;
use rowstone_model::cell::{
    cell_ttl, compare_cells, find_tag, flat_key, iterate_tags, write_tag, Cell, CellBuffer, CellParts, CellType, Layout,
};
use rowstone_rpc::wire::{encode_cells, BlockReader, Compressor};

pub fn targets() -> Vec<Target> {
    vec![
        Target { name: "keyvalue", run: key_value, seeds: key_values, words: &[], most_bytes: 1024 },
        Target { name: "cell-block", run: cell_block, seeds: cell_blocks, words: &[], most_bytes: 4096 },
    ]
}

/// Reads cells, compares them, and writes them again.
fn key_value(input: &[u8]) {
    let Some((control, mut rest)) = input.split_first() else { return };
    let layout = Layout { has_tags: control & 1 != 0, has_sequence_id: control & 2 != 0 };
    let mut last: Option<Cell<'_>> = None;
    while let Ok((cell, length)) = Cell::read(rest, layout) {
        let _ = (cell.row(), cell.family(), cell.qualifier(), cell.timestamp(), cell.cell_type(), cell.is_delete());
        let _ = (cell_ttl(cell.tags()), find_tag(cell.tags(), 70));
        assert!(iterate_tags(cell.tags()).count() <= cell.tags().len());
        let mut written = Vec::new();
        cell.write(&mut written, layout);
        assert_eq!(written.len(), cell.written_len(layout));
        assert_eq!(Cell::read(&written, layout), Ok((cell, written.len())));
        if let Some(last) = last {
            assert_eq!(compare_cells(&last, &cell), compare_cells(&cell, &last).reverse(), "an order that is none");
        }
        last = Some(cell);
        rest = &rest[length..];
    }
}

fn key_values() -> Vec<Vec<u8>> {
    (0..4)
        .map(|control| {
            let layout = Layout { has_tags: control & 1 != 0, has_sequence_id: control & 2 != 0 };
            let mut bytes = vec![control];
            for n in 0..3 {
                let key = flat_key(b"row", b"f", b"qualifier", n, CellType::Put);
                let mut tags = Vec::new();
                write_tag(&mut tags, 8, &5i64.to_be_bytes());
                Cell::new(&key, b"value", &tags, n as u64).unwrap().write(&mut bytes, layout);
            }
            bytes
        })
        .collect()
}

fn compressor(control: u8) -> Option<Compressor> {
    [None, Some(Compressor::Gzip), Some(Compressor::Snappy), Some(Compressor::Lz4)][control as usize % 4]
}

/// First byte: the codec; second: number of cells per read.
fn cell_block(input: &[u8]) {
    let [control, count, bytes @ ..] = input else { return };
    let inflated = match compressor(*control).map(|codec| codec.decompress(bytes)) {
        None => bytes.to_vec(),
        Some(Ok(inflated)) => inflated,
        Some(Err(_)) => return,
    };
    let mut cells = CellBuffer::new();
    let mut reader = BlockReader::new(&inflated);
    while reader.take(1 + *count as usize % 8, &mut cells).is_ok() {}
    assert!(cells.byte_len() <= 2 * inflated.len(), "{} bytes of {}", cells.byte_len(), inflated.len());
    let _ = BlockReader::new(&inflated).skip(*count as usize);
    let mut again = Vec::new();
    encode_cells(&cells, &mut again);
    let mut second = CellBuffer::new();
    BlockReader::new(&again).take(cells.iter().count(), &mut second).unwrap();
    assert!(second == cells, "cells change on their way");
}

/// Some cells in the form that a server sends.
pub fn some_cells(count: usize) -> (CellBuffer, Vec<u8>) {
    let mut cells = CellBuffer::new();
    for n in 0..count {
        let row = format!("row{n}");
        cells.push(CellParts {
            row: row.as_bytes(),
            family: b"f",
            qualifier: b"q",
            timestamp: n as i64,
            cell_type: CellType::Put,
            value: b"value",
            tags: if n % 2 == 0 { b"" } else { &[0, 2, 70, 1] },
        });
    }
    let mut block = Vec::new();
    encode_cells(&cells, &mut block);
    (cells, block)
}

fn cell_blocks() -> Vec<Vec<u8>> {
    let (_, block) = some_cells(10);
    let mut seeds = vec![[&[0, 3], &block[..]].concat()];
    for control in 1..4 {
        let packed = compressor(control).unwrap().compress(&block).unwrap();
        seeds.push([vec![control, 0], packed].concat());
    }
    seeds
}
