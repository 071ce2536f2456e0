//! Retried operations.

use super::support::{disk, mutation, name, serve_on, Served};
use rowstone_model::cell::CellBuffer;
use rowstone_model::filter::Comparator;
use rowstone_model::operations::{Get, Mutation, MutationKind};
use rowstone_rpc::filter::comparator_to_wire;
use rowstone_rpc::proto;
use rowstone_rpc::proto::mutation_proto::MutationType;
use rowstone_rpc::wire::BlockReader;

fn counter(served: &Served, nonce: u64) -> i64 {
    let mutation =
        proto::MutationProto { nonce: Some(nonce), ..mutation(MutationType::Increment, "r", "n", &5i64.to_be_bytes()) };
    let request = proto::MutateRequest { region: served.region("r"), mutation, condition: None, nonce_group: Some(77) };
    let (answer, cells): (proto::MutateResponse, _) =
        served.connect("ClientService").call_with("Mutate", &request, &[]).unwrap();
    assert_eq!(answer.processed, Some(true));
    // The value is at the end of the only cell.
    i64::from_be_bytes(*cells.last_chunk::<8>().unwrap())
}

#[test]
fn an_increment_that_comes_again_after_a_restart_is_done_once() {
    let disk = disk();
    let served = serve_on(&disk);
    served.create(&[]);
    assert_eq!((counter(&served, 1), counter(&served, 1), counter(&served, 2)), (5, 5, 10));
    served.end();
    let served = serve_on(&disk);
    assert_eq!((counter(&served, 1), counter(&served, 2), counter(&served, 3)), (10, 10, 15));
    served.engine.admin().flush(None).unwrap();
    served.end();
    // Flushed data is no longer needed in the log, which this reopening archives.
    serve_on(&disk).end();
    let served = serve_on(&disk);
    assert_eq!((counter(&served, 3), counter(&served, 2), counter(&served, 4)), (15, 15, 20));
    served.end();
}

#[test]
fn several_changes_of_a_row_that_come_again_after_a_restart_are_done_once() {
    let disk = disk();
    let served = serve_on(&disk);
    served.create(&[]);
    let request = |served: &Served| {
        let numbered = |kind, qualifier, value: &[u8]| proto::Action {
            mutation: Some(proto::MutationProto { nonce: Some(9), ..mutation(kind, "r", qualifier, value) }),
            ..Default::default()
        };
        let action = vec![
            numbered(MutationType::Append, "a", b"x"),
            numbered(MutationType::Increment, "n", &1i64.to_be_bytes()),
        ];
        let part = proto::RegionAction { region: served.region("r"), atomic: Some(true), action, condition: None };
        let request = proto::MultiRequest { region_action: vec![part], nonce_group: Some(3) };
        served.connect("ClientService").call::<proto::MultiResponse>("Multi", &request).unwrap()
    };
    assert_eq!(request(&served).processed, Some(true));
    served.end();
    let served = serve_on(&disk);
    assert_eq!(request(&served).processed, Some(true));
    let get = Get::of(b"r");
    let found = served.engine.table(&name()).unwrap().get(&get).unwrap();
    let values: Vec<_> = found.cells.iter().map(|cell| cell.value().to_vec()).collect();
    assert_eq!(values, [b"x".to_vec(), 1i64.to_be_bytes().to_vec()]);
    served.end();
}

/// The values of the row, as a client that reads it sees them.
fn values(served: &Served) -> Vec<Vec<u8>> {
    let get = Get::of(b"r");
    let found = served.engine.table(&name()).unwrap().get(&get).unwrap();
    found.cells.iter().map(|cell| cell.value().to_vec()).collect()
}

fn delete_row(served: &Served) {
    // Each increment's timestamp is above that of the one before, so the newest is ahead of the clock.
    let delete = Mutation { timestamp: 2_000_000, ..Mutation::new(MutationKind::Delete, "r") };
    served.engine.table(&name()).unwrap().mutate(delete).unwrap();
    assert!(values(served).is_empty());
}

fn numbered(kind: MutationType, qualifier: &str, value: &[u8], nonce: u64) -> proto::MutationProto {
    proto::MutationProto { nonce: Some(nonce), ..mutation(kind, "r", qualifier, value) }
}

/// Sends a multi of one region; returns whether it was processed, and the value of the only cell, if any.
fn multi(
    served: &Served,
    mutations: Vec<proto::MutationProto>,
    (atomic, condition): (bool, Option<proto::Condition>),
) -> (Option<bool>, Option<Vec<u8>>) {
    let action = mutations.into_iter().map(|one| proto::Action { mutation: Some(one), ..Default::default() }).collect();
    let part = proto::RegionAction { region: served.region("r"), atomic: Some(atomic), action, condition };
    let request = proto::MultiRequest { region_action: vec![part], nonce_group: Some(3) };
    let (answer, block): (proto::MultiResponse, _) =
        served.connect("ClientService").call_with("Multi", &request, &[]).unwrap();
    let results = answer.region_action_result[0].result_or_exception.iter();
    let inline = results.filter_map(|one| one.result.as_ref()?.cell.first()?.value.clone()).next();
    let mut cells = CellBuffer::new();
    BlockReader::new(&block).take(usize::from(!block.is_empty()), &mut cells).unwrap();
    (answer.processed, inline.or_else(|| cells.iter().next().map(|cell| cell.value().to_vec())))
}

