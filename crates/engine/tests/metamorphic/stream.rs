//! Random operations whose results HBase defines uniquely: none depends on whether deleted cells or surplus
//! versions were already compacted away. So time advances before each, and nothing is written below a marker. Only
//! the family that keeps every version is read by time, by value, or has single versions deleted.

use super::operation::{Ask, Operation};
use super::random::Random;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::filter::{language, CompareOperator};
use rowstone_model::operations::{
    CheckAndMutate, Condition, Get, Mutation, MutationKind, ReadOptions, RowMutations, Scan, TimeRange, ValueCondition,
};
use std::sync::Arc;

const ROWS: u64 = 200;
const QUALIFIERS: [&str; 5] = ["", "p", "q", "qq", "r"];
/// The families in which cells are deleted.
const DELETED: [&str; 3] = ["a", "b", "d"];

struct Maker {
    random: Random,
    number: u64,
    now_ms: i64,
}

fn add(mutation: &mut Mutation, family: &str, qualifier: &str, timestamp: i64, cell_type: CellType, value: &[u8]) {
    mutation.cells.push(CellParts {
        row: &mutation.row,
        family: family.as_bytes(),
        qualifier: qualifier.as_bytes(),
        timestamp,
        cell_type,
        value,
        tags: &[],
    });
}

impl Maker {
    fn row(&mut self) -> String {
        // Some rows are used much more often than others.
        let row = if self.random.one_in(3) { self.random.below(10) } else { self.random.below(ROWS) };
        format!("row{row:03}")
    }

    fn value(&mut self) -> Vec<u8> {
        let length = if self.random.one_in(50) { 5000 } else { self.random.below(60) };
        let letter = b'a' + self.random.below(26) as u8;
        [format!("{}-", self.number).into_bytes(), vec![letter; length as usize]].concat()
    }

    /// A timestamp in the past that no other cell has.
    fn own_timestamp(&mut self) -> i64 {
        self.random.below(100) as i64 * 100_000 + self.number as i64
    }

    fn put(&mut self, row: &str) -> Mutation {
        let mut put = Mutation::new(MutationKind::Put, row);
        for family in ["a", "b", "c", "d"] {
            if self.random.one_in(2) {
                let timestamp = if family == "c" { self.own_timestamp() } else { LATEST_TIMESTAMP };
                let (qualifier, value) = (self.random.choose(&QUALIFIERS), self.value());
                add(&mut put, family, qualifier, timestamp, CellType::Put, &value);
            }
        }
        if put.cells.is_empty() {
            let value = self.value();
            add(&mut put, "a", "q", LATEST_TIMESTAMP, CellType::Put, &value);
        }
        put
    }

    fn delete(&mut self, row: &str) -> Mutation {
        let mut delete = Mutation::new(MutationKind::Delete, row);
        let (family, qualifier) = (self.random.choose(&DELETED), self.random.choose(&QUALIFIERS));
        match self.random.below(4) {
            0 => add(&mut delete, family, "", LATEST_TIMESTAMP, CellType::DeleteFamily, &[]),
            // The newest existing version.
            1 => add(&mut delete, "c", qualifier, LATEST_TIMESTAMP, CellType::Delete, &[]),
            _ => add(&mut delete, family, qualifier, LATEST_TIMESTAMP, CellType::DeleteColumn, &[]),
        }
        delete
    }

    fn increment(&mut self, row: &str) -> Mutation {
        let mut increment = Mutation::new(MutationKind::Increment, row);
        let amount = self.random.below(100) as i64 - 20;
        for family in ["a", "b"] {
            add(&mut increment, family, "n", LATEST_TIMESTAMP, CellType::Put, &amount.to_be_bytes());
        }
        increment
    }

    fn append(&mut self, row: &str) -> Mutation {
        let mut append = Mutation::new(MutationKind::Append, row);
        let family = self.random.choose(&["a", "b", "d"]);
        add(&mut append, family, "text", LATEST_TIMESTAMP, CellType::Put, format!("{},", self.number).as_bytes());
        append
    }

    fn batch(&mut self) -> Vec<Mutation> {
        let mut rows: Vec<String> = (0..1 + self.random.below(20)).map(|_| self.row()).collect();
        rows.sort();
        rows.dedup();
        rows.iter().map(|row| if self.random.one_in(5) { self.delete(row) } else { self.put(row) }).collect()
    }

    /// Deletes one column and writes another, atomically.
    fn row_mutations(&mut self, row: &str) -> RowMutations {
        let mut delete = Mutation::new(MutationKind::Delete, row);
        add(&mut delete, "a", "q", LATEST_TIMESTAMP, CellType::DeleteColumn, &[]);
        let mut put = Mutation::new(MutationKind::Put, row);
        let value = self.value();
        add(&mut put, "a", "r", LATEST_TIMESTAMP, CellType::Put, &value);
        add(&mut put, "d", "q", LATEST_TIMESTAMP, CellType::Put, &value);
        RowMutations { row: row.into(), mutations: vec![delete, put] }
    }

