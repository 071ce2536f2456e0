//! ClientService: reads and writes of rows.

mod bulk_load;
mod get;
mod multi;
mod multi_work;
mod mutate;
mod scan;

pub(in crate::server) use get::{get_at_once, region_error};
pub(in crate::server) use scan::is_short_scan;

use crate::server::messages::call::{Call, Outcome};
use crate::server::messages::exception::Exception;
use crate::server::services::endpoints;
use crate::server::session::Session;

pub(in crate::server) fn answer(session: &Session, call: &Call) -> Outcome {
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
