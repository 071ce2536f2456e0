//! Data sent by servers: frames with messages and cells, stored messages, ZooKeeper's packets.

use super::cells::some_cells;
use super::Target;
use prost::Message;
use rowstone_model::operations::CellBatch;
use rowstone_rpc::convert::{append_result, from_table_name, push_row};
use rowstone_rpc::failure::failure_of;
use rowstone_rpc::proto;
use rowstone_rpc::wire::{FrameHead, Response};

#[allow(dead_code, reason = "requests are not decoded")]
#[path = "../../../crates/rpc/src/registry/jute.rs"]
mod jute;

pub fn targets() -> Vec<Target> {
    vec![
        Target { name: "rpc-answer", run: frame, seeds: frames, words: &[], most_bytes: 4096 },
        Target { name: "rpc-message", run: message, seeds: stored_messages, words: &[b"PBUF"], most_bytes: 2048 },
        Target { name: "zookeeper", run: zookeeper, seeds: packets, words: &[], most_bytes: 256 },
    ]
}

/// Reads a frame as the client does.
fn frame(input: &[u8]) {
    let Ok(head) = FrameHead::read(input) else { return };
    if let Some(exception) = &head.exception {
        let _ = (exception.message(), failure_of(exception));
    }
    let response = Response::new(input.to_vec(), head);
    let mut batch = CellBatch::default();
    if let Ok(message) = response.message::<proto::ScanResponse>() {
        let mut block = response.cells();
        for (count, partial) in message
            .cells_per_result
            .iter()
            .zip(message.partial_flag_per_result.iter().chain([&false].into_iter().cycle()))
        {
            let _ = push_row(*count as usize, *partial, &mut block, &mut batch);
        }
        for result in &message.results {
            let _ = append_result(result, &mut block, &mut batch);
        }
    }
    if let Ok(message) = response.message::<proto::GetResponse>() {
        let _ = append_result(&message.result.unwrap_or_default(), &mut response.cells(), &mut batch);
    }
    if let Ok(message) = response.message::<proto::MutateResponse>() {
        let _ = append_result(&message.result.unwrap_or_default(), &mut response.cells(), &mut batch);
    }
    if let Ok(message) = response.message::<proto::MultiResponse>() {
        let mut block = response.cells();
        for item in message.region_action_result.iter().flat_map(|region| &region.result_or_exception) {
            if let Some(result) = &item.result {
                let _ = append_result(result, &mut block, &mut batch);
            }
        }
    }
    assert!(batch.cells.byte_len() <= 8 * input.len() + 64, "{} bytes of {}", batch.cells.byte_len(), input.len());
    for row in &batch.rows {
        assert!(batch.row_cells(*row).count() <= row.cell_count as usize);
    }
}

fn framed(message: &impl Message, block: &[u8], exception: Option<proto::ExceptionResponse>) -> Vec<u8> {
    let header = proto::ResponseHeader {
        call_id: Some(7),
        exception,
        cell_block_meta: Some(proto::CellBlockMeta { length: Some(block.len() as u32) }),
    };
    [header.encode_length_delimited_to_vec(), message.encode_length_delimited_to_vec(), block.to_vec()].concat()
}

fn frames() -> Vec<Vec<u8>> {
    let (_, block) = some_cells(6);
    let scan = proto::ScanResponse {
        cells_per_result: vec![2, 3, 1],
        partial_flag_per_result: vec![false, true],
        more_results: Some(true),
        scanner_id: Some(9),
        ..proto::ScanResponse::default()
    };
    let inline = proto::Cell {
        row: Some(b"row".to_vec()),
        family: Some(b"f".to_vec()),
        qualifier: Some(b"q".to_vec()),
        timestamp: Some(5),
        cell_type: Some(4),
        value: Some(b"v".to_vec()),
        ..proto::Cell::default()
    };
    let result = proto::Result { cell: vec![inline], associated_cell_count: Some(6), ..proto::Result::default() };
    let get = proto::GetResponse { result: Some(result.clone()) };
    let multi = proto::MultiResponse {
        region_action_result: vec![proto::RegionActionResult {
            result_or_exception: vec![proto::ResultOrException {
                index: Some(0),
                result: Some(result),
                ..Default::default()
            }],
            ..Default::default()
        }],
        ..Default::default()
    };
    let exception = |class: &str, text: &str| proto::ExceptionResponse {
        exception_class_name: Some(class.into()),
        stack_trace: Some(text.into()),
        ..proto::ExceptionResponse::default()
    };
    let throttled = exception("org.apache.hadoop.hbase.quotas.RpcThrottlingException", "x: over - wait 5sec, 30ms");
    let moved = exception(
        "org.apache.hadoop.hbase.exceptions.RegionMovedException",
        "Region moved to: hostname=a port=5 startCode=7.",
    );
    vec![
        framed(&scan, &block, None),
        framed(&get, &block, None),
        framed(&multi, &block, None),
        framed(&get, &[], Some(throttled)),
        framed(&get, &[], Some(moved)),
    ]
}

