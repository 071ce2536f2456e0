//! Makes Rust types of the messages in `proto/`; protox reads them, so no protoc is needed.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new("proto");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(&files, [folder])?;
    prost_build::Config::new().compile_fds(descriptors)?;
    Ok(())
}
