//! Each failure of a server becomes an error of the right kind that says what failed and what to do.

use super::fake_s3::{FakeS3, Fault};
use crate::options::Options;
use rowstone_engine::sys::FileSystem;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

const FILE: &str = "s3://b/dir/f";

fn open_with(faults: &[Fault]) -> io::Error {
    let fake = FakeS3::new(&[("dir/f", &[7; 1000])]);
    fake.fail(faults);
    fake.files().open(Path::new(FILE)).err().unwrap()
}

fn check(error: &io::Error, kind: ErrorKind, parts: &[&str]) {
    assert_eq!(error.kind(), kind, "{error}");
    for part in parts {
        assert!(error.to_string().contains(part), "'{part}' is not in: {error}");
    }
}

#[test]
fn names_that_do_not_exist() {
    check(
        &open_with(&[Fault::Status(404, "NoSuchKey")]),
        ErrorKind::NotFound,
        &["no 'dir/f' in bucket 'b'", "HTTP 404 NoSuchKey"],
    );
    let error = open_with(&[Fault::Status(404, "NoSuchBucket")]);
    check(&error, ErrorKind::NotFound, &["bucket 'b' does not exist", "NoSuchBucket", "check its name"]);
}

#[test]
fn a_missing_bucket_is_not_an_empty_directory() {
    let fake = FakeS3::new(&[]);
    fake.fail(&[Fault::Status(404, "NoSuchBucket")]);
    check(&fake.files().list(Path::new("s3://b/x")).unwrap_err(), ErrorKind::NotFound, &["bucket 'b' does not exist"]);
    fake.fail(&[Fault::Status(404, "")]);
    check(&fake.files().list(Path::new("s3://b/x")).unwrap_err(), ErrorKind::NotFound, &["does not exist", "endpoint"]);
}

#[test]
fn rights_and_credentials() {
    for (status, code, parts) in [
        (403, "AccessDenied", ["is denied", "HTTP 403 AccessDenied"]),
        (403, "SignatureDoesNotMatch", ["is denied", "check the credentials"]),
        (401, "Unknown", ["is denied", "HTTP 401"]),
        (400, "ExpiredToken", ["have expired", "renew them"]),
    ] {
        check(&open_with(&[Fault::Status(status, code)]), ErrorKind::PermissionDenied, &parts);
    }
}

#[test]
fn throttling_that_does_not_end() {
    let error = open_with(&vec![Fault::Status(503, "SlowDown"); 7]);
    check(
        &error,
        ErrorKind::TimedOut,
        &["throttled", "'dir/f'", "HTTP 503 SlowDown", "after 7 attempts", "retry_timeout"],
    );
    check(&open_with(&vec![Fault::Status(429, ""); 7]), ErrorKind::TimedOut, &["throttled", "HTTP 429"]);
}

#[test]
fn servers_that_fail_and_connections_that_break() {
    check(
        &open_with(&vec![Fault::Status(500, "InternalError"); 7]),
        ErrorKind::ConnectionAborted,
        &["HTTP 500", "7 attempts"],
    );
    check(&open_with(&vec![Fault::Reset; 7]), ErrorKind::ConnectionAborted, &["reset", "7 attempts", "endpoint"]);
    check(&open_with(&vec![Fault::Truncated; 7]), ErrorKind::ConnectionAborted, &["only a part", "500 of 1000 bytes"]);
}

#[test]
fn a_server_that_does_not_answer() {
    let fake = FakeS3::new(&[("dir/f", b"1")]);
    fake.fail(&[Fault::Silence]);
    let options = Options { attempt_timeout: Duration::from_millis(1), max_retries: 0, ..Options::default() };
    let error = fake.files_with(options).0.open(Path::new(FILE)).err().unwrap();
    check(&error, ErrorKind::TimedOut, &["did not answer in time", "no answer in 1ms"]);
}

#[test]
fn a_bucket_of_another_region() {
    check(&open_with(&[Fault::Status(301, "PermanentRedirect")]), ErrorKind::Other, &["HTTP 301", "aws_region"]);
}

#[test]
fn failures_that_end_are_not_seen() {
    let fake = FakeS3::new(&[("dir/f", &[7; 1000])]);
    fake.fail(&[Fault::Status(503, "SlowDown"), Fault::Reset, Fault::Truncated, Fault::Status(500, "InternalError")]);
    assert_eq!(fake.files().read(Path::new(FILE)).unwrap(), [7; 1000]);
    assert_eq!(fake.requests().len(), 5);
}

#[test]
fn a_failed_question_is_not_a_no() {
    let fake = FakeS3::new(&[]);
    let files = fake.files();
    fake.fail(&[Fault::Status(403, "AccessDenied"), Fault::Status(403, "AccessDenied")]);
    assert!(files.exists(Path::new(FILE)) && files.is_dir(Path::new(FILE)));
    assert!(!files.exists(Path::new(FILE)));
}
