//! Values that are valid but that HBase's master rejects as unwise: `TableDescriptorChecker`, with its messages.
//!
//! `hbase.table.sanity.checks=false`, in the table's attributes or configuration or in the database's, disables the
//! checks.

use super::family::FamilyDescriptor;
use super::table::TableDescriptor;
use crate::codec::printable;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// The setting that disables the checks.
pub const SANITY_CHECKS: &str = "hbase.table.sanity.checks";

const DATA_TIERING: &str = "hbase.hstore.datatiering.type";
const STORE_ENGINE: &str = "hbase.hstore.engine.class";

/// The configurable limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SanityLimits {
    /// Minimum of MAX_FILESIZE: `hbase.hregion.max.filesize.limit`.
    pub max_file_bytes: i64,
    /// Minimum of MEMSTORE_FLUSHSIZE: `hbase.hregion.memstore.flush.size.limit`.
    pub flush_bytes: i64,
}

fn refuse(message: String) -> Error {
    Error::invalid(format!(
        "{message} Set {SANITY_CHECKS} to false at conf or table descriptor if you want to bypass sanity checks"
    ))
}

impl TableDescriptor {
    /// Rejects attributes that would make a table work badly.
    ///
    /// # Errors
    /// `InvalidArgument`, with HBase's message.
    pub fn check_sanity(&self, limits: SanityLimits) -> Result<()> {
        let is_off = |settings: &BTreeMap<String, String>| {
            settings.get(SANITY_CHECKS).is_some_and(|text| text.eq_ignore_ascii_case("false"))
        };
        if is_off(&self.attributes) || is_off(&self.configuration) {
            return Ok(());
        }
        if let Some(size) = self.number("MAX_FILESIZE")?.filter(|size| *size < limits.max_file_bytes) {
            return Err(refuse(format!(
                "MAX_FILESIZE for table descriptor or \"hbase.hregion.max.filesize\" ({size}) is too small, which might \
                 cause over splitting into unmanageable number of regions."
            )));
        }
        if let Some(size) = self.number("MEMSTORE_FLUSHSIZE")?.filter(|size| *size < limits.flush_bytes) {
            return Err(refuse(format!(
                "MEMSTORE_FLUSHSIZE for table descriptor or \"hbase.hregion.memstore.flush.size\" ({size}) is too small, \
                 which might cause very frequent flushing."
            )));
        }
        if self.number("REGION_REPLICATION")?.is_some_and(|count| count < 1) {
            return Err(refuse("Table region replication should be at least one.".into()));
        }
        self.families.values().try_for_each(|family| {
            check_family(family)?;
            self.check_data_tiering(family)
        })
    }

    /// Data tiering by time needs the store engine that divides files by time.
    fn check_data_tiering(&self, family: &FamilyDescriptor) -> Result<()> {
        let value = |key: &str| {
            let maps = [&family.configuration, &family.attributes, &self.configuration, &self.attributes];
            maps.into_iter().find_map(|settings| settings.get(key))
        };
        let is_by_time = value(DATA_TIERING).is_some_and(|kind| kind.eq_ignore_ascii_case("TIME_RANGE"));
        if is_by_time && value(STORE_ENGINE).is_none_or(|engine| !engine.ends_with(".DateTieredStoreEngine")) {
            return Err(refuse(format!(
                "{DATA_TIERING} TIME_RANGE of column family {} needs {STORE_ENGINE} to be DateTieredStoreEngine.",
                printable(&family.name)
            )));
        }
        Ok(())
    }
}

