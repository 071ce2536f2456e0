//! Files of an HBase root in an object store or in HDFS, as the engine's file system, read-only; and folders to
//! write to.
//!
//! | module | contents |
//! |---|---|
//! | [`failure`] | failures of requests: classes, messages, I/O errors |
//! | [`options`] | options of reading |
//! | [`target`] | URLs of roots |
//! | [`runtime`] | the threads that send requests |
//! | [`storage`] | the interface of a storage |
//! | [`retry`] | repetition of failed requests |
//! | [`transport`] | HTTP connections |
//! | [`objects`] | S3, Google Cloud Storage, Azure, web servers |
//! | [`hdfs`], [`webhdfs`] | HDFS by its own protocol and by REST |
//! | [`segment`], [`cache`] | ranges of files in memory |
//! | [`streams`] | recognition of sequential readers |
//! | [`listings`] | names of directories, remembered for a short time |
//! | [`file`](mod@file), [`files`] | an open file, and the file system |
//! | [`folder`] | a folder to write to: whole files, and large ones in parts |
//! | [`open`](mod@open) | opens a location from a URL and options |
//!
//! A module imports only modules before it in this order:
//! `failure < options < target < runtime < storage < retry < transport < objects < hdfs < webhdfs < segment < cache < streams < listings < file < files < folder < open`.

pub mod cache;
pub mod failure;
pub mod file;
pub mod files;
pub mod folder;
pub mod hdfs;
pub mod listings;
pub mod objects;
pub mod open;
pub mod options;
pub mod retry;
pub mod runtime;
pub mod segment;
pub mod storage;
pub mod streams;
pub mod target;
#[cfg(test)]
mod tests;
pub mod transport;
pub mod webhdfs;

pub use folder::Folder;
pub use open::{open, open_folder, Location};
pub use options::Options;
pub use storage::{Counts, Listed};
