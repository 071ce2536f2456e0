//! Scanners that are open on servers.

mod leases;
mod remote;

pub use leases::Leases;
pub use remote::{Received, RegionScan};
