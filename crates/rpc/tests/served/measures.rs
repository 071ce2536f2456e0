//! A server's metrics of its calls, and its slow log.

use super::raw::Raw;
use super::support::{column, disk, mutation, Served};
use prost::Message;
use rowstone_engine::db::{open as open_engine, OpenOptions as EngineOptions};
use rowstone_model::backend::Backend;
use rowstone_rpc::proto::mutation_proto::MutationType;
use rowstone_rpc::proto::{self, RegionSpecifier};
use rowstone_rpc::{Measured, Server, ServerOptions, SlowLogOptions};
use std::sync::Arc;
use std::time::Duration;

/// Starts a server with the given slow log.
fn serve(slow_log: SlowLogOptions) -> Served {
    let options =
        EngineOptions { create: true, directory: Some("/db".into()), system: Some(disk()), ..EngineOptions::default() };
    let engine: Arc<dyn Backend> = open_engine(options).unwrap();
    let server = Server::start(Arc::clone(&engine), ServerOptions { slow_log, ..ServerOptions::default() }).unwrap();
    let served = Served { server, engine };
    served.create(&[]);
    served
}

/// A slow log that records every call.
fn every_call() -> SlowLogOptions {
    SlowLogOptions { slow_after: Some(Duration::ZERO), ..SlowLogOptions::default() }
}

fn get_of(region: RegionSpecifier, row: &str) -> proto::GetRequest {
    proto::GetRequest { region, get: proto::Get { row: row.into(), ..proto::Get::default() } }
}

fn put_of(region: RegionSpecifier, row: &str) -> proto::MutateRequest {
    let mutation = mutation(MutationType::Put, row, "q", b"value");
    proto::MutateRequest { region, mutation, condition: None, nonce_group: None }
}

fn count(measured: &Measured, name: &str) -> u64 {
    measured.methods.get(name).or_else(|| measured.series.get(name)).map_or(0, rowstone_rpc::Seen::count)
}

fn multi_of(region: RegionSpecifier) -> proto::MultiRequest {
    let put = mutation(MutationType::Put, "b", "q", b"value");
    let wrong = proto::MutationProto { column_value: vec![], ..mutation(MutationType::Put, "c", "q", b"") };
    let mut lost = wrong.clone();
    lost.column_value = vec![proto::mutation_proto::ColumnValue { family: b"none".to_vec(), ..column("q", b"v") }];
    let get = proto::Get { row: b"a".to_vec(), ..proto::Get::default() };
    let action = |index, get, mutation| proto::Action { index: Some(index), get, mutation };
    let actions = vec![
        action(0, None, Some(put)),
        action(1, Some(Box::new(get.clone())), None),
        action(2, Some(Box::new(get)), None),
        action(3, None, Some(lost)),
    ];
    let part = proto::RegionAction { region, action: actions, ..Default::default() };
    proto::MultiRequest { region_action: vec![part], ..Default::default() }
}

#[test]
fn calls_are_counted_by_method_and_by_what_they_are_about() {
    let served = serve(SlowLogOptions::default());
    let mut client = served.connect("ClientService");
    let region = served.region("a");
    client.call::<proto::MutateResponse>("Mutate", &put_of(region.clone(), "a")).unwrap();
    for _ in 0..3 {
        client.call::<proto::GetResponse>("Get", &get_of(region.clone(), "a")).unwrap();
    }
    client.call::<proto::MultiResponse>("Multi", &multi_of(region.clone())).unwrap();
    client.call::<proto::GetResponse>("Nothing", &get_of(region, "a")).unwrap_err();
    let measured = served.server.measured();
    let counts =
        ["Get", "Mutate", "Multi", "Nothing", "put", "get_of_multi", "put_batch", "delete", "total", "response"];
    assert_eq!(counts.map(|name| count(&measured, name)), [3, 1, 1, 1, 1, 2, 1, 0, 6, 6]);
    let failures: Vec<_> =
        measured.failures.iter().map(|(class, times)| (class.rsplit('.').next().unwrap(), *times)).collect();
    assert_eq!(failures, [("DoNotRetryIOException", 1), ("NoSuchColumnFamilyException", 1)]);
    let number = |name: &str| measured.numbers[name];
    assert_eq!((number("open_connections"), number("requests"), number("calls_waiting")), (1, 6, 0));
    assert_eq!(number("authorization_successes"), 1);
    assert!(measured.series["request"].sum > 6 * 10 && measured.series["response"].sum > 6 * 10);
    served.end();
}

