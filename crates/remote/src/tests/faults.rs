//! Under faults a read gives the file's bytes or an error, never other bytes; a replaced file is noticed.

use super::fake_s3::{pattern, FakeS3, Fault, Numbers};
use crate::options::{Options, MIB};
use rowstone_engine::sys::FileSystem;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const FILE: &str = "s3://b/f";

fn options() -> Options {
    Options { retry_pause: Duration::ZERO, max_retries: 3, cache_bytes: MIB, ..Options::default() }
}

#[test]
fn a_replaced_file_is_noticed() {
    let fake = FakeS3::new(&[("f", &pattern(MIB as usize))]);
    let files = fake.files();
    let file = files.open(Path::new(FILE)).unwrap();
    fake.put("f", &vec![9; MIB as usize]);
    let mut buffer = [0; 100];
    let error = file.read_at(0, &mut buffer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StaleNetworkFileHandle);
    let text = error.to_string();
    assert!(text.contains("'f' in bucket 'b' was replaced") && text.contains("open it again"), "{text}");
    let again = files.open(Path::new(FILE)).unwrap();
    again.read_at(0, &mut buffer).unwrap();
    assert_eq!(buffer, [9; 100]);
}

#[test]
fn a_replaced_file_is_noticed_on_servers_without_conditions() {
    let fake = Arc::new(FakeS3 { ignores_conditions: true, ..FakeS3::default() });
    for shorter in [vec![9; MIB as usize], vec![9; 1000], vec![9; MIB as usize / 2]] {
        fake.put("f", &pattern(MIB as usize));
        let file = fake.files().open(Path::new(FILE)).unwrap();
        fake.put("f", &shorter);
        let error = file.read_at(MIB / 4, &mut [0; 100]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StaleNetworkFileHandle, "{error}");
    }
}

#[test]
fn a_removed_file_is_missing() {
    let fake = FakeS3::new(&[("f", &pattern(MIB as usize))]);
    let file = fake.files().open(Path::new(FILE)).unwrap();
    fake.objects.lock().unwrap().clear();
    assert_eq!(file.read_at(0, &mut [0; 100]).unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn a_failed_read_can_be_repeated() {
    let bytes = pattern(MIB as usize);
    let fake = FakeS3::new(&[("f", &bytes)]);
    let file = fake.files_with(options()).0.open(Path::new(FILE)).unwrap();
    fake.fail(&vec![Fault::Status(500, "InternalError"); 4]);
    let mut buffer = [0; 100];
    assert!(file.read_at(0, &mut buffer).is_err());
    file.read_at(0, &mut buffer).unwrap();
    assert_eq!(buffer, bytes[..100]);
}

#[test]
fn a_failed_request_ahead_is_sent_again_by_its_reader() {
    let bytes = pattern(2 * MIB as usize);
    let fake = FakeS3::new(&[("f", &bytes)]);
    let options = Options { max_retries: 0, ..options() };
    let file = fake.files_with(options).0.open(Path::new(FILE)).unwrap();
    let mut buffer = vec![0; 64 << 10];
    file.read_at(0, &mut buffer).unwrap();
    fake.fail(&[Fault::Reset]);
    // This read is in memory, and what it requests ahead fails.
    file.read_at(32 << 10, &mut buffer[..32 << 10]).unwrap();
    file.read_at(64 << 10, &mut buffer).unwrap();
    assert!(buffer == bytes[64 << 10..128 << 10]);
}

#[test]
fn half_a_listing_is_never_taken_for_a_whole_one() {
    let names: Vec<String> = (0..50).map(|number| format!("r/{number:02}")).collect();
    let objects: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"1"[..])).collect();
    let fake = FakeS3::new(&objects);
    fake.fail(&[Fault::Truncated, Fault::Truncated]);
    assert_eq!(fake.files().list(Path::new("s3://b/r")).unwrap().len(), 50);
    assert_eq!(fake.requests().len(), 3);
}

#[test]
fn five_hundred_faults_give_right_bytes_or_errors() {
    let bytes = pattern(4 * MIB as usize);
    let fake = FakeS3::new(&[("f", &bytes)]);
    let mut numbers = Numbers(42);
    let (mut injected, mut right, mut failed) = (0, 0, 0);
    while injected < 500 {
        let faults: Vec<Fault> = (0..8).map(|_| fault(&mut numbers)).collect();
        injected += faults.iter().filter(|fault| !matches!(fault, Fault::Nothing)).count();
        fake.faults.lock().unwrap().clear();
        fake.fail(&faults);
        let Ok(file) = fake.files_with(options()).0.open(Path::new(FILE)) else {
            failed += 1;
            continue;
        };
        let (start, is_scan) = (numbers.below(bytes.len() / 2), numbers.below(2) == 0);
        for step in 0..10 {
            let at = if is_scan { start + step * 60_000 } else { numbers.below(bytes.len() - 60_000) };
            let mut buffer = vec![0; 60_000];
            match file.read_at(at as u64, &mut buffer) {
                Ok(()) => {
                    assert!(buffer == bytes[at..at + 60_000], "wrong bytes at {at}");
                    right += 1;
                }
                Err(error) => {
                    assert_ne!(error.kind(), ErrorKind::UnexpectedEof, "{error}");
                    failed += 1;
                }
            }
        }
    }
    assert!(right > 100 && failed > 10, "{right} right, {failed} failed");
}

fn fault(numbers: &mut Numbers) -> Fault {
    match numbers.below(8) {
        0 => Fault::Status(500, "InternalError"),
        1 => Fault::Status(503, "SlowDown"),
        2 => Fault::Reset,
        3 => Fault::Truncated,
        4 => Fault::OtherContents,
        5 => Fault::Status(429, ""),
        _ => Fault::Nothing,
    }
}
