//! CPU priority of background threads.

/// Increase of the `nice` value by [`give_way`].
#[cfg(target_os = "linux")]
const STEPS: i32 = 5;

/// Lowers the priority of the calling thread for good. Next to one busy thread on the same CPU it gets a quarter of
/// the time; on an idle CPU it runs at full speed. Only on Linux, where each thread has its own priority.
pub fn give_way() {
    // Works without the lower priority if the operating system refuses.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(STEPS);
}
