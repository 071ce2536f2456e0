//! The structs of Arrow's C data and stream interface, field by field as Arrow's specification lists them.
//!
//! Each owns what it points to until `release` is called, which is when it is dropped, unless somebody moved it away before
//! and left an empty one.
#![expect(unsafe_code, reason = "a C interface: pointers and callbacks of others")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

/// A type: of a column, or of a batch, whose children are its columns.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    /// The type, as Arrow's format strings have it.
    pub format: *const c_char,
    /// The column's name.
    pub name: *const c_char,
    /// Pairs of key and value; null for none.
    pub metadata: *const c_char,
    /// 1: the dictionary is in order, 2: values may be missing, 4: keys of a map are sorted.
    pub flags: i64,
    /// How many children.
    pub n_children: i64,
    /// Their types.
    pub children: *mut *mut ArrowSchema,
    /// The type of the dictionary's values, where this one is of places in a dictionary.
    pub dictionary: *mut ArrowSchema,
    /// Frees what the struct points to, and sets itself to null.
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    /// The producer's.
    pub private_data: *mut c_void,
}

/// Values of a type.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    /// How many values.
    pub length: i64,
    /// How many of them are missing; -1 where nobody counted.
    pub null_count: i64,
    /// Values of the buffers before the first.
    pub offset: i64,
    /// How many buffers.
    pub n_buffers: i64,
    /// How many children.
    pub n_children: i64,
    /// The buffers; the first says which values are there, null where all are.
    pub buffers: *mut *const c_void,
    /// The children.
    pub children: *mut *mut ArrowArray,
    /// The dictionary.
    pub dictionary: *mut ArrowArray,
    /// Frees what the struct points to, and sets itself to null.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    /// The producer's.
    pub private_data: *mut c_void,
}

/// Batches of one type, one after the other. One thread at a time may call it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArrayStream {
    /// Writes the type; 0, or a number of an error.
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    /// Writes the next batch, an empty struct at the end; 0, or a number of an error.
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    /// What the last error was; good until the next call.
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    /// Frees what the struct points to, and sets itself to null.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    /// The producer's.
    pub private_data: *mut c_void,
}

impl ArrowSchema {
    /// A struct that owns nothing.
    pub const fn empty() -> Self {
        ArrowSchema {
            format: ptr::null(),
            name: ptr::null(),
            metadata: ptr::null(),
            flags: 0,
            n_children: 0,
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

impl ArrowArray {
    /// A struct that owns nothing: the end of a stream.
    pub const fn empty() -> Self {
        ArrowArray {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

impl ArrowArrayStream {
    /// A struct that owns nothing.
    pub const fn empty() -> Self {
        ArrowArrayStream {
            get_schema: None,
            get_next: None,
            get_last_error: None,
            release: None,
            private_data: ptr::null_mut(),
        }
    }
}

macro_rules! owned {
    ($($name:ident),*) => {$(
        impl $name {
            /// Whether it owns nothing: it was moved away, or is the end of a stream.
            pub fn is_empty(&self) -> bool {
                self.release.is_none()
            }

            /// Moves what lies at `place` here, and leaves an empty struct there.
            ///
            /// # Safety
            /// `place` points to such a struct, which nobody else uses meanwhile.
            pub unsafe fn take(place: *mut Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { ptr::replace(place, Self::empty()) }
            }
        }

        // SAFETY: the interface lets a struct be used and released by any thread, one at a time; `&mut` and ownership see to that.
        unsafe impl Send for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it is released once, by its owner: the callback sets `release` to null.
                    unsafe { release(self) }
                }
            }
        }
    )*};
}

owned!(ArrowSchema, ArrowArray, ArrowArrayStream);
