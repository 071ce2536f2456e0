//! Scanners that servers hold for us.

mod leases;
mod remote;

pub use leases::Leases;
pub use remote::{Received, RegionScan};
