//! Delete markers in a put, as `Put.add(Cell)` of HBase's Java client sends them: in the message, or in the call's cell block.

use super::support::{disk, mutation, name, serve_on, Served};
use rowstone_model::cell::{CellBuffer, CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::Get;
use rowstone_rpc::proto;
use rowstone_rpc::proto::mutation_proto::{DeleteType, MutationType};
use rowstone_rpc::wire::encode_cells;

const TYPES: [(DeleteType, CellType); 4] = [
    (DeleteType::DeleteOneVersion, CellType::Delete),
    (DeleteType::DeleteMultipleVersions, CellType::DeleteColumn),
    (DeleteType::DeleteFamily, CellType::DeleteFamily),
    (DeleteType::DeleteFamilyVersion, CellType::DeleteFamilyVersion),
];

fn qualifier(cell_type: CellType) -> &'static str {
    if cell_type.is_family_delete() {
        ""
    } else {
        "q"
    }
}

fn send(served: &Served, mutation: proto::MutationProto, cells: &[u8]) -> Result<(), (String, String)> {
    let request = proto::MutateRequest { region: served.region(""), mutation, condition: None, nonce_group: None };
    let mut client = served.connect("ClientService");
    client.call_with::<proto::MutateResponse>("Mutate", &request, cells).map(|_| ())
}

fn put_value(served: &Served, row: &str) {
    send(served, proto::MutationProto { timestamp: Some(5), ..mutation(MutationType::Put, row, "q", b"value") }, &[])
        .unwrap();
}

fn has_value(served: &Served, row: &str) -> bool {
    let table = served.engine.table(&name()).unwrap();
    table.exists(&Get::of(row)).unwrap()
}

fn inline(kind: MutationType, row: &str, (wire, cell_type): (DeleteType, CellType)) -> proto::MutationProto {
    let mut message = mutation(kind, row, qualifier(cell_type), b"");
    message.column_value[0].qualifier_value[0].delete_type = Some(wire as i32);
    message.timestamp = Some(5);
    message
}

fn in_block(kind: MutationType, row: &str, cell_type: CellType, timestamp: i64) -> (proto::MutationProto, Vec<u8>) {
    let mut cells = CellBuffer::new();
    cells.push(CellParts {
        row: row.as_bytes(),
        family: b"f",
        qualifier: qualifier(cell_type).as_bytes(),
        timestamp,
        cell_type,
        value: b"",
        tags: b"",
    });
    let mut bytes = Vec::new();
    encode_cells(&cells, &mut bytes);
    let message = mutation(kind, row, "q", b"");
    (proto::MutationProto { column_value: Vec::new(), associated_cell_count: Some(1), ..message }, bytes)
}

#[test]
fn a_delete_marker_in_a_put_deletes() {
    let served = serve_on(&disk());
    served.create(&[]);
    for (wire, cell_type) in TYPES {
        let (in_message, blocked) = (format!("message {cell_type:?}"), format!("block {cell_type:?}"));
        put_value(&served, &in_message);
        put_value(&served, &blocked);
        assert!(has_value(&served, &in_message) && has_value(&served, &blocked));
        send(&served, inline(MutationType::Put, &in_message, (wire, cell_type)), &[]).unwrap();
        let (put, cells) = in_block(MutationType::Put, &blocked, cell_type, 5);
        send(&served, put, &cells).unwrap();
        assert!(!has_value(&served, &in_message), "{in_message}");
        assert!(!has_value(&served, &blocked), "{blocked}");
    }
    served.end();
}

#[test]
fn a_delete_marker_in_a_put_without_a_time_is_of_now() {
    // In a Delete it would mean the newest existing version.
    let served = serve_on(&disk());
    served.create(&[]);
    put_value(&served, "r");
    let (put, cells) = in_block(MutationType::Put, "r", CellType::Delete, LATEST_TIMESTAMP);
    send(&served, put, &cells).unwrap();
    assert!(has_value(&served, "r"));
    let (put, cells) = in_block(MutationType::Put, "r", CellType::DeleteColumn, LATEST_TIMESTAMP);
    send(&served, put, &cells).unwrap();
    assert!(!has_value(&served, "r"));
    served.end();
}

#[test]
fn other_mutations_refuse_cells_of_another_kind() {
    let served = serve_on(&disk());
    served.create(&[]);
    put_value(&served, "r");
    for kind in [MutationType::Increment, MutationType::Append] {
        let (message, cells) = in_block(kind, "r", CellType::DeleteColumn, 5);
        assert!(send(&served, message, &cells).unwrap_err().0.ends_with("DoNotRetryIOException"));
    }
    for (kind, cell_type) in [
        (MutationType::Delete, CellType::Put),
        (MutationType::Put, CellType::Maximum),
        (MutationType::Put, CellType::Minimum),
    ] {
        let (message, cells) = in_block(kind, "r", cell_type, 5);
        assert!(send(&served, message, &cells).unwrap_err().0.ends_with("DoNotRetryIOException"));
    }
    assert!(has_value(&served, "r"));
    served.end();
}
