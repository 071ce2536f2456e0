//! A folder to write to: failed requests are repeated, and a file that has to be new is never replaced.

use crate::failure::{Failure, FailureKind};
use crate::folder::Folder;
use crate::open::open_folder;
use crate::options::Options;
use crate::storage::{Answer, Counts, Entry, Listed, Opened, Source, Storage, WritableStorage};
use crate::target::Target;
use bytes::Bytes;
use rowstone_model::ErrorKind;
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Files in memory. Each request takes one of `faults`: a failure before its effect, or after it.
#[derive(Default)]
struct Memory {
    files: Mutex<BTreeMap<String, Bytes>>,
    faults: Mutex<VecDeque<Fault>>,
}

#[derive(Clone, Copy)]
enum Fault {
    Before(FailureKind),
    After(FailureKind),
}

struct Contents(Bytes);

impl Source for Contents {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, range: Range<u64>) -> Answer<'_, Bytes> {
        let bytes = self.0.slice(range.start as usize..range.end as usize);
        Box::pin(async move { Ok(bytes) })
    }
}

impl Memory {
    fn answer<'a, T: Send + 'a>(
        &self,
        work: impl FnOnce(&mut BTreeMap<String, Bytes>) -> Result<T, Failure>,
    ) -> Answer<'a, T> {
        let fault = self.faults.lock().unwrap().pop_front();
        let result = match fault {
            Some(Fault::Before(kind)) => Err(Failure::new(kind, "before")),
            Some(Fault::After(kind)) => work(&mut self.files.lock().unwrap()).and(Err(Failure::new(kind, "after"))),
            None => work(&mut self.files.lock().unwrap()),
        };
        Box::pin(async move { result })
    }

    fn folder(self: &Arc<Self>) -> Folder {
        let options = Options { retry_pause: Duration::ZERO, max_retries: 3, ..Options::default() };
        Folder::new(Arc::clone(self) as _, Target::parse("s3://b/top").unwrap(), &options, Arc::new(Counts::default()))
    }
}

impl Storage for Memory {
    fn open(&self, key: &str, tail_bytes: u64) -> Answer<'_, Opened> {
        self.answer(|files| {
            let bytes = files.get(key).cloned().ok_or_else(|| Failure::new(FailureKind::Missing, ""))?;
            let tail = bytes.slice(bytes.len().saturating_sub(tail_bytes as usize)..);
            Ok(Opened { source: Arc::new(Contents(bytes)), tail })
        })
    }

    fn list(&self, _key: &str) -> Answer<'_, Option<Vec<Entry>>> {
        self.answer(|_| Ok(None))
    }

    fn is_file(&self, key: &str) -> Answer<'_, bool> {
        self.answer(|files| Ok(files.contains_key(key)))
    }
}

impl WritableStorage for Memory {
    fn put(&self, key: &str, bytes: Bytes, is_new: bool) -> Answer<'_, bool> {
        self.answer(|files| {
            if is_new && files.contains_key(key) {
                return Ok(false);
            }
            files.insert(key.to_owned(), bytes);
            Ok(true)
        })
    }

    fn delete(&self, key: &str) -> Answer<'_, ()> {
        self.answer(|files| {
            files.remove(key);
            Ok(())
        })
    }

    fn list_files(&self, key: &str) -> Answer<'_, Vec<Listed>> {
        let below = format!("{key}/");
        self.answer(|files| {
            let found = files.iter().filter_map(|(path, bytes)| Some((path.strip_prefix(&below)?, bytes.len() as u64)));
            Ok(found.map(|(name, size)| Listed { name: name.to_owned(), size, modified_ms: 7 }).collect())
        })
    }

    fn begin_upload(&self, _key: &str) -> Answer<'_, String> {
        self.answer(|_| Ok("upload".to_owned()))
    }

    fn put_part(&self, key: &str, upload: &str, index: usize, bytes: Bytes) -> Answer<'_, String> {
        let part = format!("{key}.{upload}.{index}");
        self.answer(|files| {
            files.insert(part.clone(), bytes);
            Ok(part)
        })
    }

    fn finish_upload(&self, key: &str, _upload: &str, parts: Vec<String>) -> Answer<'_, ()> {
        self.answer(|files| {
            let whole: Vec<Bytes> = parts.iter().filter_map(|part| files.remove(part)).collect();
            files.insert(key.to_owned(), whole.concat().into());
            Ok(())
        })
    }

    fn abort_upload(&self, key: &str, upload: &str) -> Answer<'_, ()> {
        let parts = format!("{key}.{upload}.");
        self.answer(|files| {
            files.retain(|path, _| !path.starts_with(&parts));
            Ok(())
        })
    }
}

