//! Faults that a client must survive: broken connections, forgetful servers, missing responses.

use crate::support::fault::Fault;
use crate::support::server::FakeServer;
use crate::support::table::{FakeTable, NOT_SERVING};
use crate::support::{get, mutation, open, options, table, values};
use rowstone_model::backend::Backend;
use rowstone_model::operations::{Action, ActionResult, Mutation, MutationKind};
use rowstone_model::ErrorKind;
use rowstone_rpc::proto;
use std::sync::Arc;
use std::time::Duration;

fn three_regions() -> FakeServer {
    let rows = ["a", "b", "m", "n", "y", "z"].map(|row| (row.to_string(), 1));
    FakeServer::start(FakeTable::new(&["g", "t"]).with_rows(rows))
}

/// A client whose operations time out after two seconds.
fn impatient(server: &FakeServer) -> Arc<dyn Backend> {
    let options = rowstone_rpc::OpenOptions { operation_timeout_ms: Some(2000), ..options() };
    rowstone_rpc::open(&server.url(), options).unwrap()
}

#[test]
fn a_read_survives_every_kind_of_cut() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    for fault in [Fault::CutBefore, Fault::CutAfter, Fault::CutInside] {
        server.plan("Get", 0, fault);
        assert_eq!(values(&table.get(&get("b")).unwrap()), [[b"b"]]);
        assert!(server.shared.faults.is_empty());
    }
}

#[test]
fn an_increment_is_done_once_however_often_it_is_sent() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    for fault in [Fault::CutAfter, Fault::CutInside, Fault::CutBefore] {
        server.plan("Mutate", 0, fault);
        table.mutate(mutation(MutationKind::Increment, "new", &5i64.to_be_bytes())).unwrap();
    }
    assert_eq!(values(&table.get(&get("new")).unwrap()), [[15i64.to_be_bytes()]]);
    let nonces: Vec<_> =
        server.calls("Mutate").iter().map(|call| call.message::<proto::MutateRequest>().mutation.nonce).collect();
    assert_eq!(nonces.len(), 6);
    assert!(nonces.chunks(2).all(|pair| pair[0] == pair[1] && pair[0].is_some()));
    server.plan("Multi", 0, Fault::CutInside);
    let actions = vec![Action::Mutate(mutation(MutationKind::Increment, "new", &1i64.to_be_bytes()))];
    let results = table.multi(actions);
    let [Ok(ActionResult::Row(batch))] = results.as_slice() else { panic!("{results:?}") };
    assert_eq!(values(batch), [[16i64.to_be_bytes()]]);
}

#[test]
fn a_repeated_increment_without_a_value_is_an_error() {
    let server = three_regions();
    server.shared.table.lock().unwrap().forgets_values = true;
    let backend = open(&server);
    let table = table(&backend);
    let five = || mutation(MutationKind::Increment, "new", &5i64.to_be_bytes());
    server.plan("Mutate", 0, Fault::CutAfter);
    let error = table.mutate(five()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ResultLost);
    assert!(error.message().contains("row 'new' was applied once"), "{error}");
    // Other retries have a value, and so has an increment whose value the caller does not want.
    server.plan("Mutate", 0, Fault::CutBefore);
    assert_eq!(values(&table.mutate(five()).unwrap()), [[10i64.to_be_bytes()]]);
    server.plan("Mutate", 0, Fault::CutAfter);
    let unwanted = Mutation { returns_values: false, ..five() };
    assert!(table.mutate(unwanted).unwrap().cells.is_empty());
    assert_eq!(values(&table.get(&get("new")).unwrap()), [[15i64.to_be_bytes()]]);
}

#[test]
fn a_region_that_went_is_looked_up_again() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    assert_eq!(values(&table.get(&get("n")).unwrap()), [[b"n"]]);
    {
        let mut fake = server.shared.table.lock().unwrap();
        fake.generation += 1;
        fake.starts = vec![Vec::new(), b"b".to_vec(), b"n".to_vec()];
    }
    assert_eq!(values(&table.get(&get("n")).unwrap()), [[b"n"]]);
    assert_eq!(values(&table.get(&get("a")).unwrap()), [[b"a"]]);
    let batch = table.get_many(&["z", "none", "a", "b"].map(get)).unwrap();
    assert_eq!(values(&batch), [vec![b"z".to_vec()], vec![], vec![b"a".to_vec()], vec![b"b".to_vec()]]);
}

