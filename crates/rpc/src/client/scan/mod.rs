//! Scans, region by region and response by response. The next response is requested before the current one is used
//! up. `region_scan/` has the calls to one region.

mod assemble;
mod results;
mod table_scanner;

pub use table_scanner::TableScanner;