#[test]
fn conditions_that_hold_are_counted_apart_from_those_that_do_not() {
    let served = serve(SlowLogOptions::default());
    let mut client = served.connect("ClientService");
    let condition = |value: &[u8]| proto::Condition {
        row: b"a".to_vec(),
        family: Some(b"f".to_vec()),
        qualifier: Some(b"q".to_vec()),
        compare_type: Some(proto::CompareType::Equal as i32),
        comparator: Some(rowstone_rpc::filter::comparator_to_wire(
            &rowstone_model::filter::Comparator::BinaryComparator { value: value.to_vec() },
        )),
        ..Default::default()
    };
    for value in [&b""[..], b"other", b"another"] {
        let request = proto::MutateRequest { condition: Some(condition(value)), ..put_of(served.region("a"), "a") };
        client.call::<proto::MutateResponse>("Mutate", &request).unwrap();
    }
    let measured = served.server.measured();
    assert_eq!((measured.numbers["checks_passed"], measured.numbers["checks_failed"]), (1, 2));
    assert_eq!((count(&measured, "check_and_put"), count(&measured, "put")), (3, 0));
    served.end();
}

/// The request `get_slowlog_responses`.
fn slow_log(admin: &mut Raw, request: &proto::SlowLogRequest) -> Vec<proto::SlowCall> {
    let question = proto::LogMessage {
        log_class_name: "org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos$SlowLogResponseRequest".into(),
        log_message: request.encode_to_vec(),
    };
    let answer: proto::LogMessage = admin.call("GetLogEntries", &question).unwrap();
    assert!(answer.log_class_name.ends_with("AdminProtos$SlowLogResponses"));
    proto::SlowCalls::decode(answer.log_message.as_slice()).unwrap().calls
}

#[test]
fn slow_calls_are_remembered_newest_first_and_forgotten_on_demand() {
    let served = serve(SlowLogOptions { most: 3, ..every_call() });
    let mut client = served.connect("ClientService");
    let region = served.region("a");
    for row in ["a", "b", "c", "d"] {
        client.call::<proto::GetResponse>("Get", &get_of(region.clone(), row)).unwrap();
    }
    let mut admin = served.connect("AdminService");
    let calls = slow_log(&mut admin, &proto::SlowLogRequest::default());
    let params: Vec<_> = calls.iter().map(|call| call.param().rsplit(' ').next().unwrap()).collect();
    assert_eq!(params, ["d", "c", "b"]);
    let call = &calls[0];
    assert!(call.region_name().starts_with("t,,"));
    assert_eq!((call.method_name.as_str(), call.user_name.as_str()), ("Get", "tester"));
    assert!(
        call.client_address.starts_with("127.0.0.1:") && call.response_size > 0 && call.start_time > 1_600_000_000_000
    );
    assert_eq!(call.call_details, "Get(org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos$GetRequest)");
    let cleared: proto::ClearedSlowLog = admin.call("ClearSlowLogsResponses", &proto::Empty {}).unwrap();
    assert!(cleared.is_cleaned);
    // The log's own queries are among the recorded calls.
    assert!(slow_log(&mut admin, &proto::SlowLogRequest::default()).iter().all(|call| call.method_name != "Get"));
    served.end();
}

#[test]
fn the_calls_of_a_scan_know_their_region_though_they_name_a_scanner_only() {
    let served = serve(every_call());
    let mut client = served.connect("ClientService");
    let scan = proto::Scan { start_row: Some(b"a".to_vec()), ..proto::Scan::default() };
    let open = proto::ScanRequest {
        region: Some(served.region("a")),
        scan: Some(scan),
        number_of_rows: Some(0),
        ..Default::default()
    };
    let opened: proto::ScanResponse = client.call("Scan", &open).unwrap();
    let next = proto::ScanRequest { scanner_id: opened.scanner_id, number_of_rows: Some(5), ..Default::default() };
    client.call::<proto::ScanResponse>("Scan", &next).unwrap();
    let calls = served.server.slow_calls();
    assert_eq!(calls[0].region_name, calls[1].region_name);
    assert!(calls[0].region_name().starts_with("t,,"), "{:?}", calls[0]);
    assert!(calls[0].param().contains("scanner= ") && calls[1].param().contains("start= a"));
    assert_eq!(count(&served.server.measured(), "scan_size"), 2);
    served.end();
}

#[test]
fn a_slow_log_that_is_off_remembers_nothing_and_says_so() {
    let served = serve(SlowLogOptions { is_on: false, ..every_call() });
    let mut client = served.connect("ClientService");
    client.call::<proto::GetResponse>("Get", &get_of(served.region("a"), "a")).unwrap();
    let mut admin = served.connect("AdminService");
    assert!(slow_log(&mut admin, &proto::SlowLogRequest::default()).is_empty());
    let cleared: proto::ClearedSlowLog = admin.call("ClearSlowLogsResponses", &proto::Empty {}).unwrap();
    assert!(!cleared.is_cleaned);
    let other = proto::LogMessage { log_class_name: "x$BalancerDecisionsRequest".into(), log_message: vec![] };
    let (class, _) = admin.call::<proto::LogMessage>("GetLogEntries", &other).unwrap_err();
    assert!(class.ends_with("DoNotRetryIOException"));
    served.end();
}
