//! Configurations, which must not affect results.

use super::random::Random;
use rowstone_engine::db::{open, OpenOptions};
use rowstone_engine::sys::System;
use rowstone_model::backend::Backend;
use rowstone_model::operations::Durability;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The families, with the attributes that do affect results. Only `c`, which keeps every version, is read by time
/// and written into the past. For the others, HBase's results then depend on what was compacted.
pub const FAMILIES: [(&str, &str, &str); 4] =
    [("a", "1", "FOREVER"), ("b", "3", "FOREVER"), ("c", "100000", "FOREVER"), ("d", "1", "60")];

#[derive(Debug, Clone, Default)]
pub struct Configuration {
    /// Determines when events happen.
    pub seed: u64,
    pub settings: BTreeMap<String, String>,
    pub attributes: BTreeMap<String, BTreeMap<String, String>>,
    pub splits: Vec<String>,
    pub cache_bytes: Option<u64>,
    pub memstore_bytes: Option<u64>,
    pub durability: Durability,
    /// One event per this many operations; 0 is never.
    pub flush_every: u64,
    pub compact_every: u64,
    pub major_every: u64,
    pub reopen_every: u64,
    pub disable_every: u64,
}

/// An event before an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Flush,
    Compact { major: bool },
    Reopen,
    DisableAndEnable,
}

impl Configuration {
    /// Everything stays in memory, in one region.
    pub fn plain() -> Self {
        Configuration {
            settings: [("rowstone.compaction.background".into(), "false".into())].into(),
            ..Configuration::default()
        }
    }

    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0x6d65_7461);
        let mut configuration = Configuration { seed, ..Configuration::default() };
        let sizes: [(&str, &[&str]); 9] = [
            ("hbase.hregion.memstore.flush.size", &["8192", "65536", "1048576", "134217728"]),
            ("hbase.regionserver.logroll.size", &["4096", "65536", "134217728"]),
            ("hbase.hstore.compaction.min", &["2", "3", "5"]),
            ("hbase.hstore.compaction.max", &["3", "10"]),
            ("hbase.hregion.percolumnfamilyflush.size.lower.bound.min", &["1024", "16777216"]),
            ("hbase.store.delete.expired.storefile", &["true", "false"]),
            ("rowstone.compaction.background", &["true", "false"]),
            ("hbase.mob.compactions.max.file.size", &["2000", "1073741824"]),
            ("hbase.regionserver.minibatch.size", &["1", "3", "20000"]),
        ];
        for (name, values) in sizes {
            configuration.settings.insert(name.into(), random.choose(values).into());
        }
        // If nothing merges files on its own, no flush may wait for a merge.
        configuration.settings.insert("hbase.hstore.blockingStoreFiles".into(), "100000".into());
        for (family, _, _) in FAMILIES {
            configuration.attributes.insert(family.into(), attributes(&mut random));
        }
        let mut splits: Vec<String> = (0..random.below(7)).map(|_| format!("row{:03}", random.below(200))).collect();
        splits.sort();
        splits.dedup();
        configuration.splits = splits;
        configuration.cache_bytes = random.choose(&[Some(0), Some(20_000), Some(1 << 20), None]);
        configuration.memstore_bytes = random.choose(&[Some(1 << 20), None]);
        configuration.durability = random.choose(&[
            Durability::SkipWal,
            Durability::AsyncWal,
            Durability::SyncWal,
            Durability::SyncWal,
            Durability::FsyncWal,
        ]);
        configuration.flush_every = random.choose(&[0, 20, 100, 500]);
        configuration.compact_every = random.choose(&[0, 60, 300]);
        configuration.major_every = random.choose(&[0, 200, 1000]);
        configuration.reopen_every = random.choose(&[0, 400, 1500]);
        configuration.disable_every = random.choose(&[0, 1500]);
        configuration
    }

    /// The events before the operation with that number.
    pub fn events(&self, number: u64) -> Vec<Event> {
        let mut random = Random::new(self.seed.wrapping_mul(0x9e37_79b9) ^ number);
        let mut is_due = |every: u64| every > 0 && random.one_in(every);
        let mut events = Vec::new();
        let kinds = [
            (self.flush_every, Event::Flush),
            (self.compact_every, Event::Compact { major: false }),
            (self.major_every, Event::Compact { major: true }),
            (self.reopen_every, Event::Reopen),
            (self.disable_every, Event::DisableAndEnable),
        ];
        for (every, event) in kinds {
            if is_due(every) {
                events.push(event);
            }
        }
        events
    }

    pub fn table(&self) -> TableDescriptor {
        let mut table = TableDescriptor::new(table_name());
        // Blocks are smaller than HBase permits, so that there are many.
        table.configuration.insert("hbase.table.sanity.checks".into(), "false".into());
        for (name, versions, ttl) in FAMILIES {
            let mut family = FamilyDescriptor::new(name);
            family.attributes = self.attributes.get(name).cloned().unwrap_or_default();
            family.attributes.insert("VERSIONS".into(), versions.into());
            family.attributes.insert("TTL".into(), ttl.into());
            if family.attribute("BLOOMFILTER") == Some("ROWPREFIX_FIXED_LENGTH") {
                family.configuration.insert("RowPrefixBloomFilter.prefix_length".into(), "5".into());
            }
            table = table.with_family(family);
        }
        table
    }

    pub fn open(&self, system: &System) -> Arc<dyn Backend> {
        open(OpenOptions {
            directory: Some(PathBuf::from("/db")),
            create: true,
            durability: self.durability,
            configuration: self.settings.clone(),
            block_cache_bytes: self.cache_bytes,
            memstore_bytes: self.memstore_bytes,
            system: Some(system.clone()),
            ..OpenOptions::default()
        })
        .unwrap()
    }
}

fn attributes(random: &mut Random) -> BTreeMap<String, String> {
    let choices: [(&str, &[&str]); 9] = [
        ("DATA_BLOCK_ENCODING", &["NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"]),
        ("COMPRESSION", &["NONE", "GZ", "SNAPPY", "LZ4", "ZSTD"]),
        ("BLOOMFILTER", &["NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"]),
        ("BLOCKSIZE", &["64", "512", "4096", "65536"]),
        ("IN_MEMORY", &["true", "false"]),
        ("BLOCKCACHE", &["true", "true", "false"]),
        ("COMPRESS_TAGS", &["true", "false"]),
        ("IS_MOB", &["true", "false"]),
        ("MOB_THRESHOLD", &["0", "30", "1000"]),
    ];
    choices.iter().map(|(name, values)| (name.to_string(), random.choose(values).to_string())).collect()
}

pub fn table_name() -> TableName {
    TableName::parse("t").unwrap()
}
