//! Reading a file: its properties, its Bloom filters, and its cells.

mod ahead;
mod blocks;
mod bloom;
mod describe;
mod info;
mod open;
mod part;
mod path;
mod reader;
mod row;
mod salvage;
mod source;
mod verify;
mod walk;
mod warm;

pub use describe::{BlockTotals, BloomDescription, Description};
pub use info::Info;
pub use reader::{Reader, ReaderOptions};
pub use row::{BlockUse, Patience, RowVisit};
pub use salvage::{salvage, Guess, Hole, Salvaged};
pub use source::HFileSource;
pub use verify::Counts;
