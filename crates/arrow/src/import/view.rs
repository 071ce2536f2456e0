//! Values of imported columns.
#![expect(unsafe_code, reason = "a C interface: pointers of other producers")]

use super::types::{Layout, Type, Unit};
use crate::abi::ArrowArray;
use std::ffi::c_void;
use std::slice;

/// A value of an imported column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// A null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A floating point number.
    Float(f64),
    /// Text; the producer claims that it is UTF-8.
    Text(&'a [u8]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Milliseconds since 1970; fractions are truncated.
    Instant(i128),
    /// The unscaled number, and the number of digits after the decimal point.
    Decimal(i128, i32),
    /// The producer's numbers contradict each other.
    Broken,
}

/// A column of a batch.
pub struct View<'a> {
    array: &'a ArrowArray,
    found: &'a Type,
    /// Index of the view's first value in the buffers.
    start: usize,
    dictionary: Option<Box<View<'a>>>,
}

impl<'a> View<'a> {
    /// A view of `length` values of `array`, after skipping `before`; `None` if the producer's numbers contradict
    /// each other.
    ///
    /// # Safety
    /// A producer filled `array` with values of type `found`, and it is not released while the view exists.
    pub(super) unsafe fn new(array: &'a ArrowArray, found: &'a Type, before: usize, length: usize) -> Option<Self> {
        let start = usize::try_from(array.offset).ok()?.checked_add(before)?;
        let is_there = usize::try_from(array.length).ok()? >= before.checked_add(length)?;
        let buffers = found.buffer_count();
        let is_whole = array.n_buffers >= buffers && (buffers == 0 || !array.buffers.is_null());
        if !is_there || !is_whole {
            return None;
        }
        let mut view = View { array, found, start, dictionary: None };
        // SAFETY: the caller's promise. The first buffer is the validity bitmap and may be null, the second never is.
        if buffers > 1 && length > 0 && unsafe { view.buffer(1) }.is_null() {
            return None;
        }
        if let Type::Dictionary { values, .. } = found {
            // SAFETY: the caller's promise.
            let dictionary = unsafe { array.dictionary.as_ref() }?;
            let count = usize::try_from(dictionary.length).ok()?;
            // SAFETY: the caller's promise.
            view.dictionary = Some(Box::new(unsafe { View::new(dictionary, values, 0, count) }?));
        }
        Some(view)
    }

    /// # Safety
    /// The column has more than `index` buffers.
    unsafe fn buffer(&self, index: usize) -> *const c_void {
        // SAFETY: the caller's promise.
        unsafe { *self.array.buffers.add(index) }
    }

    /// # Safety
    /// Buffer `index` holds more than `place` values of `T`.
    unsafe fn read<T: Copy>(&self, index: usize, place: usize) -> T {
        // SAFETY: the caller's promise. Producers need not align their buffers.
        unsafe { self.buffer(index).cast::<T>().add(place).read_unaligned() }
    }

    /// # Safety
    /// Buffer `index` holds more than `place` bits.
    unsafe fn bit(&self, index: usize, place: usize) -> bool {
        // SAFETY: the caller's promise.
        let byte = unsafe { self.read::<u8>(index, place / 8) };
        byte >> (place % 8) & 1 == 1
    }

