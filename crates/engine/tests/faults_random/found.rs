//! Failures that random operations found, kept small.

#![allow(unused_imports)]

use super::operations::Op::{self, *};
use super::shrink::Case;
use rowstone_engine::sys::faulty::Crash::{self, *};
use rowstone_engine::sys::faulty::Tail::*;
use rowstone_model::operations::Durability::*;

fn check(ops: &[Op], crashes: &[(usize, Crash)]) {
    let case = Case { ops: ops.to_vec(), crashes: crashes.to_vec() };
    case.check().unwrap_or_else(|reason| panic!("{reason}"));
}
