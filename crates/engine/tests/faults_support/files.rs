//! External store files for bulk loads.

use rowstone_engine::hfile::{FileFacts, Writer, WriterOptions};
use rowstone_engine::sys::{FileSystem, RealFileSystem};
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A file with these rows for each of families `a` and `b`: column `q`, timestamp 1. They are in cargo's folder for
/// tests; callers that create many remove them.
pub fn files_of(rows: &[&str], value: &[u8]) -> Vec<(Vec<u8>, PathBuf)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("faults-{}", std::process::id()));
    RealFileSystem.create_dir_all(&folder).unwrap();
    let file_of = |family: &str| {
        let path = folder.join(NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
        write(&path, family, rows, value);
        (family.into(), path)
    };
    vec![file_of("a"), file_of("b")]
}

fn write(path: &Path, family: &str, rows: &[&str], value: &[u8]) {
    let mut writer = Writer::create(&RealFileSystem, path, WriterOptions::default()).unwrap();
    let mut cells = CellBuffer::new();
    for row in rows {
        let (row, family, qualifier) = (row.as_bytes(), family.as_bytes(), b"q".as_slice());
        cells.push(CellParts { row, family, qualifier, timestamp: 1, cell_type: CellType::Put, value, tags: &[] });
    }
    cells.iter().for_each(|cell| writer.append(&cell).unwrap());
    writer.finish(&FileFacts::default()).unwrap();
}
