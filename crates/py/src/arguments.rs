//! Conversion of callers' arguments to the model's types: keys, columns, times, numbers.
//!
//! Each wrapper implements `FromPyObject`, so that a method's signature shows the accepted types and errors name the
//! argument.

use crate::errors::{invalid, raise, raise_named, wrong_type};
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyString};
use pyo3::Borrowed;
use rowstone_model::cell::check_timestamp;
use rowstone_model::operations::{CompareOperator, Durability, TimeRange};
use std::borrow::Cow;

/// Extracts `str` (as UTF-8), `bytes`, or any object with a buffer of bytes.
pub fn bytes_of<'a>(what: &str, object: Borrowed<'a, '_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(bytes) = object.extract::<&'a [u8]>() {
        return Ok(Cow::Borrowed(bytes));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return match object.extract::<&'a str>() {
            Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Err(_) => Err(invalid(object.py(), format!("{what} {:?} is not valid Unicode; pass bytes", *text))),
        };
    }
    if object.cast::<PyInt>().is_err() {
        if let Ok(buffer) = PyBuffer::<u8>::get(&object) {
            return buffer.to_vec(object.py()).map(Cow::Owned);
        }
    }
    Err(wrong_type(what, "bytes or str", &object))
}

/// A row key, and the object that it is from.
pub struct RowKey<'a, 'py>(pub Cow<'a, [u8]>, Borrowed<'a, 'py, PyAny>);

impl<'py> RowKey<'_, 'py> {
    /// The key as `bytes`: the caller's object, if it is that.
    pub fn object(&self) -> Bound<'py, PyBytes> {
        match self.1.cast_exact::<PyBytes>() {
            Ok(bytes) => bytes.to_owned(),
            Err(_) => to_bytes(self.1.py(), &self.0),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for RowKey<'a, 'py> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        bytes_of("row key", object).map(|key| RowKey(key, object))
    }
}

/// A value.
pub struct Value<'a>(pub Cow<'a, [u8]>);

impl<'a, 'py> FromPyObject<'a, 'py> for Value<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        bytes_of("value", object).map(Value)
    }
}

/// Extracts an integer within `least..=most`.
pub fn integer(what: &str, object: &Bound<'_, PyAny>, least: i64, most: i64) -> PyResult<i64> {
    match object.extract::<i64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(number) => Err(invalid(object.py(), format!("{what} {number} is outside {least} to {most}"))),
        Err(_) if object.is_instance_of::<PyInt>() => {
            let message = format!("{what} {object} does not fit 64 bits; it goes from {least} to {most}");
            Err(raise_named(object.py(), "IntegerTooLarge", &message))
        }
        Err(_) => Err(wrong_type(what, "an int", object)),
    }
}

/// A timestamp: milliseconds as `int`, or an aware `datetime`.
#[derive(Clone, Copy)]
pub struct Timestamp(pub i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Timestamp {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let is_number = object.is_instance_of::<PyInt>() || object.hasattr("__index__")?;
        let timestamp =
            if is_number { integer("timestamp", &object, i64::MIN, i64::MAX)? } else { datetime_ms(&object)? };
        check_timestamp(timestamp).map_err(|error| raise(object.py(), &error))?;
        Ok(Timestamp(timestamp))
    }
}

/// Milliseconds from 1970 to an aware `datetime`; fractions of one are dropped.
#[pyfunction]
#[pyo3(name = "epoch_ms")]
pub fn datetime_ms(moment: &Bound<'_, PyAny>) -> PyResult<i64> {
    let offset =
        moment.call_method0("utcoffset").map_err(|_| wrong_type("timestamp", "an int or a datetime", moment))?;
    if offset.is_none() {
        let message = format!(
            "datetime {moment} has no time zone; pass an aware one, such as datetime.now(timezone.utc), or milliseconds"
        );
        return Err(invalid(moment.py(), message));
    }
    // Seconds as a double would be inexact from the year 2242 on. Fractions of a millisecond are dropped, as clocks do.
    let (epoch, millisecond) = EPOCH.get_or_try_init(moment.py(), || epoch(moment.py()))?;
    moment.sub(epoch)?.call_method1("__floordiv__", (millisecond,))?.extract()
}

/// The first moment of 1970 in UTC, and the duration of a millisecond.
static EPOCH: PyOnceLock<(Py<PyAny>, Py<PyAny>)> = PyOnceLock::new();

