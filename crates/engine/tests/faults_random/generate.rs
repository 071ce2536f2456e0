//! Random operations from a seed.

use super::operations::{Op, SPLITS};
use super::world::World;
use rowstone_engine::sys::{Entropy, SeededEntropy};
use rowstone_model::operations::Durability;

pub struct Dice(SeededEntropy);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(SeededEntropy::new(seed))
    }

    pub fn number(&self) -> u64 {
        self.0.next_u64()
    }

    pub fn below(&self, count: usize) -> usize {
        (self.number() % count.max(1) as u64) as usize
    }

    fn flag(&self) -> bool {
        self.below(2) == 0
    }

    fn wal(&self) -> Durability {
        match self.below(20) {
            0..=2 => Durability::SkipWal,
            3..=7 => Durability::AsyncWal,
            8..=14 => Durability::SyncWal,
            _ => Durability::FsyncWal,
        }
    }

    fn op(&self) -> Op {
        let table = u8::from(self.below(4) == 0);
        // Few rows, so that operations affect the same ones.
        let (row, wal) = ([0, 1, 5, 6, 7, 11][self.below(6)], self.wal());
        match self.below(132) {
            0..=19 => Op::Put { table, row, wal },
            20..=26 => Op::PutC { table, row, wal },
            27..=33 => Op::Batch { table, rows: 1 << row | (self.number() as u16 & 0x0fff), wal },
            34..=38 => Op::Atomic { table, row, wal },
            39..=43 => Op::DeleteRow { table, row, wal },
            44..=46 => Op::DeleteColumns { table, row, wal },
            47..=50 => Op::DeleteVersion { table, row, wal },
            51..=53 => Op::DeleteFamilyVersion { table, row, wal },
            54..=61 => Op::Increment { table, row, amount: 1 + self.below(9) as i64, wal },
            62..=67 => Op::Append { table, row, wal },
            68..=71 => Op::Load { table, rows: [3, 5, 12, 15][self.below(4)], variant: self.below(4) as u8 },
            72..=80 => Op::Flush { table },
            81..=87 => Op::Compact { table, major: self.below(3) == 0 },
            88..=91 => Op::AddC { table },
            92..=93 => Op::DropC { table },
            94..=95 => Op::Disable { table },
            96..=101 => Op::Enable { table },
            102 => Op::Truncate { table, keeps_splits: self.flag() },
            103 => Op::Drop { table },
            104..=108 => Op::Create { table, split: self.flag() },
            109..=112 => Op::Split { table, at: self.below(SPLITS.len()) as u8 },
            113..=116 => Op::Merge { table, at: self.below(SPLITS.len()) as u8 },
            117 => Op::TruncateRegion { table, row },
            118..=121 => Op::Snapshot { table, snapshot: self.below(2) as u8 },
            122..=123 => Op::DropSnapshot { snapshot: self.below(2) as u8 },
            124..=125 => Op::Clone { snapshot: self.below(2) as u8, table },
            126..=127 => Op::Restore { snapshot: self.below(2) as u8 },
            _ => Op::Reopen,
        }
    }
}

/// `count` operations, each of which is possible at its position.
pub fn operations(dice: &Dice, count: usize) -> Vec<Op> {
    let mut ops = vec![Op::Create { table: 0, split: dice.flag() }];
    let mut world = World::default().after(&ops[0], 0, 1);
    while ops.len() < count {
        let op = dice.op();
        // A table is disabled before it is restored.
        let first = match op {
            Op::Restore { snapshot } => world.snapshots.get(&snapshot).map(|kept| Op::Disable { table: kept.table }),
            _ => None,
        };
        for op in first.into_iter().chain([op]) {
            if world.allows(&op) {
                world = world.after(&op, ops.len(), 1 + ops.len() as i64);
                ops.push(op);
            }
        }
    }
    ops
}

#[test]
fn workloads_have_operations_of_every_kind() {
    let kinds = |seed| {
        let dice = Dice::new(seed);
        let ops = operations(&dice, 12 + dice.below(40));
        ops.iter().map(|op| format!("{op:?}").split(' ').next().unwrap().to_string()).collect::<Vec<_>>()
    };
    let seen: std::collections::BTreeSet<String> = (0..60).flat_map(kinds).collect();
    let wanted = "AddC DropC Truncate TruncateRegion Load Split Merge Snapshot DropSnapshot Clone Restore Drop";
    for kind in wanted.split(' ') {
        assert!(seen.contains(kind), "no {kind} in {seen:?}");
    }
}
