//! Regions of tables. A region is given by its full or its encoded name.

use super::unsupported;
use crate::error::Result;
use crate::schema::{RegionInfo, TableName};

/// Compactions that are queued or running for a region or table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompactionState {
    /// None.
    #[default]
    None,
    /// A minor compaction: of some files.
    Minor,
    /// A major compaction: of all files.
    Major,
    /// Both kinds.
    MajorAndMinor,
}

impl CompactionState {
    /// Combines two states, as HBase combines those of a table's regions.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (state, CompactionState::None) | (CompactionState::None, state) => state,
            (one, two) if one == two => one,
            _ => CompactionState::MajorAndMinor,
        }
    }

    /// HBase's name for it.
    pub fn name(self) -> &'static str {
        match self {
            CompactionState::None => "NONE",
            CompactionState::Minor => "MINOR",
            CompactionState::Major => "MAJOR",
            CompactionState::MajorAndMinor => "MAJOR_AND_MINOR",
        }
    }
}

/// A region and its server, `host,port,startcode`; `None` while it is not assigned.
pub type RegionLocation = (RegionInfo, Option<String>);

/// Regions of tables. A region is given by its full or its encoded name.
pub trait RegionAdmin: Send + Sync {
    /// The table's regions, sorted by start key.
    fn regions(&self, name: &TableName) -> Result<Vec<RegionInfo>>;
    /// The table's regions with their servers, sorted by start key.
    fn region_locations(&self, name: &TableName) -> Result<Vec<RegionLocation>> {
        Ok(self.regions(name)?.into_iter().map(|region| (region, None)).collect())
    }
    /// Splits a region at `row`, or at its midpoint.
    fn split_region(&self, _region: &[u8], _row: Option<&[u8]>) -> Result<()> {
        unsupported("split a region")
    }
    /// Merges regions into one; non-adjacent ones only with `force`.
    fn merge_regions(&self, _regions: &[Vec<u8>], _force: bool) -> Result<()> {
        unsupported("merge regions")
    }
    /// Removes the data of a region but not the region itself.
    fn truncate_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("truncate a region")
    }
    /// Flushes the memstore of a region, or of one family of it.
    fn flush_region(&self, _region: &[u8], _family: Option<&[u8]>) -> Result<()> {
        unsupported("flush a region")
    }
    /// Compacts a region or one family of it; `major` rewrites all files.
    fn compact_region(&self, _region: &[u8], _family: Option<&[u8]>, _major: bool) -> Result<()> {
        unsupported("compact a region")
    }
    /// Evicts the blocks of a region's files from the block cache; returns their number.
    fn clear_block_cache(&self, _region: &[u8]) -> Result<u64> {
        unsupported("clear the block cache of a region")
    }
    /// Compactions that are queued or running for a region.
    fn compaction_state(&self, _region: &[u8]) -> Result<CompactionState> {
        unsupported("report running compactions")
    }
    /// Moves a region to a server (`host,port,startcode` or `host:port`), or to one that the master chooses.
    fn move_region(&self, _region: &[u8], _server: Option<&str>) -> Result<()> {
        unsupported("move a region")
    }
    /// Assigns a region to a server.
    fn assign_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("assign a region")
    }
    /// Unassigns a region from its server.
    fn unassign_region(&self, _region: &[u8]) -> Result<()> {
        unsupported("unassign a region")
    }
}
