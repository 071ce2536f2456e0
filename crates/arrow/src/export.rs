//! Export of batches as a C stream.
//!
//! Nothing here touches an interpreter, so a consumer may call from any thread and with any locks.
#![expect(unsafe_code, reason = "a C interface: pointers and callbacks of others")]

use crate::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use crate::array::{export_array, export_schema, Array, Field};
use crate::batches::{guarded, BatchSource};
use rowstone_model::ErrorKind;
use std::ffi::{c_char, c_int, CString};
use std::ptr;
use std::sync::Arc;

/// C's error numbers for "invalid argument" and "input/output error".
const EINVAL: c_int = 22;
const EIO: c_int = 5;

struct Owner {
    fields: Vec<Field>,
    /// `None` at the end: the resources of the scan are released then.
    source: Option<Box<dyn BatchSource>>,
    error: Option<(c_int, CString)>,
}

impl Owner {
    fn next(&mut self) -> std::result::Result<Option<Arc<Array>>, c_int> {
        if let Some((code, _)) = self.error {
            return Err(code);
        }
        let Some(source) = &mut self.source else { return Ok(None) };
        match guarded(|| source.next_batch()) {
            Ok(Some(batch)) => Ok(Some(batch)),
            Ok(None) => {
                self.source = None;
                Ok(None)
            }
            Err(error) => {
                self.source = None;
                let code = if error.kind() == ErrorKind::InvalidArgument { EINVAL } else { EIO };
                let text = CString::new(error.message().replace('\0', "\\x00")).unwrap_or_default();
                self.error = Some((code, text));
                Err(code)
            }
        }
    }
}

/// Exports the batches as a C struct that owns the source.
pub fn export_stream(source: Box<dyn BatchSource>) -> ArrowArrayStream {
    let owner = Owner { fields: source.fields().to_vec(), source: Some(source), error: None };
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(Box::new(owner)).cast(),
    }
}

/// The private data that `export_stream` attached to a stream.
///
/// # Safety
/// `stream` was created by `export_stream`, has not been released, and is used by one thread at a time.
unsafe fn owner<'a>(stream: *mut ArrowArrayStream) -> &'a mut Owner {
    // SAFETY: the caller's promise.
    unsafe { &mut *(*stream).private_data.cast::<Owner>() }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: guaranteed by the interface: a stream that has not been released, and memory to write to.
    unsafe { ptr::write(out, export_schema(&owner(stream).fields)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: guaranteed by the interface: a stream that has not been released.
    match unsafe { owner(stream) }.next() {
        Ok(batch) => {
            let array = batch.as_ref().map_or(ArrowArray::empty(), export_array);
            // SAFETY: guaranteed by the interface: memory to write to.
            unsafe { ptr::write(out, array) };
            0
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: guaranteed by the interface: a stream that has not been released.
    unsafe { owner(stream) }.error.as_ref().map_or(ptr::null(), |(_, text)| text.as_ptr())
}

unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the interface calls it with a struct that `export_stream` filled, wherever it was moved to.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return };
    if stream.release.take().is_none() {
        return;
    }
    // SAFETY: it is the box that `export_stream` leaked. `release` was still set, so it has not been freed.
    let owner = unsafe { Box::from_raw(stream.private_data.cast::<Owner>()) };
    stream.private_data = ptr::null_mut();
    // A panic while a scanner is dropped must not end the consumer.
    let _ = guarded(move || {
        drop(owner);
        Ok(())
    });
}
