//! Encoding and decoding of numbers in the formats of HBase and Hadoop, and text for users.

mod decimal;
mod hash;
mod printable;
mod reader;
mod varint;

pub use decimal::{read_decimal, write_decimal};
pub use hash::murmur;
pub use printable::{from_printable, listed, printable, without_secrets};
pub use reader::{Reader, Short};
pub use varint::{read_varint, read_vlong, vlong_len, write_varint, write_vlong};
