//! Clients of the object stores, from a URL, options and the environment.

use super::profile;
use super::{Objects, Store};
use crate::storage::Counts;
use crate::target::{Scheme, Target};
use crate::transport::Connector;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::multipart::MultipartStore;
use object_store::{ClientConfigKey, ObjectStore, RetryConfig};
use rowstone_model::{Error, Result};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

/// Options by their names in lower case.
type Named = BTreeMap<String, String>;

/// A client for `target`. No request is sent before the first read.
///
/// # Errors
/// `InvalidArgument` for an unknown option, or for options that contradict each other.
pub fn connect(target: &Target, options: &Named, connector: Connector, counts: Arc<Counts>) -> Result<Objects> {
    let store = match target.scheme {
        Scheme::S3 => s3(target, options, connector)?,
        Scheme::Gcs => gcs(target, options, connector)?,
        Scheme::Azure => azure(target, options, connector)?,
        Scheme::Http => http(target, options, connector)?,
        Scheme::Hdfs | Scheme::WebHdfs => return Err(Error::internal("HDFS is not an object store")),
    };
    Ok(Objects::new(store, counts, target.scheme))
}

/// Repetition is done by this crate, for all storages alike.
fn no_retries() -> RetryConfig {
    RetryConfig { max_retries: 0, ..RetryConfig::default() }
}

/// A store that takes objects in parts.
fn in_parts<S: ObjectStore + MultipartStore>(store: S) -> Store {
    let store = Arc::new(store);
    Store { objects: Arc::clone(&store) as Arc<dyn ObjectStore>, parts: Some(store) }
}

fn s3(target: &Target, options: &Named, connector: Connector) -> Result<Store> {
    let mut builder = AmazonS3Builder::from_env();
    let options = profile::add(options)?;
    for (name, value) in &options {
        builder = builder.with_config(key(target, name)?, value);
    }
    if wants_plain_http(
        &options,
        &["aws_endpoint", "aws_endpoint_url", "endpoint", "endpoint_url", "aws_endpoint_url_s3"],
    ) {
        builder = builder.with_allow_http(true);
    }
    let builder = builder.with_bucket_name(&target.authority).with_retry(no_retries());
    Ok(in_parts(builder.with_http_connector(connector).build().map_err(|error| refused(target, error))?))
}

fn gcs(target: &Target, options: &Named, connector: Connector) -> Result<Store> {
    let mut builder = GoogleCloudStorageBuilder::from_env();
    for (name, value) in options {
        builder = builder.with_config(key(target, name)?, value);
    }
    let builder = builder.with_bucket_name(&target.authority).with_retry(no_retries());
    Ok(in_parts(builder.with_http_connector(connector).build().map_err(|error| refused(target, error))?))
}

fn azure(target: &Target, options: &Named, connector: Connector) -> Result<Store> {
    let mut builder = MicrosoftAzureBuilder::from_env().with_url(&target.base);
    for (name, value) in options {
        builder = builder.with_config(key(target, name)?, value);
    }
    if wants_plain_http(options, &["azure_endpoint", "azure_storage_endpoint", "endpoint"]) {
        builder = builder.with_allow_http(true);
    }
    let builder = builder.with_retry(no_retries()).with_http_connector(connector);
    Ok(in_parts(builder.build().map_err(|error| refused(target, error))?))
}

fn http(target: &Target, options: &Named, connector: Connector) -> Result<Store> {
    let mut builder = HttpBuilder::new().with_url(&target.base);
    for (name, value) in options {
        builder = builder.with_config(key(target, name)?, value);
    }
    if target.base.starts_with("http://") {
        builder = builder.with_config(ClientConfigKey::AllowHttp, "true");
    }
    let builder = builder.with_retry(no_retries()).with_http_connector(connector);
    let store = builder.build().map_err(|error| refused(target, error))?;
    Ok(Store { objects: Arc::new(store), parts: None })
}

/// Whether an option names an endpoint without TLS. Such an endpoint was chosen on purpose.
fn wants_plain_http(options: &Named, endpoints: &[&str]) -> bool {
    endpoints.iter().any(|name| options.get(*name).is_some_and(|url| url.starts_with("http://")))
}

fn key<K: FromStr>(target: &Target, name: &str) -> Result<K> {
    name.parse().map_err(|_| {
        Error::invalid(format!(
            "storage option '{name}' is unknown for {}; see \"Storage options\" in the documentation",
            target.base
        ))
    })
}

fn refused(target: &Target, error: impl Display) -> Error {
    Error::invalid(format!("cannot connect to {}: {error}", target.base))
}
