//! Readers-writer lock with a limit on the wait, used for row locks.
//!
//! ```text
//! state  bit 31: locked by a writer | bit 30: threads are waiting | bits 0..30: number of readers
//! ```
//!
//! Without contention, locking and unlocking are one atomic operation each. Otherwise a thread waits on a condition
//! variable. While threads wait, newcomers queue up too, and readers let waiting writers go first, so that no
//! thread starves.

use super::lock::{Condvar, Mutex};
use super::raw::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const WRITER: u32 = 1 << 31;
const WAITING: u32 = 1 << 30;
const READERS: u32 = WAITING - 1;
/// A year: longer waits would overflow the clock.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 3600);

#[derive(Debug, Default)]
struct Queue {
    readers: u32,
    writers: u32,
}

/// A lock that guards no data, only the order of its users.
#[derive(Debug, Default)]
pub struct TimedLock {
    state: AtomicU32,
    queue: Mutex<Queue>,
    changed: Condvar,
}

/// Guard of a [`TimedLock`] locked shared.
#[derive(Debug)]
pub struct SharedGuard<'a>(&'a TimedLock);

/// Guard of a [`TimedLock`] locked exclusively.
#[derive(Debug)]
pub struct ExclusiveGuard<'a>(&'a TimedLock);

impl TimedLock {
    /// Locks it together with other readers; `None` after `patience`.
    #[inline]
    pub fn shared(&self, patience: Duration) -> Option<SharedGuard<'_>> {
        let one_more = |state: u32| (state & (WRITER | WAITING) == 0).then_some(state + 1);
        let is_taken = self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, one_more).is_ok();
        (is_taken || self.wait(patience, false)).then(|| SharedGuard(self))
    }

    /// Locks it exclusively; `None` after `patience`.
    #[inline]
    pub fn exclusive(&self, patience: Duration) -> Option<ExclusiveGuard<'_>> {
        let is_taken = self.state.compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed).is_ok();
        (is_taken || self.wait(patience, true)).then(|| ExclusiveGuard(self))
    }

    #[cold]
    fn wait(&self, patience: Duration, is_writer: bool) -> bool {
        let deadline = Instant::now() + patience.min(LONGEST_WAIT);
        let mut queue = self.queue.lock();
        *queue.count(is_writer) += 1;
        let is_taken = loop {
            // Set before trying: a thread that unlocks after this sees it and wakes us.
            self.state.fetch_or(WAITING, Ordering::Relaxed);
            if (is_writer || queue.writers == 0) && self.take(is_writer) {
                break true;
            }
            if Instant::now() >= deadline {
                break false;
            }
            self.changed.wait_until(&mut queue, deadline);
        };
        *queue.count(is_writer) -= 1;
        if queue.readers + queue.writers == 0 {
            self.state.fetch_and(!WAITING, Ordering::Relaxed);
        } else {
            // Other readers can follow a reader, and other threads can proceed after a writer gave up.
            self.changed.notify_all();
        }
        is_taken
    }

    fn take(&self, is_writer: bool) -> bool {
        let step = |state: u32| {
            if is_writer {
                (state & (WRITER | READERS) == 0).then_some(state | WRITER)
            } else {
                (state & WRITER == 0).then_some(state + 1)
            }
        };
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, step).is_ok()
    }

    #[inline]
    fn given_back(&self, before: u32) {
        if before & WAITING != 0 {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        // Under the lock, so that a waiter is either before its check of the state or already waiting.
        let _queue = self.queue.lock();
        self.changed.notify_all();
    }
}

impl Queue {
    fn count(&mut self, is_writer: bool) -> &mut u32 {
        if is_writer {
            &mut self.writers
        } else {
            &mut self.readers
        }
    }
}

impl Drop for SharedGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        let before = self.0.state.fetch_sub(1, Ordering::Release);
        if before & READERS == 1 {
            self.0.given_back(before);
        }
    }
}

impl Drop for ExclusiveGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        let before = self.0.state.fetch_and(!WRITER, Ordering::Release);
        self.0.given_back(before);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    const SOON: Duration = Duration::from_millis(5);
    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn readers_share_and_writers_do_not() {
        let lock = TimedLock::default();
        let (first, second) = (lock.shared(SOON), lock.shared(SOON));
        assert!(first.is_some() && second.is_some());
        assert!(lock.exclusive(SOON).is_none());
        drop((first, second));
        let writer = lock.exclusive(SOON);
        assert!(writer.is_some());
        assert!(lock.shared(SOON).is_none() && lock.exclusive(SOON).is_none());
        drop(writer);
        assert_eq!(lock.state.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_waiting_writer_goes_before_later_readers() {
        let lock = TimedLock::default();
        let reader = lock.shared(SOON);
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| lock.exclusive(LONG).is_some());
            while lock.queue.lock().writers == 0 {
                std::thread::yield_now();
            }
            assert!(lock.shared(SOON).is_none());
            drop(reader);
            assert!(writer.join().unwrap());
        });
        assert!(lock.shared(SOON).is_some());
    }

    #[test]
    fn many_threads_never_hold_it_wrongly_and_none_starves() {
        let (lock, inside, sum) = (TimedLock::default(), AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (lock, inside, sum) = (&lock, &inside, &sum);
                scope.spawn(move || {
                    for _ in 0..5_000 {
                        if number % 2 == 0 {
                            let _guard = lock.exclusive(LONG).unwrap();
                            assert_eq!(inside.fetch_add(1 << 32, Ordering::SeqCst), 0);
                            inside.fetch_sub(1 << 32, Ordering::SeqCst);
                        } else {
                            let _guard = lock.shared(LONG).unwrap();
                            assert!(inside.fetch_add(1, Ordering::SeqCst) < 1 << 32);
                            inside.fetch_sub(1, Ordering::SeqCst);
                        }
                        sum.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(sum.load(Ordering::Relaxed), 40_000);
        assert_eq!(lock.state.load(Ordering::Relaxed), 0);
    }
}
