//! HDFS by its own protocol: the NameNode for names and block locations, the DataNodes for bytes.
//!
//! A file of HDFS is only appended to, never changed in place. An open file keeps the block locations of its opening,
//! so it is read with the length that it had then; a file of the same name that replaced it has other blocks.

use crate::failure::{Failure, FailureKind};
use crate::storage::{Answer, Counts, Entry, Opened, Source, Storage};
use bytes::Bytes;
use hdfs_native::file::FileReader;
use hdfs_native::{Client, ClientBuilder, HdfsError};
use rowstone_model::Error;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;
use tokio::runtime::Handle;

/// One attempt tries each NameNode of a name service, with short pauses. What it does not find, the next attempt does.
const FAILOVER: [(&str, &str); 3] = [("max.attempts", "3"), ("sleep.base.millis", "100"), ("sleep.max.millis", "1000")];

/// An HDFS.
#[derive(Clone)]
pub struct Hdfs {
    client: Client,
    counts: Arc<Counts>,
}

impl Hdfs {
    /// A client for `base`, the URL of a NameNode or name service. Requests run on `runtime`. Options: `user`,
    /// `hadoop_conf_dir`, `kerberos_principal`, `kerberos_keytab`, `kerberos_cache`, and Hadoop's own keys, which
    /// contain a dot.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown option, or a configuration that names no NameNode.
    pub fn connect(
        base: &str,
        options: &BTreeMap<String, String>,
        runtime: Handle,
        counts: Arc<Counts>,
    ) -> rowstone_model::Result<Self> {
        let mut builder = ClientBuilder::new().with_url(base).with_io_runtime(runtime);
        let mut settings: BTreeMap<String, String> =
            FAILOVER.map(|(name, value)| (format!("dfs.client.failover.{name}"), value.to_owned())).into();
        for (name, value) in options {
            builder = match name.as_str() {
                "user" => builder.with_user(value),
                "hadoop_conf_dir" => builder.with_config_dir(value),
                "kerberos_principal" => builder.with_kerberos_principal(value),
                "kerberos_keytab" => builder.with_kerberos_keytab(value),
                "kerberos_cache" => builder.with_kerberos_cache(value),
                _ if name.contains('.') => {
                    settings.insert(name.clone(), value.clone());
                    builder
                }
                _ => return Err(unknown_option(base, name)),
            };
        }
        let client = builder.with_config(settings).build();
        let client = client.map_err(|error| Error::invalid(format!("cannot connect to {base}: {error}")))?;
        Ok(Hdfs { client, counts })
    }

    fn request(&self) -> &Client {
        self.counts.add_request();
        &self.client
    }
}

fn unknown_option(base: &str, name: &str) -> Error {
    Error::invalid(format!(
        "storage option '{name}' is unknown for {base} (options: user, hadoop_conf_dir, kerberos_principal, \
         kerberos_keytab, kerberos_cache, and Hadoop's own keys such as dfs.client.use.datanode.hostname)"
    ))
}

fn path_of(key: &str) -> String {
    format!("/{key}")
}

impl Storage for Hdfs {
    fn open(&self, key: &str, tail_bytes: u64) -> Answer<'_, Opened> {
        let path = path_of(key);
        Box::pin(async move {
            let reader = self.request().read(&path).await.map_err(classify)?;
            let source = HdfsFile { length: reader.file_length() as u64, reader, hdfs: self.clone(), path };
            let tail = source.length.saturating_sub(tail_bytes)..source.length;
            let tail = if tail.is_empty() { Bytes::new() } else { source.read_range(tail).await? };
            Ok(Opened { source: Arc::new(source), tail })
        })
    }

    fn list(&self, key: &str) -> Answer<'_, Option<Vec<Entry>>> {
        let path = path_of(key);
        Box::pin(async move {
            let found = match self.request().list_status(&path, false).await.map_err(classify) {
                Err(failure) if failure.kind == FailureKind::Missing => return Ok(None),
                other => other?,
            };
            // HDFS lists a file as itself.
            if found.iter().any(|status| status.path == path) {
                return Ok(None);
            }
            let below = format!("{}/", path.trim_end_matches('/'));
            let names = found.iter().filter_map(|status| Some((status.path.strip_prefix(&below)?, status.isdir)));
            Ok(Some(names.map(|(name, is_directory)| Entry { name: name.to_owned(), is_directory }).collect()))
        })
    }

    fn is_file(&self, key: &str) -> Answer<'_, bool> {
        let path = path_of(key);
        Box::pin(async move {
            match self.request().get_file_info(&path).await.map_err(classify) {
                Ok(status) => Ok(!status.isdir),
                Err(failure) if failure.kind == FailureKind::Missing => Ok(false),
                Err(failure) => Err(failure),
            }
        })
    }
}

