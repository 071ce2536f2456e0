//! Files of random puts have the newest value of each cell, sorted, each in one region.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::{Reader, ReaderOptions, WriterOptions};
use super::SortedFiles;
use crate::cache::BlockCache;
use crate::sys::{Entropy, FileSystem, ManualClock, MemoryFileSystem, SeededEntropy, System};
use rowstone_model::cell::{first_on_row, CellParts, CellSource, CellType};
use rowstone_model::operations::{Mutation, MutationKind};
use rowstone_model::ErrorKind;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

type Cells = BTreeMap<(Vec<u8>, Vec<u8>, Vec<u8>), Vec<u8>>;

fn put(row: &[u8], cells: &[(&[u8], &[u8], Vec<u8>)]) -> Mutation {
    let mut put = Mutation::new(MutationKind::Put, row);
    for (family, qualifier, value) in cells {
        let (cell_type, tags) = (CellType::Put, &[][..]);
        put.cells.push(CellParts { row, family, qualifier, timestamp: 7, cell_type, value, tags });
    }
    put
}

fn system(seed: u64) -> System {
    let files = MemoryFileSystem::default();
    files.create_dir_all(Path::new("out")).unwrap();
    System { files: Arc::new(files), clock: Arc::new(ManualClock::new(1)), entropy: Arc::new(SeededEntropy::new(seed)) }
}

fn read(system: &System, path: &Path) -> Cells {
    let cache = Arc::new(BlockCache::new(1 << 20));
    let reader = Reader::open(system.files.as_ref(), path, cache, ReaderOptions::default()).unwrap();
    reader.verify().unwrap();
    let mut source = reader.source(false);
    source.seek(&first_on_row(&[])).unwrap();
    let mut found = Cells::new();
    while let Some(cell) = source.peek() {
        let key = (cell.row().to_vec(), cell.family().to_vec(), cell.qualifier().to_vec());
        assert!(found.insert(key, cell.value().to_vec()).is_none(), "a cell twice in {}", path.display());
        source.advance().unwrap();
    }
    found
}

#[test]
fn random_puts_become_sorted_files_of_one_region_each() {
    for (seed, memory_bytes) in [(1, usize::MAX), (2, 1 << 30), (3, 2_000)] {
        let system = system(seed);
        let random = SeededEntropy::new(seed + 100);
        let splits: Vec<Vec<u8>> = vec![b"r2".to_vec(), b"r2\0".to_vec(), b"r55".to_vec(), b"r9999999999".to_vec()];
        let families = [b"f", b"g"].map(|name| (name.to_vec(), WriterOptions::default())).into();
        let mut files = SortedFiles::new(system.clone(), "out".into(), splits.clone(), families, memory_bytes);
        let mut expected = Cells::new();
        for number in 0..2_000_u64 {
            // Short and long rows, so that prefixes of eight bytes are often equal.
            let row = format!("r{}{}", random.next_u64() % 100, ["", "-and-more"][random.next_u64() as usize % 2]);
            let mut cells: Vec<(&[u8], &[u8], Vec<u8>)> = Vec::new();
            for (family, qualifier) in [(&b"g"[..], &b"x"[..]), (b"f", b"b"), (b"f", b"a")] {
                if random.next_u64() & 3 != 0 {
                    cells.push((family, qualifier, number.to_be_bytes().to_vec()));
                    let key = (row.clone().into_bytes(), family.to_vec(), qualifier.to_vec());
                    expected.insert(key, number.to_be_bytes().to_vec());
                }
            }
            if !cells.is_empty() {
                files.add(&put(row.as_bytes(), &cells)).unwrap();
            }
        }
        let mut found = Cells::new();
        for (family, path) in files.finish().unwrap() {
            let cells = read(&system, &path);
            assert!(cells.keys().all(|(_, of, _)| *of == family));
            let region = |row: &[u8]| splits.partition_point(|split| split.as_slice() <= row);
            let first = cells.keys().next().map(|(row, _, _)| region(row));
            assert!(cells.keys().all(|(row, _, _)| Some(region(row)) == first), "{} spans regions", path.display());
            // Files are written in the order of the puts, so a later file has the newer value.
            found.extend(cells);
        }
        assert_eq!(found, expected);
    }
}

#[test]
fn a_put_of_an_unknown_family_adds_nothing() {
    let families = [(b"f".to_vec(), WriterOptions::default())].into();
    let mut files = SortedFiles::new(system(1), "out".into(), Vec::new(), families, 1 << 20);
    let wrong = put(b"r", &[(b"f", b"a", vec![1]), (b"x", b"a", vec![1])]);
    assert_eq!(files.add(&wrong).unwrap_err().kind(), ErrorKind::NoSuchColumnFamily);
    assert!(files.finish().unwrap().is_empty());
}

#[test]
fn a_folder_that_was_removed_is_not_created_again() {
    let system = system(1);
    let families = [(b"f".to_vec(), WriterOptions::default())].into();
    let mut files = SortedFiles::new(system.clone(), "out".into(), Vec::new(), families, 1 << 20);
    files.add(&put(b"r", &[(b"f", b"a", vec![1])])).unwrap();
    system.files.remove_dir(Path::new("out")).unwrap();
    assert_eq!(files.finish().unwrap_err().kind(), ErrorKind::Io);
    assert!(!system.files.exists(Path::new("out")));
}
