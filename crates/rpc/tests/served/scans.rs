//! Fields of scan responses other than rows, and scans of `hbase:meta`.

use super::raw::Raw;
use super::support::{column, disk, mutation, serve_on, Served};
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

/// One call of a scan: the scanner stays open if the response says that more may follow.
fn next(
    client: &mut Raw,
    region: &RegionSpecifier,
    scan: &proto::Scan,
    id: Option<u64>,
    rows: u32,
) -> proto::ScanResponse {
    let request = proto::ScanRequest {
        region: id.is_none().then(|| region.clone()),
        scan: id.is_none().then(|| scan.clone()),
        scanner_id: id,
        number_of_rows: Some(rows),
        client_handles_partials: Some(true),
        ..proto::ScanRequest::default()
    };
    client.call_with("Scan", &request, &[]).unwrap().0
}

#[test]
fn the_last_rows_that_a_filter_lets_through_end_their_region_and_not_the_scan() {
    let served = serve_on(&disk());
    served.create(&[]);
    for row in ["a", "b", "c"] {
        put(&served, row, b"value");
    }
    let page = Filter::PageFilter { page_size: 2 };
    for reversed in [false, true] {
        let scan = proto::Scan { filter: Some(to_wire(&page)), reversed: Some(reversed), ..proto::Scan::default() };
        let (region, mut client) = (served.region(""), served.connect("ClientService"));
        let first = next(&mut client, &region, &scan, None, 1);
        assert_eq!((first.more_results, first.more_results_in_region), (Some(true), Some(true)));
        let second = next(&mut client, &region, &scan, first.scanner_id, 1);
        assert_eq!(second.cells_per_result, [1]);
        assert_eq!((second.more_results, second.more_results_in_region), (Some(true), Some(false)));
    }
    served.end();
}

#[test]
fn a_filter_that_decides_on_rows_keeps_them_whole() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut row = mutation(MutationType::Put, "r", "q0", b"value");
    row.column_value.extend(["q1", "q2"].map(|qualifier| column(qualifier, b"value")));
    let request = proto::MutateRequest { region: served.region(""), mutation: row, condition: None, nonce_group: None };
    let _: proto::MutateResponse = served.connect("ClientService").call("Mutate", &request).unwrap();
    let prefix = Filter::ColumnPrefixFilter { prefix: b"q".to_vec() };
    let skip = Filter::SkipFilter { filter: Box::new(prefix.clone()) };
    for (filter, cells) in [(prefix, 1), (skip, 3)] {
        let scan = proto::Scan {
            filter: Some(to_wire(&filter)),
            max_result_size: Some(1),
            allow_partial_results: Some(true),
            ..proto::Scan::default()
        };
        let answer = next(&mut served.connect("ClientService"), &served.region(""), &scan, None, 9);
        assert_eq!((answer.cells_per_result, answer.partial_flag_per_result), (vec![cells], vec![cells == 1]));
    }
    served.end();
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
    // A read point in the future is ignored.
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
