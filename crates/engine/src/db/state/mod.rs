//! State that all regions share. It knows nothing of the operations and the background work that use it.
//!
//! | file | contents |
//! |---|---|
//! | `shared` | the common parts of a database; commits, closing |
//! | `services`, `memory` | the services that regions use; memory of recent cells |
//! | `tables`, `required_observer` | the open tables and their regions; tables that require an observer |
//! | `queue` | queue of background work |
//! | `nonces` | nonces of the operations in the log |
//! | `reserve`, `disk` | space reserved for a full disk; retries of operations that found it full |
//! | `quota_book`, `quota_rules`, `space` | quotas in force; limits from the settings; space usage and policies |
//! | `open_region` | opening of a region |
//! | `counts`, `clock` | counters of the whole database; detection of a clock that was set back |
//! | `slowdown` | delays of writes while memory is almost full |
//!
//! A module imports only modules before it in this order:
//! `{clock, counts, nonces, queue, quota_rules, required_observer, reserve, slowdown, space} < tables < quota_book < shared <
//! {disk, memory, open_region, services}`.

pub(super) mod clock;
pub(super) mod counts;
pub(super) mod disk;
pub(super) mod memory;
pub(super) mod nonces;
pub(super) mod open_region;
pub(super) mod queue;
pub(super) mod quota_book;
pub(super) mod quota_rules;
pub(super) mod required_observer;
pub(super) mod reserve;
pub(super) mod services;
pub(super) mod shared;
pub(super) mod slowdown;
pub(super) mod space;
pub(super) mod tables;
