//! Types of snapshots, and polls for whether a snapshot is complete.

use super::raw::Raw;
use super::support::{disk, name, serve_on};
use rowstone_model::schema::TableState;
use rowstone_rpc::proto::snapshot_description::Kind;
use rowstone_rpc::proto::{
    Empty, GetCompletedSnapshotsResponse, IsSnapshotDoneRequest, IsSnapshotDoneResponse, SnapshotDescription,
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

#[test]
fn a_poll_for_an_unknown_snapshot_is_an_error() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut master = served.connect("MasterService");
    take(&mut master, "known", Kind::Flush);
    let mut is_done = |snapshot| {
        let request = IsSnapshotDoneRequest { snapshot: Some(description(snapshot, Kind::Flush)) };
        master.call::<IsSnapshotDoneResponse>("IsSnapshotDone", &request).map_err(|(class, _)| class)
    };
    assert_eq!(is_done("known").unwrap().done, Some(true));
    let class = is_done("unknown").unwrap_err();
    assert_eq!(class, "org.apache.hadoop.hbase.snapshot.UnknownSnapshotException");
    served.end();
}
