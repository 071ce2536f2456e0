//! Protobuf messages in the files of a root directory and of an exported snapshot. Field numbers are HBase's.

mod read;
mod write;

pub use read::{
    read_compacted, read_description, read_manifest, read_reference, read_region_info, read_table_info, read_tracked,
};
pub use write::{write_description, write_manifest};

use crate::manifest::Half;
use rowstone_model::schema::{RegionInfo, TableDescriptor};

/// Version of the layout with one manifest for all regions.
pub const LAYOUT_VERSION: u64 = 2;

/// Contents of `.snapshotinfo`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Description {
    pub created_ms: i64,
    pub ttl_seconds: i64,
    pub owner: String,
    pub version: u64,
}

/// Contents of `data.manifest`.
pub struct Manifest {
    pub descriptor: TableDescriptor,
    pub regions: Vec<RegionFiles>,
}

/// A region with the files of its families.
pub struct RegionFiles {
    pub info: RegionInfo,
    /// Whether the region has no rows of its own: it was split, or is a replica of another region.
    pub is_shadow: bool,
    pub families: Vec<(Vec<u8>, Vec<NamedFile>)>,
}

/// A store file by its name in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    pub name: String,
    pub half: Option<Half>,
    pub size_bytes: u64,
}
