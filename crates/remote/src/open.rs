//! Opening of a location from a URL and options.

use crate::files::RemoteFileSystem;
use crate::folder::Folder;
use crate::hdfs::Hdfs;
use crate::objects;
use crate::options::Options;
use crate::runtime;
use crate::storage::{Counts, Storage};
use crate::target::{Scheme, Target};
use crate::transport::Connector;
use crate::webhdfs::WebHdfs;
use rowstone_engine::sys::{FileSystem, SystemClock};
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A storage and a root in it.
pub struct Location {
    /// The files. Read-only.
    pub files: Arc<dyn FileSystem>,
    /// The root, as `files` takes it: the URL without a slash at its end.
    pub root: PathBuf,
    /// Whether the last block of a file is invisible while it is open, as in HDFS.
    pub hides_open_blocks: bool,
    /// Requests so far.
    pub counts: Arc<Counts>,
}

/// Opens the storage of `url`: `s3://bucket/path`, `gs://bucket/path`, `az://container/path`, `abfs://`, `http(s)://`
/// with WebDAV listings, `hdfs://namenode:port/path` or `webhdfs://host:port/path`. Sends no request: the first read
/// reports a wrong name, a missing permission or an endpoint that does not answer.
///
/// `options` are storage options by name, in any case, as Polars and Delta Lake take them, and those of [`Options`].
/// They go before the environment's.
///
/// # Errors
/// `InvalidArgument` for a URL or an option that cannot be used.
pub fn open(url: &str, options: &BTreeMap<String, String>) -> Result<Location> {
    let target = Target::parse(url)?;
    let (options, rest) = sorted(options)?;
    let counts = Arc::new(Counts::default());
    let connector = || Connector::new(Arc::clone(&counts));
    let storage: Arc<dyn Storage> = match target.scheme {
        Scheme::Hdfs => {
            let runtime = runtime::handle().map_err(|error| Error::io("start threads for", url, &error))?;
            Arc::new(Hdfs::connect(&target.base, &rest, runtime, Arc::clone(&counts))?)
        }
        Scheme::WebHdfs => Arc::new(WebHdfs::connect(&target, &rest, &connector(), Arc::clone(&counts))?),
        _ => Arc::new(objects::connect(&target, &rest, connector(), Arc::clone(&counts))?),
    };
    let root = PathBuf::from(target.root());
    let hides_open_blocks = matches!(target.scheme, Scheme::Hdfs | Scheme::WebHdfs);
    let clock = Arc::new(SystemClock);
    let files = RemoteFileSystem::new(storage, &target.base, target.place(), options, clock, Arc::clone(&counts));
    Ok(Location { files: Arc::new(files), root, hides_open_blocks, counts })
}

/// Opens a folder to write to: `s3://bucket/path`, `gs://`, `az://` or `abfs://`, with the options of [`open`]. Sends no
/// request.
///
/// # Errors
/// `InvalidArgument` for a URL or an option that cannot be used; `Unsupported` for a storage that is only read.
pub fn open_folder(url: &str, options: &BTreeMap<String, String>) -> Result<Folder> {
    let target = Target::parse(url)?;
    if matches!(target.scheme, Scheme::Http | Scheme::Hdfs | Scheme::WebHdfs) {
        let message = format!(
            "{url}: this kind of storage is only read; write to s3://, gs:// or az://, or to a local directory first"
        );
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let (options, rest) = sorted(options)?;
    let counts = Arc::new(Counts::default());
    let storage = objects::connect(&target, &rest, Connector::new(Arc::clone(&counts)), Arc::clone(&counts))?;
    Ok(Folder::new(Arc::new(storage), target, &options, counts))
}

/// The options of reading, and those of the storage by their names in lower case.
fn sorted(all: &BTreeMap<String, String>) -> Result<(Options, BTreeMap<String, String>)> {
    let mut rest = all.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone())).collect();
    Ok((Options::take(&mut rest)?, rest))
}
