//! Flushes seen by halves: each region's files are those of whole flushes, for both store file trackers.

use crate::hfile::write::{FileFacts, Writer, WriterOptions};
use crate::root::flushes::committed;
use crate::sys::{FileSystem, MemoryFileSystem};
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::path::Path;

const OLD: &str = "01d";
const NEW: &str = "fee";

fn table(tracker: &str) -> TableDescriptor {
    let mut table = TableDescriptor::new(TableName::new("default", "t").unwrap());
    for name in ["a", "b", "c"] {
        table.families.insert(name.into(), FamilyDescriptor::new(name));
    }
    table.configuration.insert("hbase.store.file-tracker.impl".into(), tracker.into());
    table
}

fn write(files: &MemoryFileSystem, path: &str, max_sequence_id: u64) {
    write_file(files, path, FileFacts { max_sequence_id, ..FileFacts::default() });
}

fn write_file(files: &MemoryFileSystem, path: &str, facts: FileFacts) {
    let path = Path::new(path);
    files.create_dir_all(path.parent().unwrap()).unwrap();
    let mut buffer = CellBuffer::new();
    let (timestamp, cell_type) = (1, CellType::Put);
    buffer.push(CellParts { row: b"r", family: b"f", qualifier: b"q", timestamp, cell_type, value: b"v", tags: b"" });
    let mut writer = Writer::create(files, path, WriterOptions::default()).unwrap();
    writer.append(&buffer.iter().next().unwrap()).unwrap();
    writer.finish(&facts).unwrap();
}

/// The names of each family's files.
fn names(files: &dyn FileSystem, table: &TableDescriptor) -> Vec<Vec<String>> {
    let families = committed(files, Path::new("/r"), table).unwrap();
    families.into_iter().map(|(_, files)| files.into_iter().map(|file| file.name).collect()).collect()
}

#[test]
fn a_flush_is_seen_when_all_its_files_are_committed() {
    let (files, table) = (MemoryFileSystem::new(), table("DEFAULT"));
    ["a", "b"].iter().for_each(|family| write(&files, &format!("/r/{family}/{OLD}"), 5));
    ["a", "b"].iter().for_each(|family| write(&files, &format!("/r/.tmp/{family}/{NEW}"), 9));
    // A file that is being written, in a family that nothing was flushed to.
    files.create(Path::new("/r/.tmp/c/abc")).err();
    let old = vec![vec![OLD.to_string()], vec![OLD.into()], vec![]];
    assert_eq!(names(&files, &table), old);
    files.rename(Path::new(&format!("/r/.tmp/a/{NEW}")), Path::new(&format!("/r/a/{NEW}"))).unwrap();
    assert_eq!(names(&files, &table), old, "one of two files is committed");
    files.rename(Path::new(&format!("/r/.tmp/b/{NEW}")), Path::new(&format!("/r/b/{NEW}"))).unwrap();
    let both = vec![OLD.to_string(), NEW.into()];
    assert_eq!(names(&files, &table), [both.clone(), both, vec![]]);
}

#[test]
fn a_compaction_that_waits_hides_no_flush() {
    let (files, table) = (MemoryFileSystem::new(), table("DEFAULT"));
    for (path, sequence_id) in [("a/01d", 5), ("b/01d", 5), ("a/fee", 9), ("b/fee", 9), (".tmp/b/cafe", 9)] {
        write(&files, &format!("/r/{path}"), sequence_id);
    }
    let both = vec![OLD.to_string(), NEW.into()];
    assert_eq!(names(&files, &table), [both.clone(), both, vec![]]);
    // An older compaction's input may still be there.
    write(&files, "/r/.tmp/b/dead", 5);
    assert_eq!(names(&files, &table)[0].len(), 2);
}

#[test]
fn with_a_list_a_file_waits_in_the_folder_of_its_family() {
    let (files, table) = (MemoryFileSystem::new(), table("FILE"));
    let list = |family: &str, names: &[&str]| {
        let path = format!("/r/{family}/.filelist/f1.100");
        files.remove_file(Path::new(&path)).ok();
        super::tables::write(&files, &path, &super::tables::list(7, names));
    };
    for (path, sequence_id) in [("a/01d", 5), ("b/01d", 5), ("a/fee", 9), ("b/fee", 9)] {
        write(&files, &format!("/r/{path}"), sequence_id);
    }
    list("a", &[OLD, NEW]);
    list("b", &[OLD]);
    assert_eq!(names(&files, &table), [vec![OLD.to_string()], vec![OLD.into()], vec![]]);
    list("b", &[OLD, NEW]);
    assert_eq!(names(&files, &table)[..2], [vec![OLD.to_string(), NEW.into()], vec![OLD.into(), NEW.into()]]);
}

#[test]
fn a_compaction_of_links_that_waits_hides_no_other_family() {
    let (files, table) = (MemoryFileSystem::new(), table("FILE"));
    let list = |family: &str, name: &str| {
        super::tables::write(&files, &format!("/r/{family}/.filelist/f1.100"), &super::tables::list(7, &[name]));
    };
    let link = "t=0123456789abcdef0123456789abcdef-01d";
    let compacted = || FileFacts { max_sequence_id: 9, compacted_files: vec![link.into()], ..FileFacts::default() };
    // Both families of a clone had links only. One is compacted, the other's compaction is not committed yet.
    write_file(&files, "/r/a/fee", compacted());
    write_file(&files, "/r/b/cafe", compacted());
    list("a", NEW);
    list("b", link);
    assert_eq!(names(&files, &table), [vec![NEW.to_string()], vec![link.into()], vec![]]);
}

#[test]
fn a_file_that_was_compacted_and_stays_hides_no_other_family() {
    let (files, table) = (MemoryFileSystem::new(), table("FILE"));
    let list = |family: &str, name: &str| {
        super::tables::write(&files, &format!("/r/{family}/.filelist/f1.100"), &super::tables::list(7, &[name]));
    };
    write(&files, "/r/a/fee", 9);
    write(&files, "/r/b/01d", 9);
    let compacted_files = vec![OLD.to_string()];
    write_file(&files, "/r/b/cafe", FileFacts { max_sequence_id: 9, compacted_files, ..FileFacts::default() });
    list("a", NEW);
    list("b", "cafe");
    assert_eq!(names(&files, &table), [vec![NEW.to_string()], vec!["cafe".into()], vec![]]);
}
