//! The parts of a file around data blocks: headers, index, Bloom filters, file info, trailer.

use super::Target;
use rowstone_engine::cache::CachedBlock;
use rowstone_engine::hfile::bloom::{column_key, BloomFilter, BloomKeys, BloomWriter};
use rowstone_engine::hfile::format::{FileInfo, Header, Trailer, TRAILER_BYTES};
use rowstone_engine::hfile::index::{nonroot_marks, root_table, Entries, IndexWriter};
use rowstone_model::cell::first_on_row;
use rowstone_model::codec::Reader;

pub fn targets() -> Vec<Target> {
    vec![
        Target { name: "index", run: index, seeds: indexes, words: &[], most_bytes: 4096 },
        Target { name: "bloom", run: bloom, seeds: blooms, words: &[], most_bytes: 4096 },
        Target {
            name: "trailer-and-info",
            run: head_and_tail,
            seeds: heads,
            words: &[b"PBUF", b"TRABLK\"$"],
            most_bytes: 4200,
        },
    ]
}

/// A root table with the number of entries in the first byte, with flat or bare keys; or, from 128, a leaf.
fn index(input: &[u8]) {
    let Some((control, payload)) = input.split_first() else { return };
    let block = if *control >= 128 {
        let Ok(marks) = nonroot_marks(payload) else { return };
        CachedBlock::window(payload.into(), 0..payload.len(), marks)
    } else {
        let is_flat = control & 1 == 0;
        let Ok(block) = root_table(&mut Reader::new(payload), u64::from(control >> 1), is_flat) else { return };
        if !is_flat {
            let entries = Entries::of(&block);
            entries.partition_point(|key| key < &b"row05"[..]);
            return;
        }
        block
    };
    let entries = Entries::of(&block);
    for at in 0..entries.len() {
        let entry = entries.get(at).unwrap();
        assert_eq!(entry.key, entries.key(at));
        let _ = entries.floor(entry.key);
    }
    assert!(entries.get(entries.len()).is_none());
    let _ = entries.floor(&first_on_row(b"row05"));
}

fn indexes() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for count in [1, 5, 20] {
        let mut writer = IndexWriter::new(1 << 20);
        for n in 0..count {
            writer.push(n * 100, 100, &first_on_row(format!("row{n:02}").as_bytes()));
        }
        let mut bytes = vec![2 * count as u8];
        writer.write_single_level(&mut bytes);
        seeds.push(bytes);
        if let Some(leaf) = writer.ready_leaf(true) {
            seeds.push([vec![200], leaf.payload].concat());
        }
        let mut small = IndexWriter::new(40);
        for n in 0..count {
            small.push(n * 100, 100, &first_on_row(format!("row{n:02}").as_bytes()));
            if let Some(leaf) = small.ready_leaf(n + 1 == count) {
                seeds.push([vec![200], leaf.payload.clone()].concat());
                small.leaf_written(&leaf, 5000, 100);
            }
        }
    }
    seeds
}

/// First byte: the type of keys; second byte: the number of following bytes that form the filter's bits.
fn bloom(input: &[u8]) {
    let [control, bits, rest @ ..] = input else { return };
    let (bits, meta) = rest.split_at((*bits as usize).min(rest.len()));
    let keys = if control & 1 == 0 { BloomKeys::Rows } else { BloomKeys::Columns };
    let Ok(Some(filter)) = BloomFilter::parse(meta, keys) else { return };
    let _ = filter.hashes();
    for row in [&b"row05"[..], b"", &[0xff; 30]] {
        let key = if keys == BloomKeys::Rows { row.to_vec() } else { column_key(row, b"q").to_vec() };
        let _ = filter.chunk_of(&key);
        filter.is_in_chunk(bits, &key);
    }
}

fn blooms() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (control, keys) in [(0, BloomKeys::Rows), (1, BloomKeys::Columns)] {
        let mut writer = BloomWriter::new(64, keys);
        for n in 0..100 {
            let row = format!("row{n:02}");
            match keys {
                BloomKeys::Rows => writer.add(row.as_bytes()),
                BloomKeys::Columns => writer.add(&column_key(row.as_bytes(), b"q")),
            }
        }
        let mut bits = Vec::new();
        while let Some(chunk) = writer.ready_chunk(true) {
            writer.chunk_written(&chunk, 100, 200);
            bits = chunk.bits;
        }
        bits.truncate(255);
        seeds.push([vec![control, bits.len() as u8], bits, writer.meta()].concat());
    }
    seeds
}

/// First byte: 0 header, 1 file info, 2 trailer (padded to its length).
fn head_and_tail(input: &[u8]) {
    let Some((control, bytes)) = input.split_first() else { return };
    match control % 3 {
        0 => {
            if let Ok(header) = Header::parse(bytes) {
                let mut again = vec![0; 33];
                header.write(&mut again);
                assert_eq!(Header::parse(&again).ok(), Some(header));
            }
        }
        1 => {
            let Ok(info) = FileInfo::parse(bytes) else { return };
            for (name, _) in info.iter() {
                let _ = (info.get_i64(name), info.get_i32(name), info.get_bool(name));
            }
            let _ = info.time_range();
            let again = FileInfo::parse(&info.write()).unwrap();
            assert!(info.iter().eq(again.iter()), "a file info changes when it is written");
        }
        _ => {
            let mut trailer = bytes.to_vec();
            trailer.resize(TRAILER_BYTES - 4, 0);
            trailer.extend_from_slice(&[3, 0, 0, 3]);
            if let Ok(trailer) = Trailer::parse(&trailer) {
                let _ = (trailer.compression(), trailer.has_normal_order());
            }
        }
    }
}

fn heads() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/compat/hfiles");
    let mut seeds = Vec::new();
    for name in ["basic_none", "mix_DIFF_NONE_tags1", "rowprefix", "multilevel_rowcol"] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        seeds.push([&[0], &bytes[..40]].concat());
        let trailer = &bytes[bytes.len() - TRAILER_BYTES..];
        seeds.push([&[2], &trailer[..trailer.len() - 4]].concat());
        let offset = Trailer::parse(trailer).unwrap().file_info_offset as usize;
        if let Ok(header) = Header::parse(&bytes[offset..]) {
            seeds.push([&[1], &bytes[offset + 33..offset + header.data_bytes]].concat());
        }
    }
    seeds
}
