//! JSON form of the model's values in the manifest.

use super::state::StoreEntry;
use rowstone_model::admin::SnapshotKind;
use rowstone_model::schema::{
    FamilyDescriptor, NamespaceDescriptor, RegionInfo, TableDescriptor, TableName, TableState,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Byte keys as HBase prints them.
pub(super) mod key {
    use rowstone_model::codec::{from_printable, printable};
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&printable(bytes))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        Ok(from_printable(&String::deserialize(deserializer)?))
    }
}

/// Table names as `namespace:name`.
pub(super) mod table_name {
    use super::TableName;
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(name: &TableName, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(name)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TableName, D::Error> {
        TableName::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Switches by their names.
pub(super) mod switch {
    use rowstone_model::switches::Switch;
    use serde::{de::Error, Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(switch: &Switch, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(switch.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Switch, D::Error> {
        Switch::from_name(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Stores as an object by family.
pub(super) mod stores {
    use super::{BTreeMap, StoreEntry};
    use rowstone_model::codec::{from_printable, printable};
    use serde::{Deserialize, Deserializer, Serializer};

    type Stores = BTreeMap<Vec<u8>, StoreEntry>;

    pub fn serialize<S: Serializer>(stores: &Stores, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(stores.iter().map(|(family, store)| (printable(family), store)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Stores, D::Error> {
        let stores = BTreeMap::<String, StoreEntry>::deserialize(deserializer)?;
        Ok(stores.into_iter().map(|(family, store)| (from_printable(&family), store)).collect())
    }
}

/// Families as a list.
mod families {
    use super::{BTreeMap, FamilyDescriptor, FamilyText};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    type Families = BTreeMap<Vec<u8>, FamilyDescriptor>;

    #[derive(Serialize)]
    struct Written<'a>(#[serde(with = "FamilyText")] &'a FamilyDescriptor);

    #[derive(Deserialize)]
    struct Read(#[serde(with = "FamilyText")] FamilyDescriptor);

    pub fn serialize<S: Serializer>(families: &Families, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(families.values().map(Written))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Families, D::Error> {
        let families = Vec::<Read>::deserialize(deserializer)?;
        Ok(families.into_iter().map(|family| (family.0.name.clone(), family.0)).collect())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FamilyDescriptor")]
struct FamilyText {
    #[serde(with = "key")]
    name: Vec<u8>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    configuration: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TableDescriptor")]
pub(super) struct TableText {
    #[serde(with = "table_name")]
    name: TableName,
    #[serde(with = "families")]
    families: BTreeMap<Vec<u8>, FamilyDescriptor>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    configuration: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NamespaceDescriptor")]
pub(super) struct NamespaceText {
    name: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    properties: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TableState", rename_all = "snake_case")]
pub(super) enum TableStateText {
    Enabled,
    Disabled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SnapshotKind", rename_all = "snake_case")]
pub(super) enum SnapshotKindText {
    Flush,
    SkipFlush,
    Disabled,
}

impl SnapshotKindText {
    /// Whether it is the default, which manifests omit.
    pub(super) fn is_flush(kind: &SnapshotKind) -> bool {
        *kind == SnapshotKind::Flush
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RegionInfo")]
pub(super) struct RegionInfoText {
    #[serde(with = "table_name")]
    table: TableName,
    #[serde(with = "key")]
    start_key: Vec<u8>,
    #[serde(with = "key")]
    end_key: Vec<u8>,
    region_id: i64,
    encoded_name: String,
}
