//! Regions by the names that requests give them. What is asked for is what the directory has now: a region that was split,
//! dropped or disabled meanwhile is none of ours, and its client looks again.

use super::exception::{as_region_error, Exception};
use super::meta;
use super::session::Session;
use crate::proto::region_specifier::Kind;
use crate::proto::RegionSpecifier;
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::codec::printable;
use rowstone_model::schema::{RegionInfo, TableName};
use std::sync::Arc;

/// A region and its table.
pub(super) struct Region {
    pub table: Arc<dyn TableBackend>,
    pub info: RegionInfo,
}

/// What a request names.
pub(super) enum Target {
    /// The one region of `hbase:meta`.
    Meta,
    /// A region of a table.
    Region(Region),
}

impl Region {
    /// Refuses a row that lies elsewhere: its client drops what it knew and looks again.
    pub fn check_row(&self, row: &[u8], what: &str) -> Result<(), Exception> {
        if self.info.contains(row) {
            return Ok(());
        }
        let message = format!(
            "Requested row out of range for {what} on HRegion {}, startKey='{}', getEndKey()='{}', row='{}'",
            printable(&self.info.region_name()),
            printable(&self.info.start_key),
            printable(&self.info.end_key),
            printable(row)
        );
        Err(Exception::new("regionserver.WrongRegionException", message))
    }
}

/// The region that `specifier` names.
pub(super) fn find(session: &Session, specifier: &RegionSpecifier) -> Result<Target, Exception> {
    let name = specifier.value.as_slice();
    if meta::is_name(name) {
        return Ok(Target::Meta);
    }
    let backend = &session.backend;
    let found = if specifier.r#type == Kind::EncodedRegionName as i32 {
        by_encoded_name(session, name)
    } else {
        by_name(backend.as_ref(), name)
    };
    let missing = || rowstone_model::Error::new(rowstone_model::ErrorKind::RegionNotFound, "no such region");
    found
        .and_then(|found| found.ok_or_else(missing))
        .map(Target::Region)
        .map_err(|error| as_region_error(error, &printable(name), &session.here.to_string()))
}

/// The region `table,start,id.hash.`, which the start key leads to.
fn by_name(backend: &dyn Backend, name: &[u8]) -> rowstone_model::Result<Option<Region>> {
    let is_comma = |byte: &u8| *byte == b',';
    let (Some(first), Some(last)) = (name.iter().position(is_comma), name.iter().rposition(is_comma)) else {
        return Ok(None);
    };
    let (Ok(table), true) = (std::str::from_utf8(&name[..first]), first < last) else { return Ok(None) };
    let table = backend.table(&TableName::parse(table)?)?;
    let info = table.region_at(&name[first + 1..last])?;
    let hash = name.strip_suffix(b".").and_then(|name| name.strip_suffix(info.encoded_name.as_bytes()));
    Ok(hash.is_some().then_some(Region { table, info }))
}

/// Looks through all tables, whatever the user may do with them: that is asked when something is done to the region.
fn by_encoded_name(session: &Session, name: &[u8]) -> rowstone_model::Result<Option<Region>> {
    let admin = session.state.backend.admin();
    for table in [admin.list_tables(None)?, admin.list_tables(Some("hbase"))?].concat() {
        // A table may go while we look.
        let Ok(regions) = admin.regions(&table) else { continue };
        if let Some(info) = regions.into_iter().find(|info| info.encoded_name.as_bytes() == name) {
            return Ok(Some(Region { table: session.backend.table(&table)?, info }));
        }
    }
    Ok(None)
}
