//! Who may do what: HBase's access control over any database behind the traits of `rowstone_model`.
//!
//! | module | its one sentence |
//! |---|---|
//! | [`operations`] | the table: each operation, where its right is looked for, and which right |
//! | [`held`] | the grants, so that one is found quickly; superusers |
//! | [`decide`] | the one function that says yes, yes with less, or no |
//! | [`cells`] | what cells say themselves: which are shown, which have to let a write pass |
//! | [`stored`] | a grant as a cell of `hbase:acl` |
//! | [`groups`] | which groups a user is in |
//! | [`settings`] | what `hbase-site.xml` says of all this |
//! | [`audit`] | who hears of each decision |
//! | [`control`] | the grants of an open database: read once, changed by grant and revoke |
//! | [`guarded`] | a database as one user may use it |
//!
//! Imports point up this list's order only:
//! `operations < held < decide < cells < stored < groups < settings < audit < control < guarded`.
//!
//! Sources: HBase 2.6's `AccessController`, `AccessChecker`, `AuthManager`, `PermissionStorage`, and the appendix "Access Control
//! Matrix" of its reference guide.

pub mod audit;
pub mod cells;
pub mod control;
pub mod decide;
pub mod groups;
pub mod guarded;
pub mod held;
pub mod operations;
pub mod settings;
pub mod stored;

pub use control::Control;
pub use decide::{decide, Decision, Target, Verdict};
pub use guarded::guard;
pub use held::Held;
pub use operations::Operation;
