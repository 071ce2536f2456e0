//! Scans, region by region and response by response. The next response is requested before the current one is used
//! up.

mod assemble;
mod results;
mod scanner;

pub use scanner::TableScanner;
