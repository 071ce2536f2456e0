//! The runtime of all requests: one per process, started by the first use.
//!
//! Callers are plain threads. They hand a future over and wait for its result on a channel, so a caller may itself be
//! a worker thread of another runtime. A future never calls back into a file system of this crate.
//!
//! Threads do not survive a fork. A child therefore starts a runtime of its own, and leaves the parent's untouched.

use crate::failure::{Failure, FailureKind};
use arc_swap::ArcSwapOption;
use std::future::Future;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::mpsc::sync_channel;
use std::sync::Arc;
use tokio::runtime::{Builder, Handle, Runtime};

const WORKERS: usize = 2;

/// A runtime and the process that started it. Never dropped: dropping waits for threads, which a child does not have.
struct Owned {
    process: u32,
    runtime: ManuallyDrop<Runtime>,
}

static RUNTIME: ArcSwapOption<Owned> = ArcSwapOption::const_empty();

/// The handle of this process's runtime.
///
/// # Errors
/// The operating system's, if it starts no thread.
pub fn handle() -> io::Result<Handle> {
    let process = std::process::id();
    loop {
        let current = RUNTIME.load_full();
        if let Some(owned) = current.as_ref().filter(|owned| owned.process == process) {
            return Ok(owned.runtime.handle().clone());
        }
        let mut builder = Builder::new_multi_thread();
        let runtime = builder.worker_threads(WORKERS).thread_name("rowstone-remote").enable_all().build()?;
        let owned = Arc::new(Owned { process, runtime: ManuallyDrop::new(runtime) });
        let previous = RUNTIME.compare_and_swap(&current, Some(Arc::clone(&owned)));
        let is_ours = match (&*previous, &current) {
            (None, None) => true,
            (Some(found), Some(expected)) => Arc::ptr_eq(found, expected),
            _ => false,
        };
        if !is_ours {
            // Another thread was faster: this runtime has no tasks yet.
            if let Some(lost) = Arc::into_inner(owned) {
                ManuallyDrop::into_inner(lost.runtime).shutdown_background();
            }
        }
    }
}

/// Runs `future` on the runtime and waits for its result.
///
/// # Errors
/// The future's, or `Other` if it panicked.
pub fn wait<T: Send + 'static>(
    future: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> Result<T, Failure> {
    let (sender, receiver) = sync_channel(1);
    let runtime = handle().map_err(|error| Failure::new(FailureKind::Other, format!("no thread started: {error}")))?;
    runtime.spawn(async move {
        // The receiver waits until the sender is gone.
        let _ = sender.send(future.await);
    });
    receiver.recv().unwrap_or_else(|_| Err(Failure::new(FailureKind::Other, "the request's task ended early")))
}
