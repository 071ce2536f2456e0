//! Reads everything in every way, and compares it with the right results.

use super::base::TABLES;
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::operations::{CellBatch, Get, ReadOptions, Scan};
use rowstone_model::schema::TableName;
use rowstone_model::Error;
use std::collections::BTreeMap;

/// A row's cells as text, by table and row. Raw scans count as separate tables.
pub type Answers = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Result of reading a database.
#[derive(Default)]
pub struct Reading {
    answers: Answers,
    /// (table, row or operation, error).
    pub failures: Vec<(String, String, Error)>,
}

impl Reading {
    /// All results; every read must have succeeded.
    pub fn answers(self) -> Answers {
        assert!(self.failures.is_empty(), "{:?}", self.failures);
        self.answers
    }

    /// Every cell that was found, as text.
    pub fn values(&self) -> impl Iterator<Item = &String> {
        self.answers.values().flat_map(|rows| rows.values()).flatten()
    }

    /// The rows that were found.
    pub fn rows(&self, what: &str) -> Vec<&String> {
        self.answers[what].keys().collect()
    }

    /// Returns a result that differs from the one in `right`.
    pub fn wrong(&self, right: &Answers) -> Option<String> {
        for (what, rows) in &self.answers {
            let failed = self.failures.iter().any(|(table, _, _)| table == what);
            let table = what.split('/').next().unwrap_or_default();
            let right = right.get(what).or_else(|| right.get(table))?;
            if !failed && rows != right {
                let row = rows.iter().find(|(row, cells)| right.get(*row) != Some(*cells));
                let missing = right.keys().find(|row| !rows.contains_key(*row));
                return Some(format!("{what}: row {row:?}, missing {missing:?}"));
            }
            // Before it failed it returned right rows, without a gap.
            let mut known: Vec<_> = right.iter().collect();
            if what.ends_with("/backward") {
                known.reverse();
            }
            let mut known = known.into_iter();
            let given: Box<dyn Iterator<Item = _>> =
                if what.ends_with("/backward") { Box::new(rows.iter().rev()) } else { Box::new(rows.iter()) };
            for row in given.filter(|_| !what.ends_with("/get")) {
                if known.next() != Some(row) {
                    return Some(format!("{what}: row {row:?} out of turn"));
                }
            }
            if let Some(row) = rows.iter().find(|(row, cells)| right.get(*row) != Some(*cells)) {
                return Some(format!("{what}: row {row:?}"));
            }
        }
        None
    }
}

fn rows_of(batch: &CellBatch) -> impl Iterator<Item = (String, Vec<String>)> + '_ {
    batch.rows.iter().map(|row| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut key = String::new();
        let cells = batch.row_cells(*row).map(|cell| {
            key = text(cell.row());
            format!(
                "{}:{}@{} {:?} {} {}",
                text(cell.family()),
                text(cell.qualifier()),
                cell.timestamp(),
                cell.cell_type(),
                text(cell.value()),
                cell.tags().len()
            )
        });
        let cells = cells.collect();
        (key, cells)
    })
}

/// Reads every row by itself and by scans forward, backward and raw. With `keys` the rows are already known.
pub fn read_all(db: &dyn Backend, keys: Option<&Answers>) -> Reading {
    let mut reading = Reading::default();
    for (name, _) in TABLES {
        let table = match db.table(&TableName::parse(name).unwrap()) {
            Ok(table) => table,
            Err(error) => {
                reading.failures.push((name.into(), "open".into(), error));
                reading.answers.insert(name.into(), BTreeMap::new());
                continue;
            }
        };
        let options = ReadOptions { versions: 100, ..ReadOptions::default() };
        scan(&mut reading, &*table, name, Scan { options: options.clone(), ..Scan::default() });
        let backward = Scan { reversed: true, options: options.clone(), ..Scan::default() };
        scan(&mut reading, &*table, &format!("{name}/backward"), backward);
        let raw = ReadOptions { raw: true, ..options.clone() };
        scan(&mut reading, &*table, &format!("{name}/raw"), Scan { options: raw, ..Scan::default() });
        let keys = keys.map_or_else(|| reading.answers[name].clone(), |keys| keys[name].clone());
        let what = format!("{name}/get");
        let mut got = BTreeMap::new();
        for row in keys.keys() {
            match table.get(&Get::new(row.as_bytes(), options.clone())) {
                Ok(batch) => got.extend([rows_of(&batch).next().unwrap_or((row.clone(), Vec::new()))]),
                Err(error) => reading.failures.push((what.clone(), row.clone(), error)),
            }
        }
        reading.answers.insert(what, got);
    }
    reading
}

fn scan(reading: &mut Reading, table: &dyn TableBackend, what: &str, scan: Scan) {
    let mut rows = BTreeMap::new();
    let read = || {
        let mut scanner = table.scan(scan)?;
        while let Some(batch) = scanner.next_batch(3, 1 << 20)? {
            rows.extend(rows_of(&batch));
        }
        Ok(())
    };
    if let Err(error) = read() {
        reading.failures.push((what.into(), "scan".into(), error));
    }
    reading.answers.insert(what.into(), rows);
}
