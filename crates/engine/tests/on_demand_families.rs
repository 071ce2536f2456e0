//! Families that a filter does not need, read after it has decided about the row.

use rowstone_engine::db::{open, OpenOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::filter::{Comparator, CompareOperator, Filter, ListOperator};
use rowstone_model::operations::{Get, Mutation, MutationKind, ReadOptions, Scan};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName};
use rowstone_model::Result;
use std::sync::Arc;

/// Rows with a state in `f` and data in families before and after it.
fn table() -> (Arc<dyn Backend>, Arc<dyn TableBackend>) {
    let db = open(OpenOptions { create: true, ..OpenOptions::default() }).unwrap();
    let name = TableName::parse("t").unwrap();
    let families = ["a", "f", "z"].map(FamilyDescriptor::new);
    let descriptor = families.into_iter().fold(TableDescriptor::new(name.clone()), TableDescriptor::with_family);
    db.admin().create_table(descriptor, Vec::new()).unwrap();
    let table = db.table(&name).unwrap();
    for (row, column, value) in [
        ("r1", "a:data", "1"),
        ("r1", "f:state", "on"),
        ("r1", "z:x", "1"),
        ("r1", "z:y", "1"),
        ("r2", "a:data", "2"),
        ("r2", "f:state", "off"),
        ("r3", "a:data", "3"),
        ("r4", "f:state", "on"),
        ("r4", "z:x", "4"),
        ("r5", "f:state", "on"),
    ] {
        let (family, qualifier) = column.split_once(':').unwrap();
        let mut put = Mutation::new(MutationKind::Put, row);
        put.cells.push(CellParts {
            row: row.as_bytes(),
            family: family.as_bytes(),
            qualifier: qualifier.as_bytes(),
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: value.as_bytes(),
            tags: &[],
        });
        table.mutate(put).unwrap();
    }
    (db, table)
}

fn state_is_on(filter_if_missing: bool) -> Filter {
    Filter::SingleColumnValueFilter {
        family: b"f".to_vec(),
        qualifier: b"state".to_vec(),
        operator: CompareOperator::Equal,
        comparator: Comparator::BinaryComparator { value: b"on".to_vec() },
        filter_if_missing,
        latest_version_only: true,
    }
}

fn state_is_on_and_left_out() -> Filter {
    let Filter::SingleColumnValueFilter { family, qualifier, operator, comparator, .. } = state_is_on(true) else {
        unreachable!()
    };
    let (filter_if_missing, latest_version_only) = (true, true);
    Filter::SingleColumnValueExcludeFilter {
        family,
        qualifier,
        operator,
        comparator,
        filter_if_missing,
        latest_version_only,
    }
}

fn column_is_on() -> Filter {
    Filter::ColumnValueFilter {
        family: b"f".to_vec(),
        qualifier: b"state".to_vec(),
        operator: CompareOperator::Equal,
        comparator: Comparator::BinaryComparator { value: b"on".to_vec() },
    }
}

fn options(filter: Filter, load_families_on_demand: bool) -> ReadOptions {
    ReadOptions { filter: Some(Arc::new(filter)), load_families_on_demand, ..ReadOptions::default() }
}

fn scan(table: &dyn TableBackend, scan: Scan) -> Result<Vec<String>> {
    let mut scanner = table.scan(scan)?;
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(2, 1 << 20)? {
        for row in &batch.rows {
            let columns = batch.row_cells(*row).map(|cell| [cell.family(), b":", cell.qualifier()].concat());
            let columns: Vec<String> = columns.map(|column| String::from_utf8(column).unwrap()).collect();
            let key = batch.row_cells(*row).next().unwrap().row().to_vec();
            rows.push(format!("{} {}", String::from_utf8(key).unwrap(), columns.join(" ")));
        }
    }
    Ok(rows)
}

fn scanned(filter: Filter, load_families_on_demand: bool, batch: u32) -> Vec<String> {
    let (_db, table) = table();
    scan(&*table, Scan { options: options(filter, load_families_on_demand), batch, ..Scan::default() }).unwrap()
}

#[test]
fn rows_are_the_same_and_sorted_where_the_filter_decides_by_one_family() {
    let expected = ["r1 a:data f:state z:x z:y", "r4 f:state z:x", "r5 f:state"];
    assert_eq!(scanned(state_is_on(true), false, 0), expected);
    assert_eq!(scanned(state_is_on(true), true, 0), expected);
    let both = || Filter::FilterList {
        operator: ListOperator::MustPassAll,
        filters: vec![state_is_on(true), state_is_on(true)],
    };
    assert_eq!(scanned(both(), true, 0), expected);
    assert_eq!(scanned(Filter::SkipFilter { filter: Box::new(state_is_on(true)) }, true, 0), expected);
}

#[test]
fn a_row_may_consist_of_what_is_read_on_demand() {
    let expected = ["r1 a:data z:x z:y", "r4 z:x"];
    assert_eq!(scanned(state_is_on_and_left_out(), false, 0), expected);
    assert_eq!(scanned(state_is_on_and_left_out(), true, 0), expected);
}

/// The filter excludes all cells of other columns, including on-demand ones, which it also sees.
#[test]
fn the_filter_sees_what_is_read_on_demand() {
    let expected = ["r1 f:state", "r4 f:state", "r5 f:state"];
    assert_eq!(scanned(column_is_on(), false, 0), expected);
    assert_eq!(scanned(column_is_on(), true, 0), expected);
}

#[test]
fn all_families_are_read_where_rows_without_the_column_pass() {
    // Rows without the column pass, so their cells must be read, as without on-demand families.
    let expected = ["r1 a:data f:state z:x z:y", "r3 a:data", "r4 f:state z:x", "r5 f:state"];
    assert_eq!(scanned(state_is_on(false), false, 0), expected);
    assert_eq!(scanned(state_is_on(false), true, 0), expected);
}

#[test]
fn a_get_reads_on_demand_too() {
    let (_db, table) = table();
    for (row, count) in [("r1", 4), ("r2", 0), ("r3", 0)] {
        let batch = table.get(&Get::new(row, options(state_is_on(true), true))).unwrap();
        assert_eq!(batch.cells.iter().count(), count, "{row}");
    }
}

/// As in HBase, which has no rows to find then.
#[test]
fn no_row_is_found_where_the_family_of_the_filter_is_not_read() {
    let (_db, table) = table();
    let mut wanted = options(state_is_on(true), true);
    wanted.columns.add_family(b"z");
    assert_eq!(scan(&*table, Scan { options: wanted, ..Scan::default() }).unwrap(), Vec::<String>::new());
}

#[test]
fn backward_it_is_refused_as_in_hbase() {
    let (_db, table) = table();
    let wanted = Scan { options: options(state_is_on(true), true), reversed: true, ..Scan::default() };
    let error = scan(&*table, wanted).unwrap_err().to_string();
    assert!(error.contains("Reverse scan with loading CFs on demand is not supported"), "{error}");
    let all = Scan { options: options(state_is_on(false), true), reversed: true, ..Scan::default() };
    assert_eq!(scan(&*table, all).unwrap().len(), 4);
}
