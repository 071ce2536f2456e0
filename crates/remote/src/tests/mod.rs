//! Tests of this crate. `fake_s3` answers requests without sockets, with injected faults.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod cache;
mod errors;
mod fake_s3;
mod faults;
mod files;
mod folder;
mod listings;
mod open;
mod options;
mod reading;
mod retry;
mod streams;
mod target;
mod webhdfs;
