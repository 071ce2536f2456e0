//! The server with Rowstone's own client: an in-memory database behind a port.

use rowstone_engine::db::{open as open_engine, OpenOptions as EngineOptions};
use rowstone_model::backend::{Backend, TableBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{
    Action, ActionResult, CheckAndMutate, CompareOperator, Condition, Get, Mutation, MutationKind, RowMutations, Scan,
    TimeRange, ValueCondition,
};
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor, TableName, TableState};
use rowstone_model::ErrorKind;
use rowstone_rpc::{open, LeaseClock, OpenOptions, Server, ServerOptions};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

struct Served {
    server: Server,
    engine: Arc<dyn Backend>,
    now_ms: Arc<AtomicU64>,
}

fn serve() -> Served {
    let engine = open_engine(EngineOptions { create: true, ..EngineOptions::default() }).unwrap();
    let now_ms = Arc::new(AtomicU64::new(0));
    let told = Arc::clone(&now_ms);
    let clock = LeaseClock::new(move || told.load(Ordering::Relaxed));
    let server = Server::start(Arc::clone(&engine), ServerOptions { clock, ..ServerOptions::default() }).unwrap();
    Served { server, engine, now_ms }
}

impl Served {
    fn connect(&self) -> Arc<dyn Backend> {
        open(&format!("hbase://{}", self.server.address()), OpenOptions::default()).unwrap()
    }

    fn table(&self, splits: &[&str]) -> (Arc<dyn Backend>, Arc<dyn TableBackend>) {
        let client = self.connect();
        let descriptor = TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f"));
        client.admin().create_table(descriptor, splits.iter().map(|key| key.as_bytes().to_vec()).collect()).unwrap();
        let table = client.table(&name()).unwrap();
        (client, table)
    }
}

fn name() -> TableName {
    TableName::parse("t").unwrap()
}

fn mutation(kind: MutationKind, row: &str, qualifier: &str, value: &[u8]) -> Mutation {
    let mut mutation = Mutation::new(kind, row);
    mutation.cells.push(CellParts {
        row: row.as_bytes(),
        family: b"f",
        qualifier: qualifier.as_bytes(),
        timestamp: LATEST_TIMESTAMP,
        cell_type: CellType::Put,
        value,
        tags: b"",
    });
    mutation
}

fn get(row: &str) -> Get {
    Get::of(row)
}

fn rows(table: &Arc<dyn TableBackend>, scan: Scan) -> Vec<String> {
    let mut scanner = table.scan(scan).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(3, 1 << 20).unwrap() {
        for range in &batch.rows {
            let cell = batch.row_cells(*range).next().unwrap();
            rows.push(String::from_utf8(cell.row().to_vec()).unwrap());
        }
    }
    rows
}

fn value(batch: &rowstone_model::operations::CellBatch) -> Vec<u8> {
    batch.cells.iter().next().map(|cell| cell.value().to_vec()).unwrap_or_default()
}

#[test]
fn rows_go_in_and_come_out_over_several_regions() {
    let served = serve();
    let (_client, table) = served.table(&["c", "m"]);
    for row in ["a", "b", "c", "d", "m", "z"] {
        table.mutate(mutation(MutationKind::Put, row, "q", row.as_bytes())).unwrap();
    }
    assert_eq!(value(&table.get(&get("d")).unwrap()), b"d");
    assert!(table.get(&get("e")).unwrap().cells.is_empty());
    assert!(table.exists(&get("m")).unwrap() && !table.exists(&get("n")).unwrap());
    assert_eq!(rows(&table, Scan::default()), ["a", "b", "c", "d", "m", "z"]);
    assert_eq!(rows(&table, Scan { reversed: true, ..Scan::default() }), ["z", "m", "d", "c", "b", "a"]);
    assert_eq!(rows(&table, Scan { limit: 3, ..Scan::default() }), ["a", "b", "c"]);
    let middle = Scan { start: b"b".to_vec(), stop: b"m".to_vec(), ..Scan::default() };
    assert_eq!(rows(&table, middle), ["b", "c", "d"]);
    let gets = ["z", "x", "a"].map(get);
    let many = table.get_many(&gets).unwrap();
    assert_eq!(many.rows.iter().map(|row| row.cell_count).collect::<Vec<_>>(), [1, 0, 1]);
}

#[test]
fn counters_conditions_and_rows_at_once() {
    let served = serve();
    let (_client, table) = served.table(&[]);
    let five = 5i64.to_be_bytes();
    for sum in [5i64, 10] {
        let batch = table.mutate(mutation(MutationKind::Increment, "r", "n", &five)).unwrap();
        assert_eq!(value(&batch), sum.to_be_bytes());
    }
    table.mutate(mutation(MutationKind::Append, "r", "s", b"ab")).unwrap();
    assert_eq!(value(&table.mutate(mutation(MutationKind::Append, "r", "s", b"cd")).unwrap()), b"abcd");
    let check = |expected: &[u8]| CheckAndMutate {
        condition: Condition::Value(ValueCondition {
            family: b"f".to_vec(),
            qualifier: b"s".to_vec(),
            operator: CompareOperator::Equal,
            value: Some(expected.to_vec()),
            time_range: TimeRange::ALL,
        }),
        mutations: RowMutations {
            row: b"r".to_vec(),
            mutations: vec![
                mutation(MutationKind::Put, "r", "p", b"1"),
                mutation(MutationKind::Increment, "r", "n", &five),
            ],
        },
        guard: None,
    };
    assert!(!table.check_and_mutate(check(b"no")).unwrap().success);
    let done = table.check_and_mutate(check(b"abcd")).unwrap();
    assert!(done.success);
    assert_eq!(value(&done.cells), 15i64.to_be_bytes());
    table.mutate(mutation(MutationKind::Put, "d", "q", b"1")).unwrap();
    let whole = RowMutations { row: b"d".to_vec(), mutations: vec![Mutation::new(MutationKind::Delete, "d")] };
    table.mutate_row(whole).unwrap();
    assert!(!table.exists(&get("d")).unwrap());
}

