//! Table options for the store, parsed from a table's attributes.

use super::table::TableDescriptor;
use crate::error::{Error, Result};

/// The families that a flush by size writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlushPolicy {
    /// Families with large memstores, or all if none is large: HBase's `FlushAllLargeStoresPolicy`, its default.
    #[default]
    LargeFamilies,
    /// All: HBase's `FlushAllStoresPolicy`.
    AllFamilies,
}

/// Typed options for the store, derived from a [`TableDescriptor`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableOptions {
    /// READONLY: writes are rejected.
    pub is_read_only: bool,
    /// COMPACTION_ENABLED: compactions run, automatic and requested ones.
    pub is_compaction_enabled: bool,
    /// MEMSTORE_FLUSHSIZE: the memstore size in bytes at which a region is flushed; `None` uses the database's
    /// setting.
    pub flush_bytes: Option<u64>,
    /// FLUSH_POLICY.
    pub flush_policy: FlushPolicy,
}

/// Boolean attributes and their defaults.
const FLAGS: &[(&str, bool)] = &[
    ("COMPACTION_ENABLED", true),
    ("MERGE_ENABLED", true),
    ("NORMALIZATION_ENABLED", false),
    ("READONLY", false),
    ("REGION_MEMSTORE_REPLICATION", true),
    ("SPLIT_ENABLED", true),
];

/// Numeric attributes.
const NUMBERS: &[&str] = &[
    "MAX_FILESIZE",
    "MEMSTORE_FLUSHSIZE",
    "NORMALIZER_TARGET_REGION_COUNT",
    "NORMALIZER_TARGET_REGION_SIZE",
    "NORMALIZER_TARGET_REGION_SIZE_MB",
    "PRIORITY",
    "REGION_REPLICATION",
];

impl TableDescriptor {
    /// The typed options.
    ///
    /// # Errors
    /// `InvalidArgument` for an attribute value of the wrong type.
    pub fn options(&self) -> Result<TableOptions> {
        for name in NUMBERS {
            self.number(name)?;
        }
        for (name, _) in FLAGS {
            self.flag(name)?;
        }
        // As in HBase, a class that cannot be loaded means the default. -1 is HBase's encoding of "not set".
        let flush_policy = match self.attributes.get("FLUSH_POLICY").and_then(|class| class.rsplit('.').next()) {
            Some("FlushAllStoresPolicy") => FlushPolicy::AllFamilies,
            _ => FlushPolicy::LargeFamilies,
        };
        Ok(TableOptions {
            is_read_only: self.flag("READONLY")?,
            is_compaction_enabled: self.flag("COMPACTION_ENABLED")?,
            flush_bytes: self
                .number("MEMSTORE_FLUSHSIZE")?
                .and_then(|size| u64::try_from(size).ok())
                .filter(|s| *s > 0),
            flush_policy,
        })
    }

    /// The attribute as a number, if it is set.
    ///
    /// # Errors
    /// `InvalidArgument` if it is not a number.
    pub fn number(&self, name: &str) -> Result<Option<i64>> {
        let Some(text) = self.attributes.get(name) else { return Ok(None) };
        match text.trim().parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(self.error(&format!("{name} => '{text}' is not a number"))),
        }
    }

    fn flag(&self, name: &str) -> Result<bool> {
        let default = FLAGS.iter().find(|(known, _)| *known == name).is_some_and(|(_, default)| *default);
        let Some(text) = self.attributes.get(name) else { return Ok(default) };
        match text.trim().to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.error(&format!("{name} => '{text}' is neither true nor false"))),
        }
    }

    fn error(&self, what: &str) -> Error {
        Error::invalid(format!("table '{}': {what}", self.name))
    }
}
