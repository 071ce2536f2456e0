//! The server before single calls, as messages: what no client of ours sends, or does not show.

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
mod support;
