//! Proves that sources find all rows backward, whatever is written between the steps.

use super::{buffer, current, drain, put, reader, small, OwnedCell};
use crate::memstore::store::Memstore;
use crate::memstore::MemstoreSource;
use proptest::prelude::*;
use rowstone_model::cell::{compare_keys, first_on_row, row_after, row_of, CellSource};

/// Cells of the next row: their number, and the bytes of their values.
type Shape = (usize, usize);

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        8 => (1..4usize, Just(10usize)),
        2 => (8..20usize, Just(10usize)),
        1 => (100..600usize, Just(1usize)),
        1 => (1..3usize, Just(70_000usize)),
    ]
}

#[derive(Debug, Clone)]
struct Step {
    /// Rows that are written before it, which the scan must not see.
    hidden: Vec<(u8, Shape)>,
    /// Whether the row is read to its end, or only its last cell is sought.
    reads: bool,
    /// Rows that are skipped, as by a filter's hint.
    skips: usize,
    /// Rows that are read forward together with it.
    more: usize,
}

fn step() -> impl Strategy<Value = Step> {
    let hidden = prop::collection::vec((any::<u8>(), shape()), 0..3);
    let (skips, more) =
        (prop_oneof![6 => Just(0usize), 1 => 1..4usize], prop_oneof![1 => Just(0usize), 1 => 1..9usize]);
    (hidden, any::<bool>(), skips, more).prop_map(|(hidden, reads, skips, more)| Step { hidden, reads, skips, more })
}

fn insert(memstore: &Memstore, row: u8, (cells, bytes): Shape, sequence_id: u64) {
    let qualifiers: Vec<String> = (0..cells).map(|number| format!("q{number:04}")).collect();
    let value = vec![b'v'; bytes];
    let row = format!("row{row:03}");
    let cells =
        qualifiers.iter().map(|qualifier| put(row.as_bytes(), qualifier.as_bytes(), sequence_id as i64, &value));
    memstore.insert(&buffer(cells), sequence_id);
}

/// Checks that the sources have the expected cells from row `first` to row `last`, and each at most `more` rows besides the last.
fn check_span(
    sources: &mut [MemstoreSource],
    first: &[u8],
    last: &[u8],
    more: usize,
    expected: &[OwnedCell],
) -> Result<(), TestCaseError> {
    let is_wanted = |key: &[u8]| (first..=last).contains(&row_of(key));
    let mut cells = Vec::new();
    for source in sources {
        source.seek(&first_on_row(first)).unwrap();
        let mut rows: Vec<Vec<u8>> = Vec::new();
        while source.peek().is_some_and(|cell| is_wanted(cell.key())) {
            let run = source.visit_run(|cell| {
                rows.push(cell.row().to_vec());
                cells.push((cell.key().to_vec(), cell.value().to_vec(), cell.sequence_id()));
                true
            });
            run.unwrap();
        }
        rows.dedup();
        prop_assert!(rows.len() <= more + 1);
    }
    cells.sort_by(|left, right| compare_keys(&left.0, &right.0).then(right.2.cmp(&left.2)));
    let wanted = expected.iter().filter(|cell| is_wanted(&cell.0));
    prop_assert_eq!(cells.iter().collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn reversed_sources_beside_writers_find_every_row(
        tree_cells in prop_oneof![Just(20usize), Just(700), Just(100_000)],
        rows in prop::collection::vec((any::<u8>(), shape()), 1..40),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let memstore = small(tree_cells);
        let mut sequence_id = 0;
        for (row, shape) in rows {
            sequence_id += 1;
            insert(&memstore, row, shape, sequence_id);
        }
        let read_point = sequence_id;
        let mut all = reader(&memstore, read_point, None);
        all.seek(&first_on_row(&[])).unwrap();
        let expected: Vec<OwnedCell> = drain(&mut all);
        let mut rows: Vec<&[u8]> = expected.iter().map(|cell| row_of(&cell.0)).collect();
        rows.dedup();
        let mut sources = Vec::new();
        memstore.view().sources::<MemstoreSource>(read_point, None, &mut sources);
        let mut row: Vec<u8> = Vec::new();
        for step in steps {
            for (row, shape) in step.hidden {
                sequence_id += 1;
                insert(&memstore, row, shape, sequence_id);
            }
            if step.skips > 0 {
                rows.truncate(rows.len().saturating_sub(step.skips));
                row = rows.last().map_or_else(|| vec![0], |row| row_after(row));
            }
            for source in &mut sources {
                source.seek_to_previous_row(&row).unwrap();
            }
            let found = sources.iter().filter_map(|source| source.peek()).map(|cell| cell.row().to_vec()).max();
            let previous = rows.pop();
            prop_assert_eq!(found.as_deref(), previous);
            let Some(previous) = previous else { break };
            row = previous.to_vec();
            let with_rows = sources.iter().filter(|source| source.peek().is_some());
            let back: Option<Vec<&[u8]>> = with_rows.map(|source| source.row_back(step.more)).collect();
            let first = back.and_then(|back| back.into_iter().max().map(<[u8]>::to_vec));
            if let Some(first) = first.filter(|first| first.as_slice() < previous) {
                check_span(&mut sources, &first, previous, step.more, &expected)?;
                while rows.pop_if(|row| *row >= first.as_slice()).is_some() {}
                row = first;
                continue;
            }
            let mut wanted: Vec<&OwnedCell> = expected.iter().filter(|cell| row_of(&cell.0) == previous).collect();
            let last = wanted[wanted.len() - 1].0.clone();
            let mut cells = Vec::new();
            for source in &mut sources {
                if !step.reads && source.peek().is_some_and(|cell| cell.row() == previous) {
                    source.reseek(&last).unwrap();
                }
                while let Some(cell) = current(source).filter(|cell| row_of(&cell.0) == previous) {
                    cells.push(cell);
                    source.advance().unwrap();
                }
            }
            cells.sort_by(|left, right| compare_keys(&left.0, &right.0).then(right.2.cmp(&left.2)));
            if !step.reads {
                wanted.retain(|cell| cell.0 == last);
            }
            prop_assert_eq!(cells.iter().collect::<Vec<_>>(), wanted);
        }
    }
}
