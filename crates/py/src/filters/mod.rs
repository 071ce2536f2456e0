//! Filters in Python: dataclasses with the names and fields of the model's filters. Field values are converted
//! through `rowstone_model::filter::Part`, so this module lists no filters.
//!
//! | module | contents |
//! |---|---|
//! | `convert` | conversion of Python objects to filters and back |
//! | `keyword` | the keyword argument `filter=` |
//! | `functions` | functions called by the Python classes |

mod convert;
mod functions;
mod keyword;

pub use functions::{comparator_fields, filter_classes, filter_fields, filter_text, parse_filter, unpack_filter};
pub use keyword::{filter_of, read_filter};
