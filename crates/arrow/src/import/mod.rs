//! Reads C streams of other producers: their columns, and the values one by one.
//!
//! Pointers have to be trusted. Lengths, counts and offsets are checked against each other before use.
#![expect(unsafe_code, reason = "a C interface: pointers and callbacks of other producers")]

mod types;
mod view;

pub use types::{Layout, Type, Unit};
pub use view::{Value, View};

use crate::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use rowstone_model::{Error, Result};
use std::ffi::{c_char, CStr};

/// A column of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// Its name.
    pub name: String,
    /// Its type, or Arrow's format string of an unsupported type.
    pub found: std::result::Result<Type, String>,
}

/// A C stream of another producer.
pub struct StreamReader {
    stream: ArrowArrayStream,
    /// The batch, if a single one was imported; the stream is then empty.
    single: Option<ArrowArray>,
    columns: Vec<Incoming>,
}

impl StreamReader {
    /// Takes ownership of the stream and reads its columns.
    ///
    /// # Safety
    /// A producer filled `stream`, as Arrow's C stream interface requires.
    ///
    /// # Errors
    /// `InvalidArgument` if the producer fails, or if its batches have no columns.
    pub unsafe fn new(mut stream: ArrowArrayStream) -> Result<Self> {
        let mut schema = ArrowSchema::empty();
        let Some(get_schema) = stream.get_schema.filter(|_| !stream.is_empty()) else {
            return Err(Error::invalid("the source's stream was read already"));
        };
        // SAFETY: the caller's promise.
        let code = unsafe { get_schema(&mut stream, &mut schema) };
        if code != 0 {
            return Err(failure(&mut stream, code));
        }
        // SAFETY: the producer filled it.
        let columns = unsafe { columns_of(&schema) }?;
        Ok(StreamReader { stream, single: None, columns })
    }

    /// Takes ownership of a single batch.
    ///
    /// # Safety
    /// A producer filled both, as Arrow's C data interface requires.
    ///
    /// # Errors
    /// `InvalidArgument` if it has no columns.
    pub unsafe fn of_batch(schema: &ArrowSchema, batch: ArrowArray) -> Result<Self> {
        // SAFETY: the caller's promise.
        let columns = unsafe { columns_of(schema) }?;
        Ok(StreamReader { stream: ArrowArrayStream::empty(), single: Some(batch), columns })
    }

    /// The columns.
    pub fn columns(&self) -> &[Incoming] {
        &self.columns
    }

    /// The next batch; `None` at the end.
    ///
    /// # Errors
    /// `InvalidArgument` if the producer fails, or returns a batch with other columns.
    pub fn next_batch(&mut self) -> Result<Option<Batch>> {
        let mut array = self.single.take().unwrap_or(ArrowArray::empty());
        if array.is_empty() {
            let Some(get_next) = self.stream.get_next.filter(|_| !self.stream.is_empty()) else { return Ok(None) };
            // SAFETY: `new` received the stream from a producer, and it has not been released.
            let code = unsafe { get_next(&mut self.stream, &mut array) };
            if code != 0 {
                return Err(failure(&mut self.stream, code));
            }
        }
        if array.is_empty() {
            return Ok(None);
        }
        let is_batch = array.n_children == self.columns.len() as i64 && array.length >= 0 && array.offset >= 0;
        if !is_batch {
            return Err(Error::invalid(format!("the source returned a batch of {} columns", array.n_children)));
        }
        Ok(Some(Batch { array }))
    }
}

/// The producer's own error message.
fn failure(stream: &mut ArrowArrayStream, code: i32) -> Error {
    // SAFETY: the stream has not been released; the text is valid until the stream's next call.
    let text = stream.get_last_error.and_then(|ask| unsafe { text_at(ask(stream)) });
    Error::invalid(format!("the source failed: {}", text.unwrap_or_else(|| format!("error {code}"))))
}

/// The text at `place`; `None` for null.
///
/// # Safety
/// `place` is null or points to NUL-terminated text.
unsafe fn text_at(place: *const c_char) -> Option<String> {
    // SAFETY: the caller's promise.
    (!place.is_null()).then(|| unsafe { CStr::from_ptr(place) }.to_string_lossy().into_owned())
}

/// The columns of batches.
///
/// # Safety
/// A producer filled `schema`.
unsafe fn columns_of(schema: &ArrowSchema) -> Result<Vec<Incoming>> {
    // SAFETY: the caller's promise, for the schema and its children.
    unsafe {
        if text_at(schema.format).as_deref() != Some("+s") {
            return Err(Error::invalid("the source has no columns: pass a frame, or a stream of batches"));
        }
        let mut columns = Vec::new();
        for index in 0..usize::try_from(schema.n_children).unwrap_or_default() {
            let Some(child) = (*schema.children.add(index)).as_ref() else {
                return Err(Error::invalid(format!("the source does not describe its column {index}")));
            };
            let name = text_at(child.name).unwrap_or_default();
            columns.push(Incoming { name, found: type_of(child) });
        }
        Ok(columns)
    }
}

/// The type, or the format string of an unsupported one.
///
/// # Safety
/// A producer filled `schema`.
unsafe fn type_of(schema: &ArrowSchema) -> std::result::Result<Type, String> {
    // SAFETY: the caller's promise.
    let (format, dictionary) = unsafe { (text_at(schema.format).unwrap_or_default(), schema.dictionary.as_ref()) };
    let found = Type::of_format(&format).ok_or_else(|| format.clone())?;
    match (dictionary, &found) {
        (None, _) => Ok(found),
        (Some(values), Type::Integer { bytes, is_signed }) => {
            // SAFETY: the caller's promise.
            let values = unsafe { type_of(values) }?;
            match values {
                Type::Dictionary { .. } => Err(format),
                values => Ok(Type::Dictionary { bytes: *bytes, is_signed: *is_signed, values: Box::new(values) }),
            }
        }
        (Some(_), _) => Err(format),
    }
}

/// A batch of another producer.
pub struct Batch {
    array: ArrowArray,
}

impl Batch {
    /// Number of records.
    pub fn length(&self) -> usize {
        usize::try_from(self.array.length).unwrap_or_default()
    }

    /// The values of the column at `index`, of type `found`.
    ///
    /// # Errors
    /// `InvalidArgument` if the producer's counts contradict each other.
    pub fn column<'a>(&'a self, index: usize, found: &'a Type) -> Result<View<'a>> {
        let wrong = || Error::invalid(format!("column {index} of the source's batch does not match its type"));
        if index >= usize::try_from(self.array.n_children).unwrap_or_default() || self.array.children.is_null() {
            return Err(wrong());
        }
        // SAFETY: the producer filled the batch, which is not released while `self` exists; `index` is one of its
        // children.
        let child = unsafe { (*self.array.children.add(index)).as_ref() }.ok_or_else(wrong)?;
        let before = usize::try_from(self.array.offset).unwrap_or_default();
        // SAFETY: the producer filled the column, which is not released while `self` exists.
        unsafe { View::new(child, found, before, self.length()) }.ok_or_else(wrong)
    }
}
