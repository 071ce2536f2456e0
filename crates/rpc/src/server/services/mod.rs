//! The services that clients call.
//!
//! | file | contents |
//! |---|---|
//! | `registry` | where the master and `hbase:meta` are |
//! | `client` | ClientService: gets, mutations, multis, scans |
//! | `endpoints` | coprocessor endpoints: aggregation, multi-row mutation, access control |
//! | `master`, `region_admin` | schema and maintenance |
//! | `slow_log` | requests to the slow log |
//! | `regions`, `meta` | regions by name; `hbase:meta` with this server as their location |
//! | `throttle` | request quotas |

pub(super) mod client;
pub(super) mod endpoints;
pub(super) mod master;
pub(super) mod meta;
pub(super) mod region_admin;
pub(super) mod regions;
pub(super) mod registry;
pub(super) mod slow_log;
pub(super) mod throttle;
