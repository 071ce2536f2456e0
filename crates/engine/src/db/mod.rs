//! A directory of regions; background flush and compaction.

use crate::sys::Clock;
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use rowstone_model::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// How to open a database.
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// The directory; `None` keeps everything in memory.
    pub directory: Option<PathBuf>,
    /// Look, do not touch: may be beside a writer.
    pub read_only: bool,
    /// Make the database where there is none.
    pub create: bool,
    /// What `UseDefault` means where the table says nothing.
    pub durability: Durability,
    /// Settings under HBase's names.
    pub configuration: BTreeMap<String, String>,
    /// Limit of the block cache; `None` for the default.
    pub block_cache_bytes: Option<u64>,
    /// Limit of all memstores together; `None` for the default.
    pub memstore_bytes: Option<u64>,
    /// Another clock than the machine's.
    pub clock: Option<Arc<dyn Clock>>,
}

/// Opens a database.
pub fn open(_options: OpenOptions) -> Result<Arc<dyn Backend>> {
    Err(Error::new(ErrorKind::Unsupported, "the store comes with the next commits"))
}
