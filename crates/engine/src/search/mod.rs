//! Finding a row among sorted rows with few memory accesses: files and memstores search the same way.

mod marks;
mod prefix;

pub use marks::{Found, Marks};
pub use prefix::{Place, RowPrefix};