#[test]
fn an_aborted_upload_leaves_no_parts() {
    let memory = Arc::new(Memory::default());
    let folder = memory.folder();
    let upload = folder.begin_upload("f").unwrap();
    folder.put_part("f", &upload, 0, Bytes::from_static(b"one")).unwrap();
    folder.abort_upload("f", &upload).unwrap();
    assert!(memory.files.lock().unwrap().is_empty());
}

#[test]
fn files_are_written_read_listed_and_removed() {
    let memory = Arc::new(Memory::default());
    let folder = memory.folder();
    assert!(folder.put("a/b", Bytes::from_static(b"1"), false).unwrap());
    assert!(folder.put("a/b", Bytes::from_static(b"22"), false).unwrap());
    assert_eq!(folder.get("a/b").unwrap().unwrap(), b"22"[..]);
    assert_eq!(folder.get("a/c").unwrap(), None);
    let listed = folder.list("a").unwrap();
    assert_eq!(listed, [Listed { name: "b".to_owned(), size: 2, modified_ms: 7 }]);
    assert!(memory.files.lock().unwrap().contains_key("top/a/b"));
    folder.delete("a/b").unwrap();
    assert_eq!(folder.list("a").unwrap(), []);
}

#[test]
fn a_long_file_is_read_whole() {
    let long: Vec<u8> = (0..40u32 << 20).map(|at| (at >> 12) as u8).collect();
    let folder = Arc::new(Memory::default()).folder();
    folder.put("f", long.clone().into(), false).unwrap();
    assert!(folder.get("f").unwrap().unwrap() == long);
}

#[test]
fn a_new_file_replaces_none() {
    let folder = Arc::new(Memory::default()).folder();
    assert!(folder.put("f", Bytes::from_static(b"1"), true).unwrap());
    assert!(!folder.put("f", Bytes::from_static(b"2"), true).unwrap());
    assert_eq!(folder.get("f").unwrap().unwrap(), b"1"[..]);
}

#[test]
fn a_new_file_is_recognized_after_a_lost_answer() {
    let memory = Arc::new(Memory::default());
    memory.faults.lock().unwrap().push_back(Fault::After(FailureKind::Unavailable));
    assert!(memory.folder().put("f", Bytes::from_static(b"1"), true).unwrap());
}

#[test]
fn failed_requests_are_repeated_and_named() {
    let memory = Arc::new(Memory::default());
    let folder = memory.folder();
    let fail = |count| memory.faults.lock().unwrap().extend(vec![Fault::Before(FailureKind::Throttled); count]);
    fail(3);
    folder.put("f", Bytes::from_static(b"1"), false).unwrap();
    fail(4);
    let error = folder.put("g", Bytes::from_static(b"1"), false).unwrap_err();
    let text = error.message();
    assert!(text.starts_with("cannot write s3://b/top/g: bucket 'b' throttled"), "{text}");
    assert!(text.contains("after 4 attempts") && error.kind() == ErrorKind::Io, "{text}");
}

#[test]
fn parts_become_one_file() {
    let memory = Arc::new(Memory::default());
    let folder = memory.folder();
    let upload = folder.begin_upload("f").unwrap();
    let parts = [&b"one"[..], b"two"].map(Bytes::from_static);
    let ids: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| folder.put_part("f", &upload, index, part.clone()).unwrap())
        .collect();
    assert_eq!(folder.get("f").unwrap(), None);
    folder.finish_upload("f", &upload, &ids).unwrap();
    assert_eq!(folder.get("f").unwrap().unwrap(), b"onetwo"[..]);
}

#[test]
fn storages_that_are_only_read_are_refused() {
    for url in ["hdfs://h/x", "webhdfs://h:1/x", "https://h/x"] {
        let error = open_folder(url, &BTreeMap::new()).err().unwrap();
        assert!(error.kind() == ErrorKind::Unsupported && error.message().contains("only read"), "{error}");
    }
    open_folder("gs://b/x", &BTreeMap::from([("google_skip_signature".to_owned(), "true".to_owned())])).unwrap();
}
