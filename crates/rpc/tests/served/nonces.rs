//! Retried operations.

use super::support::{disk, mutation, name, serve_on, Served};
use rowstone_rpc::proto;
use rowstone_rpc::proto::mutation_proto::MutationType;

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
    let get = rowstone_model::operations::Get { row: b"r".to_vec(), ..Default::default() };
    let found = served.engine.table(&name()).unwrap().get(&get).unwrap();
    let values: Vec<_> = found.cells.iter().map(|cell| cell.value().to_vec()).collect();
    assert_eq!(values, [b"x".to_vec(), 1i64.to_be_bytes().to_vec()]);
    served.end();
}
