//! State that the server keeps between calls. A ledger knows calls, but neither connections nor services.
//!
//! | file | contents |
//! |---|---|
//! | `clock` | the clock of leases and nonces |
//! | `scanners`, `open_scanner` | open scanners with their leases; the state of one |
//! | `nonces`, `procedures` | execute repeated operations and schema changes once |
//! | `answers` | answers to operations with a nonce |
//! | `compactions` | compactions that clients requested |
//! | `finished` | a finished call, as the other ledgers record it |
//! | `measures`, `slow_calls`, `traced_calls` | counters of calls; the slow log; calls for tracing |

mod answers;
pub(super) mod clock;
pub(super) mod compactions;
pub(super) mod finished;
pub(super) mod measures;
pub(super) mod nonces;
pub(super) mod open_scanner;
pub(super) mod procedures;
pub(super) mod scanners;
pub(super) mod slow_calls;
pub(super) mod traced_calls;
