//! Writing a file, front to back: cells in order go in, and a file that HBase reads comes out.

mod blocks;
mod options;
mod output;
mod statistics;
mod writer;

pub use options::{Digest, FileFacts, Summary, WriterOptions};
pub use writer::Writer;
