//! ClientService: reads and writes of rows.

mod bulk_load;
mod get;
mod multi;
mod mutate;
mod open_scanner;
mod scan;
mod scanners;

pub(super) use get::{get_at_once, region_error};
pub(super) use scan::is_short_scan;
pub(super) use scanners::Scanners;

use super::call::{Call, Outcome};
use super::endpoints;
use super::exception::Exception;
use super::session::Session;

pub(super) fn answer(session: &Session, call: &Call) -> Outcome {
    match call.method() {
        "Get" => get::get(session, call),
        "Mutate" => mutate::mutate(session, call),
        "Multi" => multi::multi(session, call),
        "Scan" => scan::scan(session, call),
        "BulkLoadHFile" => bulk_load::load(session, call),
        "PrepareBulkLoad" | "CleanupBulkLoad" => bulk_load::around(call.method()),
        "ExecService" => endpoints::execute(session, call),
        "ExecRegionServerService" => endpoints::refuse(call),
        method => Err(Exception::unsupported(method)),
    }
}
