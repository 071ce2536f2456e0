//! Logs in HBase's format, plain and compressed, torn at every byte.

use crate::hfile::format::proto::{put_bytes, put_number};
use crate::manifest::State;
use crate::root::read_logs;
use crate::sys::{FileSystem, MemoryFileSystem};
use rowstone_model::cell::{Cell, CellBuffer, CellParts, CellType, Layout};
use rowstone_model::codec::write_varint;
use rowstone_model::{ErrorKind, Result};
use std::path::Path;

const REGION: &str = "0123456789abcdef0123456789abcdef";
const LOG: &str = "/r/WALs/host,1,2/host%2C1%2C2.3";

/// Sequence id, and row and value of each cell.
type Write = (u64, Vec<(String, String)>);

fn delimited(out: &mut Vec<u8>, message: &[u8]) {
    write_varint(out, message.len() as u64);
    out.extend_from_slice(message);
}

fn start(fields: &[(u32, u64)]) -> Vec<u8> {
    let mut header = Vec::new();
    fields.iter().for_each(|(field, value)| put_number(&mut header, *field, *value));
    let mut out = b"PWAL".to_vec();
    delimited(&mut out, &header);
    out
}

fn key(region: &[u8], table: &[u8], sequence_id: u64, cells: u64) -> Vec<u8> {
    let mut message = Vec::new();
    put_bytes(&mut message, 1, region);
    put_bytes(&mut message, 2, table);
    put_number(&mut message, 3, sequence_id);
    put_number(&mut message, 4, 1_000);
    put_number(&mut message, 7, cells);
    message
}

fn plain_entry(out: &mut Vec<u8>, sequence_id: u64, cells: &[(&str, &str, &[u8])]) {
    delimited(out, &key(REGION.as_bytes(), b"t", sequence_id, cells.len() as u64));
    for (row, value, tags) in cells {
        let mut buffer = CellBuffer::new();
        let (row, value) = (row.as_bytes(), value.as_bytes());
        let cell_type = CellType::Put;
        buffer.push(CellParts { row, family: b"f", qualifier: b"q", timestamp: 5, cell_type, value, tags });
        let layout = if tags.is_empty() { Layout::PLAIN } else { Layout::TAGGED };
        let mut bytes = Vec::new();
        Cell::read(buffer.as_bytes(), Layout::TAGGED).unwrap().0.write(&mut bytes, layout);
        out.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        out.extend_from_slice(&bytes);
    }
}

fn read(bytes: &[u8]) -> Result<Vec<Write>> {
    let files = MemoryFileSystem::new();
    files.create_dir_all(Path::new(LOG).parent().unwrap()).unwrap();
    files.create(Path::new(LOG)).unwrap().append(bytes).unwrap();
    let mut found = Vec::new();
    read_logs(&files, Path::new("/r"), &State::new("id".into()), false, &mut |write| {
        assert_eq!((write.region, write.write_time_ms), (REGION, 1_000));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let cells = write.cells.iter().map(|cell| (text(cell.row()), text(cell.value()))).collect();
        found.push((write.sequence_id, cells));
    })?;
    Ok(found)
}

fn write(sequence_id: u64, cells: &[(&str, &str)]) -> Write {
    (sequence_id, cells.iter().map(|(row, value)| (row.to_string(), value.to_string())).collect())
}

#[test]
fn entries_come_back_and_a_torn_end_is_left_out() {
    let mut log = start(&[(1, 0)]);
    plain_entry(&mut log, 7, &[("a", "1", b""), ("b", "2", b"\x00\x02\x05x")]);
    let first_end = log.len();
    plain_entry(&mut log, 8, &[("c", "3", b"")]);
    let all = vec![write(7, &[("a", "1"), ("b", "2")]), write(8, &[("c", "3")])];
    for end in 0..log.len() {
        let whole = if end < first_end { 0 } else { 1 };
        assert_eq!(read(&log[..end]).unwrap(), all[..whole], "torn at {end}");
    }
    assert_eq!(read(&log).unwrap(), all);
    for byte in *b"\0\0\0\0LAWP" {
        log.push(byte);
        assert_eq!(read(&log).unwrap(), all, "{} bytes of the trailer", log.len());
    }
    // A log that was closed ends with a whole entry.
    let cut = [&log[..first_end + 5], b"\0\0\0\0LAWP"].concat();
    assert_eq!(read(&cut).unwrap_err().kind(), ErrorKind::Corruption);
}