#[test]
fn a_multi_sends_again_only_what_failed() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    let rows = ["a", "m", "z", "b"].map(get);
    table.get_many(&rows).unwrap();
    // One region is split: its name changes, those of the others do not.
    server.shared.table.lock().unwrap().starts.insert(2, b"n".to_vec());
    let calls_before = server.count("Multi");
    let batch = table.get_many(&rows).unwrap();
    assert_eq!(values(&batch), [[b"a"], [b"m"], [b"z"], [b"b"]]);
    let sizes: Vec<usize> = server.calls("Multi")[calls_before..]
        .iter()
        .map(|call| call.message::<proto::MultiRequest>().region_action.iter().map(|part| part.action.len()).sum())
        .collect();
    assert!(sizes.len() >= 2 && sizes[0] == 4 && sizes[1] < 4, "{sizes:?}");
}

#[test]
fn each_action_of_a_multi_has_its_own_fate() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    let mutations = ["a", "m", "z"].map(|row| mutation(MutationKind::Put, row, b"new")).to_vec();
    let mut with_bad = mutations.clone();
    with_bad.insert(1, mutation(MutationKind::Put, "", b"x"));
    let results = table.mutate_many(with_bad);
    assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, true]);
    assert_eq!(results[1].as_ref().unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(server.shared.table.lock().unwrap().rows[b"z".as_slice()][b"q".as_slice()], b"new");
}

#[test]
fn a_busy_region_is_waited_for_and_a_final_refusal_is_not() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    server.plan("Mutate", 0, Fault::Exception("org.apache.hadoop.hbase.RegionTooBusyException", "full", false));
    table.mutate(mutation(MutationKind::Put, "a", b"1")).unwrap();
    assert_eq!(server.count("Mutate"), 2);
    let class = "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException";
    server.plan("Mutate", 0, Fault::Exception(class, "Column family x does not exist", true));
    let error = table.mutate(mutation(MutationKind::Put, "a", b"1")).unwrap_err();
    assert_eq!((error.kind(), error.remote_class()), (ErrorKind::NoSuchColumnFamily, Some(class)));
    assert_eq!(server.count("Mutate"), 3);
}

#[test]
fn unknown_exceptions_are_retried_until_the_timeout() {
    let server = three_regions();
    let backend = impatient(&server);
    let table = table(&backend);
    for _ in 0..100 {
        server.plan("Get", 1, Fault::Exception("java.io.IOException", "disk on fire", false));
    }
    table.get(&get("a")).unwrap();
    let error = table.get(&get("a")).unwrap_err();
    // The last attempt may have too little time for its answer.
    assert!([ErrorKind::Remote, ErrorKind::Timeout].contains(&error.kind()), "{error}");
    assert!(error.message().contains("disk on fire"), "{error}");
}

#[test]
fn the_exception_before_a_last_attempt_without_an_answer_is_reported() {
    let server = three_regions();
    let backend = impatient(&server);
    let table = table(&backend);
    table.get(&get("a")).unwrap();
    server.plan("Get", 0, Fault::Exception("java.io.IOException", "disk on fire", false));
    server.plan("Get", 1, Fault::Silence);
    let error = table.get(&get("a")).unwrap_err();
    assert_eq!((error.kind(), error.remote_class()), (ErrorKind::Timeout, None));
    assert!(error.message().contains(", before it: "), "{error}");
    assert!(error.message().contains("disk on fire"), "{error}");
}

#[test]
fn a_disabled_or_missing_table_is_named_instead_of_looked_for() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    table.get(&get("a")).unwrap();
    server.shared.table.lock().unwrap().is_disabled = true;
    assert_eq!(table.get(&get("a")).unwrap_err().kind(), ErrorKind::TableNotEnabled);
    let results = table.mutate_many(vec![mutation(MutationKind::Put, "a", b"1")]);
    assert_eq!(results[0].as_ref().unwrap_err().kind(), ErrorKind::TableNotEnabled);
    server.shared.table.lock().unwrap().is_missing = true;
    assert_eq!(table.get(&get("a")).unwrap_err().kind(), ErrorKind::TableNotFound);
    let name = rowstone_model::schema::TableName::parse("t").unwrap();
    assert_eq!(open(&server).table(&name).err().unwrap().kind(), ErrorKind::TableNotFound);
}

