//! Who hears of each decision. Source: HBase's log `SecurityLogger`.

use rowstone_model::{Error, Result};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// Who asked.
    pub user: &'a str,
    /// Where from, where that is known.
    pub address: Option<&'a str>,
    /// For what, in HBase's words.
    pub operation: &'static str,
    /// Where: `GLOBAL`, a namespace, a table with its namespace.
    pub scope: String,
    /// Whether he may.
    pub allowed: bool,
    /// Why.
    pub reason: &'a str,
}

/// Hears of decisions. Called on the thread of who asked: it must be quick, and its failures are its own.
pub trait Audit: Send + Sync {
    /// Whether it wants to hear of what was allowed, or of what was not. A decision nobody wants costs nothing.
    fn wants(&self, allowed: bool) -> bool;
    /// Hears of one.
    fn note(&self, event: &Event<'_>);
}

/// Several who hear of the same; without any, nobody does.
#[derive(Default)]
pub struct Audits(Vec<Arc<dyn Audit>>);

impl Audits {
    /// All of these.
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

/// A file with a line of JSON for each decision.
pub struct AuditFile {
    file: Mutex<File>,
    with_allowed: bool,
}

impl AuditFile {
    /// Goes on with the file at `path`, or begins it; with what is allowed, or only with what is not.
    ///
    /// # Errors
    /// `Io` where the file cannot be written.
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
        // One write, so that lines of several processes do not mix; a full disk does not stop the database.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}
