//! The capsules in which Arrow's structs cross between Python packages, as the PyCapsule interface names them.
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

/// A capsule of a type.
pub fn schema_capsule(py: Python<'_>, schema: ArrowSchema) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// A capsule of values.
pub fn array_capsule(py: Python<'_>, array: ArrowArray) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, array, ARRAY)
}

/// A capsule of a stream.
pub fn stream_capsule(py: Python<'_>, stream: ArrowArrayStream) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// What `object` has to be read: its stream, or its one batch; `None` where it has neither. The outer error is Python's.
pub fn reader_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Result<StreamReader>>> {
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        let place = capsule.pointer_checked(Some(STREAM))?.cast::<ArrowArrayStream>();
        // SAFETY: the capsule's name says what it holds; the interpreter's lock keeps others from it meanwhile.
        let stream = unsafe { ArrowArrayStream::take(place.as_ptr()) };
        // SAFETY: a producer filled it.
        return Ok(Some(unsafe { StreamReader::new(stream) }));
    }
    if object.hasattr("__arrow_c_array__")? {
        let pair = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = pair.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<ArrowArray>();
        // SAFETY: the capsules' names say what they hold; the interpreter's lock keeps others from them meanwhile.
        let (schema, array) = unsafe { (ArrowSchema::take(schema.as_ptr()), ArrowArray::take(array.as_ptr())) };
        // SAFETY: a producer filled both.
        return Ok(Some(unsafe { StreamReader::of_batch(&schema, array) }));
    }
    Ok(None)
}
