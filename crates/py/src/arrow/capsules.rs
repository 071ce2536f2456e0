//! The capsules that pass Arrow's structs between Python packages, named as in the PyCapsule interface.
#![expect(unsafe_code, reason = "a C interface: a capsule holds a pointer, and its name says to what")]

use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};
use rowstone_arrow::abi::{ArrowArray, ArrowArrayStream, ArrowSchema};
use rowstone_arrow::import::StreamReader;
use rowstone_model::Result;
use std::ffi::CStr;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A capsule with a type.
pub fn schema_capsule(py: Python<'_>, schema: ArrowSchema) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A capsule with values.
pub fn array_capsule(py: Python<'_>, array: ArrowArray) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, array, ARRAY)
}

/// A capsule with a stream.
pub fn stream_capsule(py: Python<'_>, stream: ArrowArrayStream) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// Opens a reader for `object`: its stream or its single batch; `None` if it has neither. The outer error is
/// Python's.
pub fn reader_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Result<StreamReader>>> {
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let place = capsule.pointer_checked(Some(STREAM))?.cast::<ArrowArrayStream>();
        // SAFETY: the capsule's name identifies its contents; the interpreter lock prevents concurrent access.
        let stream = unsafe { ArrowArrayStream::take(place.as_ptr()) };
        // SAFETY: a producer filled it.
        return Ok(Some(unsafe { StreamReader::new(stream) }));
    }
    if object.hasattr("__arrow_c_array__")? {
        let pair = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<ArrowArray>();
        // SAFETY: the capsules' names identify their contents; the interpreter lock prevents concurrent access.
        let (schema, array) = unsafe { (ArrowSchema::take(schema.as_ptr()), ArrowArray::take(array.as_ptr())) };
        // SAFETY: a producer filled both.
        return Ok(Some(unsafe { StreamReader::of_batch(&schema, array) }));
    }
    Ok(None)
}