    fn check(&mut self, row: &str) -> CheckAndMutate {
        let value = if self.random.one_in(3) { None } else { Some(format!("{}", self.random.below(9)).into_bytes()) };
        let condition = Condition::Value(ValueCondition {
            family: self.random.choose(&["a", "b", "c"]).into(),
            qualifier: self.random.choose(&QUALIFIERS).into(),
            operator: self.random.choose(&[CompareOperator::Less, CompareOperator::Equal, CompareOperator::NotEqual]),
            value,
            time_range: TimeRange::ALL,
        });
        CheckAndMutate {
            condition,
            mutations: RowMutations { row: row.into(), mutations: vec![self.put(row)] },
            guard: None,
        }
    }

    /// Read options: only `c` is also read by time and value.
    fn options(&mut self) -> ReadOptions {
        let mut options = ReadOptions { versions: self.random.choose(&[1, 1, 2, 3]), ..ReadOptions::default() };
        options.cache_blocks = !self.random.one_in(5);
        match self.random.below(6) {
            0 => {
                options.columns.add_family(b"c");
                options.versions = 10;
                let from = self.random.below(80) as i64 * 100_000;
                options.time_range = TimeRange { min: from, max: from + 3_000_000 };
            }
            1 => {
                options.columns.add_family(b"c");
                options.filter = language::parse(b"ValueFilter(>, 'binary:25')").ok().map(Arc::new);
            }
            2 => {
                for family in ["a", "b", "d"] {
                    options.columns.add_column(family.as_bytes(), self.random.choose(&QUALIFIERS).as_bytes());
                }
                options.columns.add_column(b"a", b"n");
            }
            3 => {
                let text = self.random.choose(&[
                    "ColumnPrefixFilter('q')",
                    "FirstKeyOnlyFilter()",
                    "RowFilter(>=, 'binary:row1')",
                    "QualifierFilter(=, 'substring:q') OR FamilyFilter(=, 'binary:b')",
                    "ColumnPaginationFilter(2, 1)",
                ]);
                options.filter = language::parse(text.as_bytes()).ok().map(Arc::new);
                options.versions = 1;
            }
            4 => {
                options.cells_per_family = Some(1 + self.random.below(3) as u32);
                options.offset_per_family = self.random.below(2) as u32;
            }
            _ => {}
        }
        options
    }

    fn scan(&mut self) -> Scan {
        let (mut start, mut stop) = (self.row().into_bytes(), self.row().into_bytes());
        if self.random.one_in(5) {
            start = Vec::new();
        }
        let reversed = self.random.one_in(3);
        if !start.is_empty() && (start > stop) != reversed {
            std::mem::swap(&mut start, &mut stop);
        }
        if self.random.one_in(5) {
            stop = Vec::new();
        }
        Scan {
            start,
            include_start: !self.random.one_in(4),
            stop,
            include_stop: self.random.one_in(4),
            reversed,
            limit: self.random.choose(&[0, 1, 10, 50]),
            batch: self.random.choose(&[0, 0, 0, 2]),
            caching: 0,
            read_point: 0,
            options: self.options(),
        }
    }

    fn draw(&mut self) -> Ask {
        let row = self.row();
        match self.random.below(100) {
            0..=39 => Ask::Mutate(self.put(&row)),
            40..=51 => Ask::Mutate(self.delete(&row)),
            52..=59 => Ask::Mutate(self.increment(&row)),
            60..=64 => Ask::Mutate(self.append(&row)),
            65..=69 => Ask::Batch(self.batch()),
            70..=72 => Ask::Row(self.row_mutations(&row)),
            73..=76 => Ask::Check(Box::new(self.check(&row))),
            77..=90 => Ask::Get(Get::new(row, self.options())),
            91..=93 => {
                let options = self.options();
                let count = 1 + self.random.below(5);
                Ask::GetMany((0..count).map(|_| Get::new(self.row(), options.clone())).collect())
            }
            _ => {
                let mut scan = self.scan();
                if scan.options.filter.is_some() || scan.options.cells_per_family.is_some() {
                    scan.batch = 0;
                }
                Ask::Scan(Box::new(scan), self.random.choose(&[1, 7, 1000]))
            }
        }
    }
}

/// The stream of `seed`.
pub fn stream(seed: u64, count: usize) -> Vec<Operation> {
    // All of it happens after the timestamps that cells are given.
    let mut maker = Maker { random: Random::new(seed), number: 0, now_ms: 1_000_000_000 };
    (0..count as u64)
        .map(|number| {
            maker.number = number;
            maker.now_ms += 1 + maker.random.below(100) as i64;
            Operation { number, at_ms: maker.now_ms, ask: maker.draw() }
        })
        .collect()
}