#[test]
fn a_repeated_increment_gets_the_first_attempts_answer() {
    let served = serve_on(&disk());
    served.create(&[]);
    assert_eq!((counter(&served, 1), counter(&served, 2), counter(&served, 3)), (5, 10, 15));
    assert_eq!((counter(&served, 2), counter(&served, 1)), (10, 5));
    delete_row(&served);
    assert_eq!((counter(&served, 3), counter(&served, 1)), (15, 5));
    assert!(values(&served).is_empty());
    served.end();
}

#[test]
fn a_repeated_append_and_a_repeated_change_of_a_row_get_the_first_attempts_answer() {
    let served = serve_on(&disk());
    served.create(&[]);
    let append = |nonce, suffix: &[u8]| {
        let append = numbered(MutationType::Append, "a", suffix, nonce);
        multi(&served, vec![append], (false, None)).1.unwrap()
    };
    assert_eq!((append(1, b"one"), append(2, b"two")), (b"one".to_vec(), b"onetwo".to_vec()));
    assert_eq!(append(1, b"one"), b"one");
    let change = |nonce| {
        let put = mutation(MutationType::Put, "r", "p", b"v");
        let append = numbered(MutationType::Append, "b", b"x", nonce);
        multi(&served, vec![put, append], (true, None))
    };
    assert_eq!((change(3).1.unwrap(), change(4).1.unwrap()), (b"x".to_vec(), b"xx".to_vec()));
    assert_eq!(change(3), (Some(true), Some(b"x".to_vec())));
    assert_eq!(values(&served), [b"onetwo".to_vec(), b"xx".to_vec(), b"v".to_vec()]);
    served.end();
}

#[test]
fn a_check_that_failed_fails_when_it_is_repeated() {
    let served = serve_on(&disk());
    served.create(&[]);
    let condition = || proto::Condition {
        row: b"r".to_vec(),
        family: Some(b"f".to_vec()),
        qualifier: Some(b"state".to_vec()),
        compare_type: Some(proto::CompareType::Equal as i32),
        comparator: Some(comparator_to_wire(&Comparator::BinaryComparator { value: b"ready".to_vec() })),
        time_range: None,
        filter: None,
    };
    let single = |nonce| {
        let mutation = numbered(MutationType::Append, "log", b"x", nonce);
        let (region, condition) = (served.region("r"), Some(condition()));
        let request = proto::MutateRequest { region, mutation, condition, nonce_group: Some(3) };
        served.connect("ClientService").call::<proto::MutateResponse>("Mutate", &request).unwrap().processed
    };
    let together = |nonce| {
        let append = numbered(MutationType::Append, "log", b"y", nonce);
        let put = mutation(MutationType::Put, "r", "p", b"v");
        multi(&served, vec![put, append], (true, Some(condition())))
    };
    assert_eq!((single(1), together(2).0), (Some(false), Some(false)));
    let ready = mutation(MutationType::Put, "r", "state", b"ready");
    multi(&served, vec![ready], (false, None));
    assert_eq!((single(1), together(2)), (Some(false), (Some(false), None)));
    assert_eq!(values(&served), [b"ready"]);
    let applied = (Some(true), Some(b"xy".to_vec()));
    assert_eq!((single(3), together(4)), (Some(true), applied.clone()));
    let busy = mutation(MutationType::Put, "r", "state", b"busy");
    multi(&served, vec![busy], (false, None));
    assert_eq!((single(3), together(4)), (Some(true), applied));
    served.end();
}

#[test]
fn a_repeated_check_after_a_restart_succeeded_and_reads_the_row() {
    let disk = disk();
    let served = serve_on(&disk);
    served.create(&[]);
    let change = |served: &Served, nonce| {
        let absent = proto::Condition {
            row: b"r".to_vec(),
            family: Some(b"f".to_vec()),
            qualifier: Some(b"owner".to_vec()),
            compare_type: Some(proto::CompareType::Equal as i32),
            comparator: Some(comparator_to_wire(&Comparator::NullComparator {})),
            time_range: None,
            filter: None,
        };
        let put = mutation(MutationType::Put, "r", "owner", b"me");
        let append = numbered(MutationType::Append, "log", b"x", nonce);
        multi(served, vec![put, append], (true, Some(absent)))
    };
    let (applied, failed) = ((Some(true), Some(b"x".to_vec())), (Some(false), None));
    assert_eq!((change(&served, 1), change(&served, 2)), (applied.clone(), failed.clone()));
    served.end();
    let served = serve_on(&disk);
    assert_eq!((change(&served, 1), change(&served, 2)), (applied, failed));
    served.end();
}

/// A client that got no answer repeats the request. The family exists then, because the first request added it.
#[test]
fn a_family_that_is_added_or_deleted_again_with_the_same_nonce_is_no_error() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut master = served.connect("MasterService");
    let table_name = || proto::TableName { namespace: b"default".to_vec(), qualifier: name().qualifier().into() };
    let family = |name: &[u8]| proto::ColumnFamilySchema { name: name.to_vec(), ..Default::default() };
    for nonce in [1, 1] {
        let request = proto::AddColumnRequest {
            table_name: table_name(),
            column_families: family(b"new"),
            nonce_group: Some(4),
            nonce: Some(nonce),
        };
        master.call::<proto::ProcedureId>("AddColumn", &request).unwrap();
    }
    for nonce in [2, 2] {
        let request = proto::DeleteColumnRequest {
            table_name: table_name(),
            column_name: b"new".to_vec(),
            nonce_group: Some(4),
            nonce: Some(nonce),
        };
        master.call::<proto::ProcedureId>("DeleteColumn", &request).unwrap();
    }
    served.end();
}
