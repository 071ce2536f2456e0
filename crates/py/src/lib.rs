//! The Python binding: convert, release the interpreter, call one function, convert back.
//!
//! | module | contents |
//! |---|---|
//! | `arguments`, `keywords`, `columns`, `reads`, `writes` | conversion of arguments to the model's types |
//! | `call`, `errors`, `fork` | calls of the engine: interpreter released, errors as exceptions, refused after a fork |
//! | `configuration`, `descriptors` | settings, and descriptors of tables |
//! | `database`, `root`, `cluster`, `admin`, `cluster_admin`, `handle`, `table`, `changes`, `many` | the handles |
//! | `scanner`, `position`, `pairs`, `to_columns`, `row`, `row_mapping`, `cell` | results |
//! | `arrow` | scans as Arrow streams, and frames into tables |
//! | `server`, `stop_signal`, `security` | a server, its stop signal, authentication and Kerberos |
//! | `pattern` | regular expressions of callers |
//! | `tracing` | trace headers of a thread's calls of a cluster |
//! | `hfile`, `sorted_files`, `directory` | store files read and written, and a directory that no process has open |
//! | `observers`, `scan` | observers written in Python; a scan as they see it |
//! | `filters` | conversion of Python's filter classes to filters and back |
//! | `mutations`, `delete`, `batch_writer`, `clock` | objects created by callers |
//! | `show` | short representations of objects |

mod access;
mod admin;
mod arguments;
mod arrow;
mod at_once;
mod batch_writer;
mod call;
mod cell;
mod changes;
mod clock;
mod cluster;
mod cluster_admin;
mod columns;
mod configuration;
mod database;
mod delete;
mod descriptors;
mod directory;
mod errors;
mod filters;
mod folder;
mod fork;
mod handle;
mod hfile;
mod hfile_writer;
mod keywords;
mod many;
mod measured;
mod mutations;
mod observers;
mod pairs;
mod pattern;
mod position;
mod quotas;
mod reads;
mod root;
mod row;
mod row_mapping;
mod scan;
mod scanner;
mod security;
mod server;
mod show;
mod sorted_files;
mod stop_signal;
mod table;
mod to_columns;
mod writes;

use pyo3::prelude::*;

/// Rowstone's native module. Use the package `rowstone`; names in here may change with any version.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::{
        admin::Admin,
        arguments::datetime_ms,
        arrow::{ArrowBatch, ArrowStream, FrameSource},
        at_once::get_at_once,
        batch_writer::BufferedWriter,
        cell::{cell_from_bytes, PyCell},
        changes::CheckOutcome,
        clock::ManualClock,
        cluster::{open_cluster, set_trace_headers},
        cluster_admin::ClusterAdmin,
        configuration::dedicated_settings,
        configuration::default_memory_limits,
        configuration::describe_settings,
        database::{open, Database},
        delete::Delete,
        descriptors::known_attributes,
        directory::{check_directory, copy_directory, repair_directory},
        filters::{comparator_fields, filter_classes, filter_fields, filter_text, parse_filter, unpack_filter},
        folder::{fetch_file, fetch_snapshot, RemoteFolder},
        fork::after_fork_in_child,
        hfile::{HFile, HFileCells},
        hfile_writer::HFileWriter,
        measured::TracedCalls,
        mutations::{Append, Increment, Put, PyGet, PyRowMutations},
        observers::touch,
        pairs::Pairs,
        pattern::Pattern,
        quotas::Quotas,
        root::open_root,
        row::Row,
        row_mapping::row_from_bytes,
        scan::PyScan,
        scanner::Scanner,
        server::{serve, Server},
        sorted_files::SortedFiles,
        stop_signal::StopSignal,
        table::Table,
    };
}
