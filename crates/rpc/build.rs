//! Generates Rust types for the messages in `proto/`, and a descriptor set for those in `proto/operate/`, which are
//! built at run time. protox parses the files, so protoc is not needed.

use prost::Message;
use std::path::{Path, PathBuf};

/// Messages that the store writes too, and their types there.
const QUOTAS: [(&str, &str); 6] = [
    ("TimedQuota", "Timed"),
    ("Throttle", "Throttle"),
    ("SpaceQuota", "Space"),
    ("Quotas", "AllQuotas"),
    ("SpaceStatus", "SpaceStatus"),
    ("SpaceSnapshot", "SpaceSnapshot"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (folder, operate) = (Path::new("proto"), Path::new("proto/operate"));
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(texts(folder)?, [folder])?;
    let mut config = prost_build::Config::new();
    for (name, kind) in QUOTAS {
        config.extern_path(format!(".hbase.{name}"), format!("::rowstone_quotas::messages::{kind}"));
    }
    // A batch has thousands of these messages, each of which would reserve room for these rarer parts.
    config.boxed(".hbase.Action.get").boxed(".hbase.ResultOrException.exception");
    config.compile_fds(descriptors)?;
    let operate = protox::compile(texts(operate)?, [operate, folder])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("operate.bin"), operate.encode_to_vec())?;
    Ok(())
}

fn texts(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
