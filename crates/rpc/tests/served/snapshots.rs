//! Types of snapshots.

use super::raw::Raw;
use super::support::{disk, name, serve_on};
use rowstone_model::schema::TableState;
use rowstone_rpc::proto::snapshot_description::Kind;
use rowstone_rpc::proto::{
    Empty, GetCompletedSnapshotsResponse, SnapshotDescription,
    SnapshotRequest, SnapshotResponse,
};

fn description(snapshot: &str, kind: Kind) -> SnapshotDescription {
    let table = Some(name().to_string());
    SnapshotDescription { name: snapshot.into(), table, r#type: Some(kind as i32), ..SnapshotDescription::default() }
}

fn take(master: &mut Raw, snapshot: &str, kind: Kind) {
    let request = SnapshotRequest { snapshot: description(snapshot, kind), ..SnapshotRequest::default() };
    master.call::<SnapshotResponse>("Snapshot", &request).unwrap();
}

#[test]
fn snapshots_are_listed_with_their_types() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut master = served.connect("MasterService");
    take(&mut master, "a", Kind::Flush);
    take(&mut master, "b", Kind::Skipflush);
    served.engine.admin().set_table_state(&name(), TableState::Disabled).unwrap();
    // The client does not know that the table is disabled.
    take(&mut master, "c", Kind::Flush);
    let listed = master.call::<GetCompletedSnapshotsResponse>("GetCompletedSnapshots", &Empty {}).unwrap().snapshots;
    let kinds: Vec<_> = listed.iter().map(|snapshot| (snapshot.name.as_str(), snapshot.r#type())).collect();
    assert_eq!(kinds, [("a", Kind::Flush), ("b", Kind::Skipflush), ("c", Kind::Disabled)]);
    served.end();
}
