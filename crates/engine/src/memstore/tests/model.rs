//! Proves that readers see the same as in a sorted list, through any sequence of inserts, freezes, merges,
//! snapshots and drops.

use super::{current, drain, reader, small, OwnedCell};
use crate::memstore::merged::SnapshotSource;
use crate::memstore::store::Memstore;
use proptest::prelude::*;
use rowstone_model::cell::{
    compare_cells, compare_keys, first_on_row, flat_key, Cell, CellBuffer, CellParts, CellSource, CellType,
};

#[derive(Debug, Clone)]
struct TestCell {
    row: Vec<u8>,
    qualifier: Vec<u8>,
    timestamp: i64,
    cell_type: CellType,
    value: Vec<u8>,
}

#[derive(Debug, Clone)]
enum Step {
    Insert { cells: Vec<TestCell>, same_id: bool },
    Maintain,
    Snapshot,
    DropSnapshot,
    Open { back: u64, row: Option<Vec<u8>> },
    Seeks { back: u64, keys: Vec<(Vec<u8>, Vec<u8>, i64)> },
    Reverse { back: u64, row: Vec<u8> },
}

fn a_row() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => (0u8..30).prop_map(|n| format!("row-000000-{n:02}").into_bytes()),
        2 => (0u16..2000).prop_map(|n| format!("row-{n:04}").into_bytes()),
        1 => prop::collection::vec(0u8..3, 1..4),
        1 => prop::collection::vec(any::<u8>(), 1..12),
    ]
}

fn a_qualifier() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(Vec::new()), (0u8..6).prop_map(|n| vec![b'q', n])]
}

fn a_type() -> impl Strategy<Value = CellType> {
    prop_oneof![4 => Just(CellType::Put), 1 => Just(CellType::Delete), 1 => Just(CellType::DeleteColumn)]
}

fn a_cell() -> impl Strategy<Value = TestCell> {
    (a_row(), a_qualifier(), 0i64..4, a_type(), prop::collection::vec(any::<u8>(), 0..6)).prop_map(
        |(row, qualifier, timestamp, cell_type, value)| TestCell { row, qualifier, timestamp, cell_type, value },
    )
}

fn a_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (prop::collection::vec(a_cell(), 1..30), prop::bool::weighted(0.2))
            .prop_map(|(cells, same_id)| Step::Insert { cells, same_id }),
        12 => (a_cell(), any::<bool>()).prop_map(|(cell, same_id)| Step::Insert { cells: vec![cell], same_id }),
        3 => Just(Step::Maintain),
        1 => Just(Step::Snapshot),
        1 => Just(Step::DropSnapshot),
        4 => (0u64..20, prop::option::of(a_row())).prop_map(|(back, row)| Step::Open { back, row }),
        4 => (0u64..20, prop::collection::vec((a_row(), a_qualifier(), -1i64..5), 1..6))
            .prop_map(|(back, keys)| Step::Seeks { back, keys }),
        4 => (0u64..20, prop_oneof![a_row(), Just(Vec::new())]).prop_map(|(back, row)| Step::Reverse { back, row }),
    ]
}

fn view(cell: &OwnedCell) -> Cell<'_> {
    Cell::new(&cell.0, &cell.1, &[], cell.2).unwrap()
}

/// The sorted list, the memstore and the open readers.
struct World {
    memstore: Memstore,
    cells: Vec<OwnedCell>,
    in_snapshot: Vec<OwnedCell>,
    sequence_id: u64,
    /// Readers opened earlier, and the cells they must still return.
    open: Vec<(SnapshotSource, std::vec::IntoIter<OwnedCell>)>,
    /// Extra length of most values: large cells are sealed in another way.
    padding: usize,
}

impl World {
    fn new(tree_cells: usize, padding: usize) -> Self {
        World {
            memstore: small(tree_cells),
            cells: Vec::new(),
            in_snapshot: Vec::new(),
            sequence_id: 1,
            open: Vec::new(),
            padding,
        }
    }

    fn visible(&self, read_point: u64, row: Option<&[u8]>) -> Vec<OwnedCell> {
        let is_visible = |cell: &&OwnedCell| cell.2 <= read_point && row.is_none_or(|row| view(cell).row() == row);
        let mut cells: Vec<OwnedCell> = self.cells.iter().filter(is_visible).cloned().collect();
        for cell in self.in_snapshot.iter().filter(is_visible) {
            if !cells.iter().any(|other| compare_cells(&view(other), &view(cell)).is_eq()) {
                cells.push(cell.clone());
            }
        }
        cells.sort_by(|left, right| compare_cells(&view(left), &view(right)));
        cells
    }

