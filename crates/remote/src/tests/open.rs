//! Opening: URLs and options are checked without a request.

use crate::open;
use rowstone_model::ErrorKind;
use std::collections::BTreeMap;
use std::path::Path;

fn build_options(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn every_storage_opens_without_a_request() {
    let account = [("azure_storage_account_name", "a"), ("azure_storage_account_key", "a2V5")];
    for (url, options) in [
        ("s3://b/hbase/", &[("AWS_ACCESS_KEY_ID", "a"), ("aws_secret_access_key", "b")][..]),
        ("gs://b/hbase", &[("google_skip_signature", "true"), ("max_retries", "1")]),
        ("az://b/hbase", &account),
        ("http://127.0.0.1:1/hbase", &[("timeout", "1s")]),
        ("hdfs://127.0.0.1:1/hbase", &[("user", "ann"), ("dfs.client.use.datanode.hostname", "true")]),
        ("webhdfs://127.0.0.1:1/hbase", &[("user", "ann")]),
    ] {
        let location = open(url, &build_options(options)).unwrap();
        assert_eq!(location.root, Path::new(url.trim_end_matches('/')));
        assert_eq!(location.counts.get(), (0, 0, 0));
    }
}

#[test]
fn unknown_options_are_refused_by_name() {
    for url in ["s3://b", "gs://b", "az://b", "http://127.0.0.1:1", "hdfs://127.0.0.1:1", "webhdfs://127.0.0.1:1"] {
        let error = open(url, &build_options(&[("colour", "red")])).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("'colour'") && error.message().contains(url), "{url}: {}", error.message());
    }
}

#[test]
fn a_profile_that_does_not_exist_is_refused() {
    let error = open("s3://b", &build_options(&[("aws_profile", "no such profile")])).err().unwrap();
    assert!(error.message().contains("'no such profile'"), "{}", error.message());
}

#[test]
fn an_endpoint_that_refuses_connections_is_named() {
    let options = build_options(&[
        ("aws_access_key_id", "a"),
        ("aws_secret_access_key", "b"),
        ("aws_endpoint", "http://127.0.0.1:1"),
        ("max_retries", "1"),
        ("retry_pause", "0"),
    ]);
    let location = open("s3://b/hbase", &options).unwrap();
    let error = location.files.list(&location.root).unwrap_err();
    assert!(error.to_string().contains("after 2 attempts") && error.to_string().contains("endpoint"), "{error}");
    assert_eq!(location.counts.get(), (2, 1, 0));
}
