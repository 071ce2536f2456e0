//! Names, families and tables, as HBase describes them: attributes are text, read here into typed options.

mod family;
mod name;
mod table;

pub use family::{
    BloomFilter, Compression, Encoding, FamilyDescriptor, FamilyOptions, KeepDeletedCells, FAMILY_DEFAULTS,
    FOREVER_SECONDS,
};
pub use name::{check_namespace, TableName};
pub use table::{NamespaceDescriptor, RegionInfo, TableDescriptor, TableState};
