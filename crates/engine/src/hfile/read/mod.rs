//! Reading a file: what it says of itself, whether it may hold a row, and its cells.

mod blocks;
mod bloom;
mod info;
mod open;
mod path;
mod reader;
mod source;

pub use info::Info;
pub use reader::{Reader, ReaderOptions};
pub use source::HFileSource;
