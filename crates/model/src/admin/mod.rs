//! Administration of a directory or a cluster: a trait for each area. Every method returns when its work is done. Methods
//! that only some backends support fail with `Unsupported` by default.
//!
//! | trait | area |
//! |---|---|
//! | [`SchemaAdmin`] | tables and namespaces |
//! | [`StoreAdmin`] | store files, memstores, statistics, switches |
//! | [`RegionAdmin`] | regions of tables |
//! | [`SnapshotAdmin`] | snapshots of tables |
//! | [`PermissionAdmin`] | access control |
//! | [`QuotaAdmin`] | quotas on requests and on space |
//! | [`ClusterAdmin`] | the cluster as its master knows it |

mod cluster;
mod memory;
mod permissions;
mod quotas;
mod regions;
mod schema;
mod snapshots;
mod stores;

pub use cluster::{ClusterAdmin, ClusterStatus, ServerStatus};
pub use memory::{Limit, MemoryLimits};
pub use permissions::PermissionAdmin;
pub use quotas::{without_quotas, QuotaAdmin};
pub use regions::{CompactionState, RegionAdmin, RegionLocation};
pub use schema::SchemaAdmin;
pub use snapshots::{SnapshotAdmin, SnapshotInfo, SnapshotKind};
pub use stores::{BackupInfo, Statistics, StoreAdmin, StoreFileInfo, StoreLoad};

use crate::error::{Error, ErrorKind, Result};

/// The administration of all areas.
pub trait AdminBackend:
    SchemaAdmin + StoreAdmin + RegionAdmin + SnapshotAdmin + PermissionAdmin + QuotaAdmin + ClusterAdmin
{
}

impl<T> AdminBackend for T where
    T: SchemaAdmin + StoreAdmin + RegionAdmin + SnapshotAdmin + PermissionAdmin + QuotaAdmin + ClusterAdmin
{
}

/// Reports that the backend cannot do `what`.
fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, format!("cannot {what}: this kind of database does not support it")))
}
