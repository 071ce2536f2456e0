//! A few threads that run short jobs. They start with the first job, so a database that reads little has none.

use super::lock::{Condvar, Mutex};
use super::raw::thread::{self, JoinHandle};
use std::collections::VecDeque;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

/// A job. It must not wait for a job that has not started.
pub type Job = Box<dyn FnOnce() + Send>;

/// Threads that run jobs in the order in which they were queued.
pub struct Workers {
    /// Number of threads once there is work.
    count: usize,
    queue: Arc<Queue>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    /// Number of threads that wait for a job.
    idle: usize,
    is_stopped: bool,
}

impl Workers {
    /// Up to `count` threads; with 0 no job is ever accepted.
    pub fn new(count: usize) -> Self {
        Workers { count, queue: Arc::default(), threads: Mutex::default() }
    }

    /// Maximum number of threads.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Queues a job. Returns false, and drops the job, if no thread will run it: the caller then does the work.
    pub fn submit(&self, job: Job) -> bool {
        self.add(job, |_| true)
    }

    /// The same, if a thread is idle and can begin at once.
    pub fn submit_if_idle(&self, job: Job) -> bool {
        self.add(job, |state| state.jobs.len() < state.idle)
    }

    fn add(&self, job: Job, accepts: impl Fn(&State) -> bool) -> bool {
        if self.count == 0 || !self.start() {
            return false;
        }
        let mut state = self.queue.state.lock();
        if state.is_stopped || !accepts(&state) {
            return false;
        }
        state.jobs.push_back(job);
        drop(state);
        self.queue.wake.notify_one();
        true
    }

    /// Starts the threads unless they run. Fewer than `count` are enough.
    fn start(&self) -> bool {
        let mut threads = self.threads.lock();
        if threads.is_empty() && !self.queue.state.lock().is_stopped {
            for _ in 0..self.count {
                let queue = Arc::clone(&self.queue);
                let started = thread::Builder::new().name("rowstone-scan".to_string()).spawn(move || run(&queue));
                threads.extend(started);
            }
        }
        !threads.is_empty()
    }

    /// Ends the threads after their current jobs; the jobs that wait are dropped.
    pub fn stop(&self) {
        let mut state = self.queue.state.lock();
        state.is_stopped = true;
        let jobs = std::mem::take(&mut state.jobs);
        drop(state);
        self.queue.wake.notify_all();
        drop(jobs);
        let threads = std::mem::take(&mut *self.threads.lock());
        for thread in threads {
            // A job may hold the last reference to the database, and then ends it from its own thread.
            if thread.thread().id() != thread::current().id() {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(queue: &Queue) {
    loop {
        let job = {
            let mut state = queue.state.lock();
            loop {
                if state.is_stopped {
                    return;
                }
                match state.jobs.pop_front() {
                    Some(job) => break job,
                    None => {
                        state.idle += 1;
                        queue.wake.wait(&mut state);
                        state.idle -= 1;
                    }
                }
            }
        };
        // A job passes its own failure on. A panic must not end the thread: others wait for its jobs.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(all(test, not(feature = "shuttle")))]
mod tests;
