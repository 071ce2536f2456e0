//! Merges and moves of regions that are refused.

use super::support::{disk, serve_on};
use rowstone_rpc::proto::{Empty, MergeTableRegionsRequest, MoveRegionRequest, ProcedureId, ServerName};

#[test]
fn regions_that_form_no_range_are_not_merged() {
    let served = serve_on(&disk());
    served.create(&["h", "p"]);
    let mut master = served.connect("MasterService");
    let mut merge = |rows: [&str; 2]| {
        let region = rows.map(|row| served.region(row)).to_vec();
        let request = MergeTableRegionsRequest { region, ..MergeTableRegionsRequest::default() };
        master.call::<ProcedureId>("MergeTableRegions", &request).map_err(|(class, _)| class)
    };
    for rows in [["a", "z"], ["a", "a"]] {
        assert_eq!(merge(rows).unwrap_err(), "org.apache.hadoop.hbase.exceptions.MergeRegionException");
    }
    merge(["a", "h"]).unwrap();
    served.end();
}

#[test]
fn a_region_is_not_moved_to_an_unknown_server() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut master = served.connect("MasterService");
    let mut move_to = |dest_server_name| {
        let request = MoveRegionRequest { region: served.region("a"), dest_server_name };
        master.call::<Empty>("MoveRegion", &request).map_err(|(class, _)| class)
    };
    let unknown = ServerName { host_name: "bad".into(), port: Some(1), start_code: Some(2) };
    assert!(move_to(Some(unknown)).unwrap_err().ends_with(".DoNotRetryIOException"));
    move_to(None).unwrap();
    served.end();
}
