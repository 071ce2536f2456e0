//! Finished columns and batches, exported through Arrow's C interface without a copy.
//!
//! Exported structs share ownership of their array, so that an array can be exported several times, and a consumer
//! may retain one column of a batch and release the others.
#![expect(unsafe_code, reason = "a C interface: pointers and callbacks of others")]

use crate::abi::{ArrowArray, ArrowSchema};
use crate::kind::Kind;
use std::ffi::{c_void, CString};
use std::ptr;
use std::sync::Arc;

/// A column: its name, its type, and whether it is nullable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Kind,
    /// Whether it may contain nulls.
    pub is_nullable: bool,
}

impl Field {
    /// A column without nulls.
    pub fn new(name: &str, kind: Kind) -> Self {
        Field { name: name.to_string(), kind, is_nullable: false }
    }
}

/// A buffer of values, aligned for their type.
#[derive(Debug)]
pub enum Buffer {
    /// No buffer: there are no nulls.
    Absent,
    /// Bytes, or bits.
    Bytes(Vec<u8>),
    /// Values of two bytes.
    Two(Vec<u16>),
    /// Values of four bytes.
    Four(Vec<u32>),
    /// Values of eight bytes.
    Eight(Vec<u64>),
    /// End offsets of values in a buffer of bytes, after a leading 0.
    Offsets(Vec<i32>),
}

impl Buffer {
    fn as_ptr(&self) -> *const c_void {
        match self {
            Buffer::Absent => ptr::null(),
            Buffer::Bytes(values) => values.as_ptr().cast(),
            Buffer::Two(values) => values.as_ptr().cast(),
            Buffer::Four(values) => values.as_ptr().cast(),
            Buffer::Eight(values) => values.as_ptr().cast(),
            Buffer::Offsets(values) => values.as_ptr().cast(),
        }
    }
}

/// A finished column, or a batch of them.
#[derive(Debug)]
pub struct Array {
    /// Number of values.
    pub length: usize,
    /// Number of nulls.
    pub null_count: usize,
    /// Its buffers, in Arrow's order.
    pub buffers: Vec<Buffer>,
    /// The columns of a batch.
    pub children: Vec<Arc<Array>>,
}

impl Array {
    /// A batch of `length` records.
    pub fn batch(length: usize, columns: Vec<Arc<Array>>) -> Self {
        Array { length, null_count: 0, buffers: vec![Buffer::Absent], children: columns }
    }
}

struct ArrayOwner {
    /// Keeps the memory behind the pointers alive.
    _array: Arc<Array>,
    buffers: Box<[*const c_void]>,
    children: Box<[*mut ArrowArray]>,
}

/// Exports the array as a C struct that shares ownership of it.
pub fn export_array(array: &Arc<Array>) -> ArrowArray {
    let children = array.children.iter().map(|child| Box::into_raw(Box::new(export_array(child)))).collect();
    let buffers = array.buffers.iter().map(Buffer::as_ptr).collect();
    let mut owner = Box::new(ArrayOwner { _array: Arc::clone(array), buffers, children });
    ArrowArray {
        length: array.length as i64,
        null_count: array.null_count as i64,
        offset: 0,
        n_buffers: owner.buffers.len() as i64,
        n_children: owner.children.len() as i64,
        buffers: owner.buffers.as_mut_ptr(),
        children: owner.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(owner).cast(),
    }
}

unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: the interface calls it with a struct that `export_array` filled, wherever it was moved to.
    let Some(array) = (unsafe { array.as_mut() }) else { return };
    if array.release.take().is_none() {
        return;
    }
    // SAFETY: it is the box that `export_array` leaked. `release` was still set, so it has not been freed.
    let owner = unsafe { Box::from_raw(array.private_data.cast::<ArrayOwner>()) };
    for child in &owner.children {
        // SAFETY: each is a box that `export_array` leaked; a child that was moved out is empty.
        drop(unsafe { Box::from_raw(*child) });
    }
    array.private_data = ptr::null_mut();
}

struct SchemaOwner {
    format: CString,
    name: CString,
    children: Box<[*mut ArrowSchema]>,
}

/// Exports the type of batches with these columns as a C struct.
pub fn export_schema(fields: &[Field]) -> ArrowSchema {
    let children = fields.iter().map(|field| {
        let flags = if field.is_nullable { 2 } else { 0 };
        Box::into_raw(Box::new(schema_of(field.kind.format(), &field.name, flags, Box::default())))
    });
    schema_of("+s", "", 0, children.collect())
}

fn schema_of(format: &str, name: &str, flags: i64, children: Box<[*mut ArrowSchema]>) -> ArrowSchema {
    // A C string ends at its first NUL.
    let text = |text: &str| CString::new(text.replace('\0', "\\x00")).unwrap_or_default();
    let mut owner = Box::new(SchemaOwner { format: text(format), name: text(name), children });
    ArrowSchema {
        format: owner.format.as_ptr(),
        name: owner.name.as_ptr(),
        metadata: ptr::null(),
        flags,
        n_children: owner.children.len() as i64,
        children: owner.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(owner).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the interface calls it with a struct that `schema_of` filled, wherever it was moved to.
    let Some(schema) = (unsafe { schema.as_mut() }) else { return };
    if schema.release.take().is_none() {
        return;
    }
    // SAFETY: it is the box that `schema_of` leaked. `release` was still set, so it has not been freed.
    let owner = unsafe { Box::from_raw(schema.private_data.cast::<SchemaOwner>()) };
    for child in &owner.children {
        // SAFETY: each is a box that `export_schema` leaked; a child that was moved out is empty.
        drop(unsafe { Box::from_raw(*child) });
    }
    schema.private_data = ptr::null_mut();
}