macro_rules! decoded {
    ($kind:expr, $bytes:expr, $($message:ident,)*) => {{
        let decoders: &[fn(&[u8])] = &[$(|bytes| {
            if let Ok(message) = proto::$message::decode(bytes) {
                let again = proto::$message::decode(&message.encode_to_vec()[..]);
                // NaN differs from itself.
                assert_eq!(format!("{again:?}"), format!("{:?}", Ok::<_, prost::DecodeError>(message)));
            }
        }),*];
        decoders[$kind as usize % decoders.len()]($bytes)
    }};
}

/// First byte: the type of message. A decoded message is encoded and decoded again.
fn message(input: &[u8]) {
    let Some((kind, bytes)) = input.split_first() else { return };
    let _ = proto::stored::<proto::RegionInfo>(bytes);
    let _ = proto::stored::<proto::MetaRegionServer>(bytes);
    if let Ok(name) = proto::TableName::decode(bytes) {
        let _ = from_table_name(&name);
    }
    decoded!(
        *kind,
        bytes,
        ScanResponse,
        GetResponse,
        MutateResponse,
        MultiResponse,
        GetClusterStatusResponse,
        GetRegionInfoResponse,
        FlushRegionResponse,
        GetSchemaAlterStatusResponse,
        GetTableDescriptorsResponse,
        GetTableNamesResponse,
        GetTableStateResponse,
        ListNamespaceDescriptorsResponse,
        GetProcedureResultResponse,
        ExecProcedureResponse,
        IsProcedureDoneResponse,
        SnapshotResponse,
        IsSnapshotDoneResponse,
        GetCompletedSnapshotsResponse,
        GetClusterIdResponse,
        GetActiveMasterResponse,
        GetMetaRegionLocationsResponse,
        GetBootstrapNodesResponse,
        ExceptionResponse,
        ResponseHeader,
        RegionInfo,
        Filter,
        Comparator,
        FilterList,
    );
}

fn stored_messages() -> Vec<Vec<u8>> {
    let table = proto::TableName { namespace: b"default".to_vec(), qualifier: b"t".to_vec() };
    let region = proto::RegionInfo { region_id: 5, table_name: table.clone(), ..proto::RegionInfo::default() };
    let mut seeds = vec![[vec![0], b"PBUF".to_vec(), region.encode_to_vec()].concat()];
    for kind in 0..28 {
        seeds.push([vec![kind], table.encode_to_vec()].concat());
        seeds.push([vec![kind], region.encode_to_vec()].concat());
    }
    seeds
}

fn zookeeper(input: &[u8]) {
    let _ = jute::ConnectResponse::read(input);
    if let Ok(reply) = jute::Reply::read(input) {
        assert!(reply.error == 0 || reply.data.is_empty());
        assert!(reply.data.len() <= input.len());
    }
}

fn packets() -> Vec<Vec<u8>> {
    let mut reply = vec![0; 16];
    reply.extend_from_slice(&[0, 0, 0, 4, 0xff, 0, 0, 0]);
    let mut hello = vec![0; 16];
    hello.extend_from_slice(&[0, 0, 0, 16]);
    hello.extend_from_slice(&[0; 17]);
    vec![reply, hello]
}
