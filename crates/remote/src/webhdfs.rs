//! HDFS by its REST interface, for clusters of which only HTTP ports can be reached.
//!
//! The NameNode answers a read with a redirect to a DataNode, which the HTTP client follows. WebHDFS has no conditional
//! reads: an answer that is shorter than the file was at its opening means that the file was replaced.

use crate::failure::{Failure, FailureKind};
use crate::hdfs::kind_of_exception;
use crate::storage::{Answer, Counts, Entry, Opened, Source, Storage};
use crate::target::Target;
use crate::transport::Connector;
use bytes::Bytes;
use http::{Method, Request};
use object_store::client::{HttpClient, HttpConnector, HttpErrorKind, HttpRequestBody};
use object_store::ClientOptions;
use percent_encoding::{utf8_percent_encode, AsciiSet, NON_ALPHANUMERIC};
use rowstone_model::{Error, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;

/// Everything but what a path may contain as it is.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An HDFS behind its REST interface.
#[derive(Clone)]
pub struct WebHdfs {
    client: HttpClient,
    /// `http://host:port/webhdfs/v1`.
    base: String,
    /// Query parameters of the user.
    user: String,
    counts: Arc<Counts>,
}

impl WebHdfs {
    /// A client for `target`. Options: `user`, `delegation_token`, and those of HTTP, such as `timeout`.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown option.
    pub fn connect(
        target: &Target,
        options: &BTreeMap<String, String>,
        connector: &Connector,
        counts: Arc<Counts>,
    ) -> Result<Self> {
        let scheme = if target.base.starts_with("swebhdfs") { "https" } else { "http" };
        let mut settings = ClientOptions::new().with_allow_http(true);
        let mut user = std::env::var("HADOOP_USER_NAME").map(|name| parameter("user.name", &name)).unwrap_or_default();
        for (name, value) in options {
            match name.as_str() {
                "user" => user = parameter("user.name", value),
                "delegation_token" => user = parameter("delegation", value),
                other => {
                    let key = other.parse().map_err(|_| {
                        Error::invalid(format!("storage option '{name}' is unknown for {}", target.base))
                    })?;
                    settings = settings.with_config(key, value);
                }
            }
        }
        let client = connector
            .connect(&settings)
            .map_err(|error| Error::invalid(format!("cannot connect to {}: {error}", target.base)))?;
        Ok(WebHdfs { client, base: format!("{scheme}://{}/webhdfs/v1", target.authority), user, counts })
    }

    async fn get(&self, key: &str, operation: &str) -> Result<Bytes, Failure> {
        let url = format!("{}/{}?op={operation}{}", self.base, utf8_percent_encode(key, ENCODED), self.user);
        let request = Request::builder().method(Method::GET).uri(url).body(HttpRequestBody::empty());
        let request = request.map_err(|error| Failure::new(FailureKind::Unsupported, error.to_string()))?;
        let answer = self.client.execute(request).await.map_err(|error| broken(&error))?;
        let status = answer.status().as_u16();
        let bytes = answer.into_body().bytes().await.map_err(|error| broken(&error))?;
        if !(200..300).contains(&status) {
            return Err(refusal(status, &bytes));
        }
        Ok(bytes)
    }

    async fn get_json(&self, key: &str, operation: &str) -> Result<Value, Failure> {
        let bytes = self.get(key, operation).await?;
        serde_json::from_slice(&bytes).map_err(|error| Failure::new(FailureKind::Truncated, error.to_string()))
    }

    async fn status(&self, key: &str) -> Result<Value, Failure> {
        let mut answer = self.get_json(key, "GETFILESTATUS").await?;
        Ok(answer.get_mut("FileStatus").map(Value::take).unwrap_or_default())
    }

    async fn read(&self, key: &str, range: Range<u64>) -> Result<Bytes, Failure> {
        let length = range.end - range.start;
        let bytes = self.get(key, &format!("OPEN&offset={}&length={length}", range.start)).await?;
        if bytes.len() as u64 != length {
            return Err(Failure::new(FailureKind::Truncated, format!("{} of {length} bytes", bytes.len())));
        }
        self.counts.bytes.fetch_add(length, Relaxed);
        Ok(bytes)
    }
}

fn parameter(name: &str, value: &str) -> String {
    format!("&{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
}

fn broken(error: &object_store::client::HttpError) -> Failure {
    let kind = match error.kind() {
        HttpErrorKind::Timeout => FailureKind::TimedOut,
        _ => FailureKind::Unavailable,
    };
    Failure::new(kind, error.to_string())
}

/// The failure of an answer with an error status, whose body names a Java exception.
fn refusal(status: u16, body: &Bytes) -> Failure {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |name: &str| body["RemoteException"][name].as_str().unwrap_or_default().to_owned();
    let code = text("exception");
    let kind = match (kind_of_exception(&code), status) {
        (FailureKind::Other, 404) => FailureKind::Missing,
        (FailureKind::Other, 401 | 403) => FailureKind::Denied,
        (FailureKind::Other, 429 | 503) => FailureKind::Throttled,
        (FailureKind::Other, 500..) => FailureKind::Unavailable,
        (kind, _) => kind,
    };
    let detail = text("message").lines().next().unwrap_or_default().to_owned();
    Failure { status: Some(status), code, ..Failure::new(kind, detail) }
}

impl Storage for WebHdfs {
    fn open(&self, key: &str, tail_bytes: u64) -> Answer<'_, Opened> {
        let key = key.to_owned();
        Box::pin(async move {
            let status = self.status(&key).await?;
            if status["type"] == "DIRECTORY" {
                return Err(Failure::new(FailureKind::Missing, "it is a directory"));
            }
            let length = status["length"].as_u64().unwrap_or_default();
            let tail = length.saturating_sub(tail_bytes)..length;
            let tail = if tail.is_empty() { Bytes::new() } else { self.read(&key, tail).await? };
            Ok(Opened { source: Arc::new(WebHdfsFile { hdfs: self.clone(), key, length }), tail })
        })
    }

    fn list(&self, key: &str) -> Answer<'_, Option<Vec<Entry>>> {
        let key = key.to_owned();
        Box::pin(async move {
            let found = match self.get_json(&key, "LISTSTATUS").await {
                Err(failure) if failure.kind == FailureKind::Missing => return Ok(None),
                other => other?,
            };
            let found = found["FileStatuses"]["FileStatus"].as_array().cloned().unwrap_or_default();
            let entry = |status: &Value| Entry {
                name: status["pathSuffix"].as_str().unwrap_or_default().to_owned(),
                is_directory: status["type"] == "DIRECTORY",
            };
            let entries: Vec<Entry> = found.iter().map(entry).collect();
            // A file is listed as itself, without a name.
            Ok(Some(entries).filter(|entries| entries.iter().all(|entry| !entry.name.is_empty())))
        })
    }

    fn is_file(&self, key: &str) -> Answer<'_, bool> {
        let key = key.to_owned();
        Box::pin(async move {
            match self.status(&key).await {
                Ok(status) => Ok(status["type"] == "FILE"),
                Err(failure) if failure.kind == FailureKind::Missing => Ok(false),
                Err(failure) => Err(failure),
            }
        })
    }
}

struct WebHdfsFile {
    hdfs: WebHdfs,
    key: String,
    length: u64,
}

impl Source for WebHdfsFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, range: Range<u64>) -> Answer<'_, Bytes> {
        Box::pin(self.hdfs.read(&self.key, range))
    }
}
