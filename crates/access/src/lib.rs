//! HBase's access control for any database behind the traits of `rowstone_model`.
//!
//! | module | contents |
//! |---|---|
//! | [`operations`] | the table of operations: required permissions, and the scope in which they are checked |
//! | [`grant_index`] | an index of the grants; superusers |
//! | [`decide`](mod@decide) | the decision: allowed, allowed in part, or denied |
//! | [`cells`] | per-cell permissions: visibility of cells, and permission of covered cells for writes |
//! | [`stored`] | grants as cells of `hbase:acl` |
//! | [`groups`] | group membership of users |
//! | [`settings`] | the settings in `hbase-site.xml` |
//! | [`audit`] | audit log of decisions |
//! | [`control`] | the grants of an open database: loaded once, changed by grant and revoke |
//! | [`guarded`] | a database restricted to one user |
//!
//! A module imports only modules before it in this order:
//! `operations < grant_index < decide < cells < stored < groups < settings < audit < control < guarded`.
//!
//! Sources: HBase 2.6's `AccessController`, `AccessChecker`, `AuthManager`, `PermissionStorage`, and the appendix "Access Control
//! Matrix" of its reference guide.

pub mod audit;
pub mod cells;
pub mod control;
pub mod decide;
pub mod grant_index;
pub mod groups;
pub mod guarded;
pub mod operations;
pub mod settings;
pub mod stored;

pub use control::Control;
pub use decide::{decide, Decision, Target, Verdict};
pub use grant_index::GrantIndex;
pub use guarded::guard;
pub use operations::Operation;
