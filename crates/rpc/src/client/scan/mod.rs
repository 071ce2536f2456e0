//! Scans: region after region, answer after answer, the next one asked for before the present one is used up.

mod assemble;
mod results;
mod scanner;

pub use scanner::TableScanner;
