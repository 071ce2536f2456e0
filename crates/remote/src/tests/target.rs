//! URLs of roots.

use crate::objects::profile::section;
use crate::target::{Scheme, Target};

#[test]
fn urls() {
    for (url, scheme, base, path) in [
        ("s3://bucket", Scheme::S3, "s3://bucket", ""),
        ("s3a://bucket/", Scheme::S3, "s3a://bucket", ""),
        ("s3://bucket/a//b%2C/", Scheme::S3, "s3://bucket", "a/b%2C"),
        ("gs://bucket/hbase", Scheme::Gcs, "gs://bucket", "hbase"),
        ("az://box/x", Scheme::Azure, "az://box", "x"),
        ("abfss://box@account.dfs.core.windows.net/x", Scheme::Azure, "abfss://box@account.dfs.core.windows.net", "x"),
        ("https://host:8443/a%20b", Scheme::Http, "https://host:8443", "a b"),
        ("hdfs://nn:8020/hbase", Scheme::Hdfs, "hdfs://nn:8020", "hbase"),
        ("HDFS://ns/hbase", Scheme::Hdfs, "hdfs://ns", "hbase"),
        ("webhdfs://nn:9870/hbase", Scheme::WebHdfs, "webhdfs://nn:9870", "hbase"),
    ] {
        let target = Target::parse(url).unwrap();
        assert_eq!((target.scheme, target.base.as_str(), target.path.as_str()), (scheme, base, path), "{url}");
    }
}

#[test]
fn urls_that_are_refused() {
    for (url, reason) in [
        ("/a/path", "no scheme"),
        ("file:///a/path", "scheme is unknown"),
        ("s3:///path", "no bucket"),
        ("s3://bucket/a?versionId=1", "query"),
        ("s3://bucket/../other", "'..'"),
        ("https://me:secret@host/x", "credentials"),
        ("abfs://me:secret@account/x", "credentials"),
    ] {
        let message = Target::parse(url).unwrap_err().message().to_owned();
        assert!(message.contains(reason), "{url}: {message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

#[test]
fn the_root_is_the_url_without_its_last_slash() {
    assert_eq!(Target::parse("s3://bucket/a/b/").unwrap().root(), "s3://bucket/a/b");
    assert_eq!(Target::parse("s3://bucket/").unwrap().root(), "s3://bucket");
}

#[test]
fn sections_of_profiles() {
    let text =
        "[default]\naws_access_key_id = A\n# region = no\n[profile other]\nregion=eu-west-1\n[default]\nregion = x\n";
    let found = section(text, "default");
    assert_eq!(found["aws_access_key_id"], "A");
    assert_eq!(found["region"], "x");
    assert_eq!(section(text, "profile other")["region"], "eu-west-1");
    assert!(section(text, "other").is_empty());
}
