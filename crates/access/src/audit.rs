//! Audit log of access decisions. Source: HBase's log `SecurityLogger`.

use rowstone_model::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// The user.
    pub user: &'a str,
    /// The client's address, if known.
    pub address: Option<&'a str>,
    /// The operation, with HBase's name.
    pub operation: &'static str,
    /// The scope: `GLOBAL`, a namespace, or a table with its namespace.
    pub scope: String,
    /// Whether the operation is allowed.
    pub allowed: bool,
    /// The reason for the decision.
    pub reason: &'a str,
}

/// Receives access decisions. It is called on the caller's thread, so it must be fast and must handle its own
/// failures.
pub trait Audit: Send + Sync {
    /// Whether it records allowed (or, with `false`, denied) operations. An unrecorded decision costs nothing.
    fn wants(&self, allowed: bool) -> bool;
    /// Records a decision.
    fn note(&self, event: &Event<'_>);
}

/// Several audits that all receive each decision; possibly none.
#[derive(Default)]
pub struct Audits(Vec<Arc<dyn Audit>>);

impl Audits {
    /// Combines several audits.
    pub fn new(all: Vec<Arc<dyn Audit>>) -> Self {
        Audits(all)
    }
}

impl Audit for Audits {
    fn wants(&self, allowed: bool) -> bool {
        self.0.iter().any(|audit| audit.wants(allowed))
    }

    fn note(&self, event: &Event<'_>) {
        self.0.iter().filter(|audit| audit.wants(event.allowed)).for_each(|audit| audit.note(event));
    }
}

/// An audit file with one line of JSON per decision.
pub struct AuditFile {
    file: Mutex<File>,
    with_allowed: bool,
}

impl AuditFile {
    /// Opens the file at `path` for appending, or creates it. Records denied operations, and allowed ones if
    /// `with_allowed` is set.
    ///
    /// # Errors
    /// `Io` if the file cannot be opened.
    pub fn open(path: &str, with_allowed: bool) -> Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = Mutex::new(file.map_err(|error| Error::io("open the audit file", path, &error))?);
        Ok(AuditFile { file, with_allowed })
    }
}

impl Audit for AuditFile {
    fn wants(&self, allowed: bool) -> bool {
        self.with_allowed || !allowed
    }

    fn note(&self, event: &Event<'_>) {
        let time_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let line = serde_json::json!({
            "time_ms": time_ms, "user": event.user, "address": event.address, "operation": event.operation,
            "scope": event.scope, "allowed": event.allowed, "reason": event.reason,
        });
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A single write, so that lines of several processes do not mix. A full disk does not stop the database.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}
