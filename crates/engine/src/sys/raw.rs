//! Building blocks of locks, shared counters and threads: those of the standard library. With the feature
//! `shuttle`, which only `tests/schedules.rs` enables, one thread runs at a time, and threads can switch at every
//! step of a lock or counter. The test can thus try many orders of the same steps.

#[cfg(feature = "shuttle")]
pub use shuttle::{sync, thread};
#[cfg(not(feature = "shuttle"))]
pub use std::{sync, thread};
