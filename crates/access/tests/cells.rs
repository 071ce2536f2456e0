//! Exhaustive test of per-cell permissions: visibility of cells and permission of writes, for each operation,
//! permission, kind of name (user or group), and position of the cell.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rowstone_access::cells::{asking_cells, cell_allows, Covering};
use rowstone_access::operations::{Reach, RULES};
use rowstone_access::{decide, GrantIndex, Operation, Target, Verdict};
use rowstone_model::access::{Caller, CellPermissions, Grant, Permission, Permissions, Scope};
use rowstone_model::cell::{write_tag, Cell, CellBuffer, CellParts, CellType, ACL_TAG, LATEST_TIMESTAMP};
use rowstone_model::operations::ColumnSelection;
use rowstone_model::schema::TableName;

fn tags(users: &[(&str, &str)]) -> Vec<u8> {
    let permissions =
        CellPermissions::new(users.iter().map(|(name, letters)| (*name, Permissions::parse(letters).unwrap())));
    let mut tags = Vec::new();
    write_tag(&mut tags, 99, b"another's");
    write_tag(&mut tags, ACL_TAG, &permissions.encode());
    tags
}

fn member() -> Caller {
    Caller { groups: vec!["dev".into()], ..Caller::new("bob") }
}

#[test]
fn a_cell_gives_each_user_and_group_what_it_says_and_no_more() {
    let (ann, bob) = (Caller::new("ann"), member());
    let mut walked = 0;
    for permission in Permission::ALL {
        let letter = permission.letter().to_string();
        for asked in Permission::ALL {
            let is_it = permission == asked;
            assert_eq!(cell_allows(&ann, &tags(&[("ann", &letter)]), asked), is_it, "{letter} for {asked:?}");
            assert_eq!(
                cell_allows(&bob, &tags(&[("@dev", &letter)]), asked),
                is_it,
                "{letter} for {asked:?}, by a group"
            );
            for other in ["ann ", "@ann", "dev", "@", "bobby"] {
                assert!(!cell_allows(&ann, &tags(&[(other, &letter)]), asked), "{other} is not ann");
                assert!(!cell_allows(&bob, &tags(&[(other, &letter)]), asked), "{other} is not bob");
            }
            walked += 1;
        }
    }
    assert_eq!(walked, 25);
    // Permissions accumulate, within one tag and across several; an unreadable tag grants nothing and hides nothing.
    let mut twice = tags(&[("ann", "R"), ("ann", "X")]);
    write_tag(&mut twice, ACL_TAG, b"\xff\xff");
    twice.extend(tags(&[("ann", "W")]));
    for permission in [Permission::Read, Permission::Exec, Permission::Write] {
        assert!(cell_allows(&ann, &twice, permission));
    }
    assert!(!cell_allows(&ann, &twice, Permission::Admin));
    assert!(!cell_allows(&ann, &[], Permission::Read));
}

#[test]
fn cells_are_asked_about_reads_and_writes_that_the_table_does_not_allow_and_about_nothing_else() {
    let table = TableName::parse("ns:t").unwrap();
    let mut columns = ColumnSelection::default();
    columns.add_column(b"f", b"q");
    columns.add_column(b"f", b"p");
    let scope = |qualifier: &[u8]| Scope::Table {
        name: table.clone(),
        family: Some(b"f".to_vec()),
        qualifier: Some(qualifier.to_vec()),
    };
    let (ann, target) = (Caller::new("ann"), Target::Columns(&table, &columns));
    for rule in &RULES {
        let (mut none, mut part, mut all) = (GrantIndex::default(), GrantIndex::default(), GrantIndex::default());
        let grant = |scope, permissions| Grant { user: "ann".into(), scope, permissions };
        part.set(&grant(scope(b"q"), Permissions::ALL));
        all.set(&grant(Scope::Global, Permissions::ALL));
        none.set(&Grant { user: "eve".into(), ..grant(Scope::Global, Permissions::ALL) });
        let ask = |held: &GrantIndex| asking_cells(rule.operation, decide(held, &ann, rule.operation, &target)).verdict;
        let by_cells = matches!(rule.reach, Reach::EachColumn | Reach::SomeColumns);
        assert_eq!(ask(&none) == Verdict::CellByCell, by_cells, "{} without permissions", rule.name);
        assert_eq!(ask(&part) == Verdict::CellByCell, by_cells, "{} with a part", rule.name);
        assert_eq!(ask(&all), Verdict::Allowed, "{} with all", rule.name);
    }
}

/// Cells: column, timestamp, type, and the user who may write each.
fn buffer(cells: &[(&str, i64, CellType, &str)]) -> CellBuffer {
    let mut out = CellBuffer::new();
    for (qualifier, timestamp, cell_type, writer) in cells {
        let tags = if writer.is_empty() { Vec::new() } else { tags(&[(writer, "W")]) };
        out.push(CellParts {
            row: b"r",
            family: b"f",
            qualifier: qualifier.as_bytes(),
            timestamp: *timestamp,
            cell_type: *cell_type,
            value: b"",
            tags: &tags,
        });
    }
    out
}

