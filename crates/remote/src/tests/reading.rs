//! Reads: right bytes, few requests, bounded memory.

use super::fake_s3::{pattern, FakeS3, Numbers};
use crate::options::{Options, MIB};
use rowstone_engine::sys::{FileSystem, ReadableFile};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

const KIB: usize = 1 << 10;

fn file_of(bytes: &[u8], options: Options) -> (Arc<FakeS3>, Arc<dyn ReadableFile>) {
    let fake = FakeS3::new(&[("f", bytes)]);
    let file = fake.files_with(options).0.open(Path::new("s3://b/f")).unwrap();
    (fake, file)
}

#[test]
fn a_scan_takes_few_requests() {
    let bytes = pattern(50 * MIB as usize + 123);
    let (fake, file) = file_of(&bytes, Options::default());
    let mut buffer = vec![0; 64 * KIB];
    for (number, expected) in bytes.chunks(buffer.len()).enumerate() {
        let read = &mut buffer[..expected.len()];
        file.read_at((number * 64 * KIB) as u64, read).unwrap();
        assert!(read == expected, "chunk {number}");
    }
    let requests = fake.requests().len();
    assert!((12..30).contains(&requests), "{requests} requests");
}

#[test]
fn the_end_of_a_file_is_read_with_its_opening() {
    let bytes = pattern(MIB as usize);
    let (fake, file) = file_of(&bytes, Options::default());
    assert_eq!(file.len().unwrap(), MIB);
    let mut buffer = vec![0; 200 * KIB];
    file.read_at(MIB - buffer.len() as u64, &mut buffer).unwrap();
    assert!(buffer == bytes[bytes.len() - 200 * KIB..]);
    assert_eq!(fake.requests(), ["GET /b/f bytes=-262144"]);
}

#[test]
fn small_reads_share_a_request() {
    let (fake, file) = file_of(&pattern(MIB as usize), Options { read_ahead_bytes: 0, ..Options::default() });
    fake.requests();
    let mut buffer = [0; 33];
    assert!(!file.read_at_once(5000, &mut buffer).unwrap());
    file.read_at(5000, &mut buffer).unwrap();
    assert_eq!(fake.requests(), ["GET /b/f bytes=5000-70535"]);
    assert!(file.read_at_once(5033, &mut buffer).unwrap());
    assert_eq!(buffer, pattern(5066)[5033..]);
    assert!(fake.requests().is_empty());
}

#[test]
fn announced_bytes_are_requested_once_and_before_they_are_read() {
    let bytes = pattern(8 * MIB as usize);
    let (fake, file) = file_of(&bytes, Options { read_ahead_bytes: 0, ..Options::default() });
    fake.requests();
    let starts = [3 * MIB, MIB, 2 * MIB];
    for start in starts {
        file.will_need(start, 5_000);
        file.will_need(start + 40_000, 5_000);
    }
    file.will_need(u64::MAX - 1, 5_000);
    let mut buffer = vec![0; 5_000];
    for start in starts {
        file.read_at(start, &mut buffer).unwrap();
        assert!(buffer == bytes[start as usize..][..5_000]);
    }
    let mut requests = fake.requests();
    requests.sort();
    let expected = [(1_048_576, 1_114_111), (2_097_152, 2_162_687), (3_145_728, 3_211_263)];
    assert_eq!(requests, expected.map(|(first, last)| format!("GET /b/f bytes={first}-{last}")));
}

#[test]
fn random_reads_are_right_in_a_small_cache() {
    let bytes = pattern(8 * MIB as usize);
    let options = Options { cache_bytes: MIB, ..Options::default() };
    let (_, file) = file_of(&bytes, options);
    let mut numbers = Numbers(7);
    for _ in 0..500 {
        let start = numbers.below(bytes.len());
        let length = numbers.below(300 * KIB).min(bytes.len() - start);
        let mut buffer = vec![0; length];
        file.read_at(start as u64, &mut buffer).unwrap();
        assert!(buffer == bytes[start..start + length], "{length} bytes at {start}");
    }
}

#[test]
fn a_long_read_is_right() {
    let bytes = pattern(20 * MIB as usize);
    let options = Options { cache_bytes: 4 * MIB, ..Options::default() };
    let (fake, file) = file_of(&bytes, options);
    let mut buffer = vec![0; bytes.len()];
    file.read_at(0, &mut buffer).unwrap();
    assert!(buffer == bytes);
    assert!(fake.requests().len() < 80);
}

#[test]
fn readers_in_parallel_get_the_right_bytes() {
    let bytes = Arc::new(pattern(16 * MIB as usize));
    let (_, file) = file_of(&bytes, Options { cache_bytes: 8 * MIB, ..Options::default() });
    std::thread::scope(|scope| {
        for reader in 0..4 {
            let (bytes, file) = (Arc::clone(&bytes), Arc::clone(&file));
            scope.spawn(move || {
                let mut buffer = vec![0; 50_000];
                for at in (reader * 4 * MIB as usize..(reader + 1) * 4 * MIB as usize - 50_000).step_by(50_000) {
                    file.read_at(at as u64, &mut buffer).unwrap();
                    assert!(buffer == bytes[at..at + 50_000]);
                }
            });
        }
    });
}

#[test]
fn reads_beyond_the_end_fail_without_a_request() {
    let (fake, file) = file_of(b"0123456789", Options::default());
    fake.requests();
    for (offset, length) in [(10, 1), (5, 6), (u64::MAX, 2)] {
        let error = file.read_at(offset, &mut vec![0; length]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert!(error.to_string().contains("has 10 bytes"), "{error}");
    }
    file.read_at(10, &mut []).unwrap();
    assert!(fake.requests().is_empty());
}