#[test]
fn a_slow_answer_times_out_without_harm_to_others() {
    let server = three_regions();
    let options =
        rowstone_rpc::OpenOptions { operation_timeout_ms: Some(2000), rpc_timeout_ms: Some(1500), ..options() };
    let backend = rowstone_rpc::open(&server.url(), options).unwrap();
    let table = table(&backend);
    table.get(&get("a")).unwrap();
    for _ in 0..10 {
        server.plan("Get", 0, Fault::Late(Duration::from_secs(10)));
    }
    // Had the answer been awaited, the get would succeed.
    let error = table.get(&get("a")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    while !server.shared.faults.is_empty() {
        let _ = server.shared.faults.next("Get");
    }
    assert_eq!(values(&table.get(&get("m")).unwrap()), [[b"m"]]);
}

#[test]
fn a_server_that_says_nothing_is_left() {
    let server = three_regions();
    let options =
        rowstone_rpc::OpenOptions { operation_timeout_ms: Some(20_000), rpc_timeout_ms: Some(200), ..options() };
    let backend = rowstone_rpc::open(&server.url(), options).unwrap();
    let table = table(&backend);
    table.get(&get("a")).unwrap();
    server.plan("Get", 0, Fault::Silence);
    assert_eq!(values(&table.get(&get("a")).unwrap()), [[b"a"]]);
}

#[test]
fn answers_come_in_any_order() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    table.get(&get("a")).unwrap();
    for number in 0..8 {
        server.plan("Get", number * 3, Fault::Late(Duration::from_millis(20 * (8 - number as u64))));
    }
    std::thread::scope(|scope| {
        for row in ["a", "b", "m", "n", "y", "z"].into_iter().cycle().take(24) {
            let table = &table;
            scope.spawn(move || assert_eq!(values(&table.get(&get(row)).unwrap()), [[row.as_bytes()]]));
        }
    });
}

#[test]
fn all_connections_may_break_at_any_moment() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    table.mutate(mutation(MutationKind::Increment, "n", &1i64.to_be_bytes())).unwrap();
                }
            });
        }
        scope.spawn(|| {
            for _ in 0..20 {
                std::thread::sleep(Duration::from_millis(5));
                server.cut();
            }
        });
    });
    let row = table.get(&get("n")).unwrap();
    let counter = row.cells.iter().find(|cell| cell.qualifier() == b"q").unwrap().value().to_vec();
    assert_eq!(counter, 200i64.to_be_bytes());
}

#[test]
fn a_closed_cluster_says_so() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    table.get(&get("a")).unwrap();
    backend.close().unwrap();
    backend.close().unwrap();
    assert_eq!(table.get(&get("a")).unwrap_err().kind(), ErrorKind::DatabaseClosed);
}

#[test]
fn a_region_that_is_not_served_yet_is_waited_for() {
    let server = three_regions();
    let backend = open(&server);
    let table = table(&backend);
    for number in 0..4 {
        server.plan("Get", number, Fault::Exception(NOT_SERVING, "opening", false));
    }
    assert_eq!(values(&table.get(&get("z")).unwrap()), [[b"z"]]);
}

#[test]
fn one_server_that_answers_is_enough() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = three_regions();
    let url = format!("hbase://{},{}", silent.local_addr().unwrap(), server.url().trim_start_matches("hbase://"));
    let options = rowstone_rpc::OpenOptions { connect_timeout_ms: Some(600), ..options() };
    let backend = rowstone_rpc::open(&url, options).unwrap();
    assert_eq!(values(&table(&backend).get(&get("a")).unwrap()), [[b"a"]]);
}

#[test]
fn a_large_batch_goes_in_several_requests_and_each_row_in_one() {
    let server = FakeServer::start(FakeTable::new(&["r5"]));
    let backend = open(&server);
    let table = table(&backend);
    let mutations: Vec<_> = (0..3000)
        .map(|number| mutation(MutationKind::Put, &format!("r{}", number % 10), number.to_string().as_bytes()))
        .collect();
    assert!(table.mutate_many(mutations).iter().all(Result::is_ok));
    let mut homes = std::collections::BTreeMap::new();
    for (request, call) in server.calls("Multi").iter().enumerate() {
        for action in call.message::<proto::MultiRequest>().region_action.into_iter().flat_map(|part| part.action) {
            let row = action.mutation.unwrap().row.unwrap();
            assert_eq!(*homes.entry(row).or_insert(request), request, "a row's actions keep their order");
        }
    }
    assert_eq!(homes.len(), 10);
    assert!(server.count("Multi") > 1);
    let last = table.get_many(&["r0", "r9"].map(get)).unwrap();
    assert_eq!(values(&last), [[b"2990"], [b"2999"]]);
}