/// Whether Ann may write `written` over `present`, which is sorted as a read returns it.
fn may(written: &[(&str, i64, CellType)], present: &[(&str, i64, &str)]) -> bool {
    let written: Vec<_> = written.iter().map(|(column, time, kind)| (*column, *time, *kind, "")).collect();
    let present: Vec<_> =
        present.iter().map(|(column, time, writer)| (*column, *time, CellType::Put, *writer)).collect();
    let (written, present) = (buffer(&written), buffer(&present));
    let cells: Vec<Cell<'_>> = written.iter().collect();
    let ann = Caller::new("ann");
    Covering::of_written(&cells).lets_pass(present.iter(), |cell| cell_allows(&ann, cell.tags(), Permission::Write))
}

#[test]
fn a_put_needs_the_newest_version_that_is_not_newer() {
    let put = [("q", 10, CellType::Put)];
    assert!(may(&put, &[("q", 9, "ann"), ("q", 8, "eve")]));
    assert!(!may(&put, &[("q", 9, "eve"), ("q", 8, "ann")]));
    assert!(may(&put, &[("q", 11, "eve"), ("q", 10, "ann")]), "what is newer is not covered");
    assert!(!may(&put, &[("q", 11, "ann")]), "nothing is covered");
    assert!(!may(&put, &[]), "a user without permissions cannot write the first cell");
    assert!(!may(&put, &[("q", 9, "")]), "a cell without permissions of its own gives none");
    let two = [("p", 10, CellType::Put), ("q", 10, CellType::Put)];
    assert!(may(&two, &[("p", 9, "ann"), ("q", 9, "ann")]));
    assert!(!may(&two, &[("p", 9, "ann"), ("q", 9, "eve")]), "each that is covered must let it pass");
    assert!(may(&two, &[("p", 9, "ann")]), "as in HBase, a new column needs no permission of its own");
}

#[test]
fn a_delete_needs_all_that_its_markers_hide() {
    let versions = [("q", 9, "ann"), ("q", 8, "eve")];
    assert!(!may(&[("q", 10, CellType::DeleteColumn)], &versions));
    assert!(may(&[("q", 10, CellType::Delete)], &versions));
    assert!(!may(&[("q", 8, CellType::Delete)], &versions));
    for family in [CellType::DeleteFamily, CellType::DeleteFamilyVersion] {
        assert!(may(&[("", 10, family)], &[("p", 9, "ann"), ("q", 9, "ann")]));
        assert!(!may(&[("", 10, family)], &[("p", 9, "ann"), ("q", 9, "eve")]));
    }
    assert!(!may(&[("", 10, CellType::DeleteFamily)], &[("p", 9, "ann"), ("q", 9, "ann"), ("q", 3, "eve")]));
    assert!(may(&[("", 8, CellType::DeleteFamily)], &[("p", 9, "eve"), ("p", 8, "ann")]));
    // Every marker of a column is checked; HBase only checks the first.
    let both = [("q", 9, CellType::Delete), ("q", 10, CellType::DeleteColumn)];
    assert!(!may(&both, &versions));
    // Permission for the marker of a column does not suffice for the marker of its family.
    let both = [("", 10, CellType::DeleteFamily), ("p", 10, CellType::DeleteColumn)];
    assert!(!may(&both, &[("p", 9, "ann"), ("q", 9, "eve")]));
    let (markers, now) = (buffer(&[("", 10, CellType::DeleteFamily, ""), ("p", 10, CellType::DeleteColumn, "")]), 50);
    let cells: Vec<Cell<'_>> = markers.iter().collect();
    let options = Covering::of_written(&cells).read_options(LATEST_TIMESTAMP, now);
    assert_eq!(options.columns.families.get(b"f".as_slice()), Some(&None), "the whole family is read");
    assert_eq!((options.time_range.min, options.time_range.max), (0, now + 1), "cells newer than now are not read");
    assert_eq!(
        Covering::of_written(&cells).read_options(8, now).time_range.max,
        11,
        "with its own timestamp, a delete reads up to its newest marker"
    );
}

#[test]
fn increments_appends_and_conditions_need_the_newest_version() {
    let changed = buffer(&[("q", LATEST_TIMESTAMP, CellType::Put, "")]);
    let cells: Vec<Cell<'_>> = changed.iter().collect();
    let ann = Caller::new("ann");
    let may = |covering: &Covering<'_>, present: &[(&str, i64, CellType, &str)]| {
        covering.lets_pass(buffer(present).iter(), |cell| cell_allows(&ann, cell.tags(), Permission::Write))
    };
    let now = Covering::of_changed(&cells, LATEST_TIMESTAMP);
    assert_eq!(now.read_options(LATEST_TIMESTAMP, 50).time_range.max, 51);
    assert!(may(&now, &[("q", 9, CellType::Put, "ann"), ("q", 8, CellType::Put, "eve")]));
    assert!(!may(&now, &[("q", 9, CellType::Put, "eve"), ("q", 8, CellType::Put, "ann")]));
    assert!(!may(&now, &[]));
    let before = Covering::of_changed(&cells, 8);
    assert!(may(&before, &[("q", 9, CellType::Put, "eve"), ("q", 8, CellType::Put, "ann")]));
    let mut columns = ColumnSelection::default();
    columns.add_column(b"f", b"q");
    assert!(may(&Covering::of_columns(&columns), &[("q", 9, CellType::Put, "ann"), ("q", 8, CellType::Put, "eve")]));
    assert!(!may(&Covering::of_columns(&columns), &[("p", 9, CellType::Put, "ann")]), "another column");
    assert_eq!(Operation::CheckAndMutate.rule().reach, Reach::EachColumn);
}