    fn insert(&mut self, cells: &[TestCell], same_id: bool) {
        self.sequence_id += u64::from(!same_id);
        let mut buffer = CellBuffer::new();
        for cell in cells {
            let TestCell { row, qualifier, timestamp, cell_type, value } = cell;
            let padding = if self.sequence_id.is_multiple_of(7) { 0 } else { self.padding };
            let value = [value.as_slice(), &vec![b'.'; padding]].concat();
            let (timestamp, cell_type, value) = (*timestamp, *cell_type, value.as_slice());
            buffer.push(CellParts { row, family: b"f", qualifier, timestamp, cell_type, value, tags: &[] });
            let key = flat_key(row, b"f", qualifier, timestamp, cell_type);
            self.cells.retain(|old| old.0 != key || old.2 != self.sequence_id);
            self.cells.push((key, value.to_vec(), self.sequence_id));
        }
        self.memstore.insert(&buffer, self.sequence_id);
    }

    fn step(&mut self, step: &Step) {
        // The newest id may still get cells, so readers that stay open use older ones.
        let read_point = |back: &u64| (self.sequence_id - 1).saturating_sub(*back);
        match step {
            Step::Insert { cells, same_id } => self.insert(cells, *same_id),
            Step::Maintain => {
                self.memstore.maintain();
                assert!(!self.memstore.needs_maintenance());
            }
            Step::Snapshot => self.snapshot(),
            Step::DropSnapshot => {
                self.memstore.drop_snapshot(());
                self.in_snapshot.clear();
            }
            Step::Open { back, row } => {
                let mut source = reader(&self.memstore, read_point(back), row.as_deref());
                source.seek(&first_on_row(&[])).unwrap();
                self.open.push((source, self.visible(read_point(back), row.as_deref()).into_iter()));
            }
            Step::Seeks { back, keys } => self.seeks(read_point(back), keys),
            Step::Reverse { back, row } => self.reverse(read_point(back), row),
        }
        for (source, expected) in &mut self.open {
            for _ in 0..3 {
                assert_eq!(current(source), expected.next());
                source.advance().unwrap();
            }
        }
        let (size, snapshot) = (self.memstore.size(), self.memstore.snapshot_size());
        assert!(size.cells >= self.cells.len() && snapshot.cells >= self.in_snapshot.len());
        assert_eq!(self.memstore.is_empty(), self.cells.is_empty() && self.in_snapshot.is_empty());
    }

    fn snapshot(&mut self) {
        if self.in_snapshot.is_empty() {
            self.in_snapshot = std::mem::take(&mut self.cells);
            self.in_snapshot.sort_by(|left, right| compare_cells(&view(left), &view(right)));
        }
        let summary = self.memstore.snapshot();
        assert_eq!(summary.is_none(), self.in_snapshot.is_empty());
        if let Some(mut source) = self.memstore.snapshot_source() {
            source.seek(&first_on_row(&[])).unwrap();
            assert_eq!(drain(&mut source), self.in_snapshot);
        }
    }

    fn seeks(&self, read_point: u64, keys: &[(Vec<u8>, Vec<u8>, i64)]) {
        let expected = self.visible(read_point, None);
        let mut keys: Vec<Vec<u8>> =
            keys.iter().map(|(row, qualifier, time)| flat_key(row, b"f", qualifier, *time, CellType::Put)).collect();
        let mut source = reader(&self.memstore, read_point, None);
        let at = |key: &[u8]| expected.iter().find(|cell| compare_keys(&cell.0, key).is_ge()).cloned();
        for key in &keys {
            source.seek(key).unwrap();
            assert_eq!(current(&source), at(key));
        }
        keys.sort_by(|left, right| compare_keys(left, right));
        source.seek(&keys[0]).unwrap();
        for key in &keys {
            source.reseek(key).unwrap();
            assert_eq!(current(&source), at(key));
        }
        assert_eq!(
            drain(&mut source),
            expected.iter().filter(|c| compare_keys(&c.0, &keys[keys.len() - 1]).is_ge()).cloned().collect::<Vec<_>>()
        );
    }

    /// Reads all rows before `row` backwards, as a reverse scan does.
    fn reverse(&self, read_point: u64, row: &[u8]) {
        let expected = self.visible(read_point, None);
        let mut source = reader(&self.memstore, read_point, None);
        let mut row = row.to_vec();
        loop {
            let before = |cell: &&OwnedCell| row.is_empty() || view(cell).row() < row.as_slice();
            let previous = expected.iter().filter(before).map(|cell| view(cell).row()).max();
            let first = previous.and_then(|row| expected.iter().find(|cell| view(cell).row() == row));
            source.seek_to_previous_row(&row).unwrap();
            assert_eq!(current(&source).as_ref(), first);
            let Some(previous) = previous else { return };
            for cell in expected.iter().filter(|cell| view(cell).row() == previous) {
                assert_eq!(current(&source).as_ref(), Some(cell));
                source.advance().unwrap();
            }
            row = previous.to_vec();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn readers_see_what_a_sorted_list_says(
        tree_cells in prop_oneof![Just(3usize), Just(20), Just(150), Just(100_000)],
        padding in prop_oneof![Just(0usize), Just(400)],
        steps in prop::collection::vec(a_step(), 1..120),
    ) {
        let mut world = World::new(tree_cells, padding);
        for step in &steps {
            world.step(step);
        }
        for (mut source, expected) in world.open {
            prop_assert_eq!(drain(&mut source), expected.collect::<Vec<_>>());
        }
    }
}
