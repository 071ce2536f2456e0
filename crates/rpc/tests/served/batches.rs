//! Batches that are larger than a server's unit of work.

use super::support::{column, disk, mutation, name, serve_on, Served};
use rowstone_model::cell::{CellBuffer, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::Get;
use rowstone_model::schema::{FamilyDescriptor, TableDescriptor};
use rowstone_rpc::proto::mutation_proto::{Durability, MutationType};
use rowstone_rpc::proto::{self, Action};
use rowstone_rpc::wire::encode_cells;

const COUNT: usize = 700;

fn row(number: usize) -> String {
    format!("row{number:03}")
}

fn puts() -> Vec<proto::MutationProto> {
    (0..COUNT).map(|number| mutation(MutationType::Put, &row(number), "q", b"value")).collect()
}

fn numbered(mutations: Vec<proto::MutationProto>) -> Vec<Action> {
    let action = |(index, mutation)| Action { index: Some(index), mutation: Some(mutation), get: None };
    (0..).zip(mutations).map(action).collect()
}

fn multi(served: &Served, action: Vec<Action>) -> proto::MultiRequest {
    let part = proto::RegionAction { region: served.region(""), action, ..Default::default() };
    proto::MultiRequest { region_action: vec![part], ..Default::default() }
}

fn has(served: &Served, number: usize) -> bool {
    served.engine.table(&name()).unwrap().exists(&Get::of(row(number))).unwrap()
}

fn log_records(served: &Served) -> i64 {
    served.engine.admin().statistics(None).unwrap()["log_records"]
}

#[test]
fn each_result_of_a_long_batch_stands_at_its_action() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut actions = numbered(puts());
    let lost = proto::mutation_proto::ColumnValue { family: b"none".to_vec(), ..column("q", b"v") };
    actions[300].mutation.as_mut().unwrap().column_value = vec![lost];
    let get = proto::Get { row: row(510).into(), ..Default::default() };
    actions[650] = Action { index: Some(650), get: Some(Box::new(get)), mutation: None };
    let (answer, cells): (proto::MultiResponse, _) =
        served.connect("ClientService").call_with("Multi", &multi(&served, actions), &[]).unwrap();
    let results = &answer.region_action_result[0].result_or_exception;
    assert_eq!(results.iter().map(|result| result.index.unwrap()).collect::<Vec<_>>(), (0..700).collect::<Vec<_>>());
    let failed: Vec<usize> = (0..COUNT).filter(|&place| results[place].exception.is_some()).collect();
    assert_eq!(failed, [300]);
    let found: Vec<usize> = (0..COUNT)
        .filter(|&place| results[place].result.as_ref().is_some_and(|row| row.associated_cell_count() > 0))
        .collect();
    assert_eq!((found, cells.is_empty()), (vec![650], false), "a row of the same batch, written before it was read");
    assert_eq!((0..COUNT).filter(|&number| !has(&served, number)).collect::<Vec<_>>(), [300, 650]);
    served.end();
}

#[test]
fn a_block_that_lacks_cells_of_a_long_batch_changes_nothing() {
    lacks_the_last_cell(&[]);
}

#[test]
fn a_block_that_lacks_cells_of_the_second_region_changes_nothing_in_the_first() {
    lacks_the_last_cell(&[600]);
}

/// Sends a batch for the regions between `splits`, with a block that ends before the last cell.
fn lacks_the_last_cell(splits: &[usize]) {
    let served = serve_on(&disk());
    let keys: Vec<String> = splits.iter().map(|&number| row(number)).collect();
    served.create(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    let mut cells = CellBuffer::new();
    for number in 0..COUNT - 1 {
        cells.push(CellParts {
            row: row(number).as_bytes(),
            family: b"f",
            qualifier: b"q",
            timestamp: LATEST_TIMESTAMP,
            cell_type: CellType::Put,
            value: b"value",
            tags: &[],
        });
    }
    let mut block = Vec::new();
    encode_cells(&cells, &mut block);
    let in_block = |put| proto::MutationProto { column_value: Vec::new(), associated_cell_count: Some(1), ..put };
    let mut puts: Vec<_> = puts().into_iter().map(in_block).collect();
    let mut parts = Vec::new();
    for &start in splits.iter().rev().chain([&0]) {
        let action = numbered(puts.split_off(start));
        parts.insert(0, proto::RegionAction { region: served.region(&row(start)), action, ..Default::default() });
    }
    let request = proto::MultiRequest { region_action: parts, ..Default::default() };
    let (_, text) =
        served.connect("ClientService").call_with::<proto::MultiResponse>("Multi", &request, &block).unwrap_err();
    assert!(text.contains("ends before its cells"), "{text}");
    assert!((0..COUNT).all(|number| !has(&served, number)));
    served.end();
}

#[test]
fn a_long_batch_waits_for_the_disk_once() {
    for by_table in [false, true] {
        let served = serve_on(&disk());
        let mut descriptor = TableDescriptor::new(name()).with_family(FamilyDescriptor::new("f"));
        if by_table {
            descriptor.attributes.insert("DURABILITY".into(), "FSYNC_WAL".into());
        }
        served.engine.admin().create_table(descriptor, Vec::new()).unwrap();
        let asked = (!by_table).then_some(Durability::FsyncWal as i32);
        let with = |durability| puts().into_iter().map(|put| proto::MutationProto { durability, ..put }).collect();
        let before = log_records(&served);
        let request = multi(&served, numbered(with(asked)));
        let _: proto::MultiResponse = served.connect("ClientService").call("Multi", &request).unwrap();
        assert_eq!(log_records(&served) - before, 1, "one record, which is synced");
        if !by_table {
            let request = multi(&served, numbered(with(None)));
            let _: proto::MultiResponse = served.connect("ClientService").call("Multi", &request).unwrap();
            assert_eq!(log_records(&served) - before, 4, "three that nobody waits for");
        }
        served.end();
    }
}
