//! Tests of roots that need no HBase. `tests/roots` compares with a real one.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod flushes;
mod logs;
mod messages;
mod tables;
