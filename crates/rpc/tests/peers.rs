//! Targets that are not HBase: each leads to a clear error within the time limit.

use rowstone_model::{Error, ErrorKind};
use rowstone_rpc::OpenOptions;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::{Duration, Instant};

const LIMIT_MS: u64 = 400;

fn options() -> OpenOptions {
    OpenOptions { operation_timeout_ms: Some(LIMIT_MS), connect_timeout_ms: Some(LIMIT_MS), ..OpenOptions::default() }
}

fn failure(url: &str) -> Error {
    let started = Instant::now();
    let error = rowstone_rpc::open(url, options()).err().unwrap();
    assert!(started.elapsed() < Duration::from_secs(10), "{error}");
    error
}

/// A server that runs `work` for every connection.
fn server(work: impl Fn(TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || listener.incoming().flatten().for_each(work));
    format!("hbase://127.0.0.1:{port}")
}

#[test]
fn a_refused_port() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = failure(&format!("hbase://127.0.0.1:{port}"));
    assert_eq!(error.kind(), ErrorKind::ConnectionFailed);
    assert!(error.message().contains(&format!("127.0.0.1:{port}")), "{error}");
}

#[test]
fn an_unknown_host_fails_to_connect() {
    let error = failure("hbase://no-such-host.invalid:16000");
    assert_eq!(error.kind(), ErrorKind::ConnectionFailed);
    assert!(error.message().contains("no-such-host.invalid"), "{error}");
}

#[test]
fn a_web_server() {
    let url = server(|mut stream| {
        let mut bytes = [0; 64];
        let _ = stream.read(&mut bytes);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nwhat?");
        // If it were closed with unread bytes, the connection would break while the client still sends.
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let error = failure(&url);
    assert_eq!(error.kind(), ErrorKind::ConnectionFailed);
    assert!(error.message().contains("not HBase's protocol"), "{error}");
}

#[test]
fn a_server_that_hangs_up() {
    let error = failure(&server(drop));
    assert_eq!(error.kind(), ErrorKind::ConnectionFailed, "{error}");
}

#[test]
fn a_server_that_sends_rubbish() {
    let url = server(|mut stream| {
        let mut bytes = [0; 64];
        let _ = stream.read(&mut bytes);
        let _ = stream.write_all(&[0, 0, 0, 5, 0xff, 0xff, 0xff, 0xff, 0xff]);
        let _ = stream.read(&mut bytes);
    });
    let error = failure(&url);
    assert_eq!(error.kind(), ErrorKind::ConnectionFailed);
    assert!(error.message().contains("is it an HBase server?"), "{error}");
}

#[test]
fn a_server_that_says_nothing() {
    let url = server(std::mem::forget);
    let error = failure(&url);
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().contains("GetClusterId"), "{error}");
}

#[test]
fn a_server_that_refuses_us() {
    let url = server(|mut stream| {
        let mut bytes = [0; 64];
        let _ = stream.read(&mut bytes);
        let exception = rowstone_rpc::proto::ExceptionResponse {
            exception_class_name: Some("org.apache.hadoop.hbase.ipc.BadAuthException".into()),
            stack_trace: Some("org.apache.hadoop.hbase.ipc.BadAuthException: kerberos only".into()),
            do_not_retry: Some(true),
            ..Default::default()
        };
        let header = rowstone_rpc::proto::ResponseHeader {
            call_id: Some(u32::MAX),
            exception: Some(exception),
            ..Default::default()
        };
        let header = prost::Message::encode_length_delimited_to_vec(&header);
        let _ = stream.write_all(&(header.len() as u32).to_be_bytes());
        let _ = stream.write_all(&header);
        // Unread bytes would discard the response when the socket closes.
        while stream.read(&mut bytes).is_ok_and(|count| count > 0) {}
    });
    let error = failure(&url);
    assert_eq!(error.remote_class(), Some("org.apache.hadoop.hbase.ipc.BadAuthException"));
    assert!(error.message().contains("refused the connection: kerberos only"), "{error}");
}

#[test]
fn one_of_several_is_enough() {
    let url = server(std::mem::forget);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = failure(&format!("hbase://127.0.0.1:{port},{}", url.trim_start_matches("hbase://")));
    assert_eq!(error.kind(), ErrorKind::Timeout, "the refused one is not the last word: {error}");
}
