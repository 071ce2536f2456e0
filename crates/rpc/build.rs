//! Makes Rust types of the messages in `proto/`, and a description of those in `proto/operate/`, which are put together at
//! run time; protox reads them, so no protoc is needed.

use prost::Message;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (folder, operate) = (Path::new("proto"), Path::new("proto/operate"));
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(texts(folder)?, [folder])?;
    prost_build::Config::new().compile_fds(descriptors)?;
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
