//! What a check found, as values.

use rowstone_model::error::Corruption;
use rowstone_model::Error;

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Problem {
    /// It does not hold what it should.
    Damaged,
    /// It is not there.
    Missing,
    /// It has a tail such as a crash leaves: nothing that was promised is lost.
    TornTail,
    /// Nothing refers to it; the next open moves it to `archive/`.
    Unreachable,
    /// It is none of the database's.
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

    /// Whether something is wrong, and not only worth a remark.
    pub fn is_damage(self) -> bool {
        matches!(self, Problem::Damaged | Problem::Missing)
    }
}

/// What a finding costs. What is not known is `None`.
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
    /// How many cells.
    pub cells: Option<u64>,
    /// Writes of the region, first and last sequence id; some of them may never have been.
    pub sequence_ids: Option<(u64, u64)>,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub problem: Problem,
    /// Where: file, offset, what should be there and what is.
    pub place: Corruption,
    /// What is lost, in a few words.
    pub effect: String,
    /// What is lost; empty where nothing is.
    pub losses: Vec<Loss>,
}

impl Finding {
    /// A finding without a loss so far.
    pub fn new(
        problem: Problem,
        file: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let place = Corruption { file: file.into(), offset: 0, expected: expected.into(), found: found.into() };
        Finding { problem, place, effect: String::new(), losses: Vec::new() }
    }

    /// What `error` says, of a file that is named so where the error does not name one.
    pub fn of(error: &Error, file: &str) -> Self {
        let place = error.place().cloned().unwrap_or_else(|| Corruption {
            file: file.to_string(),
            offset: 0,
            expected: "a file that can be read".into(),
            found: error.message().to_string(),
        });
        Finding { problem: Problem::Damaged, place, effect: String::new(), losses: Vec::new() }
    }

    /// The same at `offset`.
    pub fn at(mut self, offset: u64) -> Self {
        self.place.offset = offset;
        self
    }

    /// The same with what it costs.
    pub fn costs(mut self, effect: impl Into<String>, losses: Vec<Loss>) -> Self {
        self.effect = effect.into();
        self.losses = losses;
        self
    }
}

/// What was looked at, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// In the order of manifest, logs, store files, others.
    pub findings: Vec<Finding>,
    /// Tables that the manifest names.
    pub tables: u64,
    /// Regions that the manifest names.
    pub regions: u64,
    /// Store files read.
    pub store_files: u64,
    /// Cells in them that can be read.
    pub cells: u64,
    /// Logs read.
    pub logs: u64,
    /// Records in them that can be read.
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
