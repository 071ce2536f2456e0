//! The scanner of one region on its server, as a client uses it: open, next, renew, close.
//! `client/scan/table_scanner.rs` scans a table with one after the other.

mod leases;
mod remote;

pub use leases::Leases;
pub use remote::{Received, RegionScan};
