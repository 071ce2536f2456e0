//! Opening of a location from a URL and options.

use crate::files::RemoteFileSystem;
use crate::hdfs::Hdfs;
use crate::objects;
use crate::options::Options;
use crate::runtime;
use crate::storage::{Counts, Storage};
use crate::target::{Scheme, Target};
use crate::transport::Connector;
use crate::webhdfs::WebHdfs;
use rowstone_engine::sys::{FileSystem, SystemClock};
use rowstone_model::{Error, Result};
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
    let mut rest: BTreeMap<String, String> =
        options.iter().map(|(name, value)| (name.to_ascii_lowercase(), value.clone())).collect();
    let options = Options::take(&mut rest)?;
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
