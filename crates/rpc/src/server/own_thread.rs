//! Connections with a thread of their own.
//!
//! Such a connection answers its calls on the thread that reads them. A call that waits for a lock or for the disk
//! delays no other client. That saves two thread switches per call, which cost more than a put or a get. The number
//! of such threads is limited; further connections share the server's threads.

use crate::sync::lock;
use std::future::{poll_fn, Future};
use std::net::TcpStream as StdStream;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::sync::{watch, OwnedSemaphorePermit, Semaphore};
use tokio::task::block_in_place;
use tokio::time::timeout;

/// Whether this is the thread of a single connection.
pub(super) fn is_own() -> bool {
    Handle::current().runtime_flavor() == RuntimeFlavor::CurrentThread
}

/// Runs work that may block. On a shared thread, another thread takes over its tasks in the meantime.
pub(super) fn wait_for<T>(work: impl FnOnce() -> T) -> T {
    if is_own() {
        work()
    } else {
        block_in_place(work)
    }
}

/// The threads that serve a single connection each.
pub(super) struct OwnThreads {
    places: Arc<Semaphore>,
    most: usize,
    stop: watch::Sender<bool>,
}

impl OwnThreads {
    /// Creates the set with room for `most` threads; none is started yet.
    pub fn new(most: usize) -> Self {
        OwnThreads { places: Arc::new(Semaphore::new(most)), most, stop: watch::Sender::new(false) }
    }

    /// Reserves a thread for another connection, if one is free.
    pub fn room(&self) -> Option<Room> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let runtime = Builder::new_current_thread().enable_all().build().ok()?;
        Some(Room { runtime: Waiting(Some(runtime)), place, stop: self.stop.subscribe() })
    }

    /// Number of reserved threads.
    pub fn count(&self) -> usize {
        self.most.saturating_sub(self.places.available_permits())
    }

    /// Stops all threads and waits at most `patience` for them.
    pub async fn stop(&self, patience: Duration) {
        self.stop.send_replace(true);
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        let _ = timeout(patience, self.places.acquire_many(all)).await;
    }
}

/// A reserved thread: its permit, and its runtime with the files that it polls.
pub(super) struct Room {
    // Dropped before the permit, so that the next owner does not find it in use.
    runtime: Waiting,
    place: OwnedSemaphorePermit,
    stop: watch::Receiver<bool>,
}

/// A runtime that may be dropped in a context that must not block.
struct Waiting(Option<Runtime>);

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Room {
    /// Serves `socket` on a thread of its own. If the operating system refuses to start one, returns both arguments.
    pub fn start<F, S>(self, socket: TcpStream, serve: S) -> Option<(TcpStream, S)>
    where
        F: Future<Output = ()>,
        S: FnOnce(TcpStream) -> F + Send + 'static,
    {
        let socket = socket.into_std().ok()?;
        let given = Arc::new(Mutex::new(Some((self, socket, serve))));
        let taken = Arc::clone(&given);
        let run = move || {
            let work = lock(&taken).take();
            if let Some((room, socket, serve)) = work {
                room.run(socket, serve);
            }
        };
        if thread::Builder::new().name("rowstone-client".to_string()).spawn(run).is_ok() {
            return None;
        }
        let (_, socket, serve) = lock(&given).take()?;
        Some((TcpStream::from_std(socket).ok()?, serve))
    }

    fn run<F: Future<Output = ()>>(self, socket: StdStream, serve: impl FnOnce(TcpStream) -> F) {
        let Room { mut runtime, place, mut stop } = self;
        let Some(runtime) = runtime.0.take() else { return };
        runtime.block_on(async move {
            let Ok(socket) = TcpStream::from_std(socket) else { return };
            let mut served = pin!(serve(socket));
            let mut stopped = pin!(stop.wait_for(|stops| *stops));
            poll_fn(|context| match served.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(()),
                Poll::Pending => stopped.as_mut().poll(context).map(|_| ()),
            })
            .await;
        });
        drop((runtime, place));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn unused_room_is_released_inside_a_runtime() {
        let threads = OwnThreads::new(1);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let room = threads.room().unwrap();
            assert!(threads.room().is_none());
            drop(room);
            assert_eq!(threads.count(), 0);
        });
    }
}
