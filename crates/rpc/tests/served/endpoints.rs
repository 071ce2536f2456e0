//! Coprocessor services that clients call by name.

use super::support::{disk, mutation, name, serve_on, Served};
use prost::Message;
use rowstone_model::operations::Scan;
use rowstone_rpc::proto;
use rowstone_rpc::proto::mutation_proto::MutationType;

const LONG: &str = "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter";
const DOUBLE: &str = "org.apache.hadoop.hbase.client.coprocessor.DoubleColumnInterpreter";

fn execute(
    served: &Served,
    row: &str,
    service: &str,
    method: &str,
    request: &impl Message,
) -> Result<proto::NameBytesPair, (String, String)> {
    let call = proto::CoprocessorServiceCall {
        row: row.into(),
        service_name: service.to_string(),
        method_name: method.to_string(),
        request: request.encode_to_vec(),
    };
    let request = proto::CoprocessorServiceRequest { region: served.region(row), call };
    let mut client = served.connect("ClientService");
    client.call::<proto::CoprocessorServiceResponse>("ExecService", &request).map(|answer| answer.value)
}

fn aggregate(served: &Served, method: &str, class: &str, qualifiers: &[&str]) -> proto::AggregateResponse {
    let qualifier = qualifiers.iter().map(|name| name.as_bytes().to_vec()).collect();
    let scan =
        proto::Scan { column: vec![proto::Column { family: b"f".to_vec(), qualifier }], ..proto::Scan::default() };
    let request =
        proto::AggregateRequest { interpreter_class_name: class.to_string(), scan, interpreter_specific_bytes: None };
    let value = execute(served, "a", "AggregateService", method, &request).unwrap();
    assert!(value.name.ends_with("AggregateProtos$AggregateResponse"));
    proto::AggregateResponse::decode(value.value.unwrap().as_slice()).unwrap()
}

fn longs(answer: &proto::AggregateResponse) -> Vec<i64> {
    let parts = answer.first_part.iter();
    parts.map(|part| proto::LongMsg::decode(part.as_slice()).unwrap().long_msg).collect()
}

fn put(served: &Served, row: &str, qualifier: &str, value: &[u8]) {
    let mutation = mutation(MutationType::Put, row, qualifier, value);
    let request = proto::MutateRequest { region: served.region(row), mutation, condition: None, nonce_group: None };
    let _: proto::MutateResponse = served.connect("ClientService").call("Mutate", &request).unwrap();
}

#[test]
fn numbers_of_a_column_are_added_where_they_lie() {
    let served = serve_on(&disk());
    // The second region is for the next call.
    served.create(&["m"]);
    for (row, number) in [("a", 5i64), ("b", -3), ("c", 10), ("z", 1000)] {
        put(&served, row, "n", &number.to_be_bytes());
    }
    put(&served, "d", "n", b"no number");
    put(&served, "e", "other", &1i64.to_be_bytes());
    let of = |method| aggregate(&served, method, LONG, &["n"]);
    assert_eq!(longs(&of("GetMax")), [10]);
    assert_eq!(longs(&of("GetMin")), [-3]);
    assert_eq!(longs(&of("GetSum")), [12]);
    let rows = |answer: &proto::AggregateResponse| answer.second_part.clone();
    let average = of("GetAvg");
    assert_eq!((longs(&average), rows(&average)), (vec![12], Some(4u64.to_be_bytes().to_vec())));
    let deviation = of("GetStd");
    assert_eq!((longs(&deviation), rows(&deviation)), (vec![12, 134], Some(4u64.to_be_bytes().to_vec())));
    assert_eq!(longs(&of("GetMedian")), [12, i64::MIN]);
    // A single requested column is ignored: its whole family counts.
    assert_eq!(of("GetRowNum").first_part, [5u64.to_be_bytes().to_vec()]);
    assert_eq!(aggregate(&served, "GetRowNum", LONG, &["n", "other"]).first_part, [1u64.to_be_bytes().to_vec()]);
    assert_eq!(aggregate(&served, "GetRowNum", LONG, &[]).first_part, [5u64.to_be_bytes().to_vec()]);
    assert_eq!(longs(&aggregate(&served, "GetMedian", LONG, &["n", "other"])), [13, 13]);
    assert!(aggregate(&served, "GetMax", LONG, &["none"]).first_part.is_empty());
    put(&served, "f", "d", &2.5f64.to_be_bytes());
    put(&served, "g", "d", &0.25f64.to_be_bytes());
    let sum = aggregate(&served, "GetSum", DOUBLE, &["d"]);
    assert_eq!(proto::DoubleMsg::decode(sum.first_part[0].as_slice()).unwrap().double_msg, 2.75);
    served.end();
}

