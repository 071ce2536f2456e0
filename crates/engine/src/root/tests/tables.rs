//! Folders of a root: regions, names of files, lists of trackers.

use crate::manifest::new_region;
use crate::root::messages::{write_manifest, Manifest};
use crate::root::names::{form_of, Form};
use crate::root::tables::current;
use crate::root::tracker::Tracker;
use crate::root::{read, RootView};
use crate::sys::{FileSystem, MemoryFileSystem};
use rowstone_model::schema::{FamilyDescriptor, RegionInfo, TableDescriptor, TableName};
use rowstone_model::ErrorKind;
use std::path::Path;

const HEX: &str = "0123456789abcdef0123456789abcdef";

fn region(start: &str, end: &str, id: i64) -> RegionInfo {
    new_region(&TableName::new("default", "t").unwrap(), start.into(), end.into(), id)
}

fn ranges(infos: Vec<RegionInfo>) -> Option<Vec<(String, String)>> {
    ranges_of(infos.into_iter().map(|info| (info, true)).collect())
}

fn ranges_of(infos: Vec<(RegionInfo, bool)>) -> Option<Vec<(String, String)>> {
    let found = current(infos, &TableName::new("default", "t").unwrap(), Path::new("/r/data/default/t")).ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(found.iter().map(|info| (text(&info.start_key), text(&info.end_key))).collect())
}

fn pairs(expected: &[(&str, &str)]) -> Option<Vec<(String, String)>> {
    Some(expected.iter().map(|(start, end)| (start.to_string(), end.to_string())).collect())
}

pub(super) fn write(files: &MemoryFileSystem, path: &str, bytes: &[u8]) {
    let path = Path::new(path);
    files.create_dir_all(path.parent().unwrap()).unwrap();
    files.create(path).unwrap().append(bytes).unwrap();
}

#[test]
fn newer_regions_replace_those_they_came_from() {
    let parent = region("", "m", 1);
    let (bottom, top, right) = (region("", "f", 5), region("f", "m", 5), region("m", "", 1));
    let after_split = vec![parent.clone(), bottom.clone(), top.clone(), right.clone()];
    assert_eq!(ranges(after_split), pairs(&[("", "f"), ("f", "m"), ("m", "")]));
    let merged = region("f", "", 9);
    assert_eq!(
        ranges(vec![parent.clone(), bottom.clone(), top, right.clone(), merged]),
        pairs(&[("", "f"), ("f", "")])
    );
    // The second daughter has no folder yet.
    assert_eq!(ranges(vec![parent, bottom, right]), None);
    assert_eq!(ranges(vec![]), None);
}

#[test]
fn a_region_counts_once_its_split_or_merge_has_all_files() {
    let (left, right, merged) = (region("", "m", 1), region("m", "", 1), region("", "", 9));
    let before = pairs(&[("", "m"), ("m", "")]);
    let at = |is_complete| vec![(left.clone(), true), (right.clone(), true), (merged.clone(), is_complete)];
    assert_eq!(ranges_of(at(false)), before);
    assert_eq!(ranges_of(at(true)), pairs(&[("", "")]));
    // The marks are in another folder.
    let unmarked = at(false).into_iter().map(|(info, _)| (info, false)).collect();
    assert_eq!(ranges_of(unmarked), pairs(&[("", "")]));
    // A table that was just created has regions that were not opened yet.
    assert_eq!(ranges_of(vec![(left, false), (right, true)]), before);
}

#[test]
fn only_names_of_store_files_are_files() {
    for (name, form) in [
        (HEX, Some(Form::File)),
        (&format!("{HEX}_SeqId_17_"), Some(Form::File)),
        (&format!("t={HEX}-{HEX}"), Some(Form::Link)),
        (&format!("n=t-1={HEX}-{HEX}"), Some(Form::Link)),
        (&format!("{HEX}.{HEX}"), Some(Form::Reference)),
        (&format!("t.x={HEX}-{HEX}"), Some(Form::Link)),
        (&format!("t.x={HEX}-{HEX}.{HEX}"), Some(Form::Reference)),
        (&format!("t={HEX}-{HEX}.{HEX}"), Some(Form::Reference)),
        (".filelist", None),
        (".tmp", None),
        ("t=feed", None),
        ("recovered.hfiles", None),
        ("strayfile", None),
    ] {
        assert_eq!(form_of(name), form, "{name}");
    }
}

