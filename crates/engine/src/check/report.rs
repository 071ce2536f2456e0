//! Findings of a check, as values.

use rowstone_model::error::Corruption;
use rowstone_model::Error;

/// Kinds of problems with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Problem {
    /// Its contents are not as expected.
    Damaged,
    /// It does not exist.
    Missing,
    /// It has a torn tail, as a crash leaves it: no acknowledged data is lost.
    TornTail,
    /// Nothing refers to it; the next open moves it to `archive/`.
    Unreachable,
    /// It does not belong to the database.
    Unknown,
}

impl Problem {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Problem::Damaged => "damaged",
            Problem::Missing => "missing",
            Problem::TornTail => "torn tail",
            Problem::Unreachable => "unreachable",
            Problem::Unknown => "unknown",
        }
    }

    /// Whether it is damage. The other kinds are only reported.
    pub fn is_damage(self) -> bool {
        matches!(self, Problem::Damaged | Problem::Missing)
    }
}

/// Data lost because of a finding. Unknown values are `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loss {
    /// The table.
    pub table: Option<String>,
    /// The region's encoded name.
    pub region: Option<String>,
    /// The family.
    pub family: Option<Vec<u8>>,
    /// No row before this one is lost; `None` is the region's start.
    pub first_row: Option<Vec<u8>>,
    /// No row after this one is lost; `None` is the region's end.
    pub last_row: Option<Vec<u8>>,
    /// Number of cells.
    pub cells: Option<u64>,
    /// First and last sequence id of lost writes of the region. Some of them may never have existed.
    pub sequence_ids: Option<(u64, u64)>,
}

/// One finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The kind of problem.
    pub problem: Problem,
    /// Location: file, offset, the expected contents and those found.
    pub place: Corruption,
    /// Short description of the loss.
    pub effect: String,
    /// The losses; empty if nothing is lost.
    pub losses: Vec<Loss>,
}

impl Finding {
    /// A finding without losses so far.
    pub fn new(
        problem: Problem,
        file: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let place = Corruption { file: file.into(), offset: 0, expected: expected.into(), found: found.into() };
        Finding { problem, place, effect: String::new(), losses: Vec::new() }
    }

    /// Builds a finding from `error`. `file` is used if the error does not name one.
    pub fn of(error: &Error, file: &str) -> Self {
        let place = error.place().cloned().unwrap_or_else(|| Corruption {
            file: file.to_string(),
            offset: 0,
            expected: "a file that can be read".into(),
            found: error.message().to_string(),
        });
        Finding { problem: Problem::Damaged, place, effect: String::new(), losses: Vec::new() }
    }

    /// Sets the offset in the file.
    pub fn at(mut self, offset: u64) -> Self {
        self.place.offset = offset;
        self
    }

    /// Sets the description of the loss, and the losses.
    pub fn costs(mut self, effect: impl Into<String>, losses: Vec<Loss>) -> Self {
        self.effect = effect.into();
        self.losses = losses;
        self
    }
}

/// Totals and findings of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order manifest, logs, store files, others.
    pub findings: Vec<Finding>,
    /// Tables that the manifest names.
    pub tables: u64,
    /// Regions that the manifest names.
    pub regions: u64,
    /// Store files read.
    pub store_files: u64,
    /// Number of readable cells in them.
    pub cells: u64,
    /// Logs read.
    pub logs: u64,
    /// Number of readable records in them.
    pub records: u64,
    /// Bytes read.
    pub bytes: u64,
}

impl Report {
    /// Whether nothing is damaged or missing.
    pub fn is_clean(&self) -> bool {
        !self.findings.iter().any(|finding| finding.problem.is_damage())
    }
}
