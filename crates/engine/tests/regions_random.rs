//! Splits, merges and truncations of regions among puts, deletes, increments, batches, flushes, compactions,
//! reopenings and power losses, in random order, against a sorted map. A scanner is open most of the time: rows
//! come in order, none twice, and no row that existed throughout is missed.
//!
//! `ROWSTONE_REGIONS_SEEDS` and `ROWSTONE_REGIONS_STEPS` set the amount, `ROWSTONE_REGIONS_SEED` the first seed.

use crate::faults_support as faults;
use crate::regions_support as support;
use faults::Machine;
use rowstone_engine::sys::faulty::Crash;
use rowstone_engine::sys::{Entropy, SeededEntropy};
use rowstone_model::backend::{Backend, ScannerBackend};
use rowstone_model::cell::{CellParts, CellType, LATEST_TIMESTAMP};
use rowstone_model::operations::{Durability, Mutation, MutationKind, Scan};
use rowstone_model::ErrorKind;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use support::*;

/// An open scan, and the rows that may have changed during it.
struct Watched {
    scanner: Box<dyn ScannerBackend>,
    reversed: bool,
    /// Rows that existed when it began, and were not removed since.
    steady: BTreeSet<String>,
    /// Rows that existed at some moment.
    possible: BTreeSet<String>,
    seen: Vec<String>,
}

struct World {
    random: SeededEntropy,
    machine: Machine,
    db: Arc<dyn Backend>,
    model: BTreeMap<String, i64>,
    watched: Option<Watched>,
    starts: u64,
    serial: i64,
    counts: BTreeMap<&'static str, u64>,
}

fn row_name(number: u64) -> String {
    format!("r{number:03}")
}

impl World {
    fn new(seed: u64) -> Self {
        let machine = Machine::new(Durability::FsyncWal);
        let db = machine.open().unwrap();
        // Small blocks, so that files have a middle.
        create(&*db, &[("BLOCKSIZE", "256")], &[]);
        let (random, model) = (SeededEntropy::new(seed), BTreeMap::new());
        World { random, machine, db, model, watched: None, starts: 0, serial: 0, counts: BTreeMap::new() }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit
    }

    fn row(&mut self) -> String {
        row_name(self.below(300))
    }

    fn region(&mut self) -> (Vec<u8>, usize) {
        let regions = self.db.admin().regions(&name()).unwrap();
        let index = self.below(regions.len() as u64) as usize;
        // Full and encoded names both work.
        let name =
            if self.below(2) == 0 { regions[index].region_name() } else { regions[index].encoded_name.clone().into() };
        (name, index)
    }

    fn wrote(&mut self, row: &str, number: i64) {
        self.model.insert(row.to_string(), number);
        if let Some(watched) = &mut self.watched {
            watched.possible.insert(row.to_string());
        }
    }

    fn removed(&mut self, row: &str) {
        self.model.remove(row);
        if let Some(watched) = &mut self.watched {
            watched.steady.remove(row);
        }
    }

