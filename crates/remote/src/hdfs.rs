//! HDFS by its own protocol: the NameNode for names and block locations, the DataNodes for bytes.
//!
//! A file of HDFS is only appended to, never changed in place. An open file keeps the block locations of its opening,
//! so it is read with the length that it had then; a file of the same name that replaced it has other blocks.

use crate::failure::{Failure, FailureKind};
use crate::storage::{Answer, Counts, Entry, Opened, Source, Storage};
use bytes::Bytes;
use hdfs_native::file::FileReader;
use hdfs_native::{Client, ClientBuilder, HdfsError};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::Arc;
use tokio::runtime::Handle;

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
    ) -> Result<Self> {
        let mut builder = ClientBuilder::new().with_url(base).with_io_runtime(runtime);
        let mut settings = BTreeMap::from([("dfs.client.failover.max.attempts".to_owned(), "3".to_owned())]);
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
            let source = HdfsFile { length: reader.file_length() as u64, reader, counts: Arc::clone(&self.counts) };
            let tail = source.length.saturating_sub(tail_bytes)..source.length;
            let tail = if tail.is_empty() { Bytes::new() } else { source.read(tail).await? };
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
    counts: Arc<Counts>,
}

impl Source for HdfsFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, range: Range<u64>) -> Answer<'_, Bytes> {
        Box::pin(async move {
            let length = (range.end - range.start) as usize;
            if range.end > self.length {
                return Err(Failure::new(FailureKind::OutOfRange, format!("{} bytes", self.length)));
            }
            self.counts.add_request();
            let bytes = self.reader.read_range(range.start as usize, length).await.map_err(classify)?;
            if bytes.len() != length {
                return Err(Failure::new(FailureKind::Truncated, format!("{} of {length} bytes", bytes.len())));
            }
            self.counts.bytes.fetch_add(length as u64, Relaxed);
            Ok(bytes)
        })
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
