//! Object stores: S3, Google Cloud Storage, Azure and web servers.
//!
//! A directory of an object store is a common prefix of keys. A file's contents are identified by its ETag: every read
//! asks for the contents that were opened, and compares the answer's ETag in case the server ignores that condition.

mod classify;
mod connect;
pub mod profile;
mod writing;

pub use connect::connect;

use crate::failure::{Failure, FailureKind};
use crate::storage::{Answer, Counts, Entry, Opened, Source, Storage};
use crate::target::Scheme;
use crate::transport::traced;
use bytes::Bytes;
use classify::classify;
use object_store::multipart::MultipartStore;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt};
use std::future::Future;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;

/// A client of the storage library.
#[derive(Clone)]
pub struct Store {
    objects: Arc<dyn ObjectStore>,
    /// The same client, if it uploads objects in parts.
    parts: Option<Arc<dyn MultipartStore>>,
}

/// A bucket, container or server.
#[derive(Clone)]
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    parts: Option<Arc<dyn MultipartStore>>,
    counts: Arc<Counts>,
    /// Whether a request may ask for the last bytes of an object of unknown length. Cleared if a server gets it wrong.
    has_suffix_ranges: Arc<AtomicBool>,
    /// Whether directories exist of themselves, as those of a web server.
    has_directories: bool,
}

impl Objects {
    /// The objects of `store`, a storage of kind `scheme`.
    pub fn new(store: Store, counts: Arc<Counts>, scheme: Scheme) -> Self {
        let has_suffix_ranges = Arc::new(AtomicBool::new(scheme != Scheme::Azure));
        Objects {
            store: store.objects,
            parts: store.parts,
            counts,
            has_suffix_ranges,
            has_directories: scheme == Scheme::Http,
        }
    }

    /// Opens an object and reads its last bytes with one request.
    async fn open_by_suffix(&self, path: Path, tail_bytes: u64) -> Result<Opened, Failure> {
        let options = GetOptions { range: Some(GetRange::Suffix(tail_bytes)), ..GetOptions::default() };
        let got = request(async {
            let result = self.store.get_opts(&path, options).await?;
            let (meta, range) = (result.meta.clone(), result.range.clone());
            Ok((meta, range, result.bytes().await?))
        });
        match got.await {
            Ok((meta, range, tail)) => self.opened(path, meta, &range, tail),
            // An empty object has no last bytes.
            Err(failure) if failure.kind == FailureKind::OutOfRange => self.open_by_length(path, tail_bytes).await,
            // Success with another range, or with all of the object: some servers do not know such requests.
            Err(failure) if failure.status.is_none() && !failure.is_transient() => {
                self.has_suffix_ranges.store(false, Relaxed);
                self.open_by_length(path, tail_bytes).await
            }
            Err(failure) => Err(failure),
        }
    }

    /// Opens an object with a request for its length and, unless `tail_bytes` is 0, one for its last bytes.
    async fn open_by_length(&self, path: Path, tail_bytes: u64) -> Result<Opened, Failure> {
        let meta = request(self.store.head(&path)).await?;
        let range = meta.size.saturating_sub(tail_bytes)..meta.size;
        let length = meta.size;
        let opened = self.opened(path, meta, &(length..length), Bytes::new())?;
        let tail = if range.is_empty() { Bytes::new() } else { opened.source.read(range).await? };
        Ok(Opened { tail, ..opened })
    }

    fn opened(&self, path: Path, meta: ObjectMeta, range: &Range<u64>, tail: Bytes) -> Result<Opened, Failure> {
        check_length(&tail, range)?;
        self.counts.bytes.fetch_add(tail.len() as u64, Relaxed);
        let source = Object { store: Arc::clone(&self.store), counts: Arc::clone(&self.counts), path, meta };
        Ok(Opened { source: Arc::new(source), tail })
    }