fn check_family(family: &FamilyDescriptor) -> Result<()> {
    let name = printable(&family.name);
    let options = family.options()?;
    if !(1_024..=16 << 20).contains(&options.block_bytes) {
        return Err(refuse(format!("Block size for column family {name}  must be between 1K and 16MB.")));
    }
    if options.min_versions > options.max_versions {
        return Err(refuse(format!("Min versions for column family {name} must be less than the Max versions.")));
    }
    if family.optional_number("DFS_REPLICATION")?.is_some_and(|count| count < 0) {
        return Err(refuse(format!("HFile Replication for column family {name}  must be greater than zero.")));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::schema::TableName;

    const LIMITS: SanityLimits = SanityLimits { max_file_bytes: 2 << 20, flush_bytes: 1 << 20 };

    fn table(attributes: &[(&str, &str)], family: &[(&str, &str)]) -> TableDescriptor {
        let map = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        let mut descriptor = FamilyDescriptor::new("f");
        descriptor.attributes = map(family);
        let mut table = TableDescriptor::new(TableName::parse("t").unwrap()).with_family(descriptor);
        table.attributes = map(attributes);
        table
    }

    #[test]
    fn sanity_checks_use_hbases_words_and_can_be_switched_off() {
        type Pairs<'a> = &'a [(&'a str, &'a str)];
        let cases: &[(Pairs, Pairs, &str)] = &[
            (&[("MAX_FILESIZE", "2097151")], &[], "over splitting"),
            (&[("MEMSTORE_FLUSHSIZE", "1048575")], &[], "very frequent flushing"),
            (&[("REGION_REPLICATION", "0")], &[], "at least one"),
            (&[], &[("BLOCKSIZE", "1023")], "between 1K and 16MB"),
            (&[], &[("BLOCKSIZE", "16777217")], "between 1K and 16MB"),
            (&[], &[("VERSIONS", "3"), ("MIN_VERSIONS", "4")], "Min versions for column family f"),
            (&[], &[("DFS_REPLICATION", "-1")], "HFile Replication"),
            (&[(DATA_TIERING, "TIME_RANGE")], &[], "DateTieredStoreEngine"),
            (&[], &[(DATA_TIERING, "TIME_RANGE")], "DateTieredStoreEngine"),
        ];
        for (attributes, family, message) in cases {
            let mut table = table(attributes, family);
            let error = table.check_sanity(LIMITS).unwrap_err();
            assert!(error.message().contains(message), "{error}");
            table.configuration.insert(SANITY_CHECKS.into(), "false".into());
            table.check_sanity(LIMITS).unwrap();
        }
    }

    #[test]
    fn data_tiering_by_time_is_accepted_with_its_store_engine() {
        let engine = (STORE_ENGINE, "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine");
        table(&[(DATA_TIERING, "TIME_RANGE"), engine], &[]).check_sanity(LIMITS).unwrap();
        table(&[(DATA_TIERING, "NONE")], &[]).check_sanity(LIMITS).unwrap();
    }

    #[test]
    fn invalid_counts_are_always_refused() {
        for (name, value, message) in [
            ("VERSIONS", "0", "Maximum versions must be positive"),
            ("MIN_VERSIONS", "-1", "Min versions for column family f  must be positive."),
            ("TTL", "0", "TTL for column family f must be positive."),
        ] {
            let error = table(&[(SANITY_CHECKS, "false")], &[(name, value)]).family_options().unwrap_err();
            assert!(error.message().contains(message), "{error}");
        }
    }

    #[test]
    fn the_limits_themselves_are_fine() {
        let attributes = [("MAX_FILESIZE", "2097152"), ("MEMSTORE_FLUSHSIZE", "1048576"), ("REGION_REPLICATION", "1")];
        for size in ["1024", "16777216"] {
            let family = [("BLOCKSIZE", size), ("VERSIONS", "3"), ("MIN_VERSIONS", "3"), ("DFS_REPLICATION", "0")];
            table(&attributes, &family).check_sanity(LIMITS).unwrap();
        }
    }

    #[test]
    fn values_of_another_kind_are_refused_and_unknown_names_are_kept() {
        for (name, value) in [("READONLY", "yes"), ("MAX_FILESIZE", "1 GB"), ("PRIORITY", "high")] {
            assert!(table(&[(name, value)], &[]).options().is_err(), "{name}");
        }
        for (name, value) in [
            ("REPLICATION_SCOPE", "2"),
            ("IN_MEMORY_COMPACTION", "SOME"),
            ("MOB_THRESHOLD", "-1"),
            ("CACHE_DATA_ON_WRITE", "1"),
            ("COMPRESSION_COMPACT", "ZIP"),
        ] {
            assert!(table(&[], &[(name, value)]).family_options().is_err(), "{name}");
        }
        let table = table(&[("MINE", "x")], &[("OURS", "y")]);
        table.options().unwrap();
        table.family_options().unwrap();
        assert_eq!(table.families[b"f".as_slice()].attributes["OURS"], "y");
    }
}