#[test]
fn actions_of_a_multi_fail_one_by_one() {
    let served = serve();
    let (_client, table) = served.table(&["m"]);
    let mut wrong = Mutation::new(MutationKind::Put, "b");
    wrong.cells.push(CellParts {
        row: b"b",
        family: b"nope",
        qualifier: b"q",
        timestamp: LATEST_TIMESTAMP,
        cell_type: CellType::Put,
        value: b"",
        tags: b"",
    });
    let results = table.multi(vec![
        Action::Mutate(mutation(MutationKind::Put, "a", "q", b"1")),
        Action::Mutate(wrong),
        Action::Mutate(mutation(MutationKind::Put, "z", "q", b"2")),
        Action::Get(get("a")),
    ]);
    assert_eq!(*results[0].as_ref().unwrap(), ActionResult::Done);
    assert_eq!(results[1].as_ref().unwrap_err().kind(), ErrorKind::NoSuchColumnFamily);
    assert_eq!(*results[2].as_ref().unwrap(), ActionResult::Done);
    assert!(matches!(results[3].as_ref().unwrap(), ActionResult::Row(_)));
}

#[test]
fn a_wide_row_comes_in_pieces_and_whole() {
    let served = serve();
    let (_client, table) = served.table(&[]);
    let value = vec![7u8; 1 << 20];
    for column in 0..9 {
        table.mutate(mutation(MutationKind::Put, "wide", &format!("{column}"), &value)).unwrap();
    }
    table.mutate(mutation(MutationKind::Put, "x", "q", b"")).unwrap();
    let mut scanner = table.scan(Scan::default()).unwrap();
    let mut counts = Vec::new();
    while let Some(batch) = scanner.next_batch(10, 1 << 20).unwrap() {
        counts.extend(batch.rows.iter().map(|row| row.cell_count));
    }
    assert_eq!(counts, [9, 1]);
}

#[test]
fn a_scan_goes_on_where_its_lease_ran_out() {
    let served = serve();
    let (_client, table) = served.table(&[]);
    let value = vec![1u8; 600 << 10];
    let names: Vec<String> = (10..40).map(|number| format!("r{number}")).collect();
    for row in &names {
        table.mutate(mutation(MutationKind::Put, row, "q", &value)).unwrap();
    }
    let mut scanner = table.scan(Scan::default()).unwrap();
    let mut found = Vec::new();
    while let Some(batch) = scanner.next_batch(2, 1 << 20).unwrap() {
        found.extend(batch.rows.iter().map(|row| batch.row_cells(*row).next().unwrap().row().to_vec()));
        served.now_ms.fetch_add(61_000, Ordering::Relaxed);
        served.server.expire_leases();
    }
    assert_eq!(found, names.iter().map(|name| name.as_bytes().to_vec()).collect::<Vec<_>>());
}

#[test]
fn a_table_that_changes_behind_the_client_is_found_again() {
    let served = serve();
    let (client, table) = served.table(&["m"]);
    table.mutate(mutation(MutationKind::Put, "a", "q", b"1")).unwrap();
    served.engine.admin().set_table_state(&name(), TableState::Disabled).unwrap();
    assert_eq!(table.get(&get("a")).unwrap_err().kind(), ErrorKind::TableNotEnabled);
    served.engine.admin().truncate_table(&name(), false).unwrap();
    assert!(table.get(&get("a")).unwrap().cells.is_empty());
    assert_eq!(client.admin().regions(&name()).unwrap().len(), 1);
    served.engine.admin().set_table_state(&name(), TableState::Disabled).unwrap();
    served.engine.admin().drop_table(&name()).unwrap();
    assert_eq!(table.get(&get("a")).unwrap_err().kind(), ErrorKind::TableNotFound);
}

#[test]
fn zookeeper_leads_to_the_same_place() {
    let served = serve();
    let (_client, table) = served.table(&[]);
    table.mutate(mutation(MutationKind::Put, "a", "q", b"1")).unwrap();
    let url = format!("hbase+zk://{}/hbase", served.server.zk_address().unwrap());
    let other = open(&url, OpenOptions::default()).unwrap();
    assert_eq!(value(&other.table(&name()).unwrap().get(&get("a")).unwrap()), b"1");
}

#[test]
fn a_stopped_server_leaves_the_database_open() {
    let served = serve();
    let (_client, table) = served.table(&[]);
    table.mutate(mutation(MutationKind::Put, "a", "q", b"1")).unwrap();
    served.server.stop();
    served.server.stop();
    let direct = served.engine.table(&name()).unwrap();
    assert_eq!(value(&direct.get(&get("a")).unwrap()), b"1");
}