    /// The names below a prefix. Without any, there is no such directory.
    async fn list_names(&self, path: Path) -> Result<Option<Vec<Entry>>, Failure> {
        let found = match request(self.store.list_with_delimiter(Some(&path))).await {
            Err(failure) if failure.kind == FailureKind::Missing && self.has_directories => return Ok(None),
            // A prefix without keys is an empty answer, so what is missing is the bucket, or the endpoint is wrong.
            Err(failure) if failure.kind == FailureKind::Missing => {
                return Err(Failure { kind: FailureKind::NoBucket, ..failure })
            }
            other => other?,
        };
        let name =
            |path: &Path, is_directory| path.filename().map(|name| Entry { name: name.to_owned(), is_directory });
        let directories = found.common_prefixes.iter().filter_map(|path| name(path, true));
        let files = found.objects.iter().filter_map(|meta| name(&meta.location, false));
        let entries: Vec<Entry> = directories.chain(files).collect();
        Ok(Some(entries).filter(|entries| !entries.is_empty()))
    }
}

/// Runs a request of the storage library, and classifies its failure.
async fn request<T>(future: impl Future<Output = object_store::Result<T>>) -> Result<T, Failure> {
    let (result, status) = traced(future).await;
    result.map_err(|error| classify(&error, status))
}

fn path_of(key: &str) -> Result<Path, Failure> {
    Path::parse(key).map_err(|error| Failure::new(FailureKind::Unsupported, error.to_string()))
}

fn check_length(bytes: &Bytes, range: &Range<u64>) -> Result<(), Failure> {
    let expected = range.end - range.start;
    if bytes.len() as u64 != expected {
        return Err(Failure::new(FailureKind::Truncated, format!("{} of {expected} bytes", bytes.len())));
    }
    Ok(())
}

impl Storage for Objects {
    fn open(&self, key: &str, tail_bytes: u64) -> Answer<'_, Opened> {
        let path = path_of(key);
        Box::pin(async move {
            if self.has_suffix_ranges.load(Relaxed) {
                return self.open_by_suffix(path?, tail_bytes).await;
            }
            self.open_by_length(path?, tail_bytes).await
        })
    }

    fn list(&self, key: &str) -> Answer<'_, Option<Vec<Entry>>> {
        let path = path_of(key);
        Box::pin(async move { self.list_names(path?).await })
    }

    fn is_file(&self, key: &str) -> Answer<'_, bool> {
        let path = path_of(key);
        Box::pin(async move {
            match request(self.store.head(&path?)).await {
                Ok(_) => Ok(true),
                Err(failure) if failure.kind == FailureKind::Missing => Ok(false),
                Err(failure) => Err(failure),
            }
        })
    }
}

/// An object with the contents that it had when it was opened.
struct Object {
    store: Arc<dyn ObjectStore>,
    counts: Arc<Counts>,
    path: Path,
    meta: ObjectMeta,
}

impl Object {
    async fn read_range(&self, range: Range<u64>) -> Result<Bytes, Failure> {
        let options = GetOptions {
            if_match: self.meta.e_tag.clone(),
            range: Some(GetRange::Bounded(range.clone())),
            ..GetOptions::default()
        };
        let bytes = request(async {
            let result = self.store.get_opts(&self.path, options).await?;
            if self.is_replaced(&result) {
                return Ok(None);
            }
            result.bytes().await.map(Some)
        });
        let bytes = bytes.await.map_err(|failure| self.explain(failure))?.ok_or_else(|| self.replaced())?;
        check_length(&bytes, &range)?;
        self.counts.bytes.fetch_add(bytes.len() as u64, Relaxed);
        Ok(bytes)
    }

    fn is_replaced(&self, result: &GetResult) -> bool {
        result.meta.e_tag != self.meta.e_tag || result.meta.size != self.meta.size
    }

    /// A range inside the file can only be outside of another one.
    fn explain(&self, failure: Failure) -> Failure {
        match failure.kind {
            FailureKind::OutOfRange | FailureKind::Replaced => {
                Failure { status: failure.status, code: failure.code, ..self.replaced() }
            }
            _ => failure,
        }
    }

    fn replaced(&self) -> Failure {
        let tag = self.meta.e_tag.as_deref().unwrap_or("none");
        Failure::new(FailureKind::Replaced, format!("at opening: {} bytes, ETag {tag}", self.meta.size))
    }
}

impl Source for Object {
    fn length(&self) -> u64 {
        self.meta.size
    }

    fn read(&self, range: Range<u64>) -> Answer<'_, Bytes> {
        Box::pin(self.read_range(range))
    }
}
