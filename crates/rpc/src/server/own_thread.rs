//! Threads of single connections.
//!
//! On a thread of its own a connection waits for nobody else: its calls are answered where they are read, and one that waits, for
//! a lock or for the disk, keeps no other client from being heard. That spares two changes of threads for each call, which cost
//! more than a put or a get. The threads are few; connections beyond them share those of the server.

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

/// Does what may wait, here: where others are served by this thread too, another takes its place meanwhile.
pub(super) fn wait_for<T>(work: impl FnOnce() -> T) -> T {
    if is_own() {
        work()
    } else {
        block_in_place(work)
    }
}

/// The threads of connections that have one.
pub(super) struct OwnThreads {
    places: Arc<Semaphore>,
    most: usize,
    stop: watch::Sender<bool>,
}

impl OwnThreads {
    /// Room for `most` of them; none is started yet.
    pub fn new(most: usize) -> Self {
        OwnThreads { places: Arc::new(Semaphore::new(most)), most, stop: watch::Sender::new(false) }
    }

    /// Room for another connection, where there is some.
    pub fn room(&self) -> Option<Room> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let runtime = Builder::new_current_thread().enable_all().build().ok()?;
        Some(Room { runtime: Waiting(Some(runtime)), place, stop: self.stop.subscribe() })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.most.saturating_sub(self.places.available_permits())
    }

    /// Ends them all, and waits for them that long.
    pub async fn stop(&self, patience: Duration) {
        self.stop.send_replace(true);
        let all = u32::try_from(self.most).unwrap_or(u32::MAX);
        let _ = timeout(patience, self.places.acquire_many(all)).await;
    }
}

/// What a thread needs: a place among them, and files of its own to wait with.
pub(super) struct Room {
    // Ends before its place is another's.
    runtime: Waiting,
    place: OwnedSemaphorePermit,
    stop: watch::Receiver<bool>,
}

/// Files to wait with, which may be dropped where nobody may wait.
struct Waiting(Option<Runtime>);

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Room {
    /// Serves `socket` on a thread of its own. Where none can be started, the machine has no more, both come back.
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
    fn room_that_is_not_used_ends_where_nobody_may_wait() {
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