    /// The value of record `row`, which must exist in the batch.
    pub fn get(&self, row: usize) -> Value<'a> {
        let place = self.start + row;
        // SAFETY: `new` checked counts and buffers against the type; the producer is responsible for the contents of
        // the buffers.
        unsafe {
            if matches!(self.found, Type::Null) || (!self.buffer(0).is_null() && !self.bit(0, place)) {
                return Value::Null;
            }
            match self.found {
                Type::Null => Value::Null,
                Type::Bool => Value::Bool(self.bit(1, place)),
                Type::Integer { bytes, is_signed } => Value::Integer(self.integer(*bytes, *is_signed, place)),
                Type::Float32 => Value::Float(self.read::<f32>(1, place).into()),
                Type::Float64 => Value::Float(self.read(1, place)),
                Type::Text(layout) => self.bytes(*layout, place).map_or(Value::Broken, Value::Text),
                Type::Binary(layout) => self.bytes(*layout, place).map_or(Value::Broken, Value::Bytes),
                Type::Instant { unit, .. } => Value::Instant(self.instant(*unit, place)),
                Type::Decimal { scale } => Value::Decimal(self.read(1, place), *scale),
                Type::Dictionary { bytes, is_signed, .. } => {
                    let index = usize::try_from(self.integer(*bytes, *is_signed, place)).ok();
                    let values = self.dictionary.as_ref();
                    match (values, index) {
                        (Some(values), Some(index)) if (index as i64) < values.array.length => values.get(index),
                        _ => Value::Broken,
                    }
                }
            }
        }
    }

    /// # Safety
    /// The second buffer has more than `place` integers of that size.
    unsafe fn integer(&self, bytes: u8, is_signed: bool, place: usize) -> i128 {
        // SAFETY: the caller's promise.
        unsafe {
            match (bytes, is_signed) {
                (1, true) => self.read::<i8>(1, place).into(),
                (2, true) => self.read::<i16>(1, place).into(),
                (4, true) => self.read::<i32>(1, place).into(),
                (_, true) => self.read::<i64>(1, place).into(),
                (1, false) => self.read::<u8>(1, place).into(),
                (2, false) => self.read::<u16>(1, place).into(),
                (4, false) => self.read::<u32>(1, place).into(),
                (_, false) => self.read::<u64>(1, place).into(),
            }
        }
    }

    /// # Safety
    /// The second buffer has more than `place` times in that unit.
    unsafe fn instant(&self, unit: Unit, place: usize) -> i128 {
        // SAFETY: the caller's promise.
        let count = |bytes| unsafe { self.integer(bytes, true, place) };
        match unit {
            Unit::Days => count(4) * 86_400_000,
            Unit::Seconds => count(8) * 1000,
            Unit::DaysInMilliseconds | Unit::Milliseconds => count(8),
            Unit::Microseconds => count(8).div_euclid(1000),
            Unit::Nanoseconds => count(8).div_euclid(1_000_000),
        }
    }

    /// # Safety
    /// The buffers have more than `place` values in that layout.
    unsafe fn bytes(&self, layout: Layout, place: usize) -> Option<&'a [u8]> {
        // SAFETY: the caller's promise.
        unsafe {
            let (start, end) = match layout {
                Layout::Small => (self.read::<i32>(1, place).into(), self.read::<i32>(1, place + 1).into()),
                Layout::Large => (self.read::<i64>(1, place), self.read::<i64>(1, place + 1)),
                Layout::Views => return self.viewed(place),
                Layout::Fixed(size) => {
                    let values = self.buffer(1).cast::<u8>();
                    return Some(slice::from_raw_parts(values.add(place * size), size));
                }
            };
            let (start, length) = (usize::try_from(start).ok()?, usize::try_from(end.checked_sub(start)?).ok()?);
            let data = self.buffer(2).cast::<u8>();
            match (data.is_null(), length) {
                (_, 0) => Some(&[]),
                (true, _) => None,
                (false, _) => Some(slice::from_raw_parts(data.add(start), length)),
            }
        }
    }

    /// # Safety
    /// The second buffer has more than `place` views of 16 bytes.
    unsafe fn viewed(&self, place: usize) -> Option<&'a [u8]> {
        // SAFETY: the caller's promise. The data buffers follow the views; the last buffer has their lengths.
        unsafe {
            let view = self.buffer(1).cast::<u8>().add(place * 16);
            let number = |at: usize| usize::try_from(view.add(at).cast::<i32>().read_unaligned()).ok();
            let length = number(0)?;
            if length <= 12 {
                return Some(slice::from_raw_parts(view.add(4), length));
            }
            let (index, start) = (number(8)?, number(12)?);
            let lengths = usize::try_from(self.array.n_buffers).ok()?.checked_sub(1)?;
            if index + 2 >= lengths {
                return None;
            }
            let whole = usize::try_from(self.read::<i64>(lengths, index)).ok()?;
            let data = self.buffer(index + 2).cast::<u8>();
            (start + length <= whole && !data.is_null()).then(|| slice::from_raw_parts(data.add(start), length))
        }
    }
}
