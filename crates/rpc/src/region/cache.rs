//! A cache of a table's regions, by start key.

use super::Location;
use crate::connection::Server;
use crate::sync::{read, write};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, RwLock};

/// The position of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position<'a> {
    /// The region that contains this row.
    At(&'a [u8]),
    /// The region with the rows just before this one; for an empty row the table's last region.
    Before(&'a [u8]),
}

impl Position<'_> {
    /// Whether `location` is the region at this position.
    pub fn is_in(self, location: &Location) -> bool {
        let info = &location.info;
        match self {
            Position::At(row) => info.contains(row),
            Position::Before([]) => info.end_key.is_empty(),
            Position::Before(row) => {
                info.start_key.as_slice() < row && (info.end_key.is_empty() || row <= info.end_key.as_slice())
            }
        }
    }
}

/// Cached regions of one table.
#[derive(Debug, Default)]
pub struct TableRegions {
    by_start: RwLock<BTreeMap<Vec<u8>, Arc<Location>>>,
}

impl TableRegions {
    /// The region at `position`, if it is cached.
    pub fn find(&self, position: Position<'_>) -> Option<Arc<Location>> {
        let regions = read(&self.by_start);
        let found = match position {
            Position::At(row) => regions.range::<[u8], _>((Bound::Unbounded, Bound::Included(row))).next_back(),
            Position::Before([]) => regions.iter().next_back(),
            Position::Before(row) => regions.range::<[u8], _>((Bound::Unbounded, Bound::Excluded(row))).next_back(),
        };
        found.map(|(_, location)| location).filter(|location| position.is_in(location)).cloned()
    }

    /// Caches `location`, replacing every region that it overlaps.
    pub fn insert(&self, location: Arc<Location>) {
        let mut regions = write(&self.by_start);
        let (start, end) = (&location.info.start_key, &location.info.end_key);
        let overlaps = |other: &Location| {
            let ends_after = other.info.end_key.is_empty() || other.info.end_key > *start;
            ends_after && (end.is_empty() || other.info.start_key < *end)
        };
        let before = regions.range::<[u8], _>((Bound::Unbounded, Bound::Excluded(start.as_slice()))).next_back();
        let mut gone: Vec<Vec<u8>> =
            before.filter(|(_, other)| overlaps(other)).map(|(key, _)| key.clone()).into_iter().collect();
        let after = regions.range::<[u8], _>((Bound::Included(start.as_slice()), Bound::Unbounded));
        gone.extend(after.take_while(|(_, other)| overlaps(other)).map(|(key, _)| key.clone()));
        for key in gone {
            regions.remove(&key);
        }
        regions.insert(start.clone(), location);
    }

    /// Removes `location`, unless it has been replaced.
    pub fn forget(&self, location: &Location) {
        let mut regions = write(&self.by_start);
        let same = regions
            .get(&location.info.start_key)
            .is_some_and(|known| known.name == location.name && known.sequence <= location.sequence);
        if same {
            regions.remove(&location.info.start_key);
        }
    }

    /// Removes the region with that full name.
    pub fn forget_region(&self, name: &[u8]) {
        write(&self.by_start).retain(|_, location| location.name != name);
    }

    /// Removes all regions of `server`.
    pub fn forget_server(&self, server: &Arc<Server>) {
        write(&self.by_start)
            .retain(|_, location| !location.server.as_ref().is_some_and(|known| Arc::ptr_eq(known, server)));
    }

    /// Removes everything.
    pub fn clear(&self) {
        write(&self.by_start).clear();
    }

    /// Whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        read(&self.by_start).is_empty()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use rowstone_model::schema::{RegionInfo, TableName};

    fn region(start: &str, end: &str, id: i64) -> Arc<Location> {
        let table = TableName::parse("t").unwrap();
        let (start_key, end_key) = (start.as_bytes().to_vec(), end.as_bytes().to_vec());
        let info = RegionInfo { table, start_key, end_key, region_id: id, encoded_name: format!("{id}") };
        Arc::new(Location {
            name: info.region_name(),
            info,
            server: None,
            server_name: None,
            is_open: true,
            sequence: id,
        })
    }

    fn id_at(regions: &TableRegions, position: Position<'_>) -> Option<i64> {
        regions.find(position).map(|location| location.info.region_id)
    }

    #[test]
    fn a_row_is_found_in_the_region_that_holds_it() {
        let regions = TableRegions::default();
        regions.insert(region("", "g", 1));
        regions.insert(region("m", "", 3));
        assert_eq!(id_at(&regions, Position::At(b"")), Some(1));
        assert_eq!(id_at(&regions, Position::At(b"f")), Some(1));
        assert_eq!(id_at(&regions, Position::At(b"g")), None);
        assert_eq!(id_at(&regions, Position::At(b"m")), Some(3));
        assert_eq!(id_at(&regions, Position::Before(b"g")), Some(1));
        assert_eq!(id_at(&regions, Position::Before(b"m")), None);
        assert_eq!(id_at(&regions, Position::Before(b"")), Some(3));
    }

    #[test]
    fn a_new_region_takes_the_place_of_all_that_it_overlaps() {
        let regions = TableRegions::default();
        for (start, end, id) in [("", "d", 1), ("d", "m", 2), ("m", "t", 3), ("t", "", 4)] {
            regions.insert(region(start, end, id));
        }
        regions.insert(region("c", "n", 5));
        assert_eq!(id_at(&regions, Position::At(b"a")), None);
        assert_eq!(id_at(&regions, Position::At(b"c")), Some(5));
        assert_eq!(id_at(&regions, Position::At(b"m")), Some(5));
        assert_eq!(id_at(&regions, Position::At(b"o")), None);
        assert_eq!(id_at(&regions, Position::At(b"z")), Some(4));
    }

    #[test]
    fn something_newer_is_not_forgotten() {
        let regions = TableRegions::default();
        let old = region("", "", 1);
        regions.insert(Arc::clone(&old));
        regions.insert(Arc::new(Location { sequence: 9, ..(*old).clone() }));
        regions.forget(&old);
        assert_eq!(id_at(&regions, Position::At(b"x")), Some(1));
        regions.forget(&Location { sequence: 9, ..(*old).clone() });
        assert!(regions.is_empty());
    }
}
