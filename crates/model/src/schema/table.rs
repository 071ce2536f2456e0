//! Descriptors of tables, namespaces and regions.

use super::family::{FamilyDescriptor, FamilyOptions};
use super::name::TableName;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// A table as the user described it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDescriptor {
    /// Name.
    pub name: TableName,
    /// Families by name, in byte order.
    pub families: BTreeMap<Vec<u8>, FamilyDescriptor>,
    /// HBase's table attributes (`DURABILITY`, `MAX_FILESIZE`, `READONLY`, …) as text.
    pub attributes: BTreeMap<String, String>,
    /// Configuration that overrides the database's for this table.
    pub configuration: BTreeMap<String, String>,
}

impl TableDescriptor {
    /// Creates a descriptor without families.
    pub fn new(name: TableName) -> Self {
        TableDescriptor { name, families: BTreeMap::new(), attributes: BTreeMap::new(), configuration: BTreeMap::new() }
    }

    /// Adds or replaces a family.
    pub fn with_family(mut self, family: FamilyDescriptor) -> Self {
        self.families.insert(family.name.clone(), family);
        self
    }

    /// Whether both mean the same.
    pub fn is_same(&self, other: &TableDescriptor) -> bool {
        let families = self.families.values().zip(other.families.values());
        (&self.name, &self.attributes, &self.configuration) == (&other.name, &other.attributes, &other.configuration)
            && self.families.len() == other.families.len()
            && families.into_iter().all(|(own, other)| own.is_same(other))
    }

    /// Settings that override the database's: the attributes and the configuration. HBase reads both from one map, and
    /// its Java client and its shell send settings as attributes. Source: `HRegion`'s constructor.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let mut settings = self.attributes.clone();
        settings.extend(self.configuration.clone());
        settings
    }

    /// The typed options of all families, in byte order of their names.
    ///
    /// # Errors
    /// As [`FamilyDescriptor::options`]; `InvalidArgument` if there is no family.
    pub fn family_options(&self) -> Result<Vec<FamilyOptions>> {
        if self.families.is_empty() {
            return Err(Error::invalid(format!("table '{}' must have at least one column family", self.name)));
        }
        self.families.values().map(FamilyDescriptor::options).collect()
    }
}

/// Whether a table accepts reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableState {
    /// It accepts them.
    Enabled,
    /// It does not.
    Disabled,
}

/// A namespace and its properties.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamespaceDescriptor {
    /// Name.
    pub name: String,
    /// Properties, such as `hbase.namespace.quota.maxtables`.
    pub properties: BTreeMap<String, String>,
}

/// A region: a range of a table's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionInfo {
    /// Table.
    pub table: TableName,
    /// First row, inclusive; empty at the table's start.
    pub start_key: Vec<u8>,
    /// First row after the region, exclusive; empty at the table's end.
    pub end_key: Vec<u8>,
    /// Creation time in milliseconds: part of its name.
    pub region_id: i64,
    /// Hex MD5 of the name, and the name of its folder.
    pub encoded_name: String,
}

impl RegionInfo {
    /// The only region of `hbase:meta`. Its encoded name is not a hash.
    pub fn meta() -> Self {
        RegionInfo {
            table: TableName::meta(),
            start_key: Vec::new(),
            end_key: Vec::new(),
            region_id: 1,
            encoded_name: "1588230740".to_string(),
        }
    }

    /// Whether `name` is a full or encoded name of that region.
    pub fn is_meta_name(name: &[u8]) -> bool {
        matches!(name, b"1588230740" | b"hbase:meta,,1" | b"hbase:meta,,1.1588230740" | b"hbase:meta,,1.1588230740.")
    }

    /// Whether the region contains `row`.
    pub fn contains(&self, row: &[u8]) -> bool {
        // Test for an empty key first: comparing with the buffer of an empty vector costs 70 ns, because glibc loads
        // from an unmapped address (masked out, but it traps into microcode).
        (self.start_key.is_empty() || row >= self.start_key.as_slice())
            && (self.end_key.is_empty() || row < self.end_key.as_slice())
    }

    /// HBase's region name: `table,startKey,regionId.encodedName.`, and `hbase:meta,,1` of `hbase:meta`.
    pub fn region_name(&self) -> Vec<u8> {
        let mut name = self.name_without_hash();
        if self.table.is_meta() {
            return name;
        }
        name.extend_from_slice(format!(".{}.", self.encoded_name).as_bytes());
        name
    }

    /// The part of the name whose hash is the encoded name.
    pub fn name_without_hash(&self) -> Vec<u8> {
        let mut name = format!("{},", self.table).into_bytes();
        name.extend_from_slice(&self.start_key);
        name.extend_from_slice(format!(",{}", self.region_id).as_bytes());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_of_meta_has_two_names_and_no_others() {
        assert_eq!(RegionInfo::meta().region_name(), b"hbase:meta,,1");
        for name in ["hbase:meta,,1", "1588230740", "hbase:meta,,1.1588230740."] {
            assert!(RegionInfo::is_meta_name(name.as_bytes()), "{name}");
        }
        assert!(!RegionInfo::is_meta_name(b"hbase:meta,,12") && !RegionInfo::is_meta_name(b"hbase:meta"));
    }
}