fn epoch(py: Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
    let datetime = py.import("datetime")?;
    let zone = datetime.getattr("timezone")?.getattr("utc")?;
    let epoch = datetime.getattr("datetime")?.call_method1("fromtimestamp", (0, zone))?;
    let millisecond = datetime.getattr("timedelta")?.call1((0, 0, 1000))?;
    Ok((epoch.unbind(), millisecond.unbind()))
}

/// A positive duration in milliseconds: `int`, or a `timedelta`.
#[derive(Clone, Copy)]
pub struct TimeToLive(pub i64);

impl<'a, 'py> FromPyObject<'a, 'py> for TimeToLive {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let ms = if object.hasattr("total_seconds")? {
            let seconds: f64 = object.call_method0("total_seconds")?.extract()?;
            (seconds * 1e3).round() as i64
        } else if object.hasattr("__index__")? {
            integer("ttl_ms", &object, i64::MIN, i64::MAX)?
        } else {
            return Err(wrong_type("ttl_ms", "an int or a timedelta", &object));
        };
        if ms < 1 {
            return Err(invalid(object.py(), format!("ttl_ms {ms} is not positive; a cell lives at least 1 ms")));
        }
        Ok(TimeToLive(ms))
    }
}

/// A pair (first timestamp, first timestamp after); `None` on either side means no bound.
#[derive(Clone, Copy)]
pub struct Range(pub TimeRange);

impl<'a, 'py> FromPyObject<'a, 'py> for Range {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = || wrong_type("time_range", "a pair (first, first after) of timestamps", &object);
        let (first, after): (Bound<'py, PyAny>, Bound<'py, PyAny>) = object.extract().map_err(|_| wrong())?;
        let first = first.extract::<Option<Timestamp>>()?.map_or(0, |timestamp| timestamp.0);
        let after = after.extract::<Option<Timestamp>>()?.map_or(i64::MAX, |timestamp| timestamp.0);
        TimeRange::new(first, after).map(Range).map_err(|error| raise(object.py(), &error))
    }
}

/// A durability, by HBase's name in any case.
#[derive(Clone, Copy)]
pub struct DurabilityName(pub Durability);

impl<'a, 'py> FromPyObject<'a, 'py> for DurabilityName {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = text_of("durability", object)?;
        Ok(DurabilityName(match text.to_ascii_uppercase().as_str() {
            "USE_DEFAULT" => Durability::UseDefault,
            "SKIP_WAL" => Durability::SkipWal,
            "ASYNC_WAL" => Durability::AsyncWal,
            "SYNC_WAL" => Durability::SyncWal,
            "FSYNC_WAL" => Durability::FsyncWal,
            _ => {
                let known = "USE_DEFAULT, SKIP_WAL, ASYNC_WAL, SYNC_WAL, FSYNC_WAL";
                return Err(invalid(object.py(), format!("durability '{text}' is unknown; HBase has {known}")));
            }
        }))
    }
}

/// Extracts a `str`.
pub fn text_of(what: &str, object: Borrowed<'_, '_, PyAny>) -> PyResult<String> {
    let bytes = bytes_of(what, object)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(text.to_string()),
        Err(_) => Err(invalid(object.py(), format!("{what} is not UTF-8 text"))),
    }
}

/// The name of a table or namespace.
pub struct Name(pub String);

impl<'a, 'py> FromPyObject<'a, 'py> for Name {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        text_of("name", object).map(Name)
    }
}

/// A comparison operator, by HBase's name in any case or by its sign.
#[derive(Clone, Copy)]
pub struct Operator(pub CompareOperator);

impl<'a, 'py> FromPyObject<'a, 'py> for Operator {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = text_of("operator", object)?;
        Ok(Operator(match text.to_ascii_uppercase().as_str() {
            "EQUAL" | "==" | "=" => CompareOperator::Equal,
            "NOT_EQUAL" | "!=" => CompareOperator::NotEqual,
            "LESS" | "<" => CompareOperator::Less,
            "LESS_OR_EQUAL" | "<=" => CompareOperator::LessOrEqual,
            "GREATER" | ">" => CompareOperator::Greater,
            "GREATER_OR_EQUAL" | ">=" => CompareOperator::GreaterOrEqual,
            "NO_OP" => CompareOperator::NoOp,
            _ => {
                let known = "EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, NO_OP";
                return Err(invalid(object.py(), format!("operator '{text}' is unknown; HBase has {known}")));
            }
        }))
    }
}

/// Converts to Python `bytes`.
#[inline]
pub fn to_bytes<'py>(py: Python<'py>, bytes: &[u8]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, bytes)
}
