//! The server with single calls as raw messages, for requests and details that Rowstone's client does not produce or
//! show.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "tests")]

mod batches;
mod conditions;
mod endpoints;
mod left_unsaid;
mod markers;
mod nonces;
mod raw;
mod scans;
mod sight;
mod store_files;
mod support;
