//! What a power loss leaves.

use super::disk::{sector_of, Disk, Names, Node, SECTOR_BYTES};
use super::Crash;
use crate::sys::{Entropy, SeededEntropy};

/// Decisions from a seed. Each crash has its own chance that something survived.
struct Dice {
    entropy: SeededEntropy,
    percent: u64,
}

impl Dice {
    fn new(seed: u64) -> Self {
        let entropy = SeededEntropy::new(seed);
        let percent = 10 + entropy.next_u64() % 81;
        Dice { entropy, percent }
    }

    fn below(&self, count: usize) -> usize {
        (self.entropy.next_u64() % count.max(1) as u64) as usize
    }

    fn survives(&self) -> bool {
        self.entropy.next_u64() % 100 < self.percent
    }
}

impl Disk {
    /// The disk after a power loss: all that is on it is safe.
    pub fn after(&self, crash: Crash) -> Disk {
        let dice = match crash {
            Crash::Subset(seed) => Some(Dice::new(seed)),
            _ => None,
        };
        let mut names = self.durable.clone();
        for change in &self.pending {
            if dice.as_ref().map_or(crash == Crash::Everything, Dice::survives) {
                names.apply(change);
            }
        }
        drop_unreachable(&mut names);
        let content = |node: &Node| match &dice {
            Some(dice) => mix(node, dice),
            None if crash == Crash::Everything => node.content.clone(),
            None => node.durable.clone(),
        };
        let settled = |content: Vec<u8>| Node { durable: content.clone(), content, ..Node::default() };
        let nodes = self.nodes.iter().map(content).map(settled).collect();
        Disk { nodes, present: names.clone(), durable: names, pending: Vec::new() }
    }
}

/// Without its folder a file is gone.
fn drop_unreachable(names: &mut Names) {
    let known = names.directories.clone();
    let is_reachable = |path: &std::path::Path| path.ancestors().skip(1).all(|above| known.contains(above));
    names.files.retain(|path, _| is_reachable(path));
    names.directories.retain(|path| is_reachable(path));
}

/// The safe bytes with some of the others.
fn mix(node: &Node, dice: &Dice) -> Vec<u8> {
    let (old, new) = (&node.durable, &node.content);
    if old == new {
        return new.clone();
    }
    let (shorter, longer) = (old.len().min(new.len()), old.len().max(new.len()));
    let length = match dice.below(3) {
        0 => old.len(),
        1 => new.len(),
        _ => shorter + dice.below(longer - shorter + 1),
    };
    let fills_with_garbage = dice.below(2) == 0;
    let mut mixed = Vec::with_capacity(length + SECTOR_BYTES);
    for sector in 0..length.div_ceil(SECTOR_BYTES) {
        let start = mixed.len();
        let source = if dice.survives() { new } else { old };
        mixed.extend_from_slice(sector_of(source, sector));
        while mixed.len() < start + SECTOR_BYTES {
            mixed.push(if fills_with_garbage { dice.below(256) as u8 } else { 0 });
        }
    }
    mixed.truncate(length);
    mixed
}