#[test]
fn qualifiers_have_127_places() {
    let new = |bytes: &[u8]| [&[0xff, bytes.len() as u8], bytes].concat();
    let mut log = start(&[(1, 1)]);
    delimited(&mut log, &key(&new(REGION.as_bytes()), &new(b"t"), 7, 130));
    for number in 0..130_u8 {
        let row = if number == 0 { new(b"a") } else { vec![0, 0] };
        let family = if number == 0 { new(b"f") } else { vec![0, 0] };
        // The 128th takes the place of the oldest.
        let qualifier = if number == 129 { vec![0, 0] } else { new(format!("q{number:03}").as_bytes()) };
        let time = 5_i64.to_be_bytes();
        log.extend([&[18, 1, 0][..], &row, &family, &qualifier, &time, b"\x04v"].concat());
    }
    let files = MemoryFileSystem::new();
    files.create_dir_all(Path::new(LOG).parent().unwrap()).unwrap();
    files.create(Path::new(LOG)).unwrap().append(&log).unwrap();
    let mut last = Vec::new();
    read_logs(&files, Path::new("/r"), &State::new("id".into()), false, &mut |write| {
        last = write.cells.iter().last().unwrap().qualifier().to_vec();
    })
    .unwrap();
    assert_eq!(last, b"q127");
}

#[test]
fn compressed_entries_come_back() {
    let new = |bytes: &[u8]| [&[0xff, bytes.len() as u8], bytes].concat();
    let cell = |row: &[u8], family: &[u8], qualifier: &[u8], value: &[u8], tags: &[u8], tag_bytes: u8| {
        let lengths = [15, value.len() as u8, tag_bytes];
        let time = 5_i64.to_be_bytes();
        [&lengths[..], row, family, qualifier, &time, &[4], value, tags].concat()
    };
    let mut log = start(&[(1, 1), (3, 1)]);
    delimited(&mut log, &key(&new(REGION.as_bytes()), &new(b"t"), 7, 2));
    log.extend(cell(&new(b"a"), &new(b"f"), &new(b"q"), b"1", &new(b"\x05x"), 4));
    log.extend(cell(&new(b"b"), &[0, 0], &[0, 0], b"2", &[0, 0], 4));
    delimited(&mut log, &key(&[0, 0], &[0, 0], 8, 1));
    log.extend(cell(&[0, 0], &[0, 0], &[0, 0], b"3", b"", 0));
    assert_eq!(read(&log).unwrap(), [write(7, &[("a", "1"), ("b", "2")]), write(8, &[("a", "3")])]);
    delimited(&mut log, &key(&[0, 9], &[0, 0], 9, 0));
    let error = read(&log).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corruption);
}

#[test]
fn an_entry_that_is_used_stays_when_the_dictionary_is_full() {
    // After 32,767 rows the oldest gives way: the second, because the first was used again.
    let new = |bytes: &[u8]| [&[0xff, bytes.len() as u8], bytes].concat();
    let cell = |out: &mut Vec<u8>, row: &[u8], row_bytes: u8, rest: &[u8]| {
        out.extend([14 + row_bytes, 1, 0]);
        out.extend(row);
        out.extend(rest);
        out.extend(5_i64.to_be_bytes());
        out.extend(b"\x04v");
    };
    let full = i16::MAX as u64;
    let mut log = start(&[(1, 1)]);
    delimited(&mut log, &key(&new(REGION.as_bytes()), &new(b"t"), 7, full + 4));
    for row in 0..full {
        let rest: &[u8] = if row == 0 { &[0xff, 1, b'f', 0xff, 1, b'q'] } else { &[0, 0, 0, 0] };
        cell(&mut log, &new(format!("{row:05}").as_bytes()), 5, rest);
    }
    cell(&mut log, &[0, 0], 5, &[0, 0, 0, 0]);
    cell(&mut log, &new(b"later"), 5, &[0, 0, 0, 0]);
    cell(&mut log, &[0, 1], 5, &[0, 0, 0, 0]);
    cell(&mut log, &[0, 0], 5, &[0, 0, 0, 0]);
    let found = read(&log).unwrap();
    let rows: Vec<&str> = found[0].1[full as usize..].iter().map(|(row, _)| row.as_str()).collect();
    assert_eq!(rows, ["00000", "later", "later", "00000"]);
}

#[test]
fn logs_that_are_not_read_say_so() {
    assert_eq!(read(b"PLOG\0").unwrap_err().kind(), ErrorKind::Corruption);
    assert_eq!(read(&start(&[(1, 1), (6, 1)])).unwrap_err().kind(), ErrorKind::Unsupported);
    let mut header = Vec::new();
    put_bytes(&mut header, 5, b"org.apache.phoenix.IndexedWALEditCodec");
    let mut log = b"PWAL".to_vec();
    delimited(&mut log, &header);
    let error = read(&log).unwrap_err();
    assert!(error.message().contains("IndexedWALEditCodec"), "{}", error.message());
    let nothing = read_logs(&MemoryFileSystem::new(), Path::new("/r"), &State::new("id".into()), false, &mut |_| ());
    assert_eq!(nothing.unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn an_empty_log_is_refused_where_open_blocks_are_hidden() {
    let files = MemoryFileSystem::new();
    files.create_dir_all(Path::new(LOG).parent().unwrap()).unwrap();
    files.create(Path::new(LOG)).unwrap();
    let read = |hides| read_logs(&files, Path::new("/r"), &State::new("id".into()), hides, &mut |_| ());
    assert!(read(false).is_ok());
    let error = read(true).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains(LOG) && error.message().contains("recoverLease"), "{}", error.message());
}
