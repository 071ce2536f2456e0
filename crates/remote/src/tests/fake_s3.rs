//! An S3 that answers from memory, without sockets, and injects faults.

use crate::files::RemoteFileSystem;
use crate::objects;
use crate::options::Options;
use crate::storage::Counts;
use crate::target::Target;
use crate::transport::Connector;
use bytes::Bytes;
use http::{Method, Response};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
};
use object_store::ClientOptions;
use rowstone_engine::sys::ManualClock;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// One answer that goes wrong.
#[derive(Debug, Clone)]
pub enum Fault {
    /// An error status with an error code.
    Status(u16, &'static str),
    /// The connection breaks before the answer.
    Reset,
    /// The body ends early, without an error of the connection.
    Truncated,
    /// The answer is that of other contents of the same length.
    OtherContents,
    /// No answer.
    Silence,
    /// None: this answer is right.
    Nothing,
}

/// Objects, faults and a log of requests.
#[derive(Debug, Default)]
pub struct FakeS3 {
    pub objects: Mutex<BTreeMap<String, (Bytes, u32)>>,
    pub faults: Mutex<VecDeque<Fault>>,
    pub log: Mutex<Vec<String>>,
    /// Whether a range of last bytes is taken for one of first bytes, as some servers do.
    pub lacks_suffix_ranges: bool,
    /// Whether the condition `If-Match` is ignored, as some servers do.
    pub ignores_conditions: bool,
}

#[derive(Debug)]
struct Service(Arc<FakeS3>);

#[derive(Debug)]
struct FakeConnector(Arc<FakeS3>);

impl HttpConnector for FakeConnector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Service(Arc::clone(&self.0))))
    }
}

#[async_trait::async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let fault = self.0.faults.lock().unwrap().pop_front().unwrap_or(Fault::Nothing);
        let line = format!("{} {}", request.method(), request.uri().path_and_query().unwrap());
        let range =
            request.headers().get("range").map(|range| format!(" {}", range.to_str().unwrap())).unwrap_or_default();
        self.0.log.lock().unwrap().push(line + &range);
        match fault {
            Fault::Status(status, code) => {
                let body = format!("<Error><Code>{code}</Code><Message>message of {code}</Message></Error>");
                let body = if request.method() == Method::HEAD { String::new() } else { body };
                Ok(answer(status).body(body.into()).unwrap())
            }
            Fault::Reset => {
                Err(HttpError::new(HttpErrorKind::Interrupted, io::Error::from(io::ErrorKind::ConnectionReset)))
            }
            Fault::Silence => {
                tokio::time::sleep(Duration::from_secs(3600)).await;
                unreachable!("the attempt's time ends before")
            }
            fault => Ok(self.0.answer(&request, &fault)),
        }
    }
}

fn answer(status: u16) -> http::response::Builder {
    Response::builder().status(status).header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")
}

impl FakeS3 {
    /// A server with the given objects.
    pub fn new(objects: &[(&str, &[u8])]) -> Arc<Self> {
        let fake = FakeS3::default();
        for (key, bytes) in objects {
            fake.put(key, bytes);
        }
        Arc::new(fake)
    }

    /// Creates or replaces an object.
    pub fn put(&self, key: &str, bytes: &[u8]) {
        let mut objects = self.objects.lock().unwrap();
        let version = objects.get(key).map_or(1, |(_, version)| version + 1);
        objects.insert(key.to_owned(), (Bytes::copy_from_slice(bytes), version));
    }

    /// Adds faults for the next requests.
    pub fn fail(&self, faults: &[Fault]) {
        self.faults.lock().unwrap().extend(faults.iter().cloned());
    }

    /// The requests since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }

    /// The file system of bucket "b" on this server, and its clock.
    pub fn files_with(self: &Arc<Self>, options: Options) -> (RemoteFileSystem, Arc<ManualClock>) {
        let counts = Arc::new(Counts::default());
        let connector = Connector::over(Arc::new(FakeConnector(Arc::clone(self))), Arc::clone(&counts));
        let target = Target::parse("s3://b").unwrap();
        let named = [
            ("aws_access_key_id", "id"),
            ("aws_secret_access_key", "secret"),
            ("aws_endpoint", "http://fake"),
            ("aws_region", "us-east-1"),
        ];
        let named = named.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let storage = objects::connect(&target, &named, connector, Arc::clone(&counts)).unwrap();
        let clock = Arc::new(ManualClock::new(1_000_000));
        let files = RemoteFileSystem::new(
            Arc::new(storage),
            "s3://b",
            target.place(),
            options,
            Arc::clone(&clock) as _,
            counts,
        );
        (files, clock)
    }