#[test]
fn unknown_services_methods_and_interpreters_are_refused() {
    let served = serve_on(&disk());
    served.create(&[]);
    let refusal = |service, method| execute(&served, "a", service, method, &proto::Empty {}).unwrap_err();
    let (class, text) = refusal("AccessControlService", "GetUserPermissions");
    assert!(class.ends_with("exceptions.UnknownProtocolException"));
    assert!(text.contains("No registered coprocessor service found for AccessControlService in region t,,"));
    let (class, text) = refusal("MultiRowMutationService", "Nothing");
    assert!(class.ends_with("exceptions.UnknownProtocolException"));
    assert!(text.contains("Unknown method Nothing called on service MultiRowMutationService"));
    let request = proto::AggregateRequest {
        interpreter_class_name: "org.example.Own".to_string(),
        scan: proto::Scan {
            column: vec![proto::Column { family: b"f".to_vec(), qualifier: vec![] }],
            ..proto::Scan::default()
        },
        interpreter_specific_bytes: None,
    };
    let (_, text) = execute(&served, "a", "AggregateService", "GetSum", &request).unwrap_err();
    assert!(text.contains("ClassNotFoundException: org.example.Own"));
    served.end();
}

fn rows(served: &Served) -> Vec<String> {
    let mut scanner = served.engine.table(&name()).unwrap().scan(Scan::default()).unwrap();
    let mut rows = Vec::new();
    while let Some(batch) = scanner.next_batch(100, 1 << 20).unwrap() {
        rows.extend(
            batch.cells.iter().map(|cell| {
                format!("{}={}", String::from_utf8_lossy(cell.row()), String::from_utf8_lossy(cell.value()))
            }),
        );
    }
    rows
}

#[test]
fn rows_of_a_region_change_together_where_all_conditions_hold() {
    let served = serve_on(&disk());
    served.create(&["m"]);
    put(&served, "a", "q", b"1");
    let request = |rows: &[&str], expected: &str| proto::MutateRowsRequest {
        mutation_request: rows.iter().map(|row| mutation(MutationType::Put, row, "q", b"2")).collect(),
        condition: vec![proto::Condition {
            row: b"a".to_vec(),
            family: Some(b"f".to_vec()),
            qualifier: Some(b"q".to_vec()),
            compare_type: Some(proto::CompareType::Equal as i32),
            comparator: Some(proto::Comparator {
                name: "org.apache.hadoop.hbase.filter.BinaryComparator".to_string(),
                serialized_comparator: Some(
                    proto::BinaryComparator { comparable: proto::ByteArrayComparable { value: Some(expected.into()) } }
                        .encode_to_vec(),
                ),
            }),
            time_range: None,
            filter: None,
        }],
        ..proto::MutateRowsRequest::default()
    };
    let run = |request: &proto::MutateRowsRequest| {
        let value = execute(&served, "a", "MultiRowMutationService", "MutateRows", request)?.value.unwrap();
        Ok::<_, (String, String)>(proto::MutateRowsResponse::decode(value.as_slice()).unwrap().processed)
    };
    assert_eq!(run(&request(&["b", "c"], "no")).unwrap(), Some(false));
    assert_eq!(rows(&served), ["a=1"]);
    assert_eq!(run(&request(&["b", "a", "c"], "1")).unwrap(), Some(true));
    assert_eq!(rows(&served), ["a=2", "b=2", "c=2"]);
    let (class, _) = run(&request(&["b", "z"], "2")).unwrap_err();
    assert!(class.ends_with("DoNotRetryIOException"));
    let (class, _) = run(&request(&["z"], "2")).unwrap_err();
    assert!(class.ends_with("regionserver.WrongRegionException"));
    assert_eq!(rows(&served), ["a=2", "b=2", "c=2"]);
    served.end();
}

#[test]
fn a_region_is_emptied_and_stays() {
    let served = serve_on(&disk());
    served.create(&["m"]);
    put(&served, "a", "q", b"1");
    put(&served, "z", "q", b"1");
    let info = served.engine.table(&name()).unwrap().region_at(b"a").unwrap();
    let request = proto::TruncateRegionRequest {
        region_info: proto::RegionInfo {
            region_id: info.region_id as u64,
            table_name: proto::TableName { namespace: b"default".to_vec(), qualifier: b"t".to_vec() },
            start_key: Some(info.start_key.clone()),
            end_key: Some(info.end_key.clone()),
            offline: None,
            split: None,
            replica_id: None,
        },
        nonce_group: None,
        nonce: None,
    };
    let done: proto::ProcedureId = served.connect("MasterService").call("TruncateRegion", &request).unwrap();
    assert!(done.proc_id.is_some());
    assert_eq!(rows(&served), ["z=1"]);
    served.end();
}
