//! The structs of Arrow's C data and stream interfaces, field by field as in Arrow's specification.
//!
//! Each struct owns the memory it points to until `release` is called. Dropping it calls `release`, unless the struct
//! was moved out and an empty one left in its place.
#![expect(unsafe_code, reason = "a C interface: pointers and callbacks of others")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

/// A data type: of a column, or of a batch, whose children are its columns.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowSchema {
    /// The type, as an Arrow format string.
    pub format: *const c_char,
    /// The column's name.
    pub name: *const c_char,
    /// Key-value pairs; null for none.
    pub metadata: *const c_char,
    /// Flags: 1 for an ordered dictionary, 2 for nullable, 4 for sorted map keys.
    pub flags: i64,
    /// Number of children.
    pub n_children: i64,
    /// The types of the children.
    pub children: *mut *mut ArrowSchema,
    /// The type of the dictionary's values, if this is a dictionary-encoded type.
    pub dictionary: *mut ArrowSchema,
    /// Frees the memory that the struct points to, and sets itself to null.
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    /// Private to the producer.
    pub private_data: *mut c_void,
}

/// An array: values of one type.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArray {
    /// Number of values.
    pub length: i64,
    /// Number of null values; -1 if not computed.
    pub null_count: i64,
    /// Number of values in the buffers before the first.
    pub offset: i64,
    /// Number of buffers.
    pub n_buffers: i64,
    /// Number of children.
    pub n_children: i64,
    /// The buffers. The first is the validity bitmap, null if no value is null.
    pub buffers: *mut *const c_void,
    /// The children.
    pub children: *mut *mut ArrowArray,
    /// The dictionary.
    pub dictionary: *mut ArrowArray,
    /// Frees the memory that the struct points to, and sets itself to null.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    /// Private to the producer.
    pub private_data: *mut c_void,
}

/// A stream of batches of one type. Only one thread at a time may call it.
#[repr(C)]
#[derive(Debug)]
pub struct ArrowArrayStream {
    /// Writes the type; returns 0 or an error number.
    pub get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    /// Writes the next batch, or an empty struct at the end; returns 0 or an error number.
    pub get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    /// The message of the last error; valid until the next call.
    pub get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    /// Frees the memory that the struct points to, and sets itself to null.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    /// Private to the producer.
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
            /// Whether it owns nothing: it was moved out, or marks the end of a stream.
            pub fn is_empty(&self) -> bool {
                self.release.is_none()
            }

            /// Moves the struct at `place` out, and leaves an empty one there.
            ///
            /// # Safety
            /// `place` points to such a struct, which is not used concurrently.
            pub unsafe fn take(place: *mut Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { ptr::replace(place, Self::empty()) }
            }
        }

        // SAFETY: the interface allows any thread to use and release a struct, one at a time; `&mut` and ownership
        // ensure that.
        unsafe impl Send for $name {}

        impl Drop for $name {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the owner releases it only once: the callback sets `release` to null.
                    unsafe { release(self) }
                }
            }
        }
    )*};
}

owned!(ArrowSchema, ArrowArray, ArrowArrayStream);