#[test]
fn an_unknown_tracker_is_refused_by_name() {
    let mut table = TableDescriptor::new(TableName::new("default", "t").unwrap());
    let mut family = FamilyDescriptor::new("f");
    assert_eq!(Tracker::of(&table, &family).unwrap(), Tracker::Folder);
    table.attributes.insert("hbase.store.file-tracker.impl".into(), "FILE".into());
    assert_eq!(Tracker::of(&table, &family).unwrap(), Tracker::List);
    family.configuration.insert("hbase.store.file-tracker.impl".into(), "org.example.Mine".into());
    let error = Tracker::of(&table, &family).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("org.example.Mine"), "{}", error.message());
}

/// A list of a store's files, as `FileBasedStoreFileTracker` writes it.
pub(super) fn list(time: u64, names: &[&str]) -> Vec<u8> {
    let mut message = vec![8];
    rowstone_model::codec::write_varint(&mut message, time);
    for name in names {
        message.extend([18, name.len() as u8 + 2, 10, name.len() as u8]);
        message.extend(name.as_bytes());
    }
    let sum = crc32fast::hash(&message).to_be_bytes();
    [&(message.len() as u32).to_be_bytes()[..], &message, &sum].concat()
}

#[test]
fn the_newest_valid_list_names_the_files() {
    let files = MemoryFileSystem::new();
    let names = || -> Vec<String> {
        let found = Tracker::List.files(&files, Path::new("/s")).unwrap();
        found.into_iter().map(|file| file.name).collect()
    };
    write(&files, "/s/strayfile", b"");
    assert_eq!(names(), Vec::<String>::new());
    write(&files, "/s/.filelist/f1.100", &list(7, &["feed"]));
    write(&files, "/s/.filelist/f2.100", &list(8, &["beef"]));
    assert_eq!(names(), ["beef"]);
    // An older opening of the region counts no more, and a torn list counts never.
    write(&files, "/s/.filelist/f1.99", &list(9, &["dead"]));
    write(&files, "/s/.filelist/f2.100", &list(8, &["beef"])[..9]);
    assert_eq!(names(), ["feed"]);
    // Nor do two that are not whole, as at the begin of an opening.
    write(&files, "/s/.filelist/f1.100", b"");
    assert_eq!(names(), ["dead"]);
    let mut damaged = list(10, &["cafe"]);
    damaged[6] ^= 1;
    write(&files, "/s/.filelist/f1.100", &damaged);
    let error = Tracker::List.files(&files, Path::new("/s")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corruption);
}

#[test]
fn a_folder_that_is_no_root_is_named() {
    let files = MemoryFileSystem::new();
    let kind = |view: &RootView| read(&files, Path::new("/r"), view).map_err(|error| error.kind());
    assert_eq!(kind(&RootView::default()).unwrap_err(), ErrorKind::NotADatabase);
    let snapshot = RootView { snapshot: Some("s".into()), ..RootView::default() };
    assert_eq!(kind(&snapshot).unwrap_err(), ErrorKind::SnapshotNotFound);
    let bytes = write_manifest(&Manifest {
        descriptor: TableDescriptor::new(TableName::new("default", "t").unwrap()),
        regions: Vec::new(),
    });
    write(&files, "/r/.hbase-snapshot/s/data.manifest", &bytes);
    write(&files, "/r/.hbase-snapshot/s/.snapshotinfo", &[40, 1]);
    assert_eq!(kind(&snapshot).unwrap_err(), ErrorKind::Unsupported);
    write(&files, "/r/hbase.version", b"PBUF\x0a\x019");
    assert_eq!(kind(&RootView::default()).unwrap_err(), ErrorKind::Unsupported);
    write(&files, "/r/hbase.version", b"PBUF\x0a\x018");
    write(&files, "/r/data/default/.x", b"");
    assert!(kind(&RootView::default()).unwrap().tables.is_empty());
    files.remove_file(Path::new("/r/hbase.version")).unwrap();
    write(&files, "/r/MANIFEST", b"");
    assert_eq!(kind(&RootView::default()).unwrap_err(), ErrorKind::NotADatabase, "a directory of Rowstone");
    write(&files, "/r/hbase.version", b"PBUF\x0a\x018");
    let table = RootView { tables: vec![TableName::new("default", "u").unwrap()], ..RootView::default() };
    assert_eq!(kind(&table).unwrap_err(), ErrorKind::TableNotFound);
}
