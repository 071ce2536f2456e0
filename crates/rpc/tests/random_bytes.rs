//! No bytes from a server make a decoder panic, or allocate more memory than they justify.

use proptest::prelude::*;
use prost::Message;
use rowstone_model::cell::{CellBuffer, CellParts, CellType};
use rowstone_model::operations::CellBatch;
use rowstone_rpc::convert::{append_result, push_row};
use rowstone_rpc::failure::failure_of;
use rowstone_rpc::proto;
use rowstone_rpc::wire::{encode_cells, BlockReader, FrameHead, RemoteException, Response};

fn cells() -> impl Strategy<Value = CellBuffer> {
    let part = || prop::collection::vec(any::<u8>(), 0..20);
    let kinds =
        prop::sample::select(vec![CellType::Put, CellType::Delete, CellType::DeleteColumn, CellType::DeleteFamily]);
    let cell = (part(), part(), part(), part(), part(), any::<i64>(), kinds);
    prop::collection::vec(cell, 0..20).prop_map(|cells| {
        let mut buffer = CellBuffer::new();
        for (row, family, qualifier, value, tags, timestamp, cell_type) in &cells {
            let (timestamp, cell_type) = (*timestamp, *cell_type);
            buffer.push(CellParts { row, family, qualifier, timestamp, cell_type, value, tags });
        }
        buffer
    })
}

/// Valid bytes with a few changes: they reach deeper than random ones.
fn damaged(bytes: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (Just(bytes), changes, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(mut bytes, changes, end, cut)| {
        if !bytes.is_empty() {
            for (place, byte) in changes {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            if cut {
                bytes.truncate(end.index(bytes.len()));
            }
        }
        bytes
    })
}

fn frame() -> impl Strategy<Value = Vec<u8>> {
    (cells(), any::<u32>(), any::<bool>()).prop_flat_map(|(cells, call_id, fails)| {
        let mut block = Vec::new();
        encode_cells(&cells, &mut block);
        let exception = fails.then(|| proto::ExceptionResponse {
            exception_class_name: Some("a.B".into()),
            stack_trace: Some("a.B: c".into()),
            ..proto::ExceptionResponse::default()
        });
        let header = proto::ResponseHeader {
            call_id: Some(call_id),
            exception,
            cell_block_meta: Some(proto::CellBlockMeta { length: Some(block.len() as u32) }),
        };
        let count = cells.iter().count() as u32;
        let message = proto::ScanResponse { cells_per_result: vec![count], ..proto::ScanResponse::default() };
        let mut bytes = header.encode_length_delimited_to_vec();
        bytes.extend(message.encode_length_delimited_to_vec());
        bytes.extend(block);
        damaged(bytes)
    })
}

/// Reads a frame as the client does.
fn read(frame: Vec<u8>) {
    let length = frame.len();
    let Ok(head) = FrameHead::read(&frame) else { return };
    let response = Response::new(frame, head);
    let mut batch = CellBatch::default();
    if let Ok(message) = response.message::<proto::ScanResponse>() {
        let mut block = response.cells();
        for count in message.cells_per_result.iter().take(1000) {
            let _ = push_row(*count as usize, false, &mut block, &mut batch);
        }
    }
    if let Ok(message) = response.message::<proto::GetResponse>() {
        let _ = append_result(&message.result.unwrap_or_default(), &mut response.cells(), &mut batch);
    }
    let _ = response.message::<proto::MultiResponse>();
    let _ = response.message::<proto::GetProcedureResultResponse>();
    let _ = response.message::<proto::GetClusterStatusResponse>();
    assert!(batch.cells.byte_len() <= 8 * length + 64, "{} bytes of {length}", batch.cells.byte_len());
    for row in &batch.rows {
        assert_eq!(batch.row_cells(*row).count(), row.cell_count as usize);
    }
}

proptest! {
    #[test]
    fn random_frames(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(bytes);
    }

    #[test]
    fn damaged_frames(bytes in frame()) {
        read(bytes);
    }

    #[test]
    fn cells_come_back_as_they_went(cells in cells()) {
        let mut block = Vec::new();
        encode_cells(&cells, &mut block);
        let mut again = CellBuffer::new();
        let mut reader = BlockReader::new(&block);
        reader.take(cells.iter().count(), &mut again).unwrap();
        prop_assert_eq!(reader.remaining(), 0);
        prop_assert_eq!(again, cells);
        prop_assert!(reader.take(1, &mut CellBuffer::new()).is_err());
    }

    #[test]
    fn stored_messages(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let mut with_magic = b"PBUF".to_vec();
        with_magic.extend(&bytes);
        let _ = proto::stored::<proto::RegionInfo>(&with_magic);
        let _ = proto::stored::<proto::MetaRegionServer>(&bytes);
    }

    #[test]
    fn exceptions(class in ".{0,40}", text in ".{0,80}", wait in "[0-9a-z, ]{0,20}", flags in any::<[bool; 2]>()) {
        for class in [class.as_str(), "x.RpcThrottlingException", "x.RegionMovedException"] {
            for text in [text.clone(), format!("{class}: over - wait {wait}"), format!("hostname={wait}port={wait} ")] {
                let exception = RemoteException { class: class.into(), text, do_not_retry: flags[0], is_overloaded: flags[1] };
                let _ = failure_of(&exception);
            }
        }
    }
}
