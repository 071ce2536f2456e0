//! Column builder: converts the bytes of cells to Arrow's buffers.

use crate::array::{Array, Buffer};
use crate::decimal;
use crate::kind::Kind;
use std::sync::Arc;

/// A bitmap, least significant bit first.
#[derive(Debug, Default)]
struct Bits {
    bytes: Vec<u8>,
    length: usize,
}

impl Bits {
    /// A bitmap of `length` ones.
    fn ones(length: usize) -> Self {
        let mut bytes = vec![0xff; length.div_ceil(8)];
        if let (Some(last), rest @ 1..) = (bytes.last_mut(), length % 8) {
            *last = (1 << rest) - 1;
        }
        Bits { bytes, length }
    }

    #[inline]
    fn push(&mut self, bit: bool) {
        let place = self.length % 8;
        match self.bytes.last_mut() {
            Some(last) if place > 0 => *last |= u8::from(bit) << place,
            _ => self.bytes.push(u8::from(bit)),
        }
        self.length += 1;
    }
}

#[derive(Debug)]
enum Data {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
    Bits(Bits),
    Variable { offsets: Vec<i32>, bytes: Vec<u8> },
}

/// The reason why a value does not fit into a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// Its bytes are not a value of the column's type.
    Type,
    /// The column's data would reach 2 GiB.
    Full,
}

/// A column under construction.
#[derive(Debug)]
pub struct Column {
    kind: Kind,
    data: Data,
    length: usize,
    null_count: usize,
    /// The validity bitmap; `None` while there are no nulls.
    validity: Option<Bits>,
}

impl Column {
    /// An empty column.
    pub fn new(kind: Kind) -> Self {
        let data = match kind {
            Kind::Integer { bytes: 1, .. } => Data::One(Vec::new()),
            Kind::Integer { bytes: 2, .. } => Data::Two(Vec::new()),
            Kind::Integer { bytes: 4, .. } | Kind::Float32 => Data::Four(Vec::new()),
            Kind::Integer { .. } | Kind::Float64 | Kind::Instant => Data::Eight(Vec::new()),
            Kind::Bool => Data::Bits(Bits::default()),
            Kind::Binary | Kind::Text | Kind::Decimal => Data::Variable { offsets: vec![0], bytes: Vec::new() },
        };
        Column { kind, data, length: 0, null_count: 0, validity: None }
    }

    /// Its type.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Number of values, including nulls.
    #[inline]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Reserves room for `values` more values; for variable-length ones, of `bytes` bytes in total.
    pub fn reserve(&mut self, values: usize, bytes: usize) {
        match &mut self.data {
            Data::Variable { offsets, bytes: data } => {
                offsets.reserve(values);
                data.reserve(bytes);
            }
            Data::One(data) => data.reserve(values),
            Data::Two(data) => data.reserve(values),
            Data::Four(data) => data.reserve(values),
            Data::Eight(data) => data.reserve(values),
            Data::Bits(_) => {}
        }
    }

