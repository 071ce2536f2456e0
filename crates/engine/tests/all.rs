//! The crate's tests, in one program: it links once.
//!
//! Run those of one file with `cargo test -p rowstone-engine --test all snapshots::`.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "tests")]

mod beside_writer;
mod clock;
mod compactions;
mod compactions_support;
mod concurrency;
mod concurrency_support;
mod disjoint_files;
mod faults_crash;
mod faults_errors;
mod faults_limits;
mod faults_races;
mod faults_random;
mod faults_regions;
mod faults_rules;
mod faults_schema;
mod faults_support;
mod flushes;
mod gets_at_once;
mod golden;
mod handles;
mod hfile_compat;
mod hfile_properties;
mod hfile_random_bytes;
mod idle_regions;
mod leftovers;
mod metamorphic;
mod mob;
mod mob_crash;
mod mob_support;
mod observer_support;
mod on_demand_families;
mod regions;
mod regions_random;
mod regions_support;
mod repair;
mod reversed_scans;
mod rot;
mod rot_support;
mod row_parts;
mod snapshots;
mod store;
mod together;
mod unfinished_copies;
mod whole_files;
