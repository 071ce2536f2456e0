//! The file system: names, directories, requests that are sent, and refused writes.

use super::fake_s3::{pattern, FakeS3};
use crate::options::Options;
use rowstone_engine::sys::FileSystem;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn path(below: &str) -> PathBuf {
    Path::new("s3://b").join(below)
}

#[test]
fn a_directory_lists_one_level_sorted() {
    let fake = FakeS3::new(&[("r/z", b"1"), ("r/data/t/f", b"2"), ("r/.tmp/x", b"3"), ("other", b"4")]);
    let files = fake.files();
    assert_eq!(files.list(&path("r")).unwrap(), [path("r/.tmp"), path("r/data"), path("r/z")]);
    assert_eq!(files.list(&path("")).unwrap(), [path("other"), path("r")]);
    assert!(files.list(&path("none")).unwrap().is_empty());
}

#[test]
fn names_and_directories_exist() {
    let fake = FakeS3::new(&[("r/data/t/f", b"2"), ("r/dataset", b"3")]);
    let files = fake.files();
    for (below, exists, is_directory) in [
        ("r", true, true),
        ("r/data", true, true),
        ("r/dataset", true, false),
        ("r/dat", false, false),
        ("", true, true),
    ] {
        assert_eq!((files.exists(&path(below)), files.is_dir(&path(below))), (exists, is_directory), "'{below}'");
    }
}

#[test]
fn a_listing_answers_questions_about_its_names() {
    let fake = FakeS3::new(&[("r/data/t/f", b"2"), ("r/x", b"3")]);
    let (files, clock) = fake.files_with(Options::default());
    files.list(&path("r")).unwrap();
    assert_eq!(fake.requests().len(), 1);
    assert!(files.is_dir(&path("r/data")) && files.exists(&path("r/x")) && !files.exists(&path("r/y")));
    files.list(&path("r")).unwrap();
    assert_eq!(fake.requests().len(), 0);
    clock.advance(3000);
    files.list(&path("r")).unwrap();
    assert_eq!(fake.requests().len(), 1);
}

#[test]
fn a_missing_file_makes_listings_stale() {
    let fake = FakeS3::new(&[("r/a", b"1")]);
    let files = fake.files();
    assert_eq!(files.list(&path("r")).unwrap(), [path("r/a")]);
    fake.objects.lock().unwrap().remove("r/a");
    fake.put("r/b", b"2");
    assert_eq!(files.open(&path("r/a")).err().unwrap().kind(), ErrorKind::NotFound);
    assert_eq!(files.list(&path("r")).unwrap(), [path("r/b")]);
}

#[test]
fn names_with_percent_signs_are_literal() {
    let fake = FakeS3::new(&[("r/host%2C16020.1", b"wal")]);
    let files = fake.files();
    assert_eq!(files.list(&path("r")).unwrap(), [path("r/host%2C16020.1")]);
    assert_eq!(files.read(&path("r/host%2C16020.1")).unwrap(), b"wal");
}

#[test]
fn a_small_file_takes_one_request_and_an_empty_one_two() {
    let fake = FakeS3::new(&[("r/a", b"contents"), ("r/empty", b"")]);
    let files = fake.files();
    assert_eq!(files.read(&path("r/a")).unwrap(), b"contents");
    assert_eq!(fake.requests(), ["GET /b/r/a bytes=-262144"]);
    assert_eq!(files.read(&path("r/empty")).unwrap(), b"");
    assert_eq!(fake.requests(), ["GET /b/r/empty bytes=-262144", "HEAD /b/r/empty"]);
}

#[test]
fn servers_without_suffix_ranges_are_asked_for_the_length() {
    let fake = Arc::new(FakeS3 { lacks_suffix_ranges: true, ..FakeS3::default() });
    fake.put("r/a", &pattern(1 << 20));
    let files = fake.files();
    assert!(files.read(&path("r/a")).unwrap() == pattern(1 << 20));
    assert_eq!(fake.requests()[..3], ["GET /b/r/a bytes=-262144", "HEAD /b/r/a", "GET /b/r/a bytes=786432-1048575"]);
    files.open(&path("r/a")).unwrap();
    assert_eq!(fake.requests()[..2], ["HEAD /b/r/a", "GET /b/r/a bytes=786432-1048575"]);
}

#[test]
fn writes_are_refused() {
    let files = FakeS3::new(&[("r/a", b"1")]).files();
    let at = path("r/a");
    for error in [
        files.create(&at).err(),
        files.open_to_append(&at, 1).err(),
        files.rename(&at, &path("r/b")).err(),
        files.remove_file(&at).err(),
        files.remove_dir(&at).err(),
        files.create_dir_all(&at).err(),
        files.sync_dir(&at).err(),
    ] {
        let error = error.unwrap();
        assert_eq!(error.kind(), ErrorKind::ReadOnlyFilesystem);
        assert!(error.to_string().contains("s3://b/r/a"), "{error}");
    }
    assert_eq!(files.lock(&at, "me").err().unwrap().kind(), ErrorKind::Unsupported);
    assert_eq!(files.link(&at, &path("r/b")).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn paths_outside_of_the_storage_are_refused() {
    let files = FakeS3::new(&[]).files();
    assert_eq!(files.list(Path::new("/tmp")).unwrap_err().kind(), ErrorKind::InvalidInput);
    assert!(!files.exists(Path::new("s3://other/x")));
}
