//! The server with single calls as raw messages, for requests and details that Rowstone's client does not produce or
//! show.

mod batches;
mod conditions;
mod endpoints;
mod left_unsaid;
mod markers;
mod measures;
mod nonces;
mod procedures;
mod raw;
mod regions;
mod scans;
mod snapshots;
mod status;
mod store_files;
mod support;
