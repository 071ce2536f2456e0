//! What a thread may take of the processors beside others.

/// Steps of `nice` that a thread goes back by [`give_way`].
#[cfg(target_os = "linux")]
const STEPS: i32 = 5;

/// Lets other threads go first where they want all processors: beside one of them it has a quarter. Where a processor is to spare, this
/// thread is as quick as any. For good: one that went back does not come forward again. On Linux, where threads have priorities of
/// their own.
pub fn give_way() {
    // What the system refuses is done without.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(STEPS);
}
