//! HBase's settings: conversion to text, and the list of all of them.

use crate::arguments::text_of;
use crate::errors::raise;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rowstone_access::settings::{AccessSettings, KEYS};
use rowstone_engine::db::{dedicated_shares, memory_limits, GivenMemory};
use rowstone_engine::settings::{list, Level, Settings};
use rowstone_engine::sys::memory_limit;
use rowstone_model::admin::{Limit, MemoryLimits};
use std::collections::BTreeMap;

/// Settings as text, the only type that HBase's configuration has.
pub fn settings(object: Option<&Bound<'_, PyDict>>) -> PyResult<BTreeMap<String, String>> {
    let mut settings = BTreeMap::new();
    for (name, value) in object.into_iter().flatten() {
        let name = text_of("setting name", name.as_borrowed())?;
        let text = match value.extract::<bool>() {
            Ok(flag) => flag.to_string(),
            Err(_) => value.str()?.to_string(),
        };
        settings.insert(name, text);
    }
    Ok(settings)
}

/// Settings that a database has by default in a process for itself: its shares of the memory.
#[pyfunction]
pub fn dedicated_settings() -> BTreeMap<&'static str, String> {
    dedicated_shares().into_iter().collect()
}

/// Limits of memory of a directory that this process opens for writing, without settings, as `Admin::memory_limits` returns them.
#[pyfunction]
pub fn default_memory_limits(py: Python<'_>, dedicated: bool) -> PyResult<SourcedLimits> {
    let given = GivenMemory { is_dedicated: dedicated, ..GivenMemory::default() };
    let limits = memory_limits(&Settings::default(), given, memory_limit()).map_err(|error| raise(py, &error))?;
    Ok(sourced(&limits))
}

/// Limits in bytes with what decided each: of the process (`None` if unknown), the block cache, the memstores.
pub type SourcedLimits = (Option<SourcedLimit>, SourcedLimit, SourcedLimit);
type SourcedLimit = (u64, &'static str);

/// The limits as tuples.
pub fn sourced(limits: &MemoryLimits) -> SourcedLimits {
    let pair = |limit: Limit| (limit.bytes, limit.source);
    (limits.process.map(pair), pair(limits.cache), pair(limits.memstore))
}

/// All settings as (key, level, default, value), where the value is the one in effect with `configuration`. The level
/// is `"database"`, `"table"` or `"family"`.
#[pyfunction]
pub fn describe_settings(
    py: Python<'_>,
    configuration: &Bound<'_, PyDict>,
) -> PyResult<Vec<(&'static str, &'static str, String, String)>> {
    let mut given = settings(Some(configuration))?;
    let access: Vec<_> = KEYS
        .iter()
        .map(|(key, default)| (*key, given.get(*key).cloned().unwrap_or_else(|| default.to_string()), *default))
        .collect();
    AccessSettings::take(&mut given).map_err(|error| raise(py, &error))?;
    let settings = Settings::parse(&given).map_err(|error| raise(py, &error))?;
    let level = |level| match level {
        Level::Database => "database",
        Level::Table => "table",
        Level::Family => "family",
    };
    let own = list(&settings).into_iter().map(|(key, at, default, value)| (key, level(at), default, value));
    let of_access = access.into_iter().map(|(key, value, default)| (key, "database", default.to_string(), value));
    Ok(own.chain(of_access).collect())
}