    /// Appends the value that is stored as these bytes.
    ///
    /// # Errors
    /// [`Misfit`] if the value does not fit into the column, which is then unchanged.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> Result<(), Misfit> {
        match &mut self.data {
            Data::Variable { offsets, bytes } => match self.kind {
                Kind::Binary => push_bytes(offsets, bytes, value)?,
                Kind::Decimal => {
                    let text = decimal::to_text(value).ok_or(Misfit::Type)?;
                    push_bytes(offsets, bytes, text.as_bytes())?;
                }
                _ => {
                    std::str::from_utf8(value).map_err(|_| Misfit::Type)?;
                    push_bytes(offsets, bytes, value)?;
                }
            },
            Data::Eight(data) => data.push(u64::from_be_bytes(sized(value)?)),
            Data::Four(data) => data.push(u32::from_be_bytes(sized(value)?)),
            Data::Two(data) => data.push(u16::from_be_bytes(sized(value)?)),
            Data::One(data) => data.push(u8::from_be_bytes(sized(value)?)),
            Data::Bits(bits) => bits.push(u8::from_be_bytes(sized(value)?) != 0),
        }
        self.note(true);
        Ok(())
    }

    /// Like [`Column::push`], but faster for binary columns.
    #[inline]
    pub fn push_part(&mut self, value: &[u8]) -> Result<(), Misfit> {
        match &mut self.data {
            Data::Variable { offsets, bytes } if self.kind == Kind::Binary && self.validity.is_none() => {
                push_bytes(offsets, bytes, value)?;
                self.length += 1;
                Ok(())
            }
            _ => self.push(value),
        }
    }

    /// Appends a number to a timestamp column.
    #[inline]
    pub fn push_number(&mut self, number: i64) {
        if let Data::Eight(data) = &mut self.data {
            data.push(number as u64);
            self.note(true);
        }
    }

    /// Appends a null.
    #[inline]
    pub fn push_null(&mut self) {
        match &mut self.data {
            Data::One(data) => data.push(0),
            Data::Two(data) => data.push(0),
            Data::Four(data) => data.push(0),
            Data::Eight(data) => data.push(0),
            Data::Bits(bits) => bits.push(false),
            Data::Variable { offsets, .. } => {
                let end = offsets.last().copied().unwrap_or_default();
                offsets.push(end);
            }
        }
        self.note(false);
    }

    #[inline]
    fn note(&mut self, is_there: bool) {
        if !is_there {
            self.null_count += 1;
            self.validity.get_or_insert_with(|| Bits::ones(self.length));
        }
        if let Some(validity) = &mut self.validity {
            validity.push(is_there);
        }
        self.length += 1;
    }

    /// Finishes the column and starts a new one with the same type and about the same capacity.
    pub fn finish(&mut self) -> Arc<Array> {
        let mut fresh = Column::new(self.kind);
        let bytes = match &self.data {
            Data::Variable { bytes, .. } => bytes.len(),
            _ => 0,
        };
        // Reserve the previous size. More would never be returned, and less would mean copies while the column grows.
        fresh.reserve(self.length, bytes);
        let done = std::mem::replace(self, fresh);
        let validity = done.validity.map_or(Buffer::Absent, |bits| Buffer::Bytes(bits.bytes));
        let buffers = match done.data {
            Data::One(data) => vec![validity, Buffer::Bytes(data)],
            Data::Two(data) => vec![validity, Buffer::Two(data)],
            Data::Four(data) => vec![validity, Buffer::Four(data)],
            Data::Eight(data) => vec![validity, Buffer::Eight(data)],
            Data::Bits(bits) => vec![validity, Buffer::Bytes(bits.bytes)],
            Data::Variable { offsets, bytes } => vec![validity, Buffer::Offsets(offsets), Buffer::Bytes(bytes)],
        };
        Arc::new(Array { length: done.length, null_count: done.null_count, buffers, children: Vec::new() })
    }
}

#[inline]
fn push_bytes(offsets: &mut Vec<i32>, bytes: &mut Vec<u8>, value: &[u8]) -> Result<(), Misfit> {
    let end = i32::try_from(bytes.len() + value.len()).map_err(|_| Misfit::Full)?;
    bytes.extend_from_slice(value);
    offsets.push(end);
    Ok(())
}

#[inline]
fn sized<const N: usize>(value: &[u8]) -> Result<[u8; N], Misfit> {
    value.try_into().map_err(|_| Misfit::Type)
}

#[cfg(test)]
mod tests {
    use super::{Column, Misfit};
    use crate::array::{Array, Buffer};
    use crate::kind::{Kind, INT64};
    use std::sync::Arc;

    fn bytes_of(array: &Array, index: usize) -> Vec<u8> {
        match &array.buffers[index] {
            Buffer::Bytes(bytes) => bytes.clone(),
            other => format!("{other:?}").into_bytes(),
        }
    }

    #[test]
    fn the_validity_bitmap_starts_with_the_first_null() {
        let mut column = Column::new(Kind::Bool);
        for _ in 0..9 {
            assert_eq!(column.push(&[0xff]), Ok(()));
        }
        column.push_null();
        assert_eq!(column.push(&[0]), Ok(()));
        let array: Arc<Array> = column.finish();
        assert_eq!((array.length, array.null_count), (11, 1));
        assert_eq!(bytes_of(&array, 0), [0xff, 0b101]);
        assert_eq!(bytes_of(&array, 1), [0xff, 0b001]);
        assert_eq!(column.length(), 0);
        assert!(matches!(column.finish().buffers[0], Buffer::Absent));
    }

    #[test]
    fn a_misfit_leaves_the_column_unchanged() {
        for kind in [INT64, Kind::Float32, Kind::Bool, Kind::Text, Kind::Decimal] {
            let mut column = Column::new(kind);
            assert_eq!(column.push(b"\xff\xff\xff"), Err(Misfit::Type), "{kind:?}");
            assert_eq!(column.finish().length, 0);
        }
    }
}
