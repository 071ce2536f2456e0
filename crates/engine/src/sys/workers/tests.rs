//! Jobs of a database's threads.

use super::Workers;
use std::sync::mpsc::channel;

#[test]
fn jobs_run_in_order_and_a_panic_ends_no_thread() {
    let workers = Workers::new(1);
    let (sender, received) = channel();
    for number in 0..4 {
        let sender = sender.clone();
        assert!(workers.submit(Box::new(move || {
            assert_ne!(number, 1, "expected by the test");
            let _ = sender.send(number);
        })));
    }
    drop(sender);
    assert_eq!(received.iter().collect::<Vec<_>>(), [0, 2, 3]);
}

#[test]
fn after_the_end_no_job_is_accepted() {
    let workers = Workers::new(2);
    assert!(workers.submit(Box::new(|| {})));
    workers.stop();
    assert!(!workers.submit(Box::new(|| {})));
    assert!(!Workers::new(0).submit(Box::new(|| {})));
}

#[test]
fn a_job_for_an_idle_thread_does_not_wait_for_another_job() {
    let workers = Workers::new(1);
    let (sender, received) = channel();
    let (go_on, wait) = channel::<()>();
    assert!(workers.submit(Box::new(move || {
        let _ = sender.send(());
        let _ = wait.recv();
    })));
    assert_eq!(received.recv(), Ok(()));
    assert!(!workers.submit_if_idle(Box::new(|| {})), "the only thread is busy");
    assert_eq!(go_on.send(()), Ok(()));
    while !workers.submit_if_idle(Box::new(|| {})) {
        std::thread::yield_now();
    }
}
