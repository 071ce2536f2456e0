//! URLs of storages: the storage, the bucket or host, and the path in it.

use percent_encoding::percent_decode_str;
use rowstone_model::codec::without_secrets;
use rowstone_model::{Error, Result};

/// Kinds of storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Amazon S3 and compatible stores.
    S3,
    /// Google Cloud Storage.
    Gcs,
    /// Azure Blob Storage and Data Lake Storage.
    Azure,
    /// A web server with WebDAV listings.
    Http,
    /// HDFS by its own protocol.
    Hdfs,
    /// HDFS by its REST interface.
    WebHdfs,
}

/// A parsed URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Kind of storage.
    pub scheme: Scheme,
    /// The URL without its path: `s3://bucket`.
    pub base: String,
    /// Bucket, container with its account, or host with its port.
    pub authority: String,
    /// Path without slashes at its ends; empty for the whole bucket.
    pub path: String,
}

const SCHEMES: [(&str, Scheme); 14] = [
    ("s3", Scheme::S3),
    ("s3a", Scheme::S3),
    ("s3n", Scheme::S3),
    ("gs", Scheme::Gcs),
    ("gcs", Scheme::Gcs),
    ("az", Scheme::Azure),
    ("azure", Scheme::Azure),
    ("abfs", Scheme::Azure),
    ("abfss", Scheme::Azure),
    ("http", Scheme::Http),
    ("https", Scheme::Http),
    ("hdfs", Scheme::Hdfs),
    ("webhdfs", Scheme::WebHdfs),
    ("swebhdfs", Scheme::WebHdfs),
];

impl Target {
    /// Parses `url`.
    ///
    /// # Errors
    /// `InvalidArgument` for an unknown scheme, a missing bucket or host, credentials or a query in the URL.
    pub fn parse(url: &str) -> Result<Self> {
        let (name, rest) = url.split_once("://").ok_or_else(|| wrong(url, "it has no scheme such as s3://"))?;
        let name = name.to_ascii_lowercase();
        let Some((_, scheme)) = SCHEMES.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = SCHEMES.iter().map(|(known, _)| *known).collect();
            return Err(wrong(url, &format!("the scheme is unknown (schemes: {})", known.join(", "))));
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        if authority.is_empty() {
            return Err(wrong(url, "it names no bucket or host"));
        }
        if authority.contains('@') && *scheme != Scheme::Azure
            || authority.rsplit('@').nth(1).is_some_and(|user| user.contains(':'))
        {
            return Err(Error::invalid("the URL has credentials in it; pass them as options"));
        }
        if path.contains(['?', '#']) {
            return Err(wrong(url, "it has a query or fragment; pass options by name"));
        }
        let path = path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("/");
        if path.split('/').any(|part| part == "." || part == "..") {
            return Err(wrong(url, "its path contains '.' or '..'"));
        }
        Ok(Target {
            scheme: *scheme,
            base: format!("{name}://{authority}"),
            authority: authority.to_owned(),
            path: decode(*scheme, path),
        })
    }

    /// The storage in an error message.
    pub fn place(&self) -> String {
        match self.scheme {
            Scheme::S3 | Scheme::Gcs => format!("bucket '{}'", self.authority),
            Scheme::Azure => format!("container '{}'", self.authority),
            Scheme::Http => format!("server '{}'", self.authority),
            Scheme::Hdfs | Scheme::WebHdfs => format!("HDFS at '{}'", self.authority),
        }
    }

    /// The URL of the root.
    pub fn root(&self) -> String {
        if self.path.is_empty() {
            return self.base.clone();
        }
        format!("{}/{}", self.base, self.path)
    }
}

/// Only URLs of web servers are percent-encoded. Keys of object stores are taken literally, as their command lines do.
fn decode(scheme: Scheme, path: String) -> String {
    match scheme {
        Scheme::Http => percent_decode_str(&path).decode_utf8().map(|text| text.into_owned()).unwrap_or(path.clone()),
        _ => path,
    }
}

fn wrong(url: &str, reason: &str) -> Error {
    Error::invalid(format!("cannot use '{}': {reason}", without_secrets(url)))
}
