//! Lookup of regions by the names in requests. Only current regions are found: a region that was split, dropped or
//! disabled in the meantime is unknown, and its client looks up the location again.

use crate::proto::region_specifier::Kind;
use crate::proto::RegionSpecifier;
use crate::server::messages::exception::{as_region_error, Exception};
use crate::server::session::Session;
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::codec::printable;
use rowstone_model::schema::{RegionInfo, TableName};
use std::sync::Arc;

/// A region and its table.
pub(in crate::server) struct Region {
    pub table: Arc<dyn TableBackend>,
    pub info: RegionInfo,
}

/// The target of a request.
pub(in crate::server) enum Target {
    /// The one region of `hbase:meta`.
    Meta,
    /// A region of a table.
    Region(Region),
}

impl Region {
    /// Rejects a row outside the region: the client drops its cached location and looks it up again.
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

/// Finds the region that `specifier` names.
pub(in crate::server) fn find(session: &Session, specifier: &RegionSpecifier) -> Result<Target, Exception> {
    let name = specifier.value.as_slice();
    if RegionInfo::is_meta_name(name) {
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
        .map_err(|error| as_region_error(error, &printable(name), &session.advertised.to_string()))
}

/// Finds the region `table,start,id.hash.` by its start key.
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

/// Searches all tables, whatever the user's permissions: those are checked when an operation on the region runs.
fn by_encoded_name(session: &Session, name: &[u8]) -> rowstone_model::Result<Option<Region>> {
    let admin = session.state.backend.admin();
    for table in [admin.list_tables(None)?, admin.list_tables(Some("hbase"))?].concat() {
        // A table may be dropped in the meantime.
        let Ok(regions) = admin.regions(&table) else { continue };
        if let Some(info) = regions.into_iter().find(|info| info.encoded_name.as_bytes() == name) {
            return Ok(Some(Region { table: session.backend.table(&table)?, info }));
        }
    }
    Ok(None)
}
