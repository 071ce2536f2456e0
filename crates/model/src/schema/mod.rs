//! Names, families and tables, as HBase describes them: attributes are text, converted here to typed options.

mod attributes;
mod family;
mod name;
mod options;
mod sanity;
mod table;

pub use attributes::{FAMILY_DEFAULTS, OTHER_FAMILY_ATTRIBUTES, TABLE_ATTRIBUTES};
pub use family::{
    BloomFilter, CacheOnWrite, Compression, Encoding, FamilyDescriptor, FamilyOptions, KeepDeletedCells,
    FOREVER_SECONDS,
};
pub use name::{check_namespace, check_snapshot_name, TableName};
pub use options::{FlushPolicy, TableOptions};
pub use sanity::{SanityLimits, SANITY_CHECKS};
pub use table::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableState};
