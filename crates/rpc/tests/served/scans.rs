//! What scans say besides rows, and scans of `hbase:meta`.

use super::support::{disk, mutation, serve_on, Served};
use rowstone_model::filter::{Comparator, CompareOperator, Filter, ListOperator};
use rowstone_rpc::filter::to_wire;
use rowstone_rpc::proto;
use rowstone_rpc::proto::mutation_proto::MutationType;
use rowstone_rpc::proto::RegionSpecifier;

fn put(served: &Served, row: &str, value: &[u8]) {
    let mutation = mutation(MutationType::Put, row, "q", value);
    let request = proto::MutateRequest { region: served.region(row), mutation, condition: None, nonce_group: None };
    let _: proto::MutateResponse = served.connect("ClientService").call("Mutate", &request).unwrap();
}

fn scan(served: &Served, region: RegionSpecifier, scan: proto::Scan) -> (proto::ScanResponse, Vec<u8>) {
    let request = proto::ScanRequest {
        region: Some(region),
        scan: Some(scan),
        number_of_rows: Some(100),
        close_scanner: Some(true),
        ..proto::ScanRequest::default()
    };
    served.connect("ClientService").call_with("Scan", &request, &[]).unwrap()
}

fn has(cells: &[u8], wanted: &[u8]) -> bool {
    cells.windows(wanted.len()).any(|window| window == wanted)
}

#[test]
fn a_scan_that_is_opened_again_sees_what_it_saw() {
    let served = serve_on(&disk());
    served.create(&[]);
    put(&served, "r", b"first");
    let region = served.region("r");
    let (answer, cells) = scan(&served, region.clone(), proto::Scan::default());
    assert!(has(&cells, b"first"));
    let point = answer.mvcc_read_point.unwrap();
    assert!(point > 0);
    put(&served, "r", b"second");
    put(&served, "s", b"third");
    let (_, cells) = scan(&served, region.clone(), proto::Scan::default());
    assert!(has(&cells, b"second") && has(&cells, b"third"));
    let again = proto::Scan { mvcc_read_point: Some(point), ..proto::Scan::default() };
    let (answer, cells) = scan(&served, region.clone(), again);
    assert!(has(&cells, b"first") && !has(&cells, b"second") && !has(&cells, b"third"));
    assert_eq!(answer.mvcc_read_point, Some(point));
    // A point that is yet to come is no promise.
    let ahead = proto::Scan { mvcc_read_point: Some(1 << 60), ..proto::Scan::default() };
    let (answer, cells) = scan(&served, region, ahead);
    assert!(has(&cells, b"second") && answer.mvcc_read_point < Some(1 << 60));
    served.end();
}

fn meta(served: &Served, filter: Option<&Filter>, reversed: bool) -> (Vec<u32>, Vec<u8>) {
    let message = proto::Scan { filter: filter.map(to_wire), reversed: Some(reversed), ..proto::Scan::default() };
    let (answer, cells) = scan(served, RegionSpecifier::by_name(b"hbase:meta,,1"), message);
    (answer.cells_per_result, cells)
}

#[test]
fn meta_takes_filters_and_knows_of_what_was_made() {
    let served = serve_on(&disk());
    served.create(&["m"]);
    // The table's row, and two regions with regioninfo, seqnumDuringOpen, server, serverstartcode, sn, state.
    assert_eq!(meta(&served, None, false).0, [1, 6, 6]);
    assert_eq!(meta(&served, None, true).0, [6, 6, 1]);
    let address = served.server.address().to_string();
    let here = Filter::SingleColumnValueFilter {
        family: b"info".to_vec(),
        qualifier: b"server".to_vec(),
        operator: CompareOperator::Equal,
        comparator: Comparator::BinaryComparator { value: address.clone().into_bytes() },
        filter_if_missing: true,
        latest_version_only: true,
    };
    let (counts, cells) = meta(&served, Some(&here), false);
    assert!(counts == [6, 6] && has(&cells, address.as_bytes()));
    let first = Filter::FilterList {
        operator: ListOperator::MustPassAll,
        filters: vec![here, Filter::PageFilter { page_size: 1 }, Filter::KeyOnlyFilter { length_as_value: false }],
    };
    let (counts, cells) = meta(&served, Some(&first), true);
    assert!(counts == [6] && !has(&cells, address.as_bytes()));
    let start = Filter::ColumnPrefixFilter { prefix: b"server".to_vec() };
    assert_eq!(meta(&served, Some(&start), false).0, [2, 2]);
    served.engine.admin().split_region(&served.region("z").value, Some(b"t")).unwrap();
    let rows = Filter::PrefixFilter { prefix: b"t,".to_vec() };
    assert!(meta(&served, Some(&rows), false).0.len() >= 3);
    served.end();
}