struct HdfsFile {
    reader: FileReader,
    length: u64,
    hdfs: Hdfs,
    path: String,
}

impl HdfsFile {
    async fn read_range(&self, range: Range<u64>) -> Result<Bytes, Failure> {
        let length = (range.end - range.start) as usize;
        if range.end > self.length {
            return Err(Failure::new(FailureKind::OutOfRange, format!("{} bytes", self.length)));
        }
        self.hdfs.counts.add_request();
        let bytes = match self.reader.read_range(range.start as usize, length).await {
            Ok(bytes) => bytes,
            Err(error) => return Err(self.explain(classify(error)).await),
        };
        if bytes.len() != length {
            return Err(Failure::new(FailureKind::Truncated, format!("{} of {length} bytes", bytes.len())));
        }
        self.hdfs.counts.bytes.fetch_add(length as u64, Relaxed);
        Ok(bytes)
    }

    /// The DataNodes do not know whether a block is gone because its file was removed. The NameNode does.
    async fn explain(&self, failure: Failure) -> Failure {
        if failure.kind != FailureKind::Unavailable {
            return failure;
        }
        match self.hdfs.request().get_file_info(&self.path).await.map_err(classify) {
            Err(found) if found.kind == FailureKind::Missing => found,
            Ok(status) if (status.length as u64) < self.length => {
                Failure::new(FailureKind::Replaced, format!("{} bytes at opening, {} now", self.length, status.length))
            }
            _ => failure,
        }
    }
}

impl Source for HdfsFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, range: Range<u64>) -> Answer<'_, Bytes> {
        Box::pin(self.read_range(range))
    }
}

fn classify(error: HdfsError) -> Failure {
    let kind = match &error {
        HdfsError::FileNotFound(_) => FailureKind::Missing,
        HdfsError::RPCError(class, _) | HdfsError::FatalRPCError(class, _) => kind_of_exception(class),
        HdfsError::SASLError(_) | HdfsError::GSSAPIError(..) | HdfsError::NoSASLMechanism => FailureKind::Denied,
        HdfsError::IOError(error) if error.kind() == ErrorKind::TimedOut => FailureKind::TimedOut,
        HdfsError::IOError(_)
        | HdfsError::DataTransferError(_)
        | HdfsError::ChecksumError
        | HdfsError::BlocksNotFound(_)
        | HdfsError::InvalidRPCResponse(_) => FailureKind::Unavailable,
        HdfsError::UnsupportedFeature(_) | HdfsError::UnsupportedErasureCodingPolicy(_) => FailureKind::Unsupported,
        _ => FailureKind::Other,
    };
    let (code, detail) = match error {
        HdfsError::RPCError(class, text) | HdfsError::FatalRPCError(class, text) => {
            let message = text.lines().next().unwrap_or_default().to_owned();
            (class.rsplit('.').next().unwrap_or_default().to_owned(), message)
        }
        HdfsError::FileNotFound(_) => Default::default(),
        other => (String::new(), other.to_string()),
    };
    Failure { code, ..Failure::new(kind, detail) }
}

/// The class of a failure by its Java exception, from either of HDFS's interfaces.
pub fn kind_of_exception(class: &str) -> FailureKind {
    match class.rsplit('.').next().unwrap_or_default() {
        "FileNotFoundException" => FailureKind::Missing,
        "AccessControlException" | "AuthorizationException" | "SecurityException" => FailureKind::Denied,
        "InvalidToken" => FailureKind::Expired,
        "StandbyException"
        | "RetriableException"
        | "SafeModeException"
        | "ServerTooBusyException"
        | "CannotObtainBlockLengthException" => FailureKind::Unavailable,
        _ => FailureKind::Other,
    }
}
