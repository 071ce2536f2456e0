//! Conversion between the model's operations and HBase's messages.

mod mutation;
mod permissions;
mod quota;
mod read;
mod results;
mod schema;

pub use mutation::{condition_message, mutation_message, Nonces};
pub use permissions::{from_permission, from_user_permission, query_of, to_user_permission};
pub use quota::{from_set_quota, to_set_quota};
pub(crate) use read::READ_UNCOMMITTED;
pub use read::{get_message, scan_message};
pub use results::{append_result, push_row};
pub use schema::{from_family, from_schema, from_table_name, name_pairs, table_name, to_schema};
