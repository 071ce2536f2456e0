//! Locks without poisoning whose waiting threads are not in a shared table.
//!
//! A fork copies one thread of a process. The common lock crates keep waiting threads in one table per process. In
//! the child that table still points into stacks of threads that no longer exist, and new threads overwrite those.
//! The next wait, on any lock, then writes through such a pointer. A child of `fork` may open databases of its own,
//! so the locks here are the standard library's: only the kernel knows a waiting thread.

use super::raw::sync::{self, atomic::AtomicUsize};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// A lock for one thread at a time.
#[derive(Debug, Default)]
pub struct Mutex<T>(sync::Mutex<T>);

/// Guard of a locked [`Mutex`].
pub struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    /// `None` only inside [`MutexGuard::unlocked`] and the waits of a [`Condvar`].
    inner: Option<sync::MutexGuard<'a, T>>,
}

impl<T> Mutex<T> {
    /// An unlocked mutex around `value`.
    pub const fn new(value: T) -> Self {
        Mutex(sync::Mutex::new(value))
    }

    /// Locks; waits without limit.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        MutexGuard { mutex: self, inner: Some(inner) }
    }

    /// Locks, or returns `None` at once if that is not possible.
    #[inline]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let inner = match self.0.try_lock() {
            Ok(inner) => inner,
            Err(sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(sync::TryLockError::WouldBlock) => return None,
        };
        Some(MutexGuard { mutex: self, inner: Some(inner) })
    }

    /// Locks, or gives up after about `patience`. For locks whose holder may no longer exist. It polls, so it is
    /// slow.
    pub fn try_lock_for(&self, patience: Duration) -> Option<MutexGuard<'_, T>> {
        let deadline = Instant::now() + patience;
        loop {
            match self.try_lock() {
                Some(guard) => return Some(guard),
                None if Instant::now() >= deadline => return None,
                None => std::thread::sleep(Duration::from_millis(1).min(patience)),
            }
        }
    }

    /// Access to the value through the only reference, without locking.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value, without the lock.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> MutexGuard<'_, T> {
    /// Runs `work` with the mutex unlocked, then locks it again.
    pub fn unlocked<R>(guard: &mut Self, work: impl FnOnce() -> R) -> R {
        guard.inner = None;
        let result = work();
        guard.inner = guard.mutex.lock().inner;
        result
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &self.inner {
            Some(inner) => inner,
            None => unreachable!("a guard is whole wherever it can be reached"),
        }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.inner {
            Some(inner) => inner,
            None => unreachable!("a guard is whole wherever it can be reached"),
        }
    }
}

/// Whether a wait ended by its timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedOut(bool);

impl TimedOut {
    /// Whether the timeout passed.
    pub fn timed_out(self) -> bool {
        self.0
    }
}

/// Condition variable: lets threads wait for a change of the value that a [`Mutex`] guards. Spurious wake-ups
/// occur: check the condition again.
///
/// The thread that changes the value must hold the lock while doing so, and may notify after releasing it. Without
/// waiting threads, notifying is one load: the standard library's condition variable would call the kernel each
/// time, several times per put.
#[derive(Debug, Default)]
pub struct Condvar {
    inner: sync::Condvar,
    /// Number of waiting threads. It is raised while they hold the lock, so a later change under the lock sees
    /// them.
    waiting: AtomicUsize,
}

impl Condvar {
    /// A condition variable without waiting threads.
    pub const fn new() -> Self {
        Condvar { inner: sync::Condvar::new(), waiting: AtomicUsize::new(0) }
    }

    /// Waits with the mutex unlocked, then locks it again.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        if let Some(inner) = guard.inner.take() {
            self.waiting.fetch_add(1, Ordering::SeqCst);
            guard.inner = Some(self.inner.wait(inner).unwrap_or_else(PoisonError::into_inner));
            self.waiting.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Waits for at most `time`.
    pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, time: Duration) -> TimedOut {
        let Some(inner) = guard.inner.take() else { return TimedOut(true) };
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let (inner, result) = self.inner.wait_timeout(inner, time).unwrap_or_else(PoisonError::into_inner);
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        guard.inner = Some(inner);
        TimedOut(result.timed_out())
    }

    /// Waits until `deadline` at most.
    pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, deadline: Instant) -> TimedOut {
        self.wait_for(guard, deadline.saturating_duration_since(Instant::now()))
    }

    /// Wakes one waiting thread.
    #[inline]
    pub fn notify_one(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.inner.notify_one();
        }
    }

    /// Wakes all waiting threads.
    #[inline]
    pub fn notify_all(&self) {
        if self.waiting.load(Ordering::SeqCst) > 0 {
            self.inner.notify_all();
        }
    }
}

/// Guard of a [`RwLock`] locked for reading.
pub type RwLockReadGuard<'a, T> = sync::RwLockReadGuard<'a, T>;
/// Guard of a [`RwLock`] locked for writing.
pub type RwLockWriteGuard<'a, T> = sync::RwLockWriteGuard<'a, T>;

/// A lock for many readers or one writer.
#[derive(Debug, Default)]
pub struct RwLock<T>(sync::RwLock<T>);

impl<T> RwLock<T> {
    /// An unlocked lock around `value`.
    pub const fn new(value: T) -> Self {
        RwLock(sync::RwLock::new(value))
    }

    /// Locks for reading.
    #[inline]
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks for writing.
    #[inline]
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Access to the value through the only reference, without locking.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
