//! A cursor over bytes that never reads past their end.

use super::varint;

/// A read past the end of the bytes, or a malformed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    /// Offset at which the read began.
    pub offset: usize,
    /// Number of bytes requested.
    pub wanted: usize,
    /// Number of bytes available.
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

    /// The number of bytes read so far.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The number of bytes left.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    /// Whether all bytes have been read.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// The bytes that are still unread.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.offset..]
    }

    /// The next `count` bytes.
    #[inline]
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
    #[inline]
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
    #[inline]
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
