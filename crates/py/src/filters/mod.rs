//! Filters as Python sees them. Its classes are dataclasses with the names and fields of the model's descriptions; what is in
//! them goes through `rowstone_model::filter::Part`, so that no filter is spelled out here.
//!
//! | module | its one sentence |
//! |---|---|
//! | `convert` | Python objects to descriptions and back |
//! | `keyword` | what a caller may pass as `filter=` |
//! | `functions` | what the Python classes call |

mod convert;
mod functions;
mod keyword;

pub use functions::{comparator_fields, filter_classes, filter_fields, filter_text, parse_filter, unpack_filter};
pub use keyword::{filter_of, read_filter};
