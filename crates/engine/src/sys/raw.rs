//! What locks, counters that others wait for, and threads are made of: the standard library's. With the feature `shuttle`, which
//! only `tests/schedules.rs` asks for, one thread runs at a time, and every step of a lock or counter is a place where another may
//! go on: so that the test can try many orders of the same steps.

#[cfg(feature = "shuttle")]
pub use shuttle::{sync, thread};
#[cfg(not(feature = "shuttle"))]
pub use std::{sync, thread};
