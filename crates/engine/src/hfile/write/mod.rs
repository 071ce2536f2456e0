//! Writing a file, front to back, from sorted cells. HBase can read the result.

mod blocks;
mod options;
mod output;
mod statistics;
mod writer;

pub use options::{Digest, FileFacts, Summary, WriterOptions};
pub use writer::Writer;

#[cfg(test)]
mod tests;
