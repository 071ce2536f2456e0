//! A get that must not wait has no result or the right one, however many files may have its row. Gets of many rows have
//! the results of single ones.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::TableBackend;
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::operations::{
    Action, ActionResult, CellBatch, Get, Mutation, MutationKind, ReadOptions, TimeRange,
};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};

const ROWS: u64 = 300;
const MARKERS: [CellType; 4] =
    [CellType::Delete, CellType::DeleteColumn, CellType::DeleteFamily, CellType::DeleteFamilyVersion];

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn row(&mut self) -> Vec<u8> {
        format!("row{:03}", self.below(ROWS)).into_bytes()
    }

    fn change(&mut self) -> Mutation {
        let cell_type = if self.below(5) > 0 { CellType::Put } else { MARKERS[self.below(4) as usize] };
        let is_put = cell_type == CellType::Put;
        let row = self.row();
        let of_family = matches!(cell_type, CellType::DeleteFamily | CellType::DeleteFamilyVersion);
        let qualifier = if of_family { vec![] } else { vec![b'a' + self.below(3) as u8] };
        let mut mutation = Mutation::new(if is_put { MutationKind::Put } else { MutationKind::Delete }, row.clone());
        mutation.cells.push(CellParts {
            row: &row,
            family: b"f",
            qualifier: &qualifier,
            timestamp: 1 + self.below(12) as i64,
            cell_type,
            value: &vec![b'v'; if is_put { self.below(3_000) as usize } else { 0 }],
            tags: &[],
        });
        mutation
    }

    fn options(&mut self) -> ReadOptions {
        let mut options = ReadOptions { versions: 1 + self.below(3) as u32, ..ReadOptions::default() };
        for qualifier in [b"a", b"b", b"c"] {
            if self.below(3) == 0 {
                options.columns.add_column(b"f", qualifier);
            }
        }
        if self.below(4) == 0 {
            let first = self.below(8) as i64;
            options.time_range = TimeRange::new(first, first + 4).unwrap();
        }
        options
    }
}

/// Number of gets at once that were answered while there were several files.
fn compare(bloom: &str, seed: u64) -> u64 {
    // Nothing is compacted; a third of the data fits into the cache.
    let cache = Some(256 << 10);
    let options = OpenOptions { create: true, is_passive: true, block_cache_bytes: cache, ..OpenOptions::default() };
    let db = open(options).unwrap();
    let name = TableName::parse("t").unwrap();
    let mut family = FamilyDescriptor::new("f");
    for (attribute, value) in [("BLOOMFILTER", bloom), ("VERSIONS", "2"), ("BLOCKSIZE", "4096")] {
        family.attributes.insert(attribute.into(), value.into());
    }
    db.admin().create_table(TableDescriptor::new(name.clone()).with_family(family), Vec::new()).unwrap();
    let table = db.table(&name).unwrap();
    let (mut random, mut files, mut answered) = (Random(seed), 0, 0);
    for step in 0..700 {
        table.mutate(random.change()).unwrap();
        if step % 90 == 89 {
            db.admin().flush(None).unwrap();
            files += 1;
        }
        for _ in 0..4 {
            let (row, options) = (random.row(), random.options());
            let mut found = CellBatch::default();
            let is_answered = table.get_at_once(&row, &options, &mut found).unwrap();
            let get = Get::new(row, options);
            let expected = table.get(&get).unwrap();
            let wanted = if is_answered { expected.cells } else { CellBuffer::new() };
            assert_eq!(found.cells, wanted, "{get:?}, step {step}, {files} files, {bloom}");
            answered += u64::from(is_answered && files > 1);
        }
        if step % 7 == 0 {
            compare_many(table.as_ref(), (0..150).map(|_| (random.row(), random.options())));
        }
    }
    answered
}

/// Reads the rows one by one, by a multi-get, and as actions.
fn compare_many(table: &dyn TableBackend, wanted: impl Iterator<Item = (Vec<u8>, ReadOptions)>) {
    let gets: Vec<Get> = wanted.map(|(row, options)| Get::new(row, options)).collect();
    let many = table.get_many(&gets).unwrap();
    let each = table.multi(gets.iter().cloned().map(Action::Get).collect());
    assert_eq!((many.rows.len(), each.len()), (gets.len(), gets.len()));
    for ((get, range), action) in gets.iter().zip(&many.rows).zip(each) {
        let expected = table.get(get).unwrap();
        assert!(many.row_cells(*range).eq(expected.cells.iter()), "{get:?}");
        assert_eq!(action.unwrap(), ActionResult::Row(expected), "{get:?}");
    }
}

#[test]
fn an_answer_at_once_is_the_answer_of_a_get() {
    for bloom in ["ROW", "ROWCOL", "NONE"] {
        let answered: u64 = (1..4).map(|seed| compare(bloom, seed)).sum();
        assert!(bloom == "NONE" || answered > 500, "{answered} gets were answered beside several files: {bloom}");
    }
}
