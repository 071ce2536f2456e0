//! Finding a row among sorted rows with few memory accesses, in files and memstores.

mod alphabet;
mod hash;
mod marks;
mod prefix;
mod sorted;

pub(crate) use hash::row_hash;
pub use marks::{Marks, Position};
pub use prefix::{Place, RowPrefix};