    /// As `files_with`, without pauses between repeated requests.
    pub fn files(self: &Arc<Self>) -> RemoteFileSystem {
        self.files_with(Options { retry_pause: Duration::ZERO, ..Options::default() }).0
    }

    fn answer(&self, request: &HttpRequest, fault: &Fault) -> HttpResponse {
        let path = request.uri().path().trim_start_matches("/b").trim_start_matches('/').replace("%25", "%");
        if path.is_empty() {
            let mut listing = self.list(request.uri().query().unwrap_or_default());
            if matches!(fault, Fault::Truncated) {
                listing.truncate(listing.len() / 2);
            }
            return answer(200).body(listing.into()).unwrap();
        }
        let Some((bytes, version)) = self.objects.lock().unwrap().get(&path).cloned() else {
            return answer(404).body("<Error><Code>NoSuchKey</Code></Error>".to_owned().into()).unwrap();
        };
        let tag = match fault {
            Fault::OtherContents => "\"other\"".to_owned(),
            _ => format!("\"{version}\""),
        };
        let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        if header("if-match").is_some_and(|wanted| wanted != tag) && !self.ignores_conditions {
            return answer(412).body("<Error><Code>PreconditionFailed</Code></Error>".to_owned().into()).unwrap();
        }
        let size = bytes.len();
        if request.method() == Method::HEAD {
            let answer = answer(200).header("etag", tag).header("content-length", size);
            return answer.body(Bytes::new().into()).unwrap();
        }
        let dash = if self.lacks_suffix_ranges { "bytes=0-" } else { "bytes=-" };
        let range = header("range").map(|range| range.replace("bytes=-", dash));
        let Some(range) = range.and_then(|range| parse_range(&range, size)) else {
            return answer(416).body("<Error><Code>InvalidRange</Code></Error>".to_owned().into()).unwrap();
        };
        let sent = if matches!(fault, Fault::Truncated) { range.len() / 2 } else { range.len() };
        let body = bytes.slice(range.start..range.start + sent);
        let answer = answer(206)
            .header("etag", tag)
            .header("content-length", range.len())
            .header("content-range", format!("bytes {}-{}/{size}", range.start, range.end - 1));
        answer.body(HttpResponseBody::from(body)).unwrap()
    }

    fn list(&self, query: &str) -> String {
        let prefix = query.split('&').find_map(|part| part.strip_prefix("prefix=")).unwrap_or_default();
        let prefix = prefix.replace("%2F", "/").replace("%25", "%");
        let (mut files, mut folders) = (String::new(), BTreeSet::new());
        for (key, (bytes, version)) in self.objects.lock().unwrap().iter() {
            let Some(rest) = key.strip_prefix(&prefix) else { continue };
            match rest.split_once('/') {
                Some((folder, _)) => drop(folders.insert(format!("{prefix}{folder}/"))),
                None => files += &format!(
                    "<Contents><Key>{key}</Key><Size>{}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"{version}\"</ETag></Contents>",
                    bytes.len()
                ),
            }
        }
        let folders: String = folders
            .iter()
            .map(|folder| format!("<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>"))
            .collect();
        format!("<ListBucketResult>{files}{folders}</ListBucketResult>")
    }
}

fn parse_range(text: &str, size: usize) -> Option<std::ops::Range<usize>> {
    let (start, end) = text.strip_prefix("bytes=")?.split_once('-')?;
    let range = match (start.parse::<usize>(), end.parse::<usize>()) {
        (Ok(start), Ok(last)) => start..(last + 1).min(size),
        (Ok(start), Err(_)) => start..size,
        (Err(_), Ok(count)) => size.saturating_sub(count)..size,
        _ => return None,
    };
    (!range.is_empty()).then_some(range)
}

/// Bytes in which each position can be recognized.
pub fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|at| ((at * 31) ^ (at >> 8) ^ (at >> 16)) as u8).collect()
}

/// A generator of numbers that are the same in each run.
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}
