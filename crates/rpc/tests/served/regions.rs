//! Merges of regions that are refused.

use super::support::{disk, serve_on};
use rowstone_rpc::proto::{MergeTableRegionsRequest, ProcedureId};

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
