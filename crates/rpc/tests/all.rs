//! The crate's tests, in one program: it links once.
//!
//! Run those of one file with `cargo test -p rowstone-rpc --test all scans::`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "tests")]

mod faults;
mod filter_language;
mod peers;
mod random_bytes;
mod scans;
mod serve;
mod served;
mod support;
