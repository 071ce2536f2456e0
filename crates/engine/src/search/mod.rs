//! Finding a row among sorted rows with few memory accesses: files and memstores search the same way.

mod alphabet;
mod hash;
mod marks;
mod prefix;
mod sorted;

pub(crate) use hash::row_hash;
pub use marks::{Marks, Position};
pub use prefix::{Place, RowPrefix};
