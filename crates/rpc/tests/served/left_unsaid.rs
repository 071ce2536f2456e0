//! Defaults of omitted fields in requests, as in HBase's messages. Found by gohbase's own tests.

use super::support::{disk, mutation, name, serve_on, Served};
use rowstone_model::operations::Get;
use rowstone_rpc::proto;
use rowstone_rpc::proto::mutation_proto::MutationType;

fn put(served: &Served, row: &str) {
    let mutation = mutation(MutationType::Put, row, "q", b"value");
    let request = proto::MutateRequest { region: served.region(row), mutation, condition: None, nonce_group: None };
    let _: proto::MutateResponse = served.connect("ClientService").call("Mutate", &request).unwrap();
}

fn tables(served: &Served, regex: Option<&str>) -> usize {
    let request = proto::GetTableNamesRequest { regex: regex.map(str::to_string), ..Default::default() };
    let found: proto::GetTableNamesResponse = served.connect("MasterService").call("GetTableNames", &request).unwrap();
    found.table_names.len()
}

#[test]
fn a_snapshot_of_no_kind_has_what_is_in_memory() {
    let served = serve_on(&disk());
    served.create(&[]);
    put(&served, "r");
    let table = Some(name().to_string());
    let snapshot = proto::SnapshotDescription { name: "s".to_string(), table, ..Default::default() };
    let request = proto::SnapshotRequest { snapshot, ..Default::default() };
    let _: proto::SnapshotResponse = served.connect("MasterService").call("Snapshot", &request).unwrap();
    let copy = rowstone_model::schema::TableName::parse("copy").unwrap();
    served.engine.admin().clone_snapshot("s", &copy).unwrap();
    let get = Get::of(b"r");
    assert_eq!(served.engine.table(&copy).unwrap().get(&get).unwrap().rows.len(), 1);
    served.end();
}

#[test]
fn no_name_is_matched_by_the_empty_expression() {
    let served = serve_on(&disk());
    served.create(&[]);
    assert_eq!([tables(&served, None), tables(&served, Some(".*")), tables(&served, Some(""))], [1, 1, 0]);
    served.end();
}

fn metrics(served: &Served, filter: Option<proto::Filter>) -> Vec<(String, i64)> {
    let request = proto::ScanRequest {
        region: Some(served.region("a")),
        scan: Some(proto::Scan { filter, ..proto::Scan::default() }),
        number_of_rows: Some(100),
        close_scanner: Some(true),
        track_scan_metrics: Some(true),
        ..proto::ScanRequest::default()
    };
    let (answer, _): (proto::ScanResponse, _) =
        served.connect("ClientService").call_with("Scan", &request, &[]).unwrap();
    let metrics = answer.scan_metrics.unwrap().metrics;
    metrics.into_iter().map(|pair| (pair.name.unwrap(), pair.value.unwrap())).collect()
}

#[test]
fn scans_count_rows_on_request() {
    use rowstone_model::filter::Filter;
    use rowstone_rpc::filter::to_wire;
    let served = serve_on(&disk());
    served.create(&[]);
    ["a1", "a2", "b1", "b2"].iter().for_each(|row| put(&served, row));
    let pair = |scanned, filtered| vec![("ROWS_SCANNED".to_string(), scanned), ("ROWS_FILTERED".to_string(), filtered)];
    assert_eq!(metrics(&served, None), pair(4, 0));
    // At the key of b1 the filter ends the scan; no cell of b1 is read.
    let prefix = to_wire(&Filter::PrefixFilter { prefix: b"a".to_vec() });
    assert_eq!(metrics(&served, Some(prefix)), pair(2, 1));
    served.end();
}
