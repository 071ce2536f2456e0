//! Reversed scans return the rows of forward scans in reverse, in batches of any size.

use crate::regions_support;
use proptest::prelude::*;
use regions_support::{create, database, name};
use rowstone_model::backend::Backend;
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Action, Mutation, MutationKind, Scan};

const ROWS: u32 = 600;
const SPAN_BYTES: usize = 256 << 10;

#[derive(Debug, Clone)]
enum Step {
    /// Puts of so many columns, with values of so many bytes, into these rows of one or both families.
    Put {
        first: u32,
        every: u32,
        rows: u32,
        columns: usize,
        bytes: usize,
        families: u8,
    },
    /// Deletes these rows.
    Delete {
        first: u32,
        every: u32,
        rows: u32,
    },
    Flush,
}

fn step() -> impl Strategy<Value = Step> {
    let rows = || (0..ROWS, 1..40u32, prop_oneof![1..10u32, 100..ROWS]);
    let shape = (
        prop_oneof![6 => Just(1usize), 1 => 2..5usize, 1 => 20..60usize],
        prop_oneof![8 => 0..80usize, 1 => 1_000..9_000usize],
    );
    prop_oneof![
        6 => (rows(), shape, 1..4u8).prop_map(|((first, every, rows), (columns, bytes), families)| {
            // Few rows are both wide and long.
            let rows = if columns * bytes > 5_000 { rows.min(8) } else { rows };
            Step::Put { first, every, rows, columns, bytes, families }
        }),
        1 => rows().prop_map(|(first, every, rows)| Step::Delete { first, every, rows }),
        1 => Just(Step::Flush),
    ]
}

fn row(number: u32) -> Vec<u8> {
    // Some keys are prefixes of others.
    match number % 7 {
        0 => format!("row{:04}", number).into_bytes(),
        odd => format!("row{:04}{}", number - odd, "x".repeat(odd as usize)).into_bytes(),
    }
}

fn apply(db: &dyn Backend, step: &Step) {
    let table = db.table(&name()).unwrap();
    let numbers = |first: u32, every: u32, rows: u32| (0..rows).map(move |at| (first + at * every) % ROWS);
    match *step {
        Step::Put { first, every, rows, columns, bytes, families } => {
            for number in numbers(first, every, rows) {
                let key = row(number);
                let mut mutation = Mutation::new(MutationKind::Put, &key[..]);
                for (family, _) in ["f", "g"].iter().zip([1, 2]).filter(|(_, bit)| families & bit != 0) {
                    for column in 0..columns {
                        mutation.cells.push(CellParts {
                            row: &key,
                            family: family.as_bytes(),
                            qualifier: format!("q{column:02}").as_bytes(),
                            timestamp: LATEST_TIMESTAMP,
                            cell_type: CellType::Put,
                            value: &vec![b'v'; bytes],
                            tags: &[],
                        });
                    }
                }
                table.mutate(mutation).unwrap();
            }
        }
        Step::Delete { first, every, rows } => {
            for number in numbers(first, every, rows) {
                table.mutate(Mutation::new(MutationKind::Delete, &row(number)[..])).unwrap();
            }
        }
        Step::Flush => db.admin().flush(None).unwrap(),
    }
}

/// A row's cells as text.
type Found = Vec<String>;

/// The rows of a scan in batches of at most so many rows and bytes. The scan does not see `later` steps.
fn read(db: &dyn Backend, scan: Scan, rows: usize, bytes: usize, later: &[Step]) -> Vec<Found> {
    let mut scanner = db.table(&name()).unwrap().scan(scan).unwrap();
    later.iter().for_each(|step| apply(db, step));
    let mut found = Vec::new();
    while let Some(batch) = scanner.next_batch(rows, bytes).unwrap() {
        assert!(batch.rows.len() <= rows);
        let most_bytes = bytes.saturating_add(2 * SPAN_BYTES + 600_000);
        assert!(batch.cells.byte_len() <= most_bytes, "{} bytes", batch.cells.byte_len());
        for &range in &batch.rows {
            assert!(!range.is_partial);
            let cells: Found = batch.row_cells(range).map(|cell| format!("{cell:?}")).collect();
            assert_eq!(cells.len(), range.cell_count as usize);
            found.push(cells);
        }
    }
    found
}

/// Small rows make a span long; large ones in it would fill the memory.
#[test]
fn a_batch_does_not_exceed_its_bytes_by_many_large_rows() {
    let db = database(None, &[]);
    create(&*db, &[], &[]);
    let puts = (0..3_000).map(|number| {
        let key = format!("row{number:04}");
        let mut put = Mutation::new(MutationKind::Put, &key);
        put.cells.push(CellParts {
            row: key.as_bytes(),
            family: b"f",
            qualifier: b"q",
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: &vec![b'v'; if (1_000..1_060).contains(&number) { 90_000 } else { 10 }],
            tags: &[],
        });
        Action::Mutate(put)
    });
    // So large a write is one segment of the memstore.
    let results = db.table(&name()).unwrap().multi(puts.collect());
    assert!(results.iter().all(Result::is_ok));
    let mut expected = read(&*db, Scan::default(), usize::MAX, usize::MAX, &[]);
    expected.reverse();
    let backward = Scan { reversed: true, ..Scan::default() };
    assert!(read(&*db, backward, usize::MAX, 64 << 10, &[]) == expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reversed_scans_return_the_rows_of_forward_scans(
        steps in prop::collection::vec(step(), 1..14),
        splits in prop_oneof![Just(&[][..]), Just(&["row0200", "row0210"][..])],
        scans in prop::collection::vec(
            (
                (prop::option::of(0..ROWS), any::<bool>(), prop::option::of(0..ROWS), any::<bool>()),
                prop_oneof![Just(0u64), 1..20u64, 50..400u64],
                prop_oneof![Just(usize::MAX), 1..12usize, Just(100usize)],
                prop_oneof![4 => Just(usize::MAX), 1 => Just(1usize), 1 => Just(5_000usize)],
                0..3usize,
                prop::collection::vec(step(), 0..3),
            ),
            1..6,
        ),
    ) {
        let db = database(None, &[]);
        create(&*db, &[("BLOCKSIZE", "2048")], splits);
        steps.iter().for_each(|step| apply(&*db, step));
        for ((low, include_low, high, include_high), limit, rows, bytes, families, later) in scans {
            let key = |number: Option<u32>| number.map(row).unwrap_or_default();
            let mut forward = Scan { start: key(low), include_start: include_low, ..Scan::default() };
            (forward.stop, forward.include_stop) = (key(high), include_high);
            if families > 0 {
                forward.options.columns.add_family(["f", "g"][families - 1].as_bytes());
            }
            let backward = Scan {
                start: forward.stop.clone(),
                include_start: forward.include_stop,
                stop: forward.start.clone(),
                include_stop: forward.include_start,
                reversed: true,
                limit,
                ..forward.clone()
            };
            // A scan reads its second region as of a later moment.
            let later = if splits.is_empty() { &later[..] } else { &[] };
            let mut expected = read(&*db, forward, usize::MAX, usize::MAX, &[]);
            expected.reverse();
            if limit > 0 {
                expected.truncate(limit as usize);
            }
            prop_assert_eq!(read(&*db, backward, rows, bytes, later), expected);
        }
    }
}
