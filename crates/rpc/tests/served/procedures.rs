//! Procedures that clients run by signature, and regions of `hbase:meta` that stay.

use super::raw::Raw;
use super::support::{disk, name, serve_on};
use rowstone_rpc::proto::{
    ExecProcedureRequest, ExecProcedureResponse, GetProcedureResultRequest, GetProcedureResultResponse,
    IsProcedureDoneRequest, IsProcedureDoneResponse, NameStringPair, ProcedureDescription, ProcedureId, RegionInfo,
    TableName, TruncateRegionRequest,
};

/// A snapshot of the test's table, as a procedure of this signature.
fn procedure(signature: &str) -> ProcedureDescription {
    let table = NameStringPair { name: "table".into(), value: name().to_string() };
    let instance = Some("nightly".into());
    ProcedureDescription { signature: signature.into(), instance, creation_time: None, configuration: vec![table] }
}

/// Whether the procedure is done, or the exception.
fn is_done(master: &mut Raw, signature: &str) -> Result<Option<bool>, (String, String)> {
    let request = IsProcedureDoneRequest { procedure: Some(procedure(signature)) };
    master.call::<IsProcedureDoneResponse>("IsProcedureDone", &request).map(|answer| answer.done)
}

#[test]
fn a_snapshot_is_taken_by_a_procedure() {
    let served = serve_on(&disk());
    served.create(&[]);
    let mut master = served.connect("MasterService");
    let request = ExecProcedureRequest { procedure: procedure("online-snapshot") };
    let answer = master.call::<ExecProcedureResponse>("ExecProcedure", &request).unwrap();
    assert!(answer.expected_timeout > Some(0), "clients give up after this time");
    assert_eq!(is_done(&mut master, "online-snapshot"), Ok(Some(true)));
    let snapshots = served.engine.admin().list_snapshots().unwrap();
    assert_eq!(snapshots.iter().map(|snapshot| snapshot.name.as_str()).collect::<Vec<_>>(), ["nightly"]);
    served.end();
}

#[test]
fn an_unknown_procedure_is_refused() {
    let served = serve_on(&disk());
    let mut master = served.connect("MasterService");
    let request = ExecProcedureRequest { procedure: procedure("fake-signature") };
    let (class, message) = master.call::<ExecProcedureResponse>("ExecProcedure", &request).unwrap_err();
    assert!(class.ends_with(".DoNotRetryIOException") && message.contains("is not registered: fake-signature"));
    assert!(is_done(&mut master, "fake-signature").is_err());
    served.end();
}

#[test]
fn a_region_of_meta_is_not_truncated() {
    let served = serve_on(&disk());
    let mut master = served.connect("MasterService");
    let table_name = TableName { namespace: b"hbase".to_vec(), qualifier: b"meta".to_vec() };
    let region_info = RegionInfo { region_id: 1, table_name, ..RegionInfo::default() };
    let request = TruncateRegionRequest { region_info, ..TruncateRegionRequest::default() };
    let proc_id = master.call::<ProcedureId>("TruncateRegion", &request).unwrap().proc_id.unwrap();
    let request = GetProcedureResultRequest { proc_id };
    let result = master.call::<GetProcedureResultResponse>("getProcedureResult", &request).unwrap();
    let failure = result.exception.unwrap().generic_exception.unwrap();
    assert_eq!(failure.class_name.as_deref(), Some("java.io.IOException"));
    assert_eq!(failure.message.as_deref(), Some("Can't truncate region in catalog tables"));
    served.end();
}