    fn write(&mut self) -> &'static str {
        let row = self.row();
        self.serial += 1;
        let serial = self.serial;
        match self.below(10) {
            0..=4 => {
                put(&*self.db, &row, serial);
                self.wrote(&row, serial);
                "puts"
            }
            5 => {
                let rows: BTreeSet<String> = (0..20).map(|_| self.row()).collect();
                let mutations = rows.iter().map(|row| mutation(row, serial)).collect();
                self.db.table(&name()).unwrap().mutate_many(mutations).into_iter().for_each(|result| result.unwrap());
                rows.iter().for_each(|row| self.wrote(row, serial));
                "batches"
            }
            6..=7 => {
                self.db.table(&name()).unwrap().mutate(Mutation::new(MutationKind::Delete, row.as_str())).unwrap();
                self.removed(&row);
                "deletes"
            }
            _ => {
                let mut increment = Mutation::new(MutationKind::Increment, row.as_str());
                for family in ["f", "g"] {
                    increment.cells.push(CellParts {
                        row: row.as_bytes(),
                        family: family.as_bytes(),
                        qualifier: b"q",
                        timestamp: LATEST_TIMESTAMP,
                        cell_type: CellType::Put,
                        value: &serial.to_be_bytes(),
                        tags: &[],
                    });
                }
                self.db.table(&name()).unwrap().mutate(increment).unwrap();
                let sum = self.model.get(&row).copied().unwrap_or(0) + serial;
                self.wrote(&row, sum);
                "increments"
            }
        }
    }

    fn split(&mut self) -> &'static str {
        let ((name, _), row) = (self.region(), self.row());
        let row = Some(row).filter(|_| self.random.next_u64() % 3 != 1);
        match self.db.admin().split_region(&name, row.as_deref().map(str::as_bytes)) {
            Ok(()) => "splits",
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Constraint | ErrorKind::InvalidArgument), "{error}");
                "refused splits"
            }
        }
    }

    fn merge(&mut self) -> &'static str {
        let regions = self.db.admin().regions(&name()).unwrap();
        let (first, count) = (self.below(regions.len() as u64) as usize, 2 + self.below(2) as usize);
        let names: Vec<_> = regions.iter().skip(first).take(count).map(|region| region.region_name()).collect();
        match self.db.admin().merge_regions(&names, false) {
            Ok(()) => "merges",
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Constraint | ErrorKind::InvalidArgument), "{error}");
                "refused merges"
            }
        }
    }

    fn truncate(&mut self) -> &'static str {
        let (name, index) = self.region();
        let region = self.db.admin().regions(&support::name()).unwrap().remove(index);
        self.db.admin().truncate_region(&name).unwrap();
        let gone: Vec<String> = self.model.keys().filter(|row| region.contains(row.as_bytes())).cloned().collect();
        gone.iter().for_each(|row| self.removed(row));
        "truncations"
    }

    fn reopen(&mut self, power_fails: bool) -> &'static str {
        self.watched = None;
        self.starts += 1;
        let files = if power_fails {
            let mode = if self.below(2) == 0 { Crash::Synced } else { Crash::Subset(self.random.next_u64()) };
            let files = self.machine.files.crash(mode);
            // The old database must not touch the new disk, and cannot: it has the old one.
            let _ = self.db.close();
            files
        } else {
            self.db.close().unwrap();
            self.machine.files.clone()
        };
        self.machine = Machine::on(files, self.starts, Durability::FsyncWal);
        self.db = self.machine.open().unwrap();
        if power_fails {
            "power losses"
        } else {
            "reopenings"
        }
    }

    fn watch(&mut self) -> &'static str {
        let Some(mut watched) = self.watched.take() else {
            let reversed = self.below(2) == 0;
            let scanner = self.db.table(&name()).unwrap().scan(Scan { reversed, ..Scan::default() }).unwrap();
            let rows: BTreeSet<String> = self.model.keys().cloned().collect();
            self.watched = Some(Watched { scanner, reversed, steady: rows.clone(), possible: rows, seen: Vec::new() });
            return "scans";
        };
        let count = 1 + self.below(40) as usize;
        let rows = some_rows(&mut *watched.scanner, count);
        let ended = rows.len() < count;
        watched.seen.extend(rows);
        if !ended {
            self.watched = Some(watched);
            return "looks at a scan";
        }
        if watched.reversed {
            watched.seen.reverse();
        }
        assert!(watched.seen.windows(2).all(|pair| pair[0] < pair[1]), "twice or out of order: {:?}", watched.seen);
        let seen: BTreeSet<String> = watched.seen.into_iter().collect();
        assert!(
            seen.is_superset(&watched.steady),
            "missed: {:?}",
            watched.steady.difference(&seen).collect::<Vec<_>>()
        );
        assert!(seen.is_subset(&watched.possible), "from nowhere: {:?}", seen.difference(&watched.possible));
        "whole scans"
    }

    fn step(&mut self) {
        self.machine.tick();
        let what = match self.below(100) {
            0..=49 => self.write(),
            50..=59 => {
                self.db.admin().flush(None).unwrap();
                "flushes"
            }
            60..=64 => {
                let (name, _) = self.region();
                let (major, family) = (self.below(2) == 0, [None, Some(&b"f"[..])][self.below(2) as usize]);
                self.db.admin().compact_region(&name, family, major).unwrap();
                "compactions"
            }
            65..=67 => {
                let major = self.below(2) == 0;
                self.db.admin().compact(&name(), None, major).unwrap();
                "compactions"
            }
            68..=75 => self.split(),
            76..=80 => self.merge(),
            81 => self.truncate(),
            82..=83 => self.reopen(false),
            84..=86 => self.reopen(true),
            _ => self.watch(),
        };
        *self.counts.entry(what).or_default() += 1;
    }

    fn check(&mut self) {
        let regions = self.db.admin().regions(&name()).unwrap();
        assert!(regions.windows(2).all(|pair| pair[0].end_key == pair[1].start_key), "{regions:?}");
        let mut rows: Vec<String> = self.model.keys().cloned().collect();
        let table = self.db.table(&name()).unwrap();
        assert_eq!(rows_of(&mut *table.scan(Scan::default()).unwrap()), rows);
        rows.reverse();
        assert_eq!(rows_of(&mut *table.scan(Scan { reversed: true, ..Scan::default() }).unwrap()), rows);
        for _ in 0..30 {
            let row = self.row();
            assert_eq!(get(&*self.db, &row), self.model.get(&row).copied(), "row {row}");
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn regions_come_and_go_and_the_rows_stay() {
    let (first, steps) = (number("ROWSTONE_REGIONS_SEED", 1), number("ROWSTONE_REGIONS_STEPS", 400));
    let seeds = number("ROWSTONE_REGIONS_SEEDS", 6);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in first..first + seeds {
        println!("seed {seed}, {steps} steps");
        let mut world = World::new(seed);
        for step in 0..steps {
            world.step();
            if step % 20 == 19 {
                world.check();
            }
        }
        world.check();
        world.counts.into_iter().for_each(|(what, count)| *counts.entry(what).or_default() += count);
    }
    println!("regions: {seeds} seeds from {first}, {steps} steps each: {counts:?}");
    assert!(seeds * steps < 2_000 || counts["splits"] > 20 && counts["merges"] > 10, "{counts:?}");
}
