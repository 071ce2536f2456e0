//! A cursor over bytes that never reads past their end.

use super::varint;

/// The bytes ended before the value did, or the value was malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    /// Where in the bytes reading began.
    pub offset: usize,
    /// How many bytes were wanted there.
    pub wanted: usize,
    /// How many there were.
    pub available: usize,
}

/// Reads big-endian numbers and slices from the front of `bytes`.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, offset: 0 }
    }

    /// How many bytes were read so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// Whether all bytes were read.
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// The bytes not read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Short> {
        let available = self.remaining();
        if count > available {
            return Err(Short { offset: self.offset, wanted: count, available });
        }
        let start = self.offset;
        self.offset += count;
        Ok(&self.bytes[start..start + count])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Short> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// One byte.
    pub fn u8(&mut self) -> Result<u8, Short> {
        Ok(self.array::<1>()?[0])
    }

    /// Two bytes, big-endian.
    pub fn u16(&mut self) -> Result<u16, Short> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes, big-endian.
    pub fn u32(&mut self) -> Result<u32, Short> {
        self.array().map(u32::from_be_bytes)
    }

    /// Eight bytes, big-endian.
    pub fn u64(&mut self) -> Result<u64, Short> {
        self.array().map(u64::from_be_bytes)
    }

    /// Four bytes, big-endian, signed.
    pub fn i32(&mut self) -> Result<i32, Short> {
        self.array().map(i32::from_be_bytes)
    }

    /// Eight bytes, big-endian, signed.
    pub fn i64(&mut self) -> Result<i64, Short> {
        self.array().map(i64::from_be_bytes)
    }

    /// A Hadoop vlong.
    pub fn vlong(&mut self) -> Result<i64, Short> {
        let (value, length) = varint::read_vlong(self.rest()).ok_or(Short {
            offset: self.offset,
            wanted: 1,
            available: self.remaining(),
        })?;
        self.offset += length;
        Ok(value)
    }

    /// A protobuf varint (7-bit groups, low group first).
    pub fn varint(&mut self) -> Result<u64, Short> {
        let (value, length) = varint::read_varint(self.rest()).ok_or(Short {
            offset: self.offset,
            wanted: 1,
            available: self.remaining(),
        })?;
        self.offset += length;
        Ok(value)
    }
}
